import { StatisticsError } from './statistics-error.ts';

/** The label of people and that of the judge, for one item. */
export type LabelPair = readonly [human: string, judge: string];

/** How often the judge gave each label, by the label of people. */
export interface ConfusionMatrix {
  readonly labels: readonly string[];
  /** Number of items by label of people (row) and label of the judge (column), in the order of `labels`. */
  readonly matrix: readonly (readonly number[])[];
  readonly humanCounts: readonly number[];
  readonly judgeCounts: readonly number[];
  readonly count: number;
}

/** @param labels Labels that come first. Others follow, sorted by code point. */
export function confusionMatrix(pairs: readonly LabelPair[], labels: readonly string[] = []): ConfusionMatrix {
  const others = new Set(pairs.flat());
  for (const label of labels) others.delete(label);
  const all = [...new Set(labels), ...[...others].sort(compareCodePoints)];
  if (all.length > LABELS_MAX) {
    throw new StatisticsError(
      `Expected at most ${LABELS_MAX} different labels, received ${all.length}. Compare scores instead.`,
    );
  }
  const indexOf = new Map(all.map((label, index) => [label, index]));
  const matrix = all.map(() => new Array<number>(all.length).fill(0));
  for (const [human, judge] of pairs) {
    const row = matrix[indexOf.get(human) as number] as number[];
    const column = indexOf.get(judge) as number;
    row[column] = (row[column] as number) + 1;
  }
  return {
    labels: all,
    matrix,
    humanCounts: matrix.map((row) => row.reduce((sum, each) => sum + each, 0)),
    judgeCounts: all.map((_, column) => matrix.reduce((sum, row) => sum + (row[column] as number), 0)),
    count: pairs.length,
  };
}

/** More are no table that a person reads, and its size is their square. */
const LABELS_MAX = 500;

/** Order of texts by code point, as in Python. */
export function compareCodePoints(first: string, second: string): number {
  const length = Math.min(first.length, second.length);
  for (let index = 0; index < length; index++) {
    if (first.charCodeAt(index) === second.charCodeAt(index)) continue;
    // Of two code units that differ, a surrogate belongs to the larger code point.
    return rank(first.charCodeAt(index)) - rank(second.charCodeAt(index));
  }
  return first.length - second.length;
}

const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
