import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { toCanonicalJson } from '../../../../base/canonical-json.ts';
import { type ExactJson, ExactNumber, isJsonObject } from '../../../../base/exact-json.ts';
import { EVALUATION_SLICE_MS, JSON_DISTANCE_VALUE_COUNT_MAX } from '../../../../model/limits/evaluators.ts';
import { invalid } from '../../input-mapping.ts';

/**
 * Counts the differences between two JSON values: 1 for values of different types or different scalars, 1 for each key that
 * only one object has, and the difference of the lengths of lists. Numbers are compared by value. Yields to the event loop.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID` when the values are too large
 */
export async function jsonDistance(expected: ExactJson, actual: ExactJson, signal: AbortSignal): Promise<number> {
  const pairs: [ExactJson, ExactJson][] = [[expected, actual]];
  let distance = 0;
  let count = 0;
  let sliceStart = performance.now();
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    distance += compare(pair[0], pair[1], pairs);
    count += 1;
    if (count > JSON_DISTANCE_VALUE_COUNT_MAX) {
      invalid(`The values are too large to compare: they have more than ${JSON_DISTANCE_VALUE_COUNT_MAX} values`);
    }
    if (count % CHECKED_COUNT === 0 && performance.now() - sliceStart > EVALUATION_SLICE_MS) {
      await yieldToEventLoop();
      signal.throwIfAborted();
      sliceStart = performance.now();
    }
  }
  return distance;
}

/** Values between two readings of the clock. */
const CHECKED_COUNT = 200;

/** The own distance of two values. Their children are added to `pairs`. */
function compare(expected: ExactJson, actual: ExactJson, pairs: [ExactJson, ExactJson][]): number {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const count = Math.min(expected.length, actual.length);
    for (let index = 0; index < count; index++) pairs.push([expected[index] as ExactJson, actual[index] as ExactJson]);
    return Math.max(expected.length, actual.length) - count;
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    let missing = 0;
    for (const [key, value] of Object.entries(expected)) {
      if (Object.hasOwn(actual, key)) pairs.push([value, actual[key] as ExactJson]);
      else missing += 1;
    }
    for (const key of Object.keys(actual)) if (!Object.hasOwn(expected, key)) missing += 1;
    return missing;
  }
  if (isNumber(expected) && isNumber(actual)) return toCanonicalJson(expected) === toCanonicalJson(actual) ? 0 : 1;
  return expected === actual ? 0 : 1;
}

const isNumber = (value: ExactJson): boolean => typeof value === 'number' || value instanceof ExactNumber;
