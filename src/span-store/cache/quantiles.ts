// biome-ignore-all lint/style/noNonNullAssertion: the arrays of indexes have an entry for each list, and an index is within its list.

/** Numbers in ascending lists, without the numbers of one more list. */
export interface SortedNumbers {
  readonly lists: readonly Float64Array[];
  /** Each of these numbers is in the lists at least as often as here. */
  readonly without: Float64Array;
}

/** Quantiles with linear interpolation, as DuckDB's `quantile_cont`. Undefined without numbers. */
export function findQuantiles(numbers: SortedNumbers, probabilities: readonly number[]): number[] | undefined {
  const count = numbers.lists.reduce((sum, list) => sum + list.length, -numbers.without.length);
  if (count === 0) return undefined;
  return probabilities.map((probability) => {
    const rank = (count - 1) * Math.min(1, Math.max(0, probability));
    const below = Math.floor(rank);
    const share = rank - below;
    const [low, next] = numbersAt(numbers, below);
    return share === 0 ? low : low * (1 - share) + next * share;
  });
}

/**
 * The numbers at a rank (from 0) and at the next one among all numbers in order. Each round compares the middle of the longest
 * list with all others and excludes numbers.
 */
function numbersAt(numbers: SortedNumbers, rank: number): [number, number] {
  const { lists, without } = numbers;
  const first = new Int32Array(lists.length);
  const end = Int32Array.from(lists, ({ length }) => length);
  const less = new Int32Array(lists.length);
  const atMost = new Int32Array(lists.length);
  for (;;) {
    const pivot = middleOfLongest(lists, first, end);
    let lessCount = -countLess(without, pivot, 0, without.length);
    let atMostCount = -countAtMost(without, pivot, 0, without.length);
    for (let index = 0; index < lists.length; index++) {
      const list = lists[index]!;
      less[index] = countLess(list, pivot, first[index]!, end[index]!);
      atMost[index] = countAtMost(list, pivot, less[index]!, end[index]!);
      lessCount += less[index]!;
      atMostCount += atMost[index]!;
    }
    if (rank < lessCount) end.set(less);
    else if (rank >= atMostCount) first.set(atMost);
    else if (rank + 1 < atMostCount) return [pivot, pivot];
    else return [pivot, leastAfter(numbers, atMost)];
  }
}

/** The least number that is greater than the first `atMost` numbers of each list. */
function leastAfter({ lists, without }: SortedNumbers, atMost: Int32Array): number {
  const places = atMost.slice();
  for (;;) {
    let least = Number.POSITIVE_INFINITY;
    for (let index = 0; index < lists.length; index++) least = Math.min(least, lists[index]![places[index]!] ?? least);
    let count = countLess(without, least, 0, without.length) - countAtMost(without, least, 0, without.length);
    for (let index = 0; index < lists.length; index++) {
      const from = places[index]!;
      places[index] = countAtMost(lists[index]!, least, from, lists[index]!.length);
      count += places[index]! - from;
    }
    // All of them may be in `without`.
    if (count > 0 || least === Number.POSITIVE_INFINITY) return least;
  }
}

function middleOfLongest(lists: readonly Float64Array[], first: Int32Array, end: Int32Array): number {
  let longest = 0;
  for (let index = 1; index < lists.length; index++) {
    if (end[index]! - first[index]! > end[longest]! - first[longest]!) longest = index;
  }
  return lists[longest]![(first[longest]! + end[longest]!) >>> 1]!;
}

/** Number of values of an ascending list that are less than a value. The result is between `from` and `to`. */
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
