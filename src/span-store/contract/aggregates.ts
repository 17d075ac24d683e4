import type { Grain } from './grain.ts';
import type { Bin, BinPlan, BinQuery, RangeQuery } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

/** Aggregates of all data of a project. */
export interface ProjectAggregates {
  readonly traceCount: number;
  readonly spanCount: number;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  /** Start of the latest trace. */
  readonly lastStartTimeUnixNano: bigint;
}

export interface DaySpanCount {
  readonly projectId: number;
  /** Whole days since 1970, UTC. */
  readonly day: number;
  readonly spanCount: number;
}

/** Number of sampled spans of a project, and the estimated size of these spans on disk. */
export interface SpanSize {
  readonly spanCount: number;
  readonly bytes: number;
}

/** Aggregates of the traces that start in a range. */
export interface TraceAggregates {
  readonly traceCount: number;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
}

/** Aggregates of the sessions that overlap a range. Means are null without sessions. */
export interface SessionAggregates {
  readonly sessionCount: number;
  readonly averageDurationMs: number | null;
  readonly averageTraceCount: number | null;
}

export interface QuantileQuery extends RangeQuery {
  /** Traces and spans that start in the range, or sessions that overlap it. */
  readonly of: 'traces' | 'spans' | 'sessions';
  /** Each from 0 to 1. */
  readonly probabilities: readonly number[];
}

/** Number of spans that start in a bin, by status. */
export interface SpanBin extends Bin {
  readonly okCount: number;
  readonly errorCount: number;
  readonly unsetCount: number;
}

/** Traces that start in a bin. */
export interface TraceBin extends Bin {
  readonly traceCount: number;
  /** Traces with at least one failed span. */
  readonly failedCount: number;
  /** With a filter that any span may match, only tokens of the spans that it selects. */
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
}

/** Interpolated latency quantiles of traces in ms, in the order of `LATENCY_QUANTILES`. */
export interface LatencyBin extends Bin {
  readonly quantiles: readonly number[];
}

/** p50, p75, p90, p95, p99, p999, max. */
export const LATENCY_QUANTILES = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1] as const;

// Queries over all rows of a project's table, and their results (`SpanReader`).

/** A span filter does not apply to sessions. A session filter selects sessions and their traces and spans. */
export interface GrainQuery extends RangeQuery {
  readonly grain: Grain;
}

export interface RowAggregatesQuery extends GrainQuery {
  /**
   * Only for the grain `traces`. Tokens and costs are then those of the spans that the filter selects instead of whole
   * traces, and `spanCount` counts those of them that start in the range.
   */
  readonly ofMatchingSpans?: boolean;
}

/** Totals over rows. A row that represents a trace or session includes all of its spans. */
export interface RowAggregates {
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
  /** Number of spans and root spans whose own status is ERROR, or of traces or sessions with such a span. */
  readonly errorCount: number;
}

/** Counts, sums, quantiles and series. `SpanStoreReader` states what all reads have in common. */
export interface AggregateReader {
  /** Projects without traces are absent. */
  sumUpProjects(projectIds: readonly number[], options?: ReadOptions): Promise<Map<number, ProjectAggregates>>;
  /**
   * Number of spans of every project by the day on which their traces start, in no order. Earlier traces count on `firstDay`.
   * Reads the rollups of traces instead of spans.
   */
  countSpansByDay(firstDay: number, options?: ReadOptions): Promise<DaySpanCount[]>;
  /** Number of spans that start in the range. */
  countSpans(query: RangeQuery, options?: ReadOptions): Promise<number>;
  /** Aggregates of the traces that start in the range. */
  sumUpTraces(query: RangeQuery, options?: ReadOptions): Promise<TraceAggregates>;
  /** Aggregates of the sessions that overlap the range. */
  sumUpSessions(query: RangeQuery, options?: ReadOptions): Promise<SessionAggregates>;
  /** Interpolated quantiles of durations in ms, in the order of `probabilities`. Undefined when no row is in the range. */
  findQuantiles(query: QuantileQuery, options?: ReadOptions): Promise<number[] | undefined>;
  /** Totals over the rows of a project's table. */
  sumUpRows(query: RowAggregatesQuery, options?: ReadOptions): Promise<RowAggregates>;
  /** Series by start time. Bins without data are absent. */
  binSpans(query: BinQuery, options?: ReadOptions): Promise<SpanBin[]>;
  binRows(query: RowBinQuery, options?: ReadOptions): Promise<RowBin[]>;
  binTraces(query: BinQuery, options?: ReadOptions): Promise<TraceBin[]>;
  binTraceLatencies(query: BinQuery, options?: ReadOptions): Promise<LatencyBin[]>;
}
