import { expectPresent } from '../../../base/expect-present.ts';
import {
  ROW_QUANTILES,
  type RowAggregates,
  type RowAggregatesQuery,
  type RowBin,
  type RowBinQuery,
} from '../../contract/aggregates.ts';
import { Parameters, type SqlValue } from '../../duckdb/sql.ts';
import { LATENCY_NS_INT64, overlaps, startsIn } from '../list-order.ts';
import { hasFailedRoot, isFiltered, resolveFilter, resolveFilters } from '../match/filter-conditions.ts';
import type { ReadContext } from '../read-context.ts';
import { binOf } from './bin-by-time.ts';
import { findLatencyQuantiles, findRangeTotals } from './find-range-aggregates.ts';
import { countSpans, nsToMs, quantileList, toMs } from './sum-up.ts';

// Aggregates and series of the rows of a project's table, for every grain. The filter is applied once for all aggregates.

const AMOUNTS = ['tokens_prompt', 'tokens_completion', 'cost_prompt_pico', 'cost_completion_pico'] as const;
const SUMS = AMOUNTS.map((column) => `coalesce(sum(${column}), 0)`).join(', ');
const LATENCIES = `quantile_cont(${LATENCY_NS_INT64}, ${quantileList(ROW_QUANTILES)})`;

export async function sumUpRows(context: ReadContext, query: RowAggregatesQuery): Promise<RowAggregates> {
  if (query.grain === 'sessions') return sumUpSessionRows(context, query);
  if (query.grain === 'spans') return sumUpSpanRows(context, query);
  const ofTraces = { ...query, isOfRoots: query.grain === 'rootSpans' };
  if (!isFiltered(query)) return sumUpAllTraces(context, ofTraces);
  return query.ofMatchingSpans && query.filter
    ? sumUpSpansOfTraces(context, ofTraces)
    : sumUpTraceRows(context, ofTraces);
}

async function sumUpSpanRows(context: ReadContext, query: RowAggregatesQuery): Promise<RowAggregates> {
  if (!isFiltered(query)) {
    const sums = await findRangeTotals(context, 'spans', query);
    const latencies = sums && (await findLatencyQuantiles(context, 'spanLatencies', query, ROW_QUANTILES));
    if (sums && latencies !== undefined) {
      return toFigures({ spans: sums.count }, sums.values, latencies?.map(nsToMs));
    }
  }
  const parameters = new Parameters();
  const conditions = await conditionsOf(context, query, 'spans', startsIn(query, parameters), parameters);
  const [[spans, latencies, ...sums] = []] = await context.rows(
    `SELECT count(*), ${LATENCIES}, ${SUMS} FROM store.spans WHERE ${conditions}`,
    parameters,
  );
  return toFigures({ spans }, sums, toMs(latencies));
}

/** Uses the aggregates in memory, or else the database. */
async function sumUpAllTraces(context: ReadContext, query: RowAggregatesQuery): Promise<RowAggregates> {
  const sums = await findRangeTotals(context, 'traces', query);
  const latencies = sums && (await findLatencyQuantiles(context, 'traces', query, ROW_QUANTILES));
  const figures =
    sums && latencies !== undefined
      ? toFigures(
          {
            traces: sums.count,
            spans: expectPresent(sums.values[6], 'the seventh aggregate of traces is their span count'),
          },
          sums.values.toSpliced(2, 2),
          latencies?.map(nsToMs),
        )
      : await sumUpTraceRows(context, query);
  return query.ofMatchingSpans ? { ...figures, spanCount: await countSpans(context, query) } : figures;
}

async function sumUpTraceRows(context: ReadContext, query: RowAggregatesQuery): Promise<RowAggregates> {
  const parameters = new Parameters();
  const conditions = await conditionsOf(context, query, 'traces', startsIn(query, parameters), parameters);
  const [[traces, spans, latencies, ...sums] = []] = await context.rows(
    `SELECT count(*), coalesce(sum(span_count), 0), ${LATENCIES}, ${SUMS} FROM store.traces WHERE ${conditions}`,
    parameters,
  );
  return toFigures({ traces, spans }, sums, toMs(latencies));
}

async function sumUpSpansOfTraces(context: ReadContext, query: RowAggregatesQuery): Promise<RowAggregates> {
  const { projectId, filter, startTimeUnixNano } = query;
  const parameters = new Parameters();
  const project = `project_id = ${parameters.integer(projectId)}`;
  const since = [project, ...startsIn({ startTimeUnixNano }, parameters)].join(' AND ');
  const inRange = [project, ...startsIn(query, parameters)].join(' AND ');
  const [[traces, spans, latencies, ...sums] = []] = await context.rows(
    `WITH matching AS MATERIALIZED (
       SELECT project_id, trace_row_id, start_ns, ${AMOUNTS.join(', ')} FROM store.spans
       WHERE ${since} AND ${await resolveFilter(context, { projectId, filter: expectPresent(filter, 'matching rows have a filter') }, parameters)}
     ), listed AS MATERIALIZED (
       SELECT row_id, start_ns, end_ns FROM store.traces
       WHERE ${inRange} AND row_id IN (SELECT trace_row_id FROM matching)
     )
     SELECT (SELECT count(*) FROM listed), (SELECT count(*) FROM matching WHERE ${inRange}),
       (SELECT ${LATENCIES} FROM listed), ${SUMS}
     FROM matching WHERE trace_row_id IN (SELECT row_id FROM listed)`,
    parameters,
  );
  return toFigures({ traces, spans }, sums, toMs(latencies));
}

async function sumUpSessionRows(context: ReadContext, query: RowAggregatesQuery): Promise<RowAggregates> {
  const parameters = new Parameters();
  const conditions = await conditionsOf(context, query, 'sessions', overlaps(query, parameters), parameters);
  const [[sessions, traces, spans, latencies, ...sums] = []] = await context.rows(
    `WITH listed AS MATERIALIZED (
       SELECT row_id, trace_count, ${AMOUNTS.join(', ')} FROM store.sessions WHERE ${conditions}
     ), of_listed AS MATERIALIZED (
       SELECT span_count, start_ns, end_ns FROM store.traces WHERE session_row_id IN (SELECT row_id FROM listed)
     )
     SELECT count(*), coalesce(sum(trace_count), 0), (SELECT coalesce(sum(span_count), 0) FROM of_listed),
       (SELECT ${LATENCIES} FROM of_listed), ${SUMS} FROM listed`,
    parameters,
  );
  return toFigures({ sessions, traces, spans }, sums, toMs(latencies));
}

async function conditionsOf(
  context: ReadContext,
  query: RowAggregatesQuery,
  table: 'spans' | 'traces' | 'sessions',
  inRange: readonly string[],
  parameters: Parameters,
): Promise<string> {
  const filtered = await resolveFilters(context, query, table, parameters);
  return [`project_id = ${parameters.integer(query.projectId)}`, ...inRange, ...filtered].join(' AND ');
}

interface Counts {
  readonly sessions?: SqlValue | undefined;
  readonly traces?: SqlValue | undefined;
  readonly spans?: SqlValue | undefined;
}

/** Converts sums, which are in the order of `AMOUNTS`. */
function toFigures(
  { sessions, traces, spans }: Counts,
  [tokensPrompt, tokensCompletion, promptPico, completionPico]: readonly SqlValue[],
  latencies: readonly number[] | undefined,
): RowAggregates {
  return {
    sessionCount: sessions === undefined ? null : Number(sessions),
    traceCount: traces === undefined ? null : Number(traces),
    spanCount: Number(spans),
    tokensPrompt: Number(tokensPrompt),
    tokensCompletion: Number(tokensCompletion),
    promptPico: Number(promptPico),
    completionPico: Number(completionPico),
    latencies: latencies ?? null,
  };
}

/** Counts rows by the bin in which they start. */
export async function binRows(context: ReadContext, query: RowBinQuery): Promise<RowBin[]> {
  const { grain, bins } = query;
  const table = grain === 'rootSpans' ? 'traces' : grain;
  const parameters = new Parameters();
  const inRange = table === 'sessions' ? overlaps(query, parameters) : startsIn(query, parameters);
  const isOfRoots = grain === 'rootSpans';
  const conditions = await conditionsOf(context, { ...query, isOfRoots }, table, inRange, parameters);
  const fromFirst = `greatest(start_ns, ${parameters.bigint(bins.startUnixNano)})`;
  const start =
    bins.endUnixNano === undefined ? fromFirst : `least(${fromFirst}, ${parameters.bigint(bins.endUnixNano - 1n)})`;
  const hasError = isOfRoots
    ? hasFailedRoot(query, parameters)
    : table === 'spans'
      ? 'status_code = 2'
      : 'error_count > 0';
  const rows = await context.rows(
    `SELECT bin, count(*), count(*) FILTER (has_error) FROM (
       SELECT ${binOf(query, start, parameters)} AS bin, ${hasError} AS has_error FROM store.${table} WHERE ${conditions}
     ) GROUP BY bin ORDER BY bin`,
    parameters,
  );
  return rows.map(([bin, total, errors]) => ({
    startTimeUnixMicro: Number(bin),
    totalCount: Number(total),
    errorCount: Number(errors),
  }));
}
