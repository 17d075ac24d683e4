import { InputError } from '../../errors.ts';
import { JSON_VALUES_MAX } from '../limits.ts';
import { isObject } from './json-value.ts';

/**
 * Number of differences between two JSON values: 1 for values of different types or different scalars, 1 for each key that
 * only one object has, and the difference of the lengths of lists.
 *
 * @throws {InputError} when more than `JSON_VALUES_MAX` values are compared
 */
export function jsonDistance(expected: unknown, actual: unknown): number {
  // A stack instead of recursion, because values may be nested deeply.
  const pairs: unknown[] = [expected, actual];
  let distance = 0;
  for (let count = 0; pairs.length > 0; count++) {
    if (count === JSON_VALUES_MAX) {
      throw new InputError(`Expected at most ${JSON_VALUES_MAX} values, received more. Compare a part of them.`);
    }
    const second = pairs.pop();
    distance += compare(pairs.pop(), second, pairs);
  }
  return distance;
}

/** The own distance of two values. Their children are added to `pairs`. */
function compare(expected: unknown, actual: unknown, pairs: unknown[]): number {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const count = Math.min(expected.length, actual.length);
    for (let index = 0; index < count; index++) pairs.push(expected[index], actual[index]);
    return Math.max(expected.length, actual.length) - count;
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = Object.keys(expected);
    let shared = 0;
    for (const key of keys) {
      if (!Object.hasOwn(actual, key)) continue;
      shared++;
      pairs.push(expected[key], actual[key]);
    }
    return keys.length + Object.keys(actual).length - 2 * shared;
  }
  return expected === actual ? 0 : 1;
}
