import type { Session } from '../model/session.ts';
import type { SpanRow } from '../model/span.ts';
import type { BinPiece, BinStep } from '../model/time-bins.ts';
import type { EntityFilter } from '../filter/entities/entity-filter.ts';
import type { SpanFilter } from '../filter/spans/span-filter.ts';
import type { FacetGrain, TraceGrain } from './grain.ts';

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

export type SpanSortColumn =
  | 'startTime'
  | 'endTime'
  | 'latency'
  | 'tokensTotal'
  | 'tokensPrompt'
  | 'tokensCompletion'
  /** Of the span with all its descendants in the trace. */
  | 'cumulativeTokensTotal'
  | 'cumulativeTokensPrompt'
  | 'cumulativeTokensCompletion'
  /** Only spans with a cost row; those without an amount come last. */
  | 'cost'
  /** Of the whole trace, as the next two. */
  | 'traceLatency'
  | 'traceTokensTotal'
  /** Only spans of traces with a cost row. */
  | 'traceCost';

/**
 * One root span of each trace: of those that name no parent (`parentless`), or also of those whose parent is not stored
 * in the same trace (`orphansToo`), the one that started first; of several, the highest row id.
 */
export type RootRule = 'parentless' | 'orphansToo';

export interface SpanListQuery extends TimeRange {
  readonly projectId: number;
  /** Spans of this trace alone. */
  readonly traceRowId?: number | undefined;
  readonly roots?: RootRule | undefined;
  /**
   * What the listed root spans represent. When absent, the list has root spans in the range that the filter selects.
   */
  readonly grain?: TraceGrain | undefined;
  readonly filter?: SpanFilter | undefined;
  /** Spans of the traces that it selects, each known by its root span by `roots`, or with orphans. */
  readonly traceFilter?: EntityFilter | undefined;
  /** Absent: by row id. Missing tokens count as 0. */
  readonly sort?: SpanSortColumn | AnnotationSort | undefined;
  /** Of the row id too, among equal values. */
  readonly order: 'asc' | 'desc';
  readonly after?: ListPosition | undefined;
  /** 1 to `PAGE_ROW_COUNT_MAX`. */
  readonly limit: number;
}

/** Traces by start time, each shown by its root span; the time range is that of the traces. */
export interface RootSpanListQuery extends TimeRange {
  readonly projectId: number;
  readonly roots: RootRule;
  readonly traceFilter?: EntityFilter | undefined;
  /** Requires `grain`, which determines the spans that the filter applies to. */
  readonly filter?: SpanFilter | undefined;
  readonly grain?: TraceGrain | undefined;
  readonly order: 'asc' | 'desc';
  /** A trace: its row id and start. */
  readonly after?: ListPosition | undefined;
  readonly limit: number;
}

export interface SpanListPage {
  /** `at` is the span, or its trace in a list of traces. */
  readonly items: readonly { readonly span: SpanRow; readonly at: ListPosition }[];
  /** Where the next page begins; undefined on the last page. In a list of traces it may lie beyond the last item. */
  readonly nextAfter?: ListPosition;
}

export type SessionSortColumn = 'startTime' | 'endTime' | 'tokensTotal' | 'traceCount' | 'cost';

/** Sessions that overlap the range. */
export interface SessionListQuery extends TimeRange {
  readonly projectId: number;
  readonly filter?: EntityFilter | undefined;
  readonly sort?: SessionSortColumn | AnnotationSort | undefined;
  readonly order: 'asc' | 'desc';
  readonly after?: ListPosition | undefined;
  readonly limit: number;
}

export interface SessionListPage {
  readonly items: readonly { readonly session: Session; readonly at: ListPosition }[];
  readonly nextAfter?: ListPosition;
}

/** All that a project holds, summed up. */
export interface ProjectSums {
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

export interface RangeQuery extends TimeRange {
  readonly projectId: number;
  /** Selects spans, traces with such a span, or sessions with such a trace. */
  readonly filter?: SpanFilter | undefined;
  /** Traces: the filter must select the root span (or orphan) instead of any span. Spans: only root spans. */
  readonly isOfRoots?: boolean | undefined;
  /** Sessions that it selects, or their traces or spans. */
  readonly sessionFilter?: EntityFilter | undefined;
}

/** Traces that start in a range. */
export interface TraceSums {
  readonly traceCount: number;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
}

/** Sessions that overlap a range; means are null when there is none. */
export interface SessionSums {
  readonly sessionCount: number;
  readonly averageDurationMs: number | null;
  readonly averageTraceCount: number | null;
}

/** Spans of a file. */
export interface SpanFileQuery extends TimeRange {
  readonly projectId: number;
  readonly filter?: SpanFilter | undefined;
}

export interface QuantileQuery extends RangeQuery {
  /** Traces and spans by their start, sessions that overlap the range. */
  readonly of: 'traces' | 'spans' | 'sessions';
  /** Each 0 to 1. */
  readonly probabilities: readonly number[];
}

/** What else is known of a session, beyond its sums. */
export interface SessionDetails {
  /** Spans whose input and output the session shows. */
  readonly firstInputSpanRowId: number | null;
  readonly lastOutputSpanRowId: number | null;
  /** Traces with at least one failed span. */
  readonly failedTraceCount: number;
}

/** Exceptions of failed spans by type; null counts failed spans without any. Most frequent first, null before text. */
export interface ErrorTypeCount {
  readonly exceptionType: string | null;
  readonly count: number;
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
/** Spans by their start. */
export interface SpanBin extends Bin {
  readonly okCount: number;
  readonly errorCount: number;
  readonly unsetCount: number;
}
/** Traces by their start. */
export interface TraceBin extends Bin {
  readonly traceCount: number;
  /** Traces with at least one failed span. */
  readonly failedCount: number;
  /** With a filter that any span may match, only tokens of the spans that it selects. */
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
}
/** Latency of traces in ms: interpolated quantiles in the order of `LATENCY_QUANTILES`. */
export interface LatencyBin extends Bin {
  readonly quantiles: readonly number[];
}
/** p50, p75, p90, p95, p99, p999, max. */
export const LATENCY_QUANTILES = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1] as const;

/** What spans can be told apart by, in the order in which it is shown. */
export const FACET_FIELDS = ['status', 'kind', 'name', 'model', 'user', 'session', 'metadata'] as const;
export type FacetField = (typeof FACET_FIELDS)[number];

/** Facets of the spans that the filter selects: those that start in the range or, with a grain, those of its rows. */
export interface FacetQuery extends TimeRange {
  readonly projectId: number;
  readonly filter?: SpanFilter | undefined;
  readonly grain: FacetGrain;
  /** Values of one facet. */
  readonly limit: number;
  readonly metadataKeyLimit: number;
}

export interface SpanFacet {
  readonly field: FacetField;
  /** Of the metadata, at its top; else null. */
  readonly key: string | null;
  /** By falling count, then value. */
  readonly values: readonly { readonly value: string; readonly isText: boolean; readonly count: number }[];
}

export interface SpanFacets {
  /** Number of inspected rows of the grain, which the counts refer to. */
  readonly rowCount: number;
  /** Whether there may be older ones that were not. */
  readonly isNewestOnly: boolean;
  readonly facets: readonly SpanFacet[];
}
