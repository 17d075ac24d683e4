import { expectPresent } from '../../base/expect-present.ts';
import type { TraceBlocks, TraceIdNumbers } from '../cache/trace-blocks.ts';
import type { Parameters } from '../duckdb/sql.ts';

/**
 * Condition on `traces` that is true for rows with these IDs, and for rows whose halves come from two of them: the caller
 * compares the IDs. It tests both halves, because the IDs of some senders differ in one half only.
 */
export function traceIdCondition(
  ids: readonly TraceIdNumbers[],
  blocks: TraceBlocks | undefined,
  parameters: Parameters,
): string {
  const isInBlocks = blocks ? blockCondition(ids, blocks, parameters) : 'true';
  const lows = parameters.ubigintIn('trace_id_low', [...new Set(ids.map(({ low }) => low))]);
  const highs = parameters.ubigintIn('trace_id_high', [...new Set(ids.map(({ high }) => high))]);
  return `${isInBlocks} AND ${lows} AND ${highs}`;
}

function blockCondition(ids: readonly TraceIdNumbers[], blocks: TraceBlocks, parameters: Parameters): string {
  const ranges = blocks.rangesOf(ids);
  if (!ranges) return 'true';
  if (ranges.length === 0) return 'false';
  // Filled up to a power of two, so that few texts of statements exist.
  const count = 2 ** Math.ceil(Math.log2(ranges.length));
  const filled = Array.from({ length: count }, (_, at) =>
    expectPresent(ranges[Math.min(at, ranges.length - 1)], 'there is a range'),
  );
  const conditions = filled.map(
    ({ first, last }) => `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}`,
  );
  return `(${conditions.join(' OR ')})`;
}
