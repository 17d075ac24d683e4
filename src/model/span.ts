import type { SpanKind, StatusCode } from '../semconv/span-kinds.ts';
import type { SpanId, TraceId } from './trace-ids.ts';

/** A stored span, whole. */
export interface Span {
  readonly rowId: number;
  readonly traceId: TraceId;
  readonly spanId: SpanId;
  readonly parentSpanId: SpanId | null;
  readonly name: string;
  readonly spanKind: SpanKind;
  readonly statusCode: StatusCode;
  readonly statusMessage: string;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  /**
   * Nested JSON object texts whose union is the attribute map: small leaves, long ones, and one for what has
   * columns of its own. Text, because numbers beyond 2^53 must come out as they came in. `openinference.span.kind`
   * is among them if and only if it was sent.
   */
  readonly attributeParts: readonly string[];
  /** JSON array text as in `SpanColumns.events`; null when the span has none. */
  readonly events: string | null;
}

/** A span as lists show it: all of it but for what may be long. */
export interface SpanRow {
  readonly rowId: number;
  readonly traceRowId: number;
  readonly projectId: number;
  readonly traceId: TraceId;
  readonly spanId: SpanId;
  readonly parentSpanId: SpanId | null;
  readonly name: string;
  readonly spanKind: SpanKind;
  readonly statusCode: StatusCode;
  readonly statusMessage: string;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  /** Null for kinds that have none. */
  readonly tokensPrompt: number | null;
  readonly tokensCompletion: number | null;
  readonly input: TextHead | null;
  readonly output: TextHead | null;
}

/** The beginning of a span's input or output: `PREVIEW_CHARS_MAX` characters, or all of a shorter one. */
export interface TextHead {
  readonly head: string;
  readonly mimeType: string | null;
}

/** What may be long of a span, and is read when somebody asks for it. */
export interface SpanBody {
  readonly attributeParts: Span['attributeParts'];
  readonly events: Span['events'];
  /** Whole texts. */
  readonly input: string | null;
  readonly output: string | null;
}

/** Of a span among those of its trace, what takes no look at the others. */
export type SpanInTrace = Omit<
  SpanSummary,
  'cumulativeErrorCount' | 'cumulativeTokensPrompt' | 'cumulativeTokensCompletion'
>;

/** What lists of spans inside traces show. */
export interface SpanSummary {
  readonly rowId: number;
  readonly traceId: TraceId;
  readonly spanId: SpanId;
  readonly parentSpanId: SpanId | null;
  readonly name: string;
  readonly spanKind: SpanKind;
  readonly statusCode: StatusCode;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  /** Own values, and those of the span with all its stored descendants. */
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  readonly cumulativeErrorCount: number;
  readonly cumulativeTokensPrompt: number;
  readonly cumulativeTokensCompletion: number;
}
