import type { ExactJson } from '../../base/exact-json.ts';
import type { SpanKind, StatusCode } from '../../semconv/span-kinds.ts';

/** A span as a filter reads it. */
export interface SpanView {
  readonly spanId: string;
  readonly traceId: string;
  /** Null for a root span. */
  readonly parentId: string | null;
  /** Whether the span that `parentId` names is stored. */
  readonly hasParentSpan: boolean;
  /** Whether any span of the trace has the status ERROR. */
  readonly hasErrorInTrace: boolean;
  readonly name: string;
  readonly spanKind: SpanKind;
  readonly statusCode: StatusCode;
  readonly statusMessage: string;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  /** Aggregates of the span with all its stored descendants. */
  readonly cumulativeTokensPrompt: number;
  readonly cumulativeTokensCompletion: number;
  /** A JSON object, nested by the dots of its keys. */
  readonly attributes: ExactJson;
  readonly annotations: readonly AnnotationView[];
  /** Annotations of the trace that contains the span. */
  readonly traceAnnotations: readonly AnnotationView[];
}

/** One row. Rows of the same name have different identifiers. */
export interface AnnotationView {
  readonly name: string;
  readonly score: number | null;
  readonly label: string | null;
  readonly explanation: string | null;
}
