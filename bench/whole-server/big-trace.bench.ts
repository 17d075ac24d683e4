/** How does one trace of 100,000 spans affect the server and other clients? */
import { setTimeout as delay } from 'node:timers/promises';
import { encodeTraceRequest } from '../../test/e2e/otlp-request.ts';
import { openHttpSender } from '../../test/e2e/otlp-sender.ts';
import { measureProcessTree } from '../../test/e2e/process-tree.ts';
import { getJson, type RestPage, type RestSpan, type RestTrace } from '../../test/e2e/rest.ts';
import { type BenchServer, measureVisibleMs, withServer } from './bench-server.ts';
import { startLoad } from './load-generator.ts';
import { takeLoopDelayMs } from './loop-delay.ts';
import { count, isSmoke, mib, ms, printTable, ratio, size } from './measure.ts';
import { watchReads } from './watch-reads.ts';

const SPAN_COUNT = size('SPANS', { smoke: 2_000, full: 100_000 });
const REQUEST_SPAN_COUNT = 500;
const TRACE_ID = 'c'.repeat(32);
const PROJECT = 'big trace';
const OTHERS = 'others';

const rows: Record<string, string>[] = [];
await withServer(async (server) => {
  const load = startLoad({
    transport: 'http',
    target: server.url,
    project: OTHERS,
    seconds: 3_600,
    concurrency: 8,
    spansPerSecond: isSmoke ? 100 : 1_000,
  });
  await load.started;
  await measureVisibleMs(server, OTHERS);
  const steps: [string, () => Promise<number>][] = [
    ['nothing: the others alone', () => delay(isSmoke ? 0 : 2_000).then(() => 0)],
    ['take it in', () => takeIn(server)],
    ['until all of it is readable', () => measureVisibleMs(server, PROJECT).then(() => SPAN_COUNT)],
    [
      'list its trace',
      () =>
        getJson<RestPage<RestTrace>>(`${server.url}/v1/projects/${encodeURIComponent(PROJECT)}/traces`).then(
          ({ data }) => data.length,
        ),
    ],
    [
      'list it with its spans',
      () =>
        getJson<RestPage<RestTrace>>(
          `${server.url}/v1/projects/${encodeURIComponent(PROJECT)}/traces?include_spans=true&session_identifier=big`,
        ).then(({ data }) => data[0]?.spans?.length ?? 0),
    ],
    ['page through it, 1,000 spans a page', () => pageThrough(server)],
    [
      'list its session',
      () =>
        getJson<RestPage<unknown>>(`${server.url}/v1/projects/${encodeURIComponent(PROJECT)}/sessions`).then(
          ({ data }) => data.length,
        ),
    ],
  ];
  let quiet = Number.NaN;
  for (const [what, step] of steps) {
    await takeLoopDelayMs(server);
    const others = watchReads(`${server.url}/v1/projects/${OTHERS}/spans?limit=100`, 20);
    const startedAt = performance.now();
    const result = await step();
    const elapsedMs = performance.now() - startedAt;
    const { p50, p99, max, failureCount } = await others.stop();
    if (failureCount > 0) throw new Error(`${failureCount} reads of others failed while: ${what}`);
    const loopDelayMs = await takeLoopDelayMs(server);
    if (Number.isNaN(quiet)) quiet = p99;
    rows.push({
      step: what,
      'took ms': ms(elapsedMs),
      rows: count(result),
      "others' p50 ms": ms(p50),
      'p99 ms': ms(p99),
      'max ms': ms(max),
      'p99 of alone': ratio(p99 / quiet),
      'event loop at most ms': ms(loopDelayMs),
      PSS: mib(measureProcessTree(server.pid).pssBytes),
    });
  }
  load.end();
  await load.result;
});
printTable(
  `A trace of ${count(SPAN_COUNT)} spans, while others ask for the newest page of a project into which 1,000 spans/s arrive`,
  rows,
);

async function takeIn(server: BenchServer): Promise<number> {
  const http = openHttpSender(server.url, 4);
  const start = BigInt(Date.now()) * 1_000_000n;
  const spanId = (index: number) => (index + 1).toString(16).padStart(16, '0');
  for (let first = 0; first < SPAN_COUNT; first += REQUEST_SPAN_COUNT) {
    const spans = Array.from({ length: REQUEST_SPAN_COUNT }, (_, offset) => {
      const index = first + offset;
      const attributes = {
        'openinference.span.kind': 'CHAIN',
        'session.id': 'big',
        'input.value': `input of step ${index}`,
      };
      const times = {
        startTimeUnixNano: start + BigInt(index) * 1_000n,
        endTimeUnixNano: start + BigInt(index + 5_000) * 1_000n,
      };
      // A tree of nine children each, about five levels deep.
      return {
        traceId: TRACE_ID,
        spanId: spanId(index),
        ...(index > 0 && { parentSpanId: spanId(Math.floor((index - 1) / 9)) }),
        name: `step ${index}`,
        ...times,
        attributes,
      };
    });
    const body = encodeTraceRequest({ project: PROJECT, spans });
    for (let result = await http.send(body); !result.isAcknowledged; result = await http.send(body))
      await delay(result.retryAfterMs ?? 100);
  }
  http.close();
  return SPAN_COUNT;
}

async function pageThrough(server: BenchServer): Promise<number> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: RestPage<RestSpan> = await getJson(
      `${server.url}/v1/projects/${encodeURIComponent(PROJECT)}/spans?limit=1000&trace_id=${TRACE_ID}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    for (const span of page.data) seen.add(span.context.span_id);
    cursor = page.next_cursor;
  } while (cursor !== null);
  if (seen.size !== SPAN_COUNT) throw new Error(`${seen.size} of ${SPAN_COUNT} spans came`);
  return seen.size;
}
