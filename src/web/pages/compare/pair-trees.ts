import type { SpanTree } from '../trace/tree/span-tree.ts';

/** The same step of two runs; one side is missing where only one of them has it. Indices of spans. */
export interface Pair {
  readonly key: string;
  readonly depth: number;
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** Two trees side by side, top to bottom: below a pair, the nth child of a kind and name goes with the nth. */
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
    for (let at = below.length - 1; at >= 0; at--) stack.push(below[at]!);
  }
  return pairs;
}

/** In the order of the left side; what the right side alone has stands after what it came after there. */
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

/** Shorter than this, or by less than a quarter, a difference of time is chance. */
const LATENCY_MS_MIN = 5;
const LATENCY_SHARE_MIN = 0.25;
/** A difference of so much is told, however small a share it is: it may be most of what one trace took longer. */
const LATENCY_MS_ALWAYS = 1_000;

/** Whether the steps differ in more than chance: one is missing or failed, or took more or less time or tokens. */
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
