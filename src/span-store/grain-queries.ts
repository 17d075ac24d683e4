import type { Grain } from './grain.ts';
import type { Bin, BinPlan, RangeQuery } from './list-queries.ts';

// What is asked of the rows of a project's table as a whole, and what the store answers (`SpanReader`).

/** A span filter selects nothing of sessions; a session filter selects sessions, and traces and spans of theirs. */
export interface GrainQuery extends RangeQuery {
  readonly grain: Grain;
}

export interface RowFiguresQuery extends GrainQuery {
  /**
   * Of `traces` only. Tokens and costs are those of the spans that the filter selects, not of whole traces, and the spans
   * that are counted are those of them that start in the range.
   */
  readonly ofMatchingSpans?: boolean;
}

/** Sums over rows. A row that stands for a trace or session counts with all of its spans. */
export interface RowFigures {
  /** Null where rows are spans. */
  readonly traceCount: number | null;
  readonly spanCount: number;
  /** Null where rows are not sessions. */
  readonly sessionCount: number | null;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  /** In 10⁻¹² dollars. */
  readonly promptPico: number;
  readonly completionPico: number;
  /** Of spans, else of traces: interpolated quantiles in ms in the order of `ROW_QUANTILES`; null without rows. */
  readonly latencies: readonly number[] | null;
}

export const ROW_QUANTILES = [0.5, 0.99] as const;

/** Of the rows in a range. */
export interface RowBinQuery extends GrainQuery, BinPlan {
  /** What the bins cover, nanoseconds since the epoch; an absent end is open. A row outside is in the first or the last bin. */
  readonly bins: { readonly startUnixNano: bigint; readonly endUnixNano?: bigint | undefined };
}

/** Rows by their start. */
export interface RowBin extends Bin {
  readonly totalCount: number;
  /** Spans with the status ERROR; traces and sessions with such a span. */
  readonly errorCount: number;
}
