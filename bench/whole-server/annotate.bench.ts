/**
 * How many annotations per second are acknowledged, by size of the request, and with and without waiting for the store?
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type BenchServer, withServer } from './bench-server.ts';
import { count, isSmoke, LatencyRecorder, ms, printTable, ratio, size } from './measure.ts';

const SECONDS = size('SECONDS', { smoke: 0.1, full: 5 });
const SPAN_COUNT = size(undefined, { smoke: 20, full: 2_000 });
const CONCURRENCY = 4;
const PROJECT = 'annotate';
const JSON_BODY = { 'content-type': 'application/json' };

await withServer(async (server) => {
  await storeSpans(server);
  const rows: Record<string, string>[] = [];
  let first: number | undefined;
  for (const isSync of [false, true]) {
    for (const batchSize of isSmoke ? [10] : [100, 1_000]) {
      const load = await run(server, isSync, batchSize);
      first ??= load.perSecond;
      rows.push({
        sync: String(isSync),
        'annotations/request': count(batchSize),
        'annotations/s': count(load.perSecond),
        'of the first row': ratio(load.perSecond / first),
        'ack p50 ms': ms(load.latency.p50),
        'ack p99 ms': ms(load.latency.p99),
        'all stored after s': (load.drainMs / 1_000).toFixed(1),
      });
    }
  }
  printTable(`Annotations of ${SPAN_COUNT} spans: ${CONCURRENCY} requests in flight, ${SECONDS} s each`, rows);
});

async function run(server: BenchServer, isSync: boolean, batchSize: number) {
  const latencies = new LatencyRecorder();
  const startMs = performance.now();
  let total = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async (_, sender) => {
      for (let request = 0; performance.now() - startMs < SECONDS * 1_000; request++) {
        const sentMs = performance.now();
        await post(server, annotations(`${isSync} ${batchSize} ${sender} ${request}`, batchSize), isSync);
        latencies.add(performance.now() - sentMs);
        total += batchSize;
      }
    }),
  );
  const perSecond = total / ((performance.now() - startMs) / 1_000);
  const drainStartMs = performance.now();
  // The journal is applied in order, so all earlier records are stored before a synchronous request.
  await post(server, annotations('last', 1), true);
  return { perSecond, latency: latencies.summary(), drainMs: performance.now() - drainStartMs };
}

function annotations(name: string, batchSize: number): object[] {
  return Array.from({ length: batchSize }, (_, index) => ({
    span_id: `span ${index % SPAN_COUNT}`,
    name: `${name} ${Math.floor(index / SPAN_COUNT)}`,
    annotator_kind: 'LLM',
    result: { label: index % 2 === 0 ? 'good' : 'bad', score: index / batchSize, explanation: 'The answer names it.' },
  }));
}

async function post(server: BenchServer, data: readonly object[], isSync: boolean): Promise<void> {
  const body = JSON.stringify({ data });
  for (;;) {
    const url = `${server.url}/v1/span_annotations?sync=${isSync}`;
    const response = await fetch(url, { method: 'POST', headers: JSON_BODY, body });
    const text = await response.text();
    if (response.ok) return;
    if (response.status !== 503) throw new Error(`${response.status} ${text}`);
    await delay(50);
  }
}

async function storeSpans(server: BenchServer): Promise<void> {
  const data = Array.from({ length: SPAN_COUNT }, (_, index) => ({
    name: 'chat',
    context: { trace_id: `trace ${index}`, span_id: `span ${index}` },
    span_kind: 'LLM',
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-01T00:00:01Z',
    status_code: 'OK',
  }));
  const url = `${server.url}/v1/projects/${PROJECT}/spans`;
  const response = await fetch(url, { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ data }) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}
