import type { DuckDBValue } from '@duckdb/node-api';
import { Parameters } from '../database/sql.ts';
import {
  type BinPlan,
  type BinQuery,
  LATENCY_QUANTILES,
  type LatencyBin,
  type SpanBin,
  type TraceBin,
} from '../list-queries.ts';
import type { ReadContext } from '../thread/read-context.ts';
import { LATENCY_NS, startsIn } from './list-order.ts';
import { filterConditions, quantileList, toNumbers } from './sum-up.ts';

// Time series. Only bins that hold something come back; the caller fills the gaps.

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
  const rows = await readBins(
    context,
    query,
    'traces',
    'count(*), count(*) FILTER (error_count > 0), sum(tokens_prompt), sum(tokens_completion)',
  );
  return rows.map(([start, count, failed, prompt, completion]) => ({
    startTimeUnixMicro: Number(start),
    traceCount: Number(count),
    failedCount: Number(failed),
    tokensPrompt: Number(prompt),
    tokensCompletion: Number(completion),
  }));
}

export async function binTraceLatencies(context: ReadContext, query: BinQuery): Promise<LatencyBin[]> {
  const rows = await readBins(
    context,
    query,
    'traces',
    `quantile_cont(${LATENCY_NS}::DOUBLE / 1e6, ${quantileList(LATENCY_QUANTILES)})`,
  );
  return rows.map(([start, quantiles]) => ({
    startTimeUnixMicro: Number(start),
    quantiles: toNumbers(quantiles!) ?? [],
  }));
}

async function readBins(
  context: ReadContext,
  query: BinQuery,
  table: 'spans' | 'traces',
  columns: string,
): Promise<DuckDBValue[][]> {
  const parameters = new Parameters();
  const conditions = [
    `project_id = ${parameters.integer(query.projectId)}`,
    ...startsIn(query, parameters),
    ...(await filterConditions(context, query, table, parameters)),
  ];
  const bin = binOf(query, 'start_ns', parameters);
  return context.rows(
    `SELECT ${bin} AS bin, ${columns} FROM store.${table}
     WHERE ${conditions.join(' AND ')} GROUP BY bin ORDER BY bin`,
    parameters,
  );
}

/** Start of the bin that a time lies in, in microseconds since the epoch. */
export function binOf(
  { scale, scaleCount, utcOffsetMinutes }: BinPlan,
  startNs: string,
  parameters: Parameters,
): string {
  const offset = parameters.bigint(utcOffsetMinutes * 60_000_000);
  // Rounded down, which a plain division of times before 1970 is not.
  const floor = (value: string, step: string) => `(${value} - ((${value} % ${step}) + ${step}) % ${step})`;
  const local = `(${floor(startNs, '1000')} // 1000 + ${offset})`;
  if (scale === 'MONTH' || scale === 'YEAR') {
    return `epoch_us(date_trunc('${scale.toLowerCase()}', make_timestamp(${local}))) - ${offset}`;
  }
  const shift = scale === 'WEEK' ? MONDAY_US : 0n;
  const width = parameters.bigint(WIDTH_US[scale] * BigInt(scaleCount));
  return `${floor(`(${local} - ${shift})`, width)} + ${shift} - ${offset}`;
}

const WIDTH_US = {
  MINUTE: 60_000_000n,
  HOUR: 3_600_000_000n,
  DAY: 86_400_000_000n,
  WEEK: 604_800_000_000n,
} as const;

/** The first Monday of Unix time. */
const MONDAY_US = 4n * WIDTH_US.DAY;
