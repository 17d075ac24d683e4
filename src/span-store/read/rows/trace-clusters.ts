import { minMax, type RowRange } from '../../duckdb/row-range.ts';
import type { Parameters } from '../../duckdb/sql.ts';
import { CLUSTER_GAP_MAX } from './read-rows.ts';

/** A trace, and the range of row ids in which its spans are. */
export interface TraceRowRange {
  readonly rowId: number;
  readonly firstSpanRowId: number;
  readonly lastSpanRowId: number;
}

/**
 * Groups of traces whose spans are adjacent, one statement each: the traces of a page may be stored far apart, and no
 * statement reads the rows between two groups.
 */
export function toClusters<Trace extends TraceRowRange>(traces: readonly Trace[]): Trace[][] {
  const clusters: Trace[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const trace of traces.toSorted((a, b) => a.firstSpanRowId - b.firstSpanRowId)) {
    if (trace.firstSpanRowId - last > CLUSTER_GAP_MAX) clusters.push([]);
    clusters.at(-1)?.push(trace);
    last = Math.max(last, trace.lastSpanRowId);
  }
  return clusters;
}

/** The rows from the first to the last span of some traces. */
export function hullOf(traces: readonly TraceRowRange[]): RowRange {
  const [first] = minMax(traces.map(({ firstSpanRowId }) => firstSpanRowId));
  const [, last] = minMax(traces.map(({ lastSpanRowId }) => lastSpanRowId));
  return { first, last };
}

/** A condition on spans: those of the traces of a group. */
export function inTraces(traces: readonly TraceRowRange[], parameters: Parameters): string {
  const { first, last } = hullOf(traces);
  return `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
    AND ${parameters.bigintIn(
      'trace_row_id',
      traces.map(({ rowId }) => rowId),
    )}`;
}
