// biome-ignore-all lint/style/noNonNullAssertion: the columns of IDs have two words for each span, and each number has an index.
import { LOST_PARENT, NO_PARENT } from '../../../model/traces/trace-skeleton.ts';
import { IdTable } from '../../cache/id-table.ts';

/** Spans of one trace or more, a span at each index. Numbers of 64 bits are two words, the low half first. */
export interface ParentColumns {
  /** Which trace it belongs to; absent: all to the same. */
  readonly traces?: ArrayLike<number>;
  readonly spanIds: Uint32Array;
  /** The values of roots are ignored. */
  readonly parentIds: Uint32Array;
  /** 1 where it names no parent. */
  readonly isRoot: ArrayLike<number>;
}

/** Index of each span's parent in the same trace, `NO_PARENT` or `LOST_PARENT`. */
export function toParentIndices({ traces, spanIds, parentIds, isRoot }: ParentColumns): Int32Array {
  const count = isRoot.length;
  // Span IDs are added first: IDs with a greater number are not IDs of these spans.
  const table = new IdTable(2 * count);
  const indices = new Int32Array(2 * count).fill(LOST_PARENT);
  const numberOf = (index: number, ids: Uint32Array) =>
    table.add(0, traces?.[index] ?? 0, ids[2 * index]!, ids[2 * index + 1]!);
  for (let index = 0; index < count; index++) indices[numberOf(index, spanIds)] = index;
  const parents = new Int32Array(count);
  for (let index = 0; index < count; index++) {
    parents[index] = isRoot[index] === 1 ? NO_PARENT : indices[numberOf(index, parentIds)]!;
  }
  return parents;
}
