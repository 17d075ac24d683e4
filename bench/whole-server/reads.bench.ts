/** How long do the reads of people and clients take over HTTP, at this many spans, while 5,000 spans a second arrive? */
import { Agent, get } from 'node:http';
import { encodeTraceRequest } from '../../test/e2e/otlp-request.ts';
import { openHttpSender } from '../../test/e2e/otlp-sender.ts';
import { getJson, type RestPage, type RestSpan } from '../../test/e2e/rest.ts';
import type { ServerProcess } from '../../test/e2e/server-process.ts';
import { measureVisibleMs, withServer } from './bench-server.ts';
import { runLoad, startLoad } from './load-generator.ts';
import { count, isSmoke, LatencyRecorder, ms, printTable, ratio, size } from './measure.ts';

const SIZES = isSmoke ? [5_000] : (process.env.SPANS ?? '500000,5000000').split(',').map(Number);
const REQUEST_COUNT = size('REQUESTS', { smoke: 2, full: 100 });
const ARRIVING_SPANS_PER_SECOND = size('ARRIVING', { smoke: 500, full: 5_000 });
const WINDOW_SECONDS = 7 * 24 * 3_600;
const PROJECT = 'reads';
const BIG_TRACE_ID = 'b'.repeat(32);
const BIG_TRACE_SPAN_COUNT = 100;

interface Query {
  readonly what: string;
  /** Differs by `turn`, so that no cache of whole answers helps. */
  readonly path: (turn: number) => string;
  readonly rowCountMin: number;
}

await withServer(async (server) => {
  await sendBigTrace(server);
  let there = 0;
  for (const spanCount of SIZES) {
    const startedAt = performance.now();
    await runLoad({
      transport: 'http',
      target: server.url,
      project: PROJECT,
      seconds: 24 * 3_600,
      concurrency: 4,
      spanCountMax: spanCount - there,
      windowSeconds: WINDOW_SECONDS,
    });
    await measureVisibleMs(server, PROJECT);
    there = spanCount;
    console.log(`${count(spanCount)} spans are there after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    await measureAt(server, spanCount);
  }
});

async function measureAt(server: ServerProcess, spanCount: number): Promise<void> {
  const queries = await queriesOf(server);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  // The first requests meet cold caches and code that is not compiled yet.
  for (const query of queries) await timeQuery(server, agent, query, Math.min(REQUEST_COUNT, 5));
  const quiet = new Map<string, number>();
  for (const query of queries) quiet.set(query.what, (await timeQuery(server, agent, query)).p50);
  const load = startLoad({
    transport: 'http',
    target: server.url,
    project: PROJECT,
    seconds: 24 * 3_600,
    concurrency: 16,
    spansPerSecond: ARRIVING_SPANS_PER_SECOND,
  });
  await load.started;
  const rows: Record<string, string>[] = [];
  let baseline = Number.NaN;
  for (const query of queries) {
    const { p50, p99, max } = await timeQuery(server, agent, query);
    if (query === queries[0]) baseline = p50;
    rows.push({
      read: query.what,
      'p50 ms': ms(p50),
      'p99 ms': ms(p99),
      'max ms': ms(max),
      'p50 of /healthz': ratio(p50 / baseline),
      'p50 ms while quiet': ms(quiet.get(query.what) ?? Number.NaN),
    });
  }
  load.end();
  const arrived = await load.result;
  agent.destroy();
  printTable(
    `Reads at ${count(spanCount)} spans over 7 days while ${count(arrived.spansPerSecond)} spans/s arrive (ack p99 ${ms(arrived.ackMs.p99)} ms); ${REQUEST_COUNT} of each, one after another`,
    rows,
  );
}

async function queriesOf(server: ServerProcess): Promise<Query[]> {
  const base = `/v1/projects/${PROJECT}`;
  const newest = await getJson<RestPage<RestSpan>>(`${server.url}${base}/spans?limit=1000`);
  const traceIds = [...new Set(newest.data.map((span) => span.context.trace_id))];
  const parentIds = newest.data.flatMap((span) => span.parent_id ?? []);
  const sessions = await getJson<RestPage<{ session_id: string }>>(
    `${server.url}${base}/sessions?limit=100&order=desc`,
  );
  const sessionIds = sessions.data.map((session) => encodeURIComponent(session.session_id));
  let cursor: string | null = null;
  for (let page = 0; page < 9; page++)
    cursor = (
      await getJson<RestPage<RestSpan>>(`${server.url}${base}/spans?limit=100${cursor ? `&cursor=${cursor}` : ''}`)
    ).next_cursor;
  const at = (list: readonly string[], turn: number) => list[turn % list.length] ?? 'none';
  const middle = Date.now() - (WINDOW_SECONDS * 1_000) / 2;
  const time = (offsetMs: number) => encodeURIComponent(new Date(middle + offsetMs).toISOString());
  const spans = (what: string, filter: (turn: number) => string, rowCountMin = 1): Query => ({
    what,
    path: (turn) => `${base}/spans?limit=100&${filter(turn)}`,
    rowCountMin,
  });
  return [
    { what: '/healthz', path: () => '/healthz', rowCountMin: 0 },
    spans('newest spans', () => '', 100),
    spans('… the tenth page', () => `cursor=${encodeURIComponent(cursor ?? '')}`),
    spans('… an hour in the middle', (turn) => `start_time=${time(turn)}&end_time=${time(3_600_000 + turn)}`),
    spans('… of a trace id', (turn) => `trace_id=${at(traceIds, turn)}`),
    spans('… of ten trace ids', (turn) =>
      Array.from({ length: 10 }, (_, index) => `trace_id=${at(traceIds, turn + index)}`).join('&'),
    ),
    spans('… of a span id', (turn) => `span_id=${newest.data[turn % newest.data.length]?.context.span_id}`),
    spans('… roots', () => 'parent_id=null', 100),
    spans('… of a parent', (turn) => `parent_id=${at(parentIds, turn)}`),
    spans('… by name', () => 'name=ChatCompletion', 100),
    spans('… by a name that none has', (turn) => `name=none${turn}`, 0),
    spans('… by span kind', () => 'span_kind=LLM', 100),
    spans('… errors', () => 'status_code=ERROR', 50),
    spans('… by model (attribute)', () => 'attribute=llm.model_name:gpt-4o', 50),
    spans('… by metadata (attribute)', (turn) => `attribute=metadata.build:${turn % 50}`, 10),
    spans('… by user (attribute)', (turn) => `attribute=user.id:user-${turn}`),
    spans('… by an attribute that none has', (turn) => `attribute=nothing.here:${turn}`, 0),
    spans(
      '… errors of a kind, model and hour',
      (turn) =>
        `span_kind=LLM&status_code=ERROR&attribute=llm.model_name:gpt-4o&start_time=${time(turn)}&end_time=${time(24 * 3_600_000 + turn)}`,
      0,
    ),
    {
      what: `a trace of ${BIG_TRACE_SPAN_COUNT} spans`,
      path: () => `${base}/spans?limit=1000&trace_id=${BIG_TRACE_ID}`,
      rowCountMin: BIG_TRACE_SPAN_COUNT,
    },
    { what: 'newest traces', path: () => `${base}/traces?limit=100`, rowCountMin: 100 },
    { what: '… with their spans', path: () => `${base}/traces?limit=100&include_spans=true`, rowCountMin: 100 },
    { what: '… slowest', path: () => `${base}/traces?limit=100&sort=latency_ms`, rowCountMin: 100 },
    {
      what: '… of a session',
      path: (turn) => `${base}/traces?session_identifier=${at(sessionIds, turn)}`,
      rowCountMin: 1,
    },
    { what: 'sessions', path: () => `${base}/sessions?limit=100`, rowCountMin: 50 },
    { what: '… newest', path: () => `${base}/sessions?limit=100&order=desc`, rowCountMin: 50 },
    { what: 'one session', path: (turn) => `/v1/sessions/${at(sessionIds, turn)}`, rowCountMin: 0 },
    { what: 'projects', path: () => '/v1/projects', rowCountMin: 1 },
  ];
}

/** @throws Error when an answer is not 200, or has fewer rows than the data holds. */
async function timeQuery(
  server: ServerProcess,
  agent: Agent,
  { what, path, rowCountMin }: Query,
  requestCount = REQUEST_COUNT,
) {
  const recorder = new LatencyRecorder();
  for (let turn = 0; turn < requestCount; turn++) {
    const startedAt = performance.now();
    const { status, text } = await fetchText(server.url + path(turn), agent).catch((error: Error) => {
      throw new Error(`${what}, ${ms(performance.now() - startedAt)} ms after it was asked: ${error.message}`, {
        cause: error,
      });
    });
    recorder.add(performance.now() - startedAt);
    if (status !== 200) throw new Error(`${what}: ${status} ${text.slice(0, 300)}`);
    if (turn > 0 || isSmoke || rowCountMin === 0) continue;
    const { data } = JSON.parse(text) as RestPage<unknown>;
    if (data.length < Math.min(100, rowCountMin)) throw new Error(`${what}: ${data.length} rows, not ${rowCountMin}`);
  }
  return recorder.summary();
}

function fetchText(url: string, agent: Agent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    }).on('error', reject);
  });
}

async function sendBigTrace(server: ServerProcess): Promise<void> {
  const http = openHttpSender(server.url, 1);
  const start = BigInt(Date.now() - WINDOW_SECONDS * 1_000) * 1_000_000n;
  const spans = Array.from({ length: BIG_TRACE_SPAN_COUNT }, (_, index) => ({
    traceId: BIG_TRACE_ID,
    spanId: (index + 1).toString(16).padStart(16, '0'),
    ...(index > 0 && { parentSpanId: '1'.padStart(16, '0') }),
    name: `step ${index}`,
    startTimeUnixNano: start + BigInt(index) * 1_000_000n,
    endTimeUnixNano: start + BigInt(index + 10) * 1_000_000n,
    attributes: { 'openinference.span.kind': 'CHAIN', 'input.value': `input ${index} `.repeat(50) },
  }));
  const { isAcknowledged, message } = await http.send(encodeTraceRequest({ project: PROJECT, spans }));
  http.close();
  if (!isAcknowledged) throw new Error(message);
}
