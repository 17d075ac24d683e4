import { expectPresent } from '../../../base/expect-present.ts';
import type { SpanFilter } from '../../../filter/spans/span-filter.ts';
import type {
  DaySpanCount,
  ProjectAggregates,
  QuantileQuery,
  SessionAggregates,
  TraceAggregates,
} from '../../contract/aggregates.ts';
import type { RangeQuery } from '../../contract/query-terms.ts';
import { bigint64, doubleOrNull, int64 } from '../../duckdb/define-table.ts';
import { select, toItemsOrNull } from '../../duckdb/select-list.ts';
import { type Cell, Parameters } from '../../duckdb/sql.ts';
import { LATENCY_NS, LATENCY_NS_INT64, overlaps, startsIn } from '../list-order.ts';
import { isFiltered, resolveFilter, resolveFilters } from '../match/filter-conditions.ts';
import type { ReadContext } from '../read-context.ts';
import { findLatencyQuantiles, findRangeTotals } from './find-range-aggregates.ts';

// Aggregates of projects. Most use the rollups of traces and sessions, which have about a tenth of the rows.

const DAY_NS = 86_400_000_000_000n;
const LATENCY_MS = `${LATENCY_NS}::DOUBLE / 1e6`;

const PROJECT_AGGREGATES = {
  projectId: int64('project_id'),
  traceCount: int64('count(*)'),
  spanCount: int64('sum(span_count)'),
  tokensPrompt: int64('sum(tokens_prompt)'),
  tokensCompletion: int64('sum(tokens_completion)'),
  startTimeUnixNano: bigint64('min(start_ns)'),
  endTimeUnixNano: bigint64('max(end_ns)'),
  lastStartTimeUnixNano: bigint64('max(start_ns)'),
};

/** Aggregates by row id of the project. Projects without traces are absent. */
export async function sumUpProjects(
  context: ReadContext,
  projectIds: readonly number[],
): Promise<Map<number, ProjectAggregates>> {
  const parameters = new Parameters();
  const tail = `FROM store.traces WHERE ${parameters.bigintIn('project_id', projectIds)} GROUP BY project_id`;
  const rows = await select(context, PROJECT_AGGREGATES, tail, parameters);
  return new Map(rows.map(({ projectId, ...aggregates }) => [projectId, aggregates]));
}

export async function countSpansByDay(context: ReadContext, firstDay: number): Promise<DaySpanCount[]> {
  const parameters = new Parameters();
  const day = `greatest(start_ns // ${DAY_NS}, ${parameters.integer(firstDay)})`;
  const rows = await context.rows(
    `SELECT project_id, ${day} AS day, sum(span_count) FROM store.traces GROUP BY project_id, day`,
    parameters,
  );
  return rows.map(([projectId, at, count]) => ({
    projectId: Number(projectId),
    day: Number(at),
    spanCount: Number(count),
  }));
}

/** Number of spans that start in the range. */
export async function countSpans(context: ReadContext, query: RangeQuery): Promise<number> {
  const known = isFiltered(query) ? undefined : await findRangeTotals(context, 'spans', query);
  if (known) return known.count;
  const parameters = new Parameters();
  const conditions = [`project_id = ${parameters.integer(query.projectId)}`, ...startsIn(query, parameters)];
  const filters = await resolveFilters(context, query, 'spans', parameters);
  conditions.push(...filters);
  const isWhole = query.startTimeUnixNano === undefined && query.endTimeUnixNano === undefined && filters.length === 0;
  const select = isWhole ? 'coalesce(sum(span_count), 0) FROM store.traces' : 'count(*) FROM store.spans';
  const [[count] = []] = await context.rows(`SELECT ${select} WHERE ${conditions.join(' AND ')}`, parameters);
  return Number(count);
}

export async function sumUpTraces(context: ReadContext, query: RangeQuery): Promise<TraceAggregates> {
  if (query.filter) return sumUpMatching(context, query, query.filter);
  const known = isFiltered(query) ? undefined : await findRangeTotals(context, 'traces', query);
  if (known) {
    const [prompt, completion] = known.values;
    return { traceCount: known.count, tokensPrompt: Number(prompt), tokensCompletion: Number(completion) };
  }
  const parameters = new Parameters();
  const conditions = [
    `project_id = ${parameters.integer(query.projectId)}`,
    ...startsIn(query, parameters),
    ...(await resolveFilters(context, query, 'traces', parameters)),
  ];
  const [[count, prompt, completion] = []] = await context.rows(
    `SELECT count(*), coalesce(sum(tokens_prompt), 0), coalesce(sum(tokens_completion), 0) FROM store.traces
     WHERE ${conditions.join(' AND ')}`,
    parameters,
  );
  return { traceCount: Number(count), tokensPrompt: Number(prompt), tokensCompletion: Number(completion) };
}

/** Traces that start in the range and have a matching span, and tokens of the matching spans that start in it. */
async function sumUpMatching(context: ReadContext, query: RangeQuery, filter: SpanFilter): Promise<TraceAggregates> {
  const parameters = new Parameters();
  const project = `project_id = ${parameters.integer(query.projectId)}`;
  const inRange = ['true', ...startsIn(query, parameters)].join(' AND ');
  const isMatch = await resolveFilter(context, { projectId: query.projectId, filter }, parameters);
  const [[count, prompt, completion] = []] = await context.rows(
    `WITH matching AS MATERIALIZED (
       SELECT trace_row_id, start_ns, tokens_prompt, tokens_completion FROM store.spans WHERE ${project} AND ${isMatch}
     )
     SELECT
       (SELECT count(*) FROM store.traces
        WHERE ${project} AND ${inRange} AND row_id IN (SELECT trace_row_id FROM matching)),
       coalesce(sum(tokens_prompt), 0), coalesce(sum(tokens_completion), 0) FROM matching WHERE ${inRange}`,
    parameters,
  );
  return { traceCount: Number(count), tokensPrompt: Number(prompt), tokensCompletion: Number(completion) };
}

const SESSION_AGGREGATES = {
  sessionCount: int64('count(*)'),
  averageDurationMs: doubleOrNull(`avg(${LATENCY_MS})`),
  averageTraceCount: doubleOrNull('avg(trace_count)'),
};

export async function sumUpSessions(context: ReadContext, query: RangeQuery): Promise<SessionAggregates> {
  const parameters = new Parameters();
  const conditions = [
    `project_id = ${parameters.integer(query.projectId)}`,
    ...overlaps(query, parameters),
    ...(await resolveFilters(context, query, 'sessions', parameters)),
  ];
  const tail = `FROM store.sessions WHERE ${conditions.join(' AND ')}`;
  const [aggregates] = await select(context, SESSION_AGGREGATES, tail, parameters);
  return expectPresent(aggregates, 'aggregates without groups are one row');
}

/** Interpolated quantiles of durations in ms, in the order of `probabilities`. Undefined without rows. */
export async function findQuantiles(context: ReadContext, query: QuantileQuery): Promise<number[] | undefined> {
  if (query.of === 'traces' && !isFiltered(query)) {
    const known = await findLatencyQuantiles(context, 'traces', query, query.probabilities);
    if (known !== undefined) return known?.map(nsToMs);
  }
  const parameters = new Parameters();
  const inRange = query.of === 'sessions' ? overlaps(query, parameters) : startsIn(query, parameters);
  const conditions = [
    `project_id = ${parameters.integer(query.projectId)}`,
    ...inRange,
    ...(await resolveFilters(context, query, query.of, parameters)),
  ];
  const [[quantiles] = []] = await context.rows(
    `SELECT quantile_cont(${LATENCY_NS_INT64}, ${quantileList(query.probabilities)}) FROM store.${query.of}
     WHERE ${conditions.join(' AND ')}`,
    parameters,
  );
  return toMs(quantiles);
}

/** A list as SQL text, because DuckDB does not accept parameters here. The values are numbers, limited to 0 to 1. */
export const quantileList = (probabilities: readonly number[]): string =>
  `[${probabilities.map((probability) => `${Math.min(1, Math.max(0, Number(probability)))}::DOUBLE`).join(', ')}]`;

/** Converts nanoseconds to ms. Undefined without values. */
export const toMs = (list: Cell): number[] | undefined => toItemsOrNull(list)?.map((ns) => nsToMs(Number(ns)));

export const nsToMs = (ns: number): number => ns / 1e6;
