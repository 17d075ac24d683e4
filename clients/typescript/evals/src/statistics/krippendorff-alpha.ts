import { type BootstrapOptions, bootstrapStatistic } from './bootstrap.ts';
import { compareCodePoints } from './confusion.ts';
import { StatisticsError } from './statistics-error.ts';

export type MeasurementLevel = 'nominal' | 'ordinal' | 'interval' | 'ratio';
export type RatedValue = string | number;

export interface AlphaOptions extends BootstrapOptions {
  /** What a distance of two values means. `nominal` by default: they are equal or not. */
  readonly level?: MeasurementLevel;
  /** Values from lowest to highest, for the level `ordinal`. Numbers are sorted without it. */
  readonly order?: readonly RatedValue[];
}

export interface Alpha {
  /** 1 for full agreement, 0 for that of chance. Undefined when all values are equal. */
  readonly alpha: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
  /** Values of items with at least two. */
  readonly pairableCount: number;
}

/** Different values: the table of their pairs has their number squared. */
const VALUES_MAX = 500;

/**
 * Krippendorff's alpha of any number of raters, who need not rate every item. Its interval is that of a bootstrap over items.
 *
 * @param units values of each item; a missing one is null or undefined
 * @throws {StatisticsError} for values that do not fit the level
 */
export function krippendorffAlpha(
  units: readonly (readonly (RatedValue | null | undefined)[])[],
  { level = 'nominal', order, ...bootstrap }: AlphaOptions = {},
): Alpha {
  const rated = units
    .map((unit) => unit.filter((value) => value !== null && value !== undefined))
    .filter((unit) => unit.length >= 2);
  const values = listValues(rated.flat(), level, order);
  const indexOf = new Map(values.map((value, index) => [value, index]));
  const items = rated.map((unit) => Int32Array.from(unit, (value) => indexOf.get(value) as number));
  const statistic = (indices: ArrayLike<number>) => computeAlpha(items, indices, values, level);
  const alpha = statistic(Int32Array.from(items.keys()));
  const interval = alpha === undefined ? undefined : bootstrapStatistic(items.length, statistic, bootstrap);
  return {
    alpha,
    low: interval?.low,
    high: interval?.high,
    pairableCount: rated.reduce((sum, unit) => sum + unit.length, 0),
  };
}

function listValues(rated: RatedValue[], level: MeasurementLevel, order?: readonly RatedValue[]): RatedValue[] {
  const found = new Set(rated);
  if (found.size > VALUES_MAX) {
    throw new StatisticsError(`Expected at most ${VALUES_MAX} different values, received ${found.size}. Round them.`);
  }
  const isNumeric = [...found].every((value) => typeof value === 'number' && Number.isFinite(value));
  if (level === 'interval' || level === 'ratio' || (level === 'ordinal' && !order)) {
    if (isNumeric) return [...found].sort((a, b) => Number(a) - Number(b));
    throw new StatisticsError(
      `Expected finite numbers for the level ${level}, received a text. Give an order, or use nominal.`,
    );
  }
  if (level === 'ordinal' && order) {
    const unknown = [...found].find((value) => !order.includes(value));
    if (unknown === undefined) return [...new Set(order)];
    throw new StatisticsError(`Expected values of the order ${order.slice(0, 20).join(', ')}, received ${unknown}.`);
  }
  if (level === 'nominal') return [...found].sort((a, b) => compareCodePoints(String(a), String(b)));
  throw new StatisticsError(`Expected nominal, ordinal, interval or ratio as level, received ${String(level)}.`);
}

function computeAlpha(
  items: readonly Int32Array[],
  indices: ArrayLike<number>,
  values: readonly RatedValue[],
  level: MeasurementLevel,
): number | undefined {
  const size = values.length;
  const coincidences = new Float64Array(size * size);
  const counts = new Float64Array(size);
  let total = 0;
  for (let draw = 0; draw < indices.length; draw++) {
    const unit = items[indices[draw] as number] as Int32Array;
    const weight = 1 / (unit.length - 1);
    for (let first = 0; first < unit.length; first++) {
      const a = unit[first] as number;
      counts[a] = (counts[a] as number) + 1;
      for (let second = 0; second < unit.length; second++) {
        if (first !== second)
          coincidences[a * size + (unit[second] as number)] =
            (coincidences[a * size + (unit[second] as number)] as number) + weight;
      }
    }
    total += unit.length;
  }
  const distance = distanceOf(level, values, counts);
  let [observed, expected] = [0, 0];
  for (let a = 0; a < size; a++) {
    if (counts[a] === 0) continue;
    for (let b = 0; b < size; b++) {
      if (a === b || counts[b] === 0) continue;
      const squared = distance(a, b);
      observed += (coincidences[a * size + b] as number) * squared;
      expected += (counts[a] as number) * (counts[b] as number) * squared;
    }
  }
  return expected === 0 ? undefined : 1 - ((total - 1) * observed) / expected;
}

/** Squared distance of two values, by their indices. */
function distanceOf(level: MeasurementLevel, values: readonly RatedValue[], counts: Float64Array) {
  if (level === 'nominal') return () => 1;
  const numbers = values as readonly number[];
  if (level === 'interval') return (a: number, b: number) => ((numbers[a] as number) - (numbers[b] as number)) ** 2;
  if (level === 'ratio') {
    return (a: number, b: number) => {
      const [first, second] = [numbers[a] as number, numbers[b] as number];
      return first + second === 0 ? 0 : ((first - second) / (first + second)) ** 2;
    };
  }
  // Number of values up to each, with half of its own.
  const ranks = new Float64Array(counts.length);
  let below = 0;
  for (const [index, count] of counts.entries()) {
    ranks[index] = below + count / 2;
    below += count;
  }
  return (a: number, b: number) => ((ranks[a] as number) - (ranks[b] as number)) ** 2;
}
