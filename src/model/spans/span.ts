import type { SpanKind, StatusCode } from '../../semconv/span-kinds.ts';
import type { SpanId, TraceId } from '../traces/trace-ids.ts';

/** A complete stored span. */
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
   * Nested JSON object texts whose union is the attribute map: short leaves, long leaves, and the attributes with their
   * own columns. They are texts, because numbers beyond 2^53 must keep their digits. `openinference.span.kind` is
   * included if and only if it was sent.
   */
  readonly attributeParts: readonly string[];
  /** JSON array text as in `SpanColumns.events`. Null if the span has no events. */
  readonly events: string | null;
}

/** A span in lists, without its long fields. */
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
  /** Null for span kinds without tokens. */
  readonly tokensPrompt: number | null;
  readonly tokensCompletion: number | null;
  readonly input: TextHead | null;
  readonly output: TextHead | null;
}

/** Preview of a span's input or output: at most `PREVIEW_CHARS_MAX` characters. */
export interface TextHead {
  readonly head: string;
  readonly mimeType: string | null;
}

/** The long fields of a span, which are read on request. */
export interface SpanBody {
  readonly attributeParts: Span['attributeParts'];
  readonly events: Span['events'];
  /** Complete texts. */
  readonly input: string | null;
  readonly output: string | null;
}

/** Fields of a span within its trace that do not depend on other spans. */
export type SpanInTrace = Omit<
  SpanSummary,
  'cumulativeErrorCount' | 'cumulativeTokensPrompt' | 'cumulativeTokensCompletion'
>;

/** A span in the list of a trace's spans. */
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
  /** Values of the span itself, and of the span with all its stored descendants. */
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  readonly cumulativeErrorCount: number;
  readonly cumulativeTokensPrompt: number;
  readonly cumulativeTokensCompletion: number;
}
