import { errorResponse, errorTextResponse } from './error-response.ts';
import type { GrpcMethod } from './grpc/grpc-server.ts';
import { type StorageLock, storageFullError } from './guards/storage-guard.ts';
import type { Route } from './route.ts';

export interface Guards {
  /** True to close REST and OTLP. */
  readonly isReadOnly: boolean;
  readonly storageLock: StorageLock;
}

/** Adds the checks that a route declares. They run before the body is read and before the route's own `admit`. */
export function guardRoutes(routes: readonly Route[], { isReadOnly, storageLock }: Guards): Route[] {
  return routes.map((route) => {
    const isClosed = isReadOnly && route.path.startsWith('/v1/');
    if (!isClosed && !route.blockedWhenStorageFull) return route;
    return {
      ...route,
      admit: (request) =>
        isClosed
          ? errorTextResponse('READ_ONLY', 'The REST API is disabled in read-only mode.')
          : (errorResponse(storageFullError(storageLock)) ?? route.admit?.(request)),
    };
  });
}

/** The same for gRPC. A read-only server has no gRPC listener. */
export const guardMethods = (methods: readonly GrpcMethod[], storageLock: StorageLock): GrpcMethod[] =>
  methods.map((method) =>
    method.blockedWhenStorageFull
      ? { ...method, admit: () => storageFullError(storageLock) ?? method.admit?.() }
      : method,
  );
