import { Registry } from 'prom-client';
import { HeapBudget } from './base/memory/heap-budget.ts';
import { COMPATIBLE_VERSION, VERSION } from './base/version.ts';
import { openGrpcServer } from './server/grpc/grpc-server.ts';
import { openHttpServer } from './server/http/http-server.ts';
import type { Apis } from './create-apis.ts';
import { openParts } from './open-parts.ts';
import type { Runtime } from './prepare-runtime.ts';

export interface Listeners {
  readonly httpAddress: string;
  /** Undefined on a read-only server. */
  readonly grpcPort: number | undefined;
  /** Stops accepting, and waits for requests that are in flight. */
  close(): Promise<void>;
}

/** Last stage. Opens the ports of the configuration; closes the APIs with them. */
export const listen = (runtime: Runtime, apis: Apis): Promise<Listeners> =>
  openParts(async (keep) => {
    const { config, memory, bodyBudget, log, registry } = runtime;
    const common = { compatibleVersion: COMPATIBLE_VERSION, version: VERSION, log, registry, engine: 'auto' } as const;
    const http = keep(
      await openHttpServer({
        ...common,
        routes: apis.routes,
        gate: apis.gate,
        page: apis.page,
        bodyBudget,
        heapBudget: new HeapBudget(memory.jsonHeapBytesMax),
        limits: { connectionCountMax: memory.connectionCountMax },
        host: config.http.host,
        port: config.http.port,
        rootPath: config.http.rootPath,
        tls: config.http.tls,
        allowedOrigins: config.allowedOrigins,
        csrfTrustedOrigins: config.csrfTrustedOrigins,
        allowedHosts: config.allowedHosts,
        trustedProxies: config.trustedProxies,
        rootUrl: config.rootUrl,
      }),
    );
    runtime.rootUrl.listensAt(http.address);
    // Before the listener, which waits for streams that are in flight.
    keep(apis);
    if (config.metrics.enabled) {
      keep(
        await openHttpServer({
          ...common,
          engine: 'node',
          registry: new Registry(),
          routes: apis.health,
          host: config.metrics.host,
          port: config.metrics.port,
          rootPath: '',
          allowedHosts: config.allowedHosts,
          rootUrl: config.rootUrl,
        }),
      );
    }
    const grpc = config.readOnly ? undefined : keep(await openGrpc(runtime, apis));
    return { httpAddress: http.address, grpcPort: grpc?.port };
  });

const openGrpc = ({ config, memory, bodyBudget, log, registry }: Runtime, { grpcMethods, gate }: Apis) =>
  openGrpcServer({
    methods: grpcMethods,
    gate,
    host: config.grpc.host,
    port: config.grpc.port,
    tls: config.grpc.tls,
    bodyBudget,
    limits: { connectionCountMax: memory.grpcConnectionCountMax },
    log,
    registry,
  });
