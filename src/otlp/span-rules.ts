import { SPAN_ATTRIBUTE_COUNT_MAX, VALUE_DEPTH_MAX } from '../model/limits.ts';

/** What decides whether a well-formed span can be stored. */
export interface SpanFacts {
  readonly traceIdBytes: number;
  readonly traceIdIsZero: boolean;
  readonly spanIdBytes: number;
  readonly spanIdIsZero: boolean;
  readonly parentSpanIdBytes: number;
  /** Whether start or end is beyond int64, that is after 2262-04-11. */
  readonly isTooLate: boolean;
  /** Those of its events included. */
  readonly attributeCount: number;
  readonly isTooDeep: boolean;
}

/** Why a span is rejected; undefined when it can be stored. */
export function spanProblem(span: SpanFacts): string | undefined {
  if (span.traceIdBytes !== 16) return `trace id is ${span.traceIdBytes} bytes long, expected 16`;
  if (span.traceIdIsZero) return 'trace id is all zeros';
  if (span.spanIdBytes !== 8) return `span id is ${span.spanIdBytes} bytes long, expected 8`;
  if (span.spanIdIsZero) return 'span id is all zeros';
  if (span.parentSpanIdBytes !== 0 && span.parentSpanIdBytes !== 8) {
    return `parent span id is ${span.parentSpanIdBytes} bytes long, expected 0 or 8`;
  }
  if (span.isTooLate) return 'a time is after 2262-04-11, the last that nanoseconds in int64 can tell';
  if (span.attributeCount > SPAN_ATTRIBUTE_COUNT_MAX) {
    return `${span.attributeCount} attributes, expected at most ${SPAN_ATTRIBUTE_COUNT_MAX}`;
  }
  if (span.isTooDeep) return `an attribute nests deeper than ${VALUE_DEPTH_MAX} levels`;
  return undefined;
}
