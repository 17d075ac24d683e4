import type { SpanKind, StatusCode } from '../../semconv/span-kinds.ts';
import type { Page } from '../../model/page.ts';
import type { Span, SpanBody, SpanRow } from '../../model/span.ts';
import type { EntityFilter } from '../../filter/entities/entity-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { SpanSize } from './aggregates.ts';
import type { TraceGrain } from './grain.ts';
import type { AnnotationSort, ListPosition, RootRule, RowRef, TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

/** Condition on one attribute: a dotted path into the nested map and the value it must equal. */
export interface AttributeCondition {
  readonly path: string;
  /** A number equals 2 and 2.0 alike when it is an integer; text and booleans are exact. Lists and objects never match. */
  readonly value: string | number | bigint | boolean;
}

/** A span that is stored. */
export interface StoredSpanId {
  readonly spanId: string;
  readonly traceId: string;
  readonly rowId: number;
}

/** Conditions are ANDed; values inside one list are ORed. An absent field is no condition, an empty list matches nothing. */
export interface SpanQuery {
  readonly projectId: number;
  /** Of row ids; absent: newest first. */
  readonly order?: 'asc' | 'desc';
  /** The row id from which on, in the order, spans are listed: the cursor. */
  readonly fromRowId?: number;
  /** The greatest row id, in either order: pages up to it see nothing that comes meanwhile. */
  readonly rowIdMax?: number;
  /** 1 to `PAGE_ROW_COUNT_MAX`. */
  readonly limit: number;
  /** Span start in [startTime, endTime), nanoseconds since the epoch. */
  readonly startTimeUnixNano?: bigint;
  readonly endTimeUnixNano?: bigint;
  readonly traceIds?: readonly string[];
  readonly spanIds?: readonly string[];
  /** Null: only spans that name no parent. */
  readonly parentSpanId?: string | null;
  readonly names?: readonly string[];
  readonly spanKinds?: readonly SpanKind[];
  readonly statusCodes?: readonly StatusCode[];
  readonly attributes?: readonly AttributeCondition[];
  readonly filter?: SpanFilter | undefined;
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

/** Reads of spans. `SpanStoreReader` states what all reads have in common. */
export interface SpanReader {
  /** One page of the spans that meet every condition, by row id (of the commit). */
  findSpans(query: SpanQuery, options?: ReadOptions): Promise<Page<Span>>;
  /** Row id of the span; the newest one when several traces use the same span id. */
  findSpanRowId(ref: RowRef, options?: ReadOptions): Promise<number | undefined>;
  /** Those of the given span ids that are stored, in any trace or project; by row id. */
  findStoredSpanIds(spanIds: readonly string[], options?: ReadOptions): Promise<StoredSpanId[]>;
  /** One page of spans in any order; nothing skipped or repeated. */
  listSpans(query: SpanListQuery, options?: ReadOptions): Promise<SpanListPage>;
  /** One page of traces by start time, each shown by its root span. */
  listRootSpans(query: RootSpanListQuery, options?: ReadOptions): Promise<SpanListPage>;
  /** By row id, as all that follow with row ids; rows that are not stored are absent. */
  findSpanRows(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanRow>>;
  findSpanBodies(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanBody>>;
  /**
   * Estimates the size of spans by project row id. A small store is measured completely, a larger one by a sample,
   * which may lack projects that are not in `projectIds`. Reads texts, so it takes a second or two.
   */
  measureSpans(projectIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanSize>>;
}
