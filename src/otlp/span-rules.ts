import { OTLP_ID_BYTES_MAX, SPAN_ATTRIBUTE_COUNT_MAX, VALUE_DEPTH_MAX } from '../model/limits/spans.ts';

/** Facts that decide whether a well-formed span can be stored. */
export interface SpanFacts {
  readonly traceIdBytes: number;
  readonly traceIdIsZero: boolean;
  readonly spanIdBytes: number;
  readonly spanIdIsZero: boolean;
  readonly parentSpanIdBytes: number;
  /** Whether the start or end exceeds int64, which is after 2262-04-11. */
  readonly isTooLate: boolean;
  /** Includes the attributes of its events. */
  readonly attributeCount: number;
  readonly isTooDeep: boolean;
}

/** Reason why a span is rejected. Undefined if it can be stored. */
export function spanProblem(span: SpanFacts): string | undefined {
  if (!isIdLength(span.traceIdBytes)) return `trace id is ${span.traceIdBytes} bytes long, expected ${ID_BYTES}`;
  if (span.traceIdIsZero) return 'trace id is all zeros';
  if (!isIdLength(span.spanIdBytes)) return `span id is ${span.spanIdBytes} bytes long, expected ${ID_BYTES}`;
  if (span.spanIdIsZero) return 'span id is all zeros';
  if (span.parentSpanIdBytes > OTLP_ID_BYTES_MAX) {
    return `parent span id is ${span.parentSpanIdBytes} bytes long, expected at most ${OTLP_ID_BYTES_MAX}`;
  }
  if (span.isTooLate) return 'a time is after 2262-04-11, the maximum for nanoseconds in int64';
  if (span.attributeCount > SPAN_ATTRIBUTE_COUNT_MAX) {
    return `expected at most ${SPAN_ATTRIBUTE_COUNT_MAX} attributes, received ${span.attributeCount}`;
  }
  if (span.isTooDeep) return `an attribute has more than ${VALUE_DEPTH_MAX} levels`;
  return undefined;
}

const ID_BYTES = `1 to ${OTLP_ID_BYTES_MAX}`;
const isIdLength = (bytes: number): boolean => bytes > 0 && bytes <= OTLP_ID_BYTES_MAX;
