import { expectPresent } from '../../../base/expect-present.ts';
import { type BinStep, LEAST_BIN_MS, MONDAY_MS } from '../../../model/time/time-bins.ts';
import type { SpanFilter } from '../../../filter/spans/span-filter.ts';
import { LATENCY_QUANTILES, type LatencyBin, type SpanBin, type TraceBin } from '../../contract/aggregates.ts';
import type { BinPlan, BinQuery } from '../../contract/query-terms.ts';
import { Parameters, type SqlValue } from '../../duckdb/sql.ts';
import { LATENCY_NS_INT64, startsIn } from '../list-order.ts';
import { resolveFilter, resolveFilters } from '../match/filter-conditions.ts';
import type { ReadContext } from '../read-context.ts';
import { quantileList, toMs } from './sum-up.ts';

// Time series. Bins without data are absent; the caller fills the gaps.

export async function binSpans(context: ReadContext, query: BinQuery): Promise<SpanBin[]> {
  const rows = await readBins(
    context,
    query,
    'spans',
    'count(*) FILTER (status_code = 1), count(*) FILTER (status_code = 2), count(*) FILTER (status_code = 0)',
  );
  return rows.map(([start, ok, error, unset]) => ({
    startTimeUnixMicro: Number(start),
    okCount: Number(ok),
    errorCount: Number(error),
    unsetCount: Number(unset),
  }));
}

export async function binTraces(context: ReadContext, query: BinQuery): Promise<TraceBin[]> {
  const { filter } = query;
  const rows = await (filter && !query.isOfRoots
    ? readBinsOfMatching(context, query, filter)
    : readBins(
        context,
        query,
        'traces',
        'count(*), count(*) FILTER (error_count > 0), sum(tokens_prompt), sum(tokens_completion)',
      ));
  return rows.map(([start, count, failed, prompt, completion]) => ({
    startTimeUnixMicro: Number(start),
    traceCount: Number(count),
    failedCount: Number(failed),
    tokensPrompt: Number(prompt),
    tokensCompletion: Number(completion),
  }));
}

/** Counts traces with spans that a filter selects, and the tokens of these spans. */
async function readBinsOfMatching(
  context: ReadContext,
  { filter: _, ...query }: BinQuery,
  filter: SpanFilter,
): Promise<SqlValue[][]> {
  const { projectId, startTimeUnixNano } = query;
  const parameters = new Parameters();
  const project = `project_id = ${parameters.integer(projectId)}`;
  const since = startsIn({ startTimeUnixNano }, parameters);
  const isMatch = await resolveFilter(context, { projectId, filter }, parameters);
  const ofTraces = await resolveFilters(context, query, 'traces', parameters);
  return context.rows(
    `WITH matching AS MATERIALIZED (
       SELECT trace_row_id, coalesce(sum(tokens_prompt), 0) AS prompt, coalesce(sum(tokens_completion), 0) AS completion
       FROM store.spans WHERE ${[project, ...since, isMatch].join(' AND ')} GROUP BY trace_row_id
     )
     SELECT ${binOf(query, 'start_ns', parameters)} AS bin, count(*), count(*) FILTER (error_count > 0), sum(prompt),
       sum(completion)
     FROM store.traces JOIN matching ON trace_row_id = row_id
     WHERE ${[project, ...startsIn(query, parameters), ...ofTraces].join(' AND ')} GROUP BY bin ORDER BY bin`,
    parameters,
  );
}

export async function binTraceLatencies(context: ReadContext, query: BinQuery): Promise<LatencyBin[]> {
  const rows = await readBins(
    context,
    query,
    'traces',
    `quantile_cont(${LATENCY_NS_INT64}, ${quantileList(LATENCY_QUANTILES)})`,
  );
  return rows.map(([start, quantiles]) => ({
    startTimeUnixMicro: Number(start),
    quantiles: toMs(quantiles) ?? [],
  }));
}

async function readBins(
  context: ReadContext,
  query: BinQuery,
  table: 'spans' | 'traces',
  columns: string,
): Promise<SqlValue[][]> {
  const parameters = new Parameters();
  const conditions = [
    `project_id = ${parameters.integer(query.projectId)}`,
    ...startsIn(query, parameters),
    ...(await resolveFilters(context, query, table, parameters)),
  ];
  const bin = binOf(query, 'start_ns', parameters);
  return context.rows(
    `SELECT ${bin} AS bin, ${columns} FROM store.${table}
     WHERE ${conditions.join(' AND ')} GROUP BY bin ORDER BY bin`,
    parameters,
  );
}

/** SQL expression: start of the bin of a time, in microseconds since the epoch. */
export function binOf({ intervals, ...step }: BinPlan, startNs: string, parameters: Parameters): string {
  const starts = intervals.map(({ beforeMs, offsetMs, startMs }) => {
    const start =
      startMs === undefined
        ? multipleOf(step, offsetMs, startNs, parameters)
        : parameters.bigint(BigInt(startMs) * 1_000n);
    return { beforeMs, start };
  });
  const last = expectPresent(starts.pop(), 'the last interval has no end').start;
  if (starts.length === 0) return last;
  const cases = starts.map(
    ({ beforeMs, start }) => `WHEN ${startNs} < ${parameters.bigint(toNano(beforeMs))} THEN ${start}`,
  );
  return `CASE ${cases.join(' ')} ELSE ${last} END`;
}

/** Converts ms to ns, clamped to int64, which stores the times of spans. */
const toNano = (ms: number): bigint => {
  const ns = BigInt(ms) * 1_000_000n;
  return ns > INT64_MAX ? INT64_MAX : ns < -INT64_MAX ? -INT64_MAX : ns;
};
const INT64_MAX = 2n ** 63n - 1n;

/** SQL expression for the last local multiple of the step at or before a time. */
function multipleOf({ scale, scaleCount }: BinStep, offsetMs: number, startNs: string, parameters: Parameters): string {
  const offset = parameters.bigint(BigInt(offsetMs) * 1_000n);
  // Rounded down. A plain division would round times before 1970 up.
  const floor = (value: string, step: string) => `(${value} - ((${value} % ${step}) + ${step}) % ${step})`;
  const local = `(${floor(startNs, '1000')} // 1000 + ${offset})`;
  if (scale === 'MONTH' || scale === 'YEAR') {
    return `epoch_us(date_trunc('${scale.toLowerCase()}', make_timestamp(${local}))) - ${offset}`;
  }
  const shift = scale === 'WEEK' ? BigInt(MONDAY_MS) * 1_000n : 0n;
  const width = parameters.bigint(BigInt(LEAST_BIN_MS[scale]) * 1_000n * BigInt(scaleCount));
  return `${floor(`(${local} - ${shift})`, width)} + ${shift} - ${offset}`;
}
