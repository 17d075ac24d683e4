import { describeType, InputError } from '../errors.ts';
import { toCanonicalText } from './json/json-value.ts';
import { LIST_ITEMS_MAX } from './limits.ts';
import { type OverlapScores, overlapScores } from './text/rouge.ts';

export interface ListOverlap extends OverlapScores {
  /** Shared items over the items of both. */
  readonly jaccard: number;
}

/**
 * How many items two lists share, as multisets: an item that occurs twice must occur twice in the other. Items are JSON
 * values. Two empty lists are equal.
 */
export function listOverlap(output: readonly unknown[], expected: readonly unknown[]): ListOverlap {
  const left = new Map<string, number>();
  for (const item of checkList(expected, 'expected')) {
    const key = toCanonicalText(item);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  let shared = 0;
  for (const item of checkList(output, 'output')) {
    const key = toCanonicalText(item);
    const count = left.get(key) ?? 0;
    if (count === 0) continue;
    left.set(key, count - 1);
    shared++;
  }
  if (output.length === 0 && expected.length === 0) return { precision: 1, recall: 1, f1: 1, jaccard: 1 };
  const jaccard = shared / (output.length + expected.length - shared);
  return { ...overlapScores(shared, output.length, expected.length), jaccard };
}

function checkList(list: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(list)) throw new InputError(`Expected a list as '${name}', received ${describeType(list)}.`);
  if (list.length > LIST_ITEMS_MAX) {
    throw new InputError(`Expected at most ${LIST_ITEMS_MAX} items in '${name}', received ${list.length}.`);
  }
  return list;
}
