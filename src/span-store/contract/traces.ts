import type { Page } from '../../model/page.ts';
import type { SpanInTrace, SpanSummary } from '../../model/span.ts';
import type { SpanSums } from '../../model/span-sums.ts';
import type { Trace } from '../../model/trace.ts';
import type { TraceSkeleton } from '../../model/trace-skeleton.ts';
import type { RowRef } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

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

/** Exceptions of failed spans by type; null counts failed spans without any. Most frequent first, null before text. */
export interface ErrorTypeCount {
  readonly exceptionType: string | null;
  readonly count: number;
}

/** Reads of traces. `SpanStoreReader` states what all reads have in common. */
export interface TraceReader {
  /**
   * One page of traces in the order asked for, ties by row id in the same direction; nothing skipped or repeated, also
   * when the trace that the page starts with was deleted since.
   */
  findTraces(query: TraceQuery, options?: ReadOptions): Promise<Page<Trace>>;
  findTraceRowId(ref: RowRef, options?: ReadOptions): Promise<number | undefined>;
  /** By trace ID; those that are not stored are absent. */
  findTraceRowIds(traceIds: readonly string[], options?: ReadOptions): Promise<Map<string, number>>;
  findTracesByRowIds(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, Trace>>;
  /** Traces of these sessions by start time; sessions without traces are absent. */
  findTracesOfSessions(sessionRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, Trace[]>>;
  /** Spans of these traces by start time, then row id, with cumulative values; traces without spans are absent. */
  findSpansOfTraces(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanSummary[]>>;
  /** The next spans of a trace by start time, then row id. */
  listSpansOfTrace(query: SpansOfTraceQuery, options?: ReadOptions): Promise<SpanInTrace[]>;
  /** What the spans of these traces add up to with their descendants; traces that are not stored are absent. */
  findSpanSums(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanSums>>;
  /** The spans of these traces in columns; traces that are not stored are absent. */
  findTraceSkeletons(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, TraceSkeleton>>;
  /** Of the spans that name no parent the one that started first; of several, the newest. Absent where none is. */
  findRootSpanIds(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, number>>;
  /** The user (`user.id`) that the earliest span with one names; absent where none does. */
  findUsersOfTraces(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, string>>;
  /** Exceptions of the failed spans of traces; traces without failed spans are absent. */
  findErrorTypesOfTraces(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, ErrorTypeCount[]>>;
}
