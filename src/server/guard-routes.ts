import { type HttpResponse, type Route, textResponse } from './route.ts';

export interface Guards {
  /** REST and OTLP are closed on a read-only server. */
  readonly isReadOnly: boolean;
  /** Why nothing may grow at present; undefined when it may. */
  readonly storageLock: () => string | undefined;
}

/** The same routes, refused early where the server's state forbids them; a route's own `admit` comes after these. */
export function guardRoutes(routes: readonly Route[], guards: Guards): Route[] {
  return routes.map((route) => {
    const isClosed = guards.isReadOnly && route.path.startsWith('/v1/');
    if (!isClosed && !route.growsStorage) return route;
    return {
      ...route,
      admit: (request): HttpResponse | undefined => {
        if (isClosed) return textResponse(403, 'The REST API is disabled in read-only mode.');
        const lock = guards.storageLock();
        return lock === undefined ? route.admit?.(request) : textResponse(507, lock);
      },
    };
  });
}
