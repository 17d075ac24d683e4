/**
 * How many HTTP requests per second do uWebSockets.js and node:http serve, and how much CPU time does each request
 * take?
 */
import { Registry } from 'prom-client';
import { loadUWebSockets } from '../../../native-bindings/uwebsockets.ts';
import { silentLog } from '../../../src/base/log.ts';
import { PARSER_HEADER_BYTES_MAX } from '../../../src/model/limits/requests.ts';
import { healthRoutes } from '../../../src/server/health-routes.ts';
import { openHttpServer } from '../../../src/server/http/http-server.ts';
import type { Route } from '../../../src/server/route.ts';
import { type Load, type LoadResult, runLoad } from '../load-client.ts';

const RUN_MS = process.env.SMOKE ? 50 : 1_500;
/** The machine may be shared, so the engines alternate, and the best round counts. */
const ROUND_COUNT = process.env.SMOKE ? 1 : 3;
const SPANS_PER_REQUEST = 500;
let receivedBytes = 0;
const uws = loadUWebSockets(PARSER_HEADER_BYTES_MAX);
if (uws.state === 'absent') console.log(`node:http alone: ${uws.reason}`);
const ENGINES = uws.state === 'loaded' ? (['uws', 'node'] as const) : (['node'] as const);

const take: Route = {
  method: 'POST',
  path: '/v1/traces',
  access: 'open',
  bodyBytesMax: 64 * 1024 * 1024,
  handle: ({ body }) => {
    receivedBytes += body.byteLength;
    return { status: 200, headers: { 'content-type': 'application/x-protobuf' } };
  },
};

const LOADS: readonly Pick<Load, 'kind' | 'path' | 'bodyBytes' | 'senderCount'>[] = [
  { kind: 'get', path: '/healthz', bodyBytes: 0, senderCount: 1 },
  { kind: 'get', path: '/healthz', bodyBytes: 0, senderCount: 32 },
  { kind: 'post', path: '/v1/traces', bodyBytes: 2_000, senderCount: 32 },
  { kind: 'post', path: '/v1/traces', bodyBytes: 700_000, senderCount: 1 },
  { kind: 'post', path: '/v1/traces', bodyBytes: 700_000, senderCount: 8 },
];

async function measure(engine: 'uws' | 'node', load: (typeof LOADS)[number]): Promise<LoadResult> {
  const registry = new Registry();
  const health = healthRoutes({ compatibleVersion: '14.17.0', findUnreadiness: async () => undefined });
  const server = await openHttpServer({
    routes: [...health, take],
    host: '127.0.0.1',
    port: 0,
    rootPath: '',
    engine,
    compatibleVersion: '14.17.0',
    version: '0.1.0',
    log: silentLog,
    registry,
  });
  const result = await runLoad({ ...load, port: server.port, runMs: RUN_MS });
  await server.close();
  return result;
}

for (const load of LOADS) {
  const best = new Map<string, LoadResult>();
  for (let round = 0; round < ROUND_COUNT; round++) {
    for (const engine of ENGINES) {
      const result = await measure(engine, load);
      const before = best.get(engine);
      if (before === undefined || result.requestCount / result.ms > before.requestCount / before.ms) {
        best.set(engine, result);
      }
    }
  }
  for (const [engine, { requestCount, ms, serverCpuMicros }] of best) {
    const perSecond = (requestCount / ms) * 1000;
    const figures = [
      `${perSecond.toFixed(0).padStart(7)} requests/s`,
      `${((perSecond * load.bodyBytes) / 1e6).toFixed(0).padStart(5)} MB/s`,
      `${serverCpuMicros.toFixed(0).padStart(5)} µs CPU a request`,
      load.bodyBytes > 100_000 ? `${(serverCpuMicros / SPANS_PER_REQUEST).toFixed(2)} µs a span` : '',
    ];
    const what = `${load.kind} ${load.bodyBytes / 1000} KB, ${load.senderCount} senders`;
    console.log(`${what.padEnd(28)} ${engine.padEnd(5)} ${figures.join('  ')}`);
  }
}
console.log(`received ${receivedBytes} bytes`);
