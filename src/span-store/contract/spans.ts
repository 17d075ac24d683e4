import type { SpanKind, StatusCode } from '../../semconv/span-kinds.ts';
import type { Page } from '../../model/page.ts';
import type { Span, SpanRow } from '../../model/spans/span.ts';
import type { NullableTextColumn, TextColumn } from '../../columns/span-columns.ts';
import type { TextAttributeField } from '../../columns/text-attributes.ts';
import type { EntityFilter } from '../../filter/entities/entity-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { TraceGrain } from './grain.ts';
import type { AnnotationSort, ListPosition, RootRule, TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

/** Condition on one attribute: a dotted path into the nested map and the value it must equal. */
export interface AttributeCondition {
  readonly path: string;
  /** A number equals 2 and 2.0 alike when it is an integer; text and booleans are exact. Lists and objects never match. */
  readonly value: string | number | bigint | boolean;
}

/** Number of sampled spans of a project, and the estimated size of these spans on disk. */
export interface SpanSize {
  readonly spanCount: number;
  readonly bytes: number;
}

/** Conditions are ANDed, and values of one list are ORed. An absent field is no condition. An empty list matches nothing. */
export interface SpanQuery {
  readonly projectId: number;
  /** Order of row ids. Absent: newest first. */
  readonly order?: 'asc' | 'desc';
  /** Cursor: row id of the first listed span, in the order. */
  readonly fromRowId?: number;
  /** Greatest row id in either order. Pages with the same bound do not contain spans that arrive later. */
  readonly rowIdMax?: number;
  /** 1 to `PAGE_ROW_COUNT_MAX`. */
  readonly limit: number;
  /** Span start in [startTime, endTime), nanoseconds since the epoch. */
  readonly startTimeUnixNano?: bigint;
  readonly endTimeUnixNano?: bigint;
  readonly traceIds?: readonly string[];
  readonly spanIds?: readonly string[];
  /** Null: only spans without a parent ID. */
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
  /** Tokens of the span and all of its descendants in the trace, as for the next two. */
  | 'cumulativeTokensTotal'
  | 'cumulativeTokensPrompt'
  | 'cumulativeTokensCompletion'
  /** Lists only spans with a cost row. Spans without an amount come last. */
  | 'cost'
  /** Latency of the whole trace. The next two also apply to the whole trace. */
  | 'traceLatency'
  | 'traceTokensTotal'
  /** Lists only spans of traces with a cost row. */
  | 'traceCost';

export interface SpanListQuery extends TimeRange {
  readonly projectId: number;
  /** Only spans of this trace. */
  readonly traceRowId?: number | undefined;
  readonly roots?: RootRule | undefined;
  /**
   * What the listed root spans represent. When absent, the list has root spans in the range that the filter selects.
   */
  readonly grain?: TraceGrain | undefined;
  readonly filter?: SpanFilter | undefined;
  /** Only spans of the traces that the filter selects. The root span of a trace follows `roots`, by default `orphansToo`. */
  readonly traceFilter?: EntityFilter | undefined;
  /** Absent: row id. Missing tokens count as 0. */
  readonly sort?: SpanSortColumn | AnnotationSort | undefined;
  /** Also the order of row ids among equal values. */
  readonly order: 'asc' | 'desc';
  readonly after?: ListPosition | undefined;
  /** 1 to `PAGE_ROW_COUNT_MAX`, of columns to `SPAN_COLUMNS_ROW_COUNT_MAX`. */
  readonly limit: number;
}

/** Traces by start time, each represented by its root span. The time range applies to the traces. */
export interface RootSpanListQuery extends TimeRange {
  readonly projectId: number;
  readonly roots: RootRule;
  readonly traceFilter?: EntityFilter | undefined;
  /** Requires `grain`, which determines the spans that the filter applies to. */
  readonly filter?: SpanFilter | undefined;
  readonly grain?: TraceGrain | undefined;
  readonly order: 'asc' | 'desc';
  /** Row id and start of a trace. */
  readonly after?: ListPosition | undefined;
  readonly limit: number;
}

export interface SpanListPage {
  /** `at` is the position of the span, or of its trace in a list of traces. */
  readonly items: readonly { readonly span: SpanRow; readonly at: ListPosition }[];
  /** Start of the next page; undefined on the last page. In a list of traces it may be after the last item. */
  readonly nextAfter?: ListPosition;
}

/**
 * Whole spans in columns: row `i` of each belongs to span `i`. Attributes are in the columns of `SpanColumns` with the same names.
 * The receiver owns the buffers.
 */
export interface WholeSpanColumns extends Readonly<Record<TextAttributeField, NullableTextColumn>> {
  readonly rowCount: number;
  readonly rowIds: Float64Array;
  readonly traceId: TextColumn;
  readonly spanId: TextColumn;
  readonly parentSpanId: NullableTextColumn;
  readonly name: TextColumn;
  /** Indexes into `SPAN_KINDS` and `STATUS_CODES`. */
  readonly spanKind: Uint8Array;
  readonly statusCode: Uint8Array;
  readonly statusMessage: TextColumn;
  readonly startTimeUnixNano: BigInt64Array;
  readonly endTimeUnixNano: BigInt64Array;
  readonly attributes: TextColumn;
  readonly longAttributes: NullableTextColumn;
  readonly metadata: NullableTextColumn;
  readonly input: NullableTextColumn;
  readonly output: NullableTextColumn;
  readonly events: NullableTextColumn;
}

export interface SpanColumnsPage {
  readonly columns: WholeSpanColumns;
  /** Whether the rows are far apart in the store, so that a larger page costs little more. */
  readonly isScattered: boolean;
  /** Start of the next page; undefined on the last page. */
  readonly nextAfter?: ListPosition;
}

/** Reads of spans. `SpanStoreReader` states what all reads have in common. */
export interface SpanReader {
  /** One page of the spans that meet every condition, by row id. */
  findSpans(query: SpanQuery, options?: ReadOptions): Promise<Page<Span>>;
  /** One page of spans in any order. Pages neither skip nor repeat a span. */
  listSpans(query: SpanListQuery, options?: ReadOptions): Promise<SpanListPage>;
  /**
   * The same with whole spans, in columns and up to `SPAN_COLUMNS_ROW_COUNT_MAX` of them. A page whose texts are long has fewer
   * spans than its limit, and it may have none before the last page.
   */
  listSpanColumns(query: SpanListQuery, options?: ReadOptions): Promise<SpanColumnsPage>;
  /** One page of traces by start time, each shown by its root span. */
  listRootSpans(query: RootSpanListQuery, options?: ReadOptions): Promise<SpanListPage>;
  /**
   * Estimates the size of spans by project row id. A small store is measured completely, a larger one by a sample,
   * which may lack projects that are not in `projectIds`. Reads texts, so it takes a second or two.
   */
  measureSpans(projectIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanSize>>;
}
