/**
 * How long do the most expensive queries of the interface take over GraphQL, and filters and annotations, at this
 * number of spans, while 5,000 spans per second arrive?
 */

import { INTERFACE_QUERIES } from '../api/graphql/interface-queries.ts';
import { getJson, type RestPage, type RestSpan, spansOnceThere } from '../../test/e2e/rest.ts';
import type { BenchServer } from './bench-server.ts';
import { isSmoke } from './measure.ts';
import { measureReads, PROJECT, sendSpans, type TimedRead, traceOf, WINDOW_SECONDS } from './timed-reads.ts';

const BIG_TRACE_ID = 'b'.repeat(32);
const BIG_TRACE_SPAN_COUNT = isSmoke ? 50 : 2_000;
const ANNOTATION_COUNT = isSmoke ? 10 : 1_000;
/** The rare key is on one span in this number. */
const RARE_EVERY = isSmoke ? 1_000 : 100_000;

let rareCount = 0;

await measureReads({
  title: 'Questions of the interface',
  async prepare(server, spanCount) {
    if (rareCount === 0) {
      const trace = traceOf(BIG_TRACE_ID, BIG_TRACE_SPAN_COUNT);
      await sendSpans(server, trace);
      await spansOnceThere(server.url, PROJECT, 1);
      await annotate(
        server,
        trace.map(({ spanId }) => String(spanId)),
        'quality',
      );
    }
    // Rows are in the order of arrival: these are before the load's, so a search reaches them last.
    const wanted = Math.max(1, Math.floor(spanCount / RARE_EVERY));
    const [pattern] = traceOf('d'.repeat(32), 1);
    for (; rareCount < wanted; rareCount++) {
      const spanId = (0xd0000 + rareCount).toString(16).padStart(16, '0');
      await sendSpans(server, [{ ...pattern!, spanId, attributes: { 'rare.key': rareCount } }]);
    }
  },
  readsOf,
});

async function readsOf(server: BenchServer): Promise<TimedRead[]> {
  const { data: project } = await getJson<{ data: { id: string } }>(`${server.url}/v1/projects/${PROJECT}`);
  const newest = await getJson<RestPage<RestSpan>>(`${server.url}/v1/projects/${PROJECT}/spans?limit=1000`);
  const spanIds = newest.data.slice(0, ANNOTATION_COUNT).map(({ context }) => context.span_id);
  await annotate(server, spanIds.slice(0, 100), 'quality');
  // A range that ends now, like those of the interface, with a different end for each round, so that no response is
  // reused.
  const week = () => ({
    start: new Date(Date.now() - WINDOW_SECONDS * 1_000).toISOString(),
    end: new Date().toISOString(),
  });
  const hourInTheMiddle = (turn: number) => {
    const start = Date.now() - (WINDOW_SECONDS / 2) * 1_000 - turn * 60_000;
    return { start: new Date(start).toISOString(), end: new Date(start + 3_600_000).toISOString() };
  };
  const ask = (what: string, query: string, variables: (turn: number) => object = () => ({})): TimedRead => ({
    what,
    method: 'POST',
    path: () => '/graphql',
    body: (turn) => JSON.stringify({ query, variables: { id: project.id, timeRange: week(), ...variables(turn) } }),
    check(text) {
      const { errors } = JSON.parse(text) as { errors?: unknown };
      if (errors) throw new Error(`${what}: ${JSON.stringify(errors)}`);
    },
  });
  const { spansTable, projectHeader, timeSeries, sessionsTable, trace } = INTERFACE_QUERIES;
  const filtered = (filter: (turn: number) => string) => (turn: number) => ({ filter: filter(turn) });
  return [
    ask('GraphQL that reads nothing', '{__typename}'),
    ask('table of 100 spans with 25 fields and annotations', spansTable),
    ask('… of an hour in the middle of the week', spansTable, (turn) => ({ timeRange: hourInTheMiddle(turn) })),
    ask(
      '… a filter on a common attribute key',
      spansTable,
      filtered((turn) => `metadata['build'] == ${turn % 50}`),
    ),
    ask(
      `… one that a span in ${RARE_EVERY} has`,
      spansTable,
      filtered((turn) => `attributes['rare.key'] >= -${turn}`),
    ),
    ask('header of a project', projectHeader),
    ask('series of 7 days', timeSeries),
    ask('table of sessions', sessionsTable),
    ask(`trace of ${BIG_TRACE_SPAN_COUNT} spans with annotations`, trace, () => ({ traceId: BIG_TRACE_ID })),
    {
      what: `${ANNOTATION_COUNT} annotations in a request, acknowledged`,
      method: 'POST',
      path: () => '/v1/span_annotations?sync=false',
      body: (turn) => annotationsOf(spanIds, `turn ${turn}`),
      check() {},
    },
  ];
}

function annotationsOf(spanIds: readonly string[], name: string): string {
  const data = spanIds.map((span_id, index) => ({
    span_id,
    name,
    annotator_kind: 'LLM',
    result: { label: index % 2 === 0 ? 'good' : 'bad', score: index % 5, explanation: 'As the rubric says.' },
  }));
  return JSON.stringify({ data });
}

async function annotate(server: BenchServer, spanIds: readonly string[], name: string): Promise<void> {
  const response = await fetch(`${server.url}/v1/span_annotations?sync=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: annotationsOf(spanIds, name),
  });
  if (!response.ok) throw new Error(await response.text());
}
