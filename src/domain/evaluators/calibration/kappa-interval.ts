import { expectPresent } from '../../../base/expect-present.ts';

/** Bounds of a confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Quantile of the normal distribution for 95%. */
const Z = 1.959963984540054;

/** 95% interval of a share by Wilson, which also holds for few items and for shares of 0 and 1. */
export function shareInterval(hitCount: number, count: number): Interval {
  const share = hitCount / count;
  const scale = 1 + Z ** 2 / count;
  const middle = share + Z ** 2 / (2 * count);
  const spread = Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2));
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}

/** Rows that are added to the table of both raters before the interval of kappa, spread over all cells. */
const ADDED_COUNT = 2;

/**
 * 95% interval of Cohen's kappa, by its asymptotic variance (Fleiss, Cohen and Everitt 1969) with two rows more, spread over all
 * cells of the table: without them it covers too little for good raters, and has no width where all labels agree.
 *
 * @param pairs Labels of both raters.
 * @returns undefined where kappa is
 */
export function kappaInterval(pairs: readonly (readonly [string, string])[]): Interval | undefined {
  const labels = [...new Set(pairs.flat())];
  if (labels.length < 2) return undefined;
  const table = countPairs(pairs, labels, 0);
  const { kappa } = measureTable(table);
  const { kappa: middle, error } = measureTable(countPairs(pairs, labels, ADDED_COUNT / labels.length ** 2));
  // Kappa itself has no rows added, so it may be just outside.
  return {
    low: Math.max(-1, Math.min(middle - Z * error, kappa)),
    high: Math.min(1, Math.max(middle + Z * error, kappa)),
  };
}

type Table = readonly (readonly number[])[];

/** Counts of pairs, a row for each label of the first rater and a column for each of the second, each with `added` more. */
function countPairs(
  pairs: readonly (readonly [string, string])[],
  labels: readonly string[],
  added: number,
): readonly number[][] {
  const places = new Map(labels.map((label, place) => [label, place]));
  const table = labels.map(() => labels.map(() => added));
  for (const [a, b] of pairs) {
    const row = table[expectPresent(places.get(a), 'a label of the pairs')];
    const column = expectPresent(places.get(b), 'a label of the pairs');
    if (row) row[column] = (row[column] ?? 0) + 1;
  }
  return table;
}

/** Kappa and its standard error. */
function measureTable(table: Table): { readonly kappa: number; readonly error: number } {
  const rows = table.map((row) => sum(row));
  const columns = table.map((_, column) => sum(table.map((row) => at(row, column))));
  const count = sum(rows);
  const agreed = sum(table.map((row, place) => at(row, place)));
  const products = sum(rows.map((row, place) => row * at(columns, place)));
  const [observed, byChance] = [agreed / count, products / count ** 2];
  let variance = -((observed * byChance - 2 * byChance + observed) ** 2);
  for (const [a, row] of table.entries()) {
    for (const [b, cell] of row.entries()) {
      variance +=
        a === b
          ? (cell / count) * (1 - byChance - ((at(rows, a) + at(columns, a)) / count) * (1 - observed)) ** 2
          : (cell / count) * (1 - observed) ** 2 * ((at(columns, a) + at(rows, b)) / count) ** 2;
    }
  }
  return {
    // Products of whole numbers are exact, so that this is the kappa of `agreementOfLabels`.
    kappa: (agreed * count - products) / (count * count - products),
    error: Math.sqrt(Math.max(0, variance) / count) / (1 - byChance) ** 2,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const at = (values: readonly number[], place: number): number => values[place] ?? 0;
