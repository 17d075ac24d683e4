import { setTimeout as delay } from 'node:timers/promises';
import { encodeTraceRequest } from '../../test/e2e/otlp-request.ts';
import { openHttpSender } from '../../test/e2e/otlp-sender.ts';
import { type ServerProcess, startServer } from '../../test/e2e/server-process.ts';
import { isSmoke } from './measure.ts';

/** The server of a bench. */
export type BenchServer = Pick<ServerProcess, 'pid' | 'url' | 'grpcAddress' | 'dataDir'>;

/**
 * Runs a bench against a new server, and stops the server in any case. `DATA_DIR` keeps and reuses a directory. The tests
 * describe one server for all benches in `BENCH_SERVER`, as JSON.
 */
export async function withServer(bench: (server: BenchServer) => Promise<void>): Promise<void> {
  const running = process.env.BENCH_SERVER;
  if (running !== undefined) return bench(JSON.parse(running) as BenchServer);
  const dataDir = process.env.DATA_DIR;
  const server = await startServer(dataDir === undefined ? {} : { dataDir });
  try {
    await bench(server);
    await server.stop();
  } finally {
    await server.kill9();
  }
}

let markerCount = 0;

/** Milliseconds from a span's acknowledgement until REST shows it; the journal is applied in order, so also the backlog. */
export async function measureVisibleMs(
  server: Pick<ServerProcess, 'url'>,
  project: string,
  msMax = 600_000,
): Promise<number> {
  const sender = openHttpSender(server.url, 1);
  const marker = `${process.pid}-${markerCount++}-${Date.now()}`;
  const traceId = Buffer.from(marker.padEnd(16, '.').slice(-16));
  const now = BigInt(Date.now()) * 1_000_000n;
  const body = encodeTraceRequest({
    project,
    spans: [{ traceId, spanId: traceId.subarray(8), name: 'marker', startTimeUnixNano: now, endTimeUnixNano: now }],
  });
  try {
    for (let result = await sender.send(body); !result.isAcknowledged; result = await sender.send(body))
      await delay(result.retryAfterMs ?? 100);
    const acknowledgedAt = performance.now();
    const url = `${server.url}/v1/projects/${encodeURIComponent(project)}/spans?limit=1&trace_id=${traceId.toString('hex')}`;
    for (;;) {
      const response = await fetch(url);
      const text = await response.text();
      const elapsedMs = performance.now() - acknowledgedAt;
      if (response.status === 200 && !text.startsWith('{"data":[]')) return elapsedMs;
      if (elapsedMs > msMax) throw new Error(`a span is not readable ${msMax} ms after its acknowledgement`);
      await delay(isSmoke ? 50 : 5);
    }
  } finally {
    sender.close();
  }
}

/** Measures the visible lag again and again until it is stopped. */
export function watchVisibleMs(server: BenchServer, project: string): { stop(): Promise<number[]> } {
  let isStopping = false;
  const lags: number[] = [];
  const loop = (async () => {
    while (!isStopping) {
      lags.push(await measureVisibleMs(server, project));
      await delay(100);
    }
  })();
  return {
    async stop() {
      isStopping = true;
      await loop;
      return lags;
    },
  };
}
