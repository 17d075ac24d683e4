import type { BinPiece, BinStep } from '../../model/time-bins.ts';
import type { EntityFilter } from '../../filter/entities/entity-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';

/** A row by its row id (from a global ID) or by the text that the application gave it. */
export type RowRef = { readonly rowId: number } | { readonly id: string };

// What lists, sums and series ask of the store, and what it answers (`SpanReader`).

/** Times in [start, end), nanoseconds since the epoch; an absent end is open. */
export interface TimeRange {
  readonly startTimeUnixNano?: bigint | undefined;
  readonly endTimeUnixNano?: bigint | undefined;
}

/** A row in a sorted list: what sorts it, and its row id, which decides between equal ones. */
export interface ListPosition {
  readonly rowId: number;
  /**
   * Nanoseconds, tokens, a count, or what an annotation has, as the list is sorted; absent where it is by row id alone,
   * and in a list by annotations where there is none.
   */
  readonly value?: bigint | number | string;
}

/**
 * By what annotations of a name have: the newest that has a score, or a label. Only rows with such an annotation; those
 * without the value come last in either order.
 */
export interface AnnotationSort {
  readonly name: string;
  readonly attribute: 'score' | 'label';
}

/**
 * One root span of each trace: of those that name no parent (`parentless`), or also of those whose parent is not stored
 * in the same trace (`orphansToo`), the one that started first; of several, the highest row id.
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

/** A query by bins of local time. Weeks begin on Monday. */
export interface BinQuery extends RangeQuery, BinPlan {}

export interface BinPlan extends BinStep {
  /** Intervals that cover all time, from `toPieces`. */
  readonly pieces: readonly BinPiece[];
}

/** Bins that hold something, by time. */
export interface Bin {
  /** Microseconds since the epoch. */
  readonly startTimeUnixMicro: number;
}
