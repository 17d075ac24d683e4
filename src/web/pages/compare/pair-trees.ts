import type { SpanTree } from '../trace/tree/span-tree.ts';

/** Span indices of the same step in two runs. One side is undefined if only the other run has the step. */
export interface Pair {
  readonly key: string;
  readonly depth: number;
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** Pairs two trees from top to bottom. Below a pair, the nth child of a kind and name is paired with the nth of the same. */
export function pairTrees(left: SpanTree, right: SpanTree): readonly Pair[] {
  const pairs: Pair[] = [];
  const stack = pairSiblings(left, right, left.roots, right.roots, 0).reverse();
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    pairs.push(pair);
    const below = pairSiblings(
      left,
      right,
      pair.left === undefined ? [] : left.children(pair.left),
      pair.right === undefined ? [] : right.children(pair.right),
      pair.depth + 1,
    );
    for (const child of below.toReversed()) stack.push(child);
  }
  return pairs;
}

/** Follows the order of the left side. A span that only the right side has follows its predecessor there. */
function pairSiblings(
  left: SpanTree,
  right: SpanTree,
  lefts: readonly number[],
  rights: readonly number[],
  depth: number,
): Pair[] {
  const waiting = new Map<string, number[]>();
  for (const index of lefts) push(waiting, nameOf(left, index), index);
  for (const list of waiting.values()) list.reverse();
  const partner = new Map<number, number>();
  const alone = new Map<number | undefined, number[]>();
  let before: number | undefined;
  for (const index of rights) {
    const match = waiting.get(nameOf(right, index))?.pop();
    if (match === undefined) push(alone, before, index);
    else {
      partner.set(match, index);
      before = match;
    }
  }
  const toPair = (leftIndex: number | undefined, rightIndex: number | undefined): Pair => ({
    key: `${leftIndex ?? ''}/${rightIndex ?? ''}`,
    depth,
    left: leftIndex,
    right: rightIndex,
  });
  const aloneAfter = (index: number | undefined) => (alone.get(index) ?? []).map((each) => toPair(undefined, each));
  return [
    ...aloneAfter(undefined),
    ...lefts.flatMap((index) => [toPair(index, partner.get(index)), ...aloneAfter(index)]),
  ];
}

const nameOf = (tree: SpanTree, index: number): string => `${tree.kind(index)} ${tree.name(index)}`;

function push<Key>(lists: Map<Key, number[]>, key: Key, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** A latency difference below both limits is considered random. */
const LATENCY_MS_MIN = 5;
const LATENCY_SHARE_MIN = 0.25;
/** A difference of this size always counts, because it may explain most of the difference between two traces. */
const LATENCY_MS_ALWAYS = 1_000;

/** Whether two steps differ significantly: in existence, status, tokens or latency. */
export function isDifferent(left: SpanTree, right: SpanTree, pair: Pair): boolean {
  if (pair.left === undefined || pair.right === undefined) return true;
  if (left.isError(pair.left) !== right.isError(pair.right)) return true;
  if (left.skeleton.tokenCounts[pair.left] !== right.skeleton.tokenCounts[pair.right]) return true;
  return isLatencyDifferent(left.skeleton.latenciesMs[pair.left]!, right.skeleton.latenciesMs[pair.right]!);
}

export function isLatencyDifferent(a: number, b: number): boolean {
  const difference = Math.abs(a - b);
  if (difference >= LATENCY_MS_ALWAYS) return true;
  return difference >= LATENCY_MS_MIN && difference >= LATENCY_SHARE_MIN * Math.min(a, b);
}
