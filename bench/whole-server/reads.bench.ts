/** How long do reads of users and clients take over HTTP with this many spans, while 5,000 spans per second arrive? */
import { getJson, type RestPage, type RestSpan } from '../../test/e2e/rest.ts';
import type { BenchServer } from './bench-server.ts';
import { measureReads, PROJECT, sendSpans, type TimedRead, traceOf, WINDOW_SECONDS } from './timed-reads.ts';

const BIG_TRACE_ID = 'b'.repeat(32);
const BIG_TRACE_SPAN_COUNT = 100;

interface Query {
  readonly what: string;
  readonly path: (turn: number) => string;
  readonly rowCountMin: number;
}

await measureReads({
  title: 'Reads',
  prepare: (server) => sendSpans(server, traceOf(BIG_TRACE_ID, BIG_TRACE_SPAN_COUNT)),
  readsOf: async (server) => (await queriesOf(server)).map(toRead),
});

function toRead({ what, path, rowCountMin }: Query): TimedRead {
  const check = (text: string) => {
    if (rowCountMin === 0) return;
    const { data } = JSON.parse(text) as RestPage<unknown>;
    if (data.length < Math.min(100, rowCountMin)) throw new Error(`${what}: ${data.length} rows, not ${rowCountMin}`);
  };
  return { what, path, check };
}

async function queriesOf(server: BenchServer): Promise<Query[]> {
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
  const hourOf = (turn: number) => ((turn % 60) - 30) * 3_600_000;
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
    // Another hour each time: rows are decompressed for each page again, but are in memory the second time.
    spans(
      '… of an hour in the middle',
      (turn) => `start_time=${time(hourOf(turn))}&end_time=${time(hourOf(turn) + 3_600_000)}`,
    ),
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
      '… errors of a kind, model and day',
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
