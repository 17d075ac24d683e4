import type { SpanAggregate, SpanGroupColumn, SpanMetric } from '../../model/spans/span-metric.ts';
import type { BinPlan, RangeQuery } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

/** Values of a column of spans, or of the attribute at a path. */
export type SpanGroupSource = { readonly column: SpanGroupColumn } | { readonly path: readonly string[] };

/** Aggregates of the spans that start in the range. */
export interface SpanMetricQuery extends RangeQuery {
  readonly metric: SpanMetric;
  readonly aggregates: readonly SpanAggregate[];
  /** Only scores of this name. Absent: of all names, which needs a group by annotation to have a meaning. */
  readonly annotationName?: string | undefined;
  readonly groupBy?: SpanGroupSource | undefined;
  /** Number of groups with a name. The rest is one group. */
  readonly groupLimit: number;
  /** Absent: no series. */
  readonly bins?: BinPlan | undefined;
}

/** Values in the order of the aggregates: ms, dollars, tokens, shares, scores or counts; null without a value. */
export type MetricValues = readonly (number | null)[];

export interface MetricSeries {
  /** Number of the spans behind the values. */
  readonly spanCount: number;
  readonly values: MetricValues;
  /** Bins with data by time. Empty without `bins`, and for the total of groups. */
  readonly bins: readonly { readonly startTimeUnixMicro: number; readonly values: MetricValues }[];
}

export interface SpanMetricResult {
  readonly total: MetricSeries;
  /**
   * Groups by descending first value, then by name. `name` is a row id for traces. Groups whose first value is null are
   * absent, and for counts and sums those with 0.
   */
  readonly groups: readonly (MetricSeries & { readonly name: string })[];
  /** All groups beyond the limit as one, if there are any. */
  readonly others: (MetricSeries & { readonly groupCount: number }) | undefined;
  /** Spans without the attribute of the groups. They count in `total` only. */
  readonly ungroupedSpanCount: number;
}

/** Reads of the panels of dashboards. `SpanStoreReader` states what all reads have in common. */
export interface SpanMetricReader {
  findSpanMetric(query: SpanMetricQuery, options?: ReadOptions): Promise<SpanMetricResult>;
}
