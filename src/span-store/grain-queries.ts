import type { Grain } from './grain.ts';
import type { Bin, BinPlan, RangeQuery } from './list-queries.ts';

// Queries over all rows of a project's table, and their results (`SpanReader`).

/** A span filter does not apply to sessions. A session filter selects sessions and their traces and spans. */
export interface GrainQuery extends RangeQuery {
  readonly grain: Grain;
}

export interface RowFiguresQuery extends GrainQuery {
  /**
   * Only for the grain `traces`. Tokens and costs are then those of the spans that the filter selects instead of whole
   * traces, and `spanCount` counts those of them that start in the range.
   */
  readonly ofMatchingSpans?: boolean;
}

/** Totals over rows. A row that represents a trace or session includes all of its spans. */
export interface RowFigures {
  /** Null when rows are spans. */
  readonly traceCount: number | null;
  readonly spanCount: number;
  /** Null unless rows are sessions. */
  readonly sessionCount: number | null;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  /** In 10⁻¹² dollars. */
  readonly promptPico: number;
  readonly completionPico: number;
  /**
   * Interpolated latency quantiles of spans, or else of traces, in ms in the order of `ROW_QUANTILES`. Null without
   * rows.
   */
  readonly latencies: readonly number[] | null;
}

export const ROW_QUANTILES = [0.5, 0.99] as const;

/** Bins over the rows in a range. */
export interface RowBinQuery extends GrainQuery, BinPlan {
  /** Range of the bins in Unix ns, without an end if it is absent. Rows outside count in the first or the last bin. */
  readonly bins: { readonly startUnixNano: bigint; readonly endUnixNano?: bigint | undefined };
}

/** Number of rows that start in a bin. */
export interface RowBin extends Bin {
  readonly totalCount: number;
  /** Number of spans with the status ERROR, or of traces or sessions with such a span. */
  readonly errorCount: number;
}
