import type { ExactJson } from '../../base/exact-json.ts';
import { ExactNumber } from '../../base/exact-json.ts';
import { SPAN_ATTRIBUTE_COUNT_MAX, VALUE_DEPTH_MAX } from '../../model/limits/spans.ts';
import { isSpanTime } from '../../model/time/datetime.ts';
import type { NewSpan } from './new-span.ts';

/** Why the store cannot keep a span as it is; undefined when it can. */
export function newSpanProblem(span: NewSpan): string | undefined {
  if (span.traceId === '') return 'trace_id must not be empty';
  if (span.spanId === '') return 'span_id must not be empty';
  if (!isSpanTime(span.startTimeUnixNano)) return outOfRange('start_time');
  if (!isSpanTime(span.endTimeUnixNano)) return outOfRange('end_time');
  if (span.events.some(({ timeUnixNano }) => !isSpanTime(timeUnixNano))) return outOfRange('event timestamp');
  const values = [span.attributes, ...span.events.map(({ attributes }) => attributes)];
  let count = 0;
  for (const value of values) {
    const counted = countLeaves(value, 0);
    if (counted === undefined) return `attributes are nested deeper than ${VALUE_DEPTH_MAX} levels`;
    count += counted;
  }
  if (count > SPAN_ATTRIBUTE_COUNT_MAX) return `more than ${SPAN_ATTRIBUTE_COUNT_MAX} attributes`;
  return undefined;
}

/** Values of objects and of lists of objects, as flattened keys would be; a list of scalars is one. Undefined: too deep. */
function countLeaves(value: ExactJson, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 1;
  if (depth > VALUE_DEPTH_MAX) return undefined;
  const isScalarList = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
  if (isScalarList) return 1;
  let count = 0;
  for (const inner of Object.values(value)) {
    const counted = countLeaves(inner, depth + 1);
    if (counted === undefined) return undefined;
    count += counted;
  }
  return count;
}

const outOfRange = (field: string): string => `${field} must be between 1677-09-22 and 2262-04-11`;
