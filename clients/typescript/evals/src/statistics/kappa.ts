import { type BootstrapOptions, bootstrapStatistic } from './bootstrap.ts';
import { confusionMatrix, type LabelPair } from './confusion.ts';
import { Z_95 } from './distributions.ts';
import { StatisticsError } from './statistics-error.ts';

/** Cohen's kappa: 1 for full agreement, 0 for the agreement that chance alone explains. */
export interface Kappa {
  readonly count: number;
  /** Undefined when both raters gave only one label, which says nothing about chance. */
  readonly kappa: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

export interface CohenKappa extends Kappa {
  /** Number of equal labels. */
  readonly agreed: number;
}

/** Rows that are added to the table before the interval, spread over all cells. */
const ADDED_COUNT = 2;

/**
 * Cohen's kappa of two raters with its interval by the asymptotic variance (Fleiss, Cohen and Everitt 1969) with two rows more,
 * spread over all cells of the table: without them it covers too little for good judges, and has no width where all labels agree.
 */
export function cohenKappa(pairs: readonly LabelPair[]): CohenKappa {
  const count = pairs.length;
  const { labels, matrix } = confusionMatrix(pairs);
  const agreed = sum(matrix.map((row, place) => at(row, place)));
  if (labels.length < 2) return { count, agreed, kappa: undefined, low: undefined, high: undefined };
  const { kappa } = measureTable(matrix);
  const added = ADDED_COUNT / labels.length ** 2;
  const { kappa: middle, error } = measureTable(matrix.map((row) => row.map((cell) => cell + added)));
  // Kappa itself has no rows added, so it may be just outside.
  const low = Math.max(-1, Math.min(middle - Z_95 * error, kappa));
  const high = Math.min(1, Math.max(middle + Z_95 * error, kappa));
  return { count, agreed, kappa, low, high };
}

/** Kappa and its standard error. */
function measureTable(table: readonly (readonly number[])[]): { readonly kappa: number; readonly error: number } {
  const rows = table.map(sum);
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
    // Products of whole numbers are exact, so that agreement by chance alone is exactly zero.
    kappa: (agreed * count - products) / (count * count - products),
    error: Math.sqrt(Math.max(0, variance) / count) / (1 - byChance) ** 2,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const at = (values: readonly number[], place: number): number => values[place] ?? 0;

export type KappaWeights = 'linear' | 'quadratic';

export interface WeightedKappaOptions extends BootstrapOptions {
  /** Whether a disagreement counts by its steps (`linear`, by default) or by their square. */
  readonly weights?: KappaWeights;
}

/**
 * Weighted kappa of two raters whose labels have an order, so that neighbours disagree less. Its interval is that of a
 * bootstrap over items.
 *
 * @param order the labels from lowest to highest
 * @throws {StatisticsError} for a label that is not in the order
 */
export function weightedKappa(
  pairs: readonly LabelPair[],
  order: readonly string[],
  { weights = 'linear', ...bootstrap }: WeightedKappaOptions = {},
): Kappa {
  if (weights !== 'linear' && weights !== 'quadratic') {
    throw new StatisticsError(`Expected linear or quadratic as weights, received ${String(weights)}.`);
  }
  const indexOf = new Map(order.map((label, index) => [label, index]));
  const toIndex = (label: string) => {
    const index = indexOf.get(label);
    if (index !== undefined) return index;
    throw new StatisticsError(`Expected labels of the order ${order.slice(0, 20).join(', ')}, received ${label}.`);
  };
  const [first, second] = [Int32Array.from(pairs, ([a]) => toIndex(a)), Int32Array.from(pairs, ([, b]) => toIndex(b))];
  const weightOf = (a: number, b: number) => (weights === 'linear' ? Math.abs(a - b) : (a - b) ** 2);
  const statistic = (indices: ArrayLike<number>): number | undefined => {
    const { length } = indices;
    const [rows, columns] = [new Int32Array(order.length), new Int32Array(order.length)];
    let observed = 0;
    for (let draw = 0; draw < length; draw++) {
      const [a, b] = [first[indices[draw] as number] as number, second[indices[draw] as number] as number];
      observed += weightOf(a, b);
      rows[a] = (rows[a] as number) + 1;
      columns[b] = (columns[b] as number) + 1;
    }
    let expected = 0;
    for (const [a, rowCount] of rows.entries()) {
      for (const [b, columnCount] of columns.entries()) expected += rowCount * columnCount * weightOf(a, b);
    }
    return expected === 0 ? undefined : 1 - (observed * length) / expected;
  };
  const kappa = statistic(Int32Array.from(pairs.keys()));
  const interval = kappa === undefined ? undefined : bootstrapStatistic(pairs.length, statistic, bootstrap);
  return { count: pairs.length, kappa, low: interval?.low, high: interval?.high };
}
