/** Numbers in rising lists, of which one set is left out. */
export interface SortedNumbers {
  readonly lists: readonly Float64Array[];
  /** Every one of these is in one of the lists, as often as it is here. */
  readonly without: Float64Array;
}

/** As DuckDB's `quantile_cont` has them: between two numbers in proportion. Undefined where there are none. */
export function findQuantiles(numbers: SortedNumbers, probabilities: readonly number[]): number[] | undefined {
  const count = numbers.lists.reduce((sum, list) => sum + list.length, -numbers.without.length);
  if (count === 0) return undefined;
  return probabilities.map((probability) => {
    const rank = (count - 1) * Math.min(1, Math.max(0, probability));
    const below = Math.floor(rank);
    const share = rank - below;
    const low = numberAt(numbers, below);
    return share === 0 ? low : low * (1 - share) + numberAt(numbers, below + 1) * share;
  });
}

/**
 * The number at a rank, counted from 0, of all in order. The middle of the longest list is compared with all others, and
 * what it rules out is not looked at again.
 */
function numberAt({ lists, without }: SortedNumbers, rank: number): number {
  const first = new Int32Array(lists.length);
  const end = Int32Array.from(lists, ({ length }) => length);
  for (;;) {
    const pivot = middleOfLongest(lists, first, end);
    const less = lists.map((list, index) => countLess(list, pivot, first[index]!, end[index]!));
    const atMost = lists.map((list, index) => countAtMost(list, pivot, less[index]!, end[index]!));
    if (rank < sum(less) - countLess(without, pivot, 0, without.length)) end.set(less);
    else if (rank >= sum(atMost) - countAtMost(without, pivot, 0, without.length)) first.set(atMost);
    else return pivot;
  }
}

function middleOfLongest(lists: readonly Float64Array[], first: Int32Array, end: Int32Array): number {
  let longest = 0;
  for (let index = 1; index < lists.length; index++) {
    if (end[index]! - first[index]! > end[longest]! - first[longest]!) longest = index;
  }
  return lists[longest]![(first[longest]! + end[longest]!) >>> 1]!;
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** How many of a rising list are less; known to be between two counts. */
function countLess(list: Float64Array, value: number, from: number, to: number): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (list[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

function countAtMost(list: Float64Array, value: number, from: number, to: number): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (list[middle]! <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}
