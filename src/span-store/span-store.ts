import type { SpanKind, StatusCode } from '../semconv/span-kinds.ts';
import type { Page } from '../model/page.ts';
import type { Session } from '../model/session.ts';
import type { Span, SpanBody, SpanInTrace, SpanRow, SpanSummary } from '../model/span.ts';
import type { SpanSums } from '../model/span-sums.ts';
import type { Trace } from '../model/trace.ts';
import type { TraceSkeleton } from '../model/trace-skeleton.ts';
import type { SpanColumns } from '../columns/span-columns.ts';
import type { SpanFilter } from '../filter/spans/span-filter.ts';
import type { AnnotationChange, AnnotationFilter, AnnotationReader, AnnotationRecord } from './annotation-queries.ts';
import type { CostChange } from './cost-change.ts';
import type { CostReader } from './cost-queries.ts';
import type { RowBin, RowBinQuery, RowFigures, RowFiguresQuery } from './grain-queries.ts';
import type {
  BinQuery,
  DaySpanCount,
  ErrorTypeCount,
  FacetQuery,
  LatencyBin,
  ProjectSums,
  QuantileQuery,
  RangeQuery,
  RootSpanListQuery,
  SessionDetails,
  SessionListPage,
  SessionListQuery,
  SessionSums,
  SpanBin,
  SpanFacets,
  SpanFileQuery,
  SpanListPage,
  SpanListQuery,
  SpanSize,
  TraceBin,
  TraceSums,
} from './list-queries.ts';
import type { ReadOptions } from './read-options.ts';
import type { OpenSpanFile, SpanFile } from './span-file.ts';
import type { StoreChange } from './store-change.ts';

export type { CostChange } from './cost-change.ts';
export type { ReadClass, ReadOptions } from './read-options.ts';
export type { StoreChange } from './store-change.ts';

/** A row by its row id (from a global ID) or by the text that the application gave it. */
export type RowRef = { readonly rowId: number } | { readonly id: string };

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

export interface TraceQuery {
  readonly projectId: number;
  readonly startTimeUnixNano?: bigint;
  readonly endTimeUnixNano?: bigint;
  /** Sessions by row id or by the application's text; a trace of any of them matches. Unknown ones match nothing. */
  readonly sessions?: readonly RowRef[];
  /** Whether a span of the trace has failed. */
  readonly hasError?: boolean;
  /** Bounds of the latency, both inclusive; any finite number. */
  readonly latencyMsMin?: number;
  readonly latencyMsMax?: number;
  readonly sort: 'startTime' | 'latency';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** The trace that the page starts with: the page holds it and what sorts after it (value, then row id). */
  readonly fromRowId?: number;
}

export interface SpansOfTraceQuery {
  readonly traceRowId: number;
  readonly limit: number;
  /** The span before the first; absent: from the beginning. */
  readonly after?: Pick<SpanInTrace, 'startTimeUnixNano' | 'rowId'> | undefined;
}

export interface SessionQuery {
  readonly projectId: number;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly fromRowId?: number;
}

/**
 * Reads. The caller owns every result and may change it. A read sees every commit that ended before it began.
 *
 * @throws {SpandrelError} `QUERY_TIMED_OUT` past the deadline of its class, `CANCELLED` when the signal fired,
 *   `STORE_UNAVAILABLE` while the store is being rebuilt or its queue is full.
 */
export interface SpanReader extends AnnotationReader, CostReader {
  /** One page of the spans that meet every condition, by row id (of the commit). */
  findSpans(query: SpanQuery, options?: ReadOptions): Promise<Page<Span>>;
  /**
   * One page of traces in the order asked for, ties by row id in the same direction; nothing skipped or repeated, also
   * when the trace that the page starts with was deleted since.
   */
  findTraces(query: TraceQuery, options?: ReadOptions): Promise<Page<Trace>>;
  /** Spans of these traces by start time, then row id, with cumulative values; traces without spans are absent. */
  findSpansOfTraces(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanSummary[]>>;
  /** What the spans of these traces add up to with their descendants; traces that are not stored are absent. */
  findSpanSums(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanSums>>;
  /** The spans of these traces in columns; traces that are not stored are absent. */
  findTraceSkeletons(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, TraceSkeleton>>;
  /** The next spans of a trace by start time, then row id. */
  listSpansOfTrace(query: SpansOfTraceQuery, options?: ReadOptions): Promise<SpanInTrace[]>;
  /** One page of sessions by row id. */
  findSessions(query: SessionQuery, options?: ReadOptions): Promise<Page<Session>>;
  findSession(ref: RowRef, options?: ReadOptions): Promise<Session | undefined>;
  /** Traces of these sessions by start time; sessions without traces are absent. */
  findTracesOfSessions(sessionRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, Trace[]>>;
  /** Row id of the span; the newest one when several traces use the same span id. */
  findSpanRowId(ref: RowRef, options?: ReadOptions): Promise<number | undefined>;
  findTraceRowId(ref: RowRef, options?: ReadOptions): Promise<number | undefined>;
  /** By trace ID; those that are not stored are absent. */
  findTraceRowIds(traceIds: readonly string[], options?: ReadOptions): Promise<Map<string, number>>;
  /** Those of the given span ids that are stored, in any trace or project; by row id. */
  findStoredSpanIds(spanIds: readonly string[], options?: ReadOptions): Promise<StoredSpanId[]>;

  /** One page of spans in any order; nothing skipped or repeated. */
  listSpans(query: SpanListQuery, options?: ReadOptions): Promise<SpanListPage>;
  /** One page of traces by start time, each shown by its root span. */
  listRootSpans(query: RootSpanListQuery, options?: ReadOptions): Promise<SpanListPage>;
  /** One page of sessions in any order. */
  listSessions(query: SessionListQuery, options?: ReadOptions): Promise<SessionListPage>;
  /** By row id, as all that follow with row ids; rows that are not stored are absent. */
  findSpanRows(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanRow>>;
  findSpanBodies(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanBody>>;
  findTracesByRowIds(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, Trace>>;
  findSessionsByRowIds(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, Session>>;
  findSessionDetails(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SessionDetails>>;
  /** Of the spans that name no parent the one that started first; of several, the newest. Absent where none is. */
  findRootSpanIds(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, number>>;
  /** The user (`user.id`) that the earliest span with one names; absent where none does. */
  findUsersOfTraces(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, string>>;
  findUsersOfSessions(sessionRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, string>>;
  /** Exceptions of the failed spans of traces; traces without failed spans are absent. */
  findErrorTypesOfTraces(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, ErrorTypeCount[]>>;
  /** Projects without traces are absent. */
  sumUpProjects(projectIds: readonly number[], options?: ReadOptions): Promise<Map<number, ProjectSums>>;
  /**
   * Spans of every project by the day on which their traces start; traces before `firstDay` count on it. In no order. Reads
   * the rollup of traces, not spans.
   */
  countSpansByDay(firstDay: number, options?: ReadOptions): Promise<DaySpanCount[]>;
  /**
   * Estimates the size of spans by project row id. A small store is measured completely, a larger one by a sample,
   * which may lack projects that are not in `projectIds`. Reads texts, so it takes a second or two.
   */
  measureSpans(projectIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanSize>>;
  /** Writes spans to a Parquet file, in the order of their row ids; rejects as other reads. */
  writeParquet(query: SpanFileQuery, options?: ReadOptions): Promise<SpanFile>;
  /**
   * Takes in a Parquet file that `writeParquet` wrote, whole, for reading it in pieces; who opens it closes it.
   *
   * @throws {SpandrelError} `QUERY_INVALID` when it is no Parquet file, or has not the columns; `DISK_FULL`
   */
  openParquet(chunks: AsyncIterable<Uint8Array>, options?: ReadOptions): Promise<OpenSpanFile>;
  /** Spans that start in the range. */
  countSpans(query: RangeQuery, options?: ReadOptions): Promise<number>;
  /** Traces that start in the range. */
  sumUpTraces(query: RangeQuery, options?: ReadOptions): Promise<TraceSums>;
  /** Sessions that overlap the range. */
  sumUpSessions(query: RangeQuery, options?: ReadOptions): Promise<SessionSums>;
  /** Interpolated quantiles of durations in ms, in the order asked for; undefined when the range holds nothing. */
  findQuantiles(query: QuantileQuery, options?: ReadOptions): Promise<number[] | undefined>;
  /** Totals over the rows of a project's table. */
  sumUpRows(query: RowFiguresQuery, options?: ReadOptions): Promise<RowFigures>;
  /** What values the newest spans have that match, at most `FACET_SPAN_COUNT_MAX` of them. */
  findFacets(query: FacetQuery, options?: ReadOptions): Promise<SpanFacets>;
  /** Series by start time: bins that hold something, in order. */
  binSpans(query: BinQuery, options?: ReadOptions): Promise<SpanBin[]>;
  binRows(query: RowBinQuery, options?: ReadOptions): Promise<RowBin[]>;
  binTraces(query: BinQuery, options?: ReadOptions): Promise<TraceBin[]>;
  binTraceLatencies(query: BinQuery, options?: ReadOptions): Promise<LatencyBin[]>;
  /**
   * When the store last changed what this project, or any, holds; undefined when it has not since the process began.
   * A deletion counts as a change of every project. In ms since the epoch.
   */
  lastChangedAt(projectId?: number): Promise<number | undefined>;
  /**
   * Calls the listener after each commit that stored, deleted or moved spans or annotations. An undefined changeset
   * means that everything may have changed. Returns a function that unsubscribes the listener.
   */
  onChange(listener: (change: StoreChange | undefined) => void): () => void;
}

/** What is removed, with its annotations; row ids that are gone already are skipped, so a replayed deletion does nothing. */
export type Deletion =
  /** The trace goes with its last span; its session stays. */
  | { readonly what: 'spans'; readonly rowIds: readonly number[] }
  /** With their spans; sessions stay. */
  | { readonly what: 'traces'; readonly rowIds: readonly number[] }
  /** With their traces and spans. */
  | { readonly what: 'sessions'; readonly rowIds: readonly number[] }
  /**
   * Traces of the project that start in [startTime, endTime) and are not among its newest by start time when the deletion
   * is applied. Their sessions stay; `withSessions`: go too, with all of their traces.
   */
  | {
      readonly what: 'tracesOfProject';
      readonly projectId: number;
      readonly startTimeUnixNano?: bigint | undefined;
      readonly endTimeUnixNano?: bigint | undefined;
      readonly exceptNewestCount?: number | undefined;
      readonly withSessions: boolean;
    }
  /** Sessions of the project without traces that ended before. */
  | { readonly what: 'emptySessions'; readonly projectId: number; readonly endBeforeUnixNano: bigint }
  /** With everything in it, and the store forgets which row id its name stood for. */
  | { readonly what: 'project'; readonly projectId: number; readonly name: string }
  | { readonly what: 'annotations'; readonly rowIds: readonly number[] }
  /** Those that are stored when the deletion is applied. */
  | ({ readonly what: 'matchingAnnotations' } & AnnotationFilter)
  /** Replaces instead of removing; one whose new key another annotation of its target has stays as it is. */
  | { readonly what: 'changedAnnotations'; readonly changes: readonly AnnotationChange[] };

/** Traces that go to another project; those that are gone already are passed over. */
export interface Transfer {
  readonly traceRowIds: readonly number[];
  readonly projectId: number;
}

/** What one append did. */
export interface AppendResult {
  /** Spans stored. */
  readonly appendedCount: number;
  /** Spans that were stored already (same trace and span ID), in this batch or before; the first one wins. */
  readonly duplicateCount: number;
  /** Of these: spans whose name, kind, status or times are not those of the stored one. */
  readonly differingCount: number;
  /**
   * Annotations that were given up: of a document that a span does not have, or because their target did not come in
   * time or too many wait. Those of a whole record that was refused are not among them.
   */
  readonly droppedAnnotationCount: number;
}

/**
 * Writes, in the order of the journal, one at a time. `position` is the journal position just after the records that
 * a call came from; it is stored in the same transaction, so that a rejection leaves neither behind and a replay
 * applies every record once. A call whose position is not above the stored one does nothing.
 *
 * @throws {SpandrelError} `STORE_UNAVAILABLE` while the store is being opened again, and afterwards until somebody has asked
 *   for `appliedPosition`, which may have gone back to `checkpointedPosition`: the writer must go on from there.
 */
export interface SpanWriter {
  /** Position up to which the journal is applied; 0 for a new store, also for one that had to begin anew. */
  appliedPosition(): Promise<number>;
  /** Position that survives a crash of the process: the last checkpoint's. Journal before it is not needed. */
  checkpointedPosition(): Promise<number>;
  /**
   * Appends a batch (its buffers are transferred), then annotations in their order. Idempotent by trace ID and span ID.
   *
   * An annotation replaces the one of the same target, name and identifier (and position of a document): it keeps its
   * row id and the time it was made. One whose target is not stored waits for it, within limits, and is stored with it;
   * what is found then is the same as if it had come after. A whole record of which a target is missing, or a span has
   * no such document, changes nothing. Row ids are given in the order of the records, so that a replay gives the same.
   */
  append(batch: SpanColumns, position: number, annotations?: readonly AnnotationRecord[]): Promise<AppendResult>;
  delete(deletion: Deletion, position: number): Promise<void>;
  /** With spans and annotations; sessions stay. */
  transfer(transfer: Transfer, position: number): Promise<void>;
  /** Prices of spans that come from here on, or costs of stored ones. What is priced by which prices is the same on a replay. */
  changeCosts(change: CostChange, position: number): Promise<void>;
  /** Records a position that came with nothing to store. */
  advance(position: number): Promise<void>;
}

/** Sizes for `/metrics` and for people. */
export interface SpanStoreStats {
  readonly spanCount: number;
  readonly traceCount: number;
  readonly sessionCount: number;
  readonly diskBytes: number;
  /** Of these: blocks that a deletion has left empty, and that what comes will fill. */
  readonly freeBytes: number;
  readonly memoryBytes: number;
  /** Blocks of spans that searches look through for want of a filter; it grows while more comes than can be indexed. */
  readonly unindexedBlockCount: number;
}

/** Row ids allocated by Postgres that the span store refers to. */
export interface MetadataRowIds {
  readonly projectIds: readonly number[];
  readonly modelIds: readonly number[];
}

export interface SpanStore extends SpanReader, SpanWriter {
  stats(): Promise<SpanStoreStats>;
  /** `digestOfPrices` of the prices that new spans get. */
  priceDigest(): Promise<string>;
  /** Greatest row id that a span was ever given; 0 before the first. */
  newestSpanRowId(): Promise<number>;
  /** Row ids of the metadata that the store refers to. */
  metadataRowIds(): Promise<MetadataRowIds>;
  /** Makes later spans get row ids above this one. */
  skipSpanRowIds(lastRowId: number): Promise<void>;
  /** Makes everything applied so far survive a crash. The store schedules its own; tests and backups call this. */
  checkpoint(): Promise<void>;
  /** Ends running reads, checkpoints and closes. */
  close(): Promise<void>;
}
