import { join } from 'node:path';
import { COMPATIBLE_VERSION, VERSION } from './base/version.ts';
import { tableSizes } from './metadata-store/database/table-sizes.ts';
import type { Domain } from './domain/domain.ts';
import type { GrpcMethod } from './server/grpc/grpc-server.ts';
import { guardMethods, guardRoutes } from './server/guard-routes.ts';
import { createRateLimiter } from './server/guards/rate-limit.ts';
import { isFromThisMachine } from './server/guards/trusted-proxies.ts';
import { healthRoutes, metricsRoute } from './server/health-routes.ts';
import { readWebFiles } from './server/pages/web-files.ts';
import type { HttpResponse, Route } from './server/route.ts';
import { otlpRoutes } from './api/otlp/trace-routes.ts';
import { traceServiceMethods } from './api/otlp/trace-service.ts';
import { type EventsOptions, openEvents } from './api/rest/events.ts';
import { restRoutes } from './api/rest/routes.ts';
import { graphqlRoutes } from './api/graphql/routes.ts';
import type { Stores } from './open-stores.ts';
import type { Runtime } from './prepare-runtime.ts';

/** Routes and methods, with their guards. They listen nowhere yet. */
export interface Apis {
  /** Health and metrics for the metrics port. */
  readonly health: readonly Route[];
  readonly routes: readonly Route[];
  /** Page of the web interface, for every path without a route. */
  readonly page: HttpResponse;
  readonly grpcMethods: readonly GrpcMethod[];
  /** Ends the streams of events, which do not end by themselves. */
  close(): void;
}

export interface ApiOptions {
  /** Shorter times and smaller numbers, for tests. */
  readonly events?: Omit<EventsOptions, 'domain'>;
}

/** Third stage. */
export function createApis(
  { config, log, registry }: Runtime,
  stores: Stores,
  domain: Domain,
  options: ApiOptions = {},
): Apis {
  const { metadata, spanStore, ingest, storage } = stores;
  const isReadOnly = config.readOnly;
  const storageLock = () => storage.lock();
  const rateLimiter = createRateLimiter({ isEnabled: config.hasRateLimits });
  const isReady = async () => {
    const [isCaughtUp] = await Promise.all([ingest.isCaughtUp(), metadata.ping()]);
    return isCaughtUp;
  };
  const health = healthRoutes({ compatibleVersion: COMPATIBLE_VERSION, isReady });
  const events = openEvents({ ...options.events, domain });
  const spanStoreBytes = async () => (await spanStore.stats()).diskBytes;
  // Beside this module, both compiled and bundled.
  const web = readWebFiles(new URL('../web/', import.meta.url), config.http.rootPath);
  const apiRoutes = [
    ...otlpRoutes(ingest),
    ...restRoutes({ domain, version: VERSION, uploadDir: join(config.paths.dataDir, 'uploads') }),
    ...events.routes,
    ...graphqlRoutes({
      domain,
      log,
      isReadOnly,
      storageLock,
      consolePage: web.graphqlConsole,
      storage: {
        capacityBytes: config.capacity.capacityBytes,
        spanStoreBytes,
        tableSizes: async () => [
          { tableName: 'spans', numBytes: await spanStoreBytes() },
          ...(await tableSizes(metadata.readDb)),
        ],
      },
    }),
  ];
  return {
    health: [...health, metricsRoute(registry, () => true)],
    routes: [
      ...health,
      metricsRoute(registry, isFromThisMachine),
      ...web.routes,
      ...guardRoutes(apiRoutes, { isReadOnly, storageLock, rateLimiter }),
    ],
    page: web.page,
    grpcMethods: guardMethods(traceServiceMethods(ingest), storageLock),
    close: () => events.close(),
  };
}
