import type { Page } from '../../model/page.ts';
import type { SpanInTrace } from '../../model/spans/span.ts';
import type { Trace } from '../../model/traces/trace.ts';
import type { RowRef } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

export interface TraceQuery {
  readonly projectId: number;
  readonly startTimeUnixNano?: bigint;
  readonly endTimeUnixNano?: bigint;
  /** A trace of any of these sessions matches. Unknown sessions match nothing. */
  readonly sessions?: readonly RowRef[];
  /** Whether the trace contains a failed span. */
  readonly hasError?: boolean;
  /** Bounds of the latency, both inclusive; any finite number. */
  readonly latencyMsMin?: number;
  readonly latencyMsMax?: number;
  readonly sort: 'startTime' | 'latency';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Cursor: the trace with which the page starts. */
  readonly fromRowId?: number;
}

export interface SpansOfTraceQuery {
  readonly traceRowId: number;
  readonly limit: number;
  /** The span before the first listed one. Absent: from the start of the trace. */
  readonly after?: Pick<SpanInTrace, 'startTimeUnixNano' | 'rowId'> | undefined;
}

/** Exceptions of failed spans by type. Null counts failed spans without an exception. Most frequent first, null before text. */
export interface ErrorTypeCount {
  readonly exceptionType: string | null;
  readonly count: number;
}

/** Reads of traces. `SpanStoreReader` states what all reads have in common. */
export interface TraceReader {
  /**
   * One page of traces in the requested order, then by row id in the same direction. Pages neither skip nor repeat a trace,
   * even if the trace of the cursor has been deleted.
   */
  findTraces(query: TraceQuery, options?: ReadOptions): Promise<Page<Trace>>;
  /** The next spans of a trace by start time, then row id. */
  listSpansOfTrace(query: SpansOfTraceQuery, options?: ReadOptions): Promise<SpanInTrace[]>;
}
