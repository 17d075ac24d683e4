import { type BootstrapOptions, bootstrapStatistic } from './bootstrap.ts';
import type { LabelPair } from './confusion.ts';
import { Z_95 } from './distributions.ts';
import { type Interval, wilsonInterval } from './interval.ts';
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

/**
 * Cohen's kappa of two raters with its interval by the asymptotic variance (Fleiss, Cohen and Everitt 1969). When all labels
 * agree, or none do, that variance is 0 however few labels there are; then the interval is Wilson's of the share of equal ones.
 */
export function cohenKappa(pairs: readonly LabelPair[]): CohenKappa {
  const count = pairs.length;
  const [rows, columns] = [countBy(pairs, 0), countBy(pairs, 1)];
  const agreed = pairs.reduce((sum, [a, b]) => sum + Number(a === b), 0);
  // Products of whole numbers are exact, so that agreement by chance alone is exactly zero.
  let products = 0;
  for (const [label, rowCount] of rows) products += rowCount * (columns.get(label) ?? 0);
  if (count === 0 || products === count * count) {
    return { count, agreed, kappa: undefined, low: undefined, high: undefined };
  }
  const kappa = (agreed * count - products) / (count * count - products);
  const interval = kappaInterval({ pairs, rows, columns, agreed, byChance: products / (count * count) });
  return { count, agreed, kappa, ...interval };
}

interface Table {
  readonly pairs: readonly LabelPair[];
  readonly rows: ReadonlyMap<string, number>;
  readonly columns: ReadonlyMap<string, number>;
  readonly agreed: number;
  readonly byChance: number;
}

function kappaInterval({ pairs, rows, columns, agreed, byChance }: Table): Interval {
  const count = pairs.length;
  const observed = agreed / count;
  const toKappa = (share: number) => (share - byChance) / (1 - byChance);
  if (agreed === count || agreed === 0) {
    const { low, high } = wilsonInterval(agreed, count) as Interval;
    return within({ low: toKappa(low), high: toKappa(high) });
  }
  const shareOf = (counts: ReadonlyMap<string, number>, label: string) => (counts.get(label) ?? 0) / count;
  let sum = 0;
  for (const [a, b] of pairs) {
    if (a === b) {
      const margins = shareOf(rows, a) + shareOf(columns, a);
      sum += (1 - byChance - margins * (1 - observed)) ** 2 / count;
    } else {
      const margins = shareOf(columns, a) + shareOf(rows, b);
      sum += ((1 - observed) ** 2 * margins ** 2) / count;
    }
  }
  sum -= (observed * byChance - 2 * byChance + observed) ** 2;
  const spread = (Z_95 * Math.sqrt(Math.max(0, sum) / count)) / (1 - byChance) ** 2;
  return within({ low: toKappa(observed) - spread, high: toKappa(observed) + spread });
}

const within = ({ low, high }: Interval): Interval => ({ low: Math.max(-1, low), high: Math.min(1, high) });

function countBy(pairs: readonly LabelPair[], side: 0 | 1): Map<string, number> {
  const counts = new Map<string, number>();
  for (const pair of pairs) counts.set(pair[side], (counts.get(pair[side]) ?? 0) + 1);
  return counts;
}

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
