import type { BinInterval, BinStep } from '../../model/time/time-bins.ts';
import type { EntityFilter } from '../../filter/entities/entity-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';

// Terms that queries of several nouns share.

/** A row by its row id, or by the application's ID. */
export type RowRef = { readonly rowId: number } | { readonly id: string };

/** Times in [start, end), nanoseconds since the epoch; an absent end is open. */
export interface TimeRange {
  readonly startTimeUnixNano?: bigint | undefined;
  readonly endTimeUnixNano?: bigint | undefined;
}

/** A row in a sorted list: its sort value, and its row id, which orders rows with equal values. */
export interface ListPosition {
  readonly rowId: number;
  /**
   * Nanoseconds, tokens, a count, or the score or label of an annotation. Absent in a list by row id, and for a row
   * without the value in a list by annotations.
   */
  readonly value?: bigint | number | string;
}

/**
 * Sorts rows by the newest score or label among their annotations of a name. The list contains only rows with such an
 * annotation. Rows without the value come last in either order.
 */
export interface AnnotationSort {
  readonly name: string;
  readonly attribute: 'score' | 'label';
}

/**
 * Chooses one root span per trace. Candidates are the spans without a parent ID (`parentless`), or also those whose parent is
 * not stored in the same trace (`orphansToo`). The root is the candidate that starts first, then the highest row id.
 */
export type RootRule = 'parentless' | 'orphansToo';

export interface RangeQuery extends TimeRange {
  readonly projectId: number;
  /** Selects spans, traces with such a span, or sessions with such a trace. */
  readonly filter?: SpanFilter | undefined;
  /** Traces: the filter must select the root span (or orphan) instead of any span. Spans: only root spans. */
  readonly isOfRoots?: boolean | undefined;
  /** Sessions that it selects, or their traces or spans. */
  readonly sessionFilter?: EntityFilter | undefined;
}

/** Bins of local time. Weeks begin on Monday. */
export interface BinPlan extends BinStep {
  /** Intervals that cover all time, from `toIntervals`. */
  readonly intervals: readonly BinInterval[];
}

/** A bin of a series, which contains data. */
export interface Bin {
  /** Microseconds since the epoch. */
  readonly startTimeUnixMicro: number;
}
