import { errorTextResponse } from './error-response.ts';
import type { HttpResponse, Route } from './route.ts';

export interface Guards {
  /** A read-only server rejects REST and OTLP requests. */
  readonly isReadOnly: boolean;
  /** Message of the rejection while storage is above its limit, otherwise undefined. */
  readonly storageLock: () => string | undefined;
}

/**
 * Returns the routes with early rejections that depend on the state of the server. A route's own `admit` runs after
 * these.
 */
export function guardRoutes(routes: readonly Route[], guards: Guards): Route[] {
  return routes.map((route) => {
    const isClosed = guards.isReadOnly && route.path.startsWith('/v1/');
    if (!isClosed && !route.growsStorage) return route;
    return {
      ...route,
      admit: (request): HttpResponse | undefined => {
        if (isClosed) return errorTextResponse('READ_ONLY', 'The REST API is disabled in read-only mode.');
        const lock = guards.storageLock();
        return lock === undefined ? route.admit?.(request) : errorTextResponse('STORAGE_FULL', lock);
      },
    };
  });
}
