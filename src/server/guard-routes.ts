import { errorResponse, errorTextResponse } from './error-response.ts';
import type { GrpcMethod } from './grpc/grpc-server.ts';
import type { RateLimiter } from './guards/rate-limit.ts';
import { type StorageLock, storageFullError } from './guards/storage-guard.ts';
import type { HttpResponse, RequestHead, Route } from './route.ts';

export interface Guards {
  /** True to close REST and OTLP. */
  readonly isReadOnly: boolean;
  readonly storageLock: StorageLock;
  readonly rateLimiter: RateLimiter;
}

/** Adds the checks that a route declares. They run before the body is read and before the route's own `admit`. */
export function guardRoutes(routes: readonly Route[], { isReadOnly, storageLock, rateLimiter }: Guards): Route[] {
  return routes.map((route) => {
    const { rateLimit, blockedWhenStorageFull, admit } = route;
    const isClosed = isReadOnly && route.path.startsWith('/v1/');
    if (!isClosed && !blockedWhenStorageFull && rateLimit === undefined) return route;
    const reject = (request: RequestHead): HttpResponse | undefined => {
      if (isClosed) return errorTextResponse('READ_ONLY', 'The REST API is disabled in read-only mode.');
      const limited = rateLimit && rateLimiter.reject(rateLimit, request);
      return limited ?? (blockedWhenStorageFull ? errorResponse(storageFullError(storageLock)) : undefined);
    };
    return { ...route, admit: (request) => reject(request) ?? admit?.(request) };
  });
}

/** The same for gRPC. A read-only server has no gRPC listener. */
export const guardMethods = (methods: readonly GrpcMethod[], storageLock: StorageLock): GrpcMethod[] =>
  methods.map((method) =>
    method.blockedWhenStorageFull
      ? { ...method, admit: () => storageFullError(storageLock) ?? method.admit?.() }
      : method,
  );
