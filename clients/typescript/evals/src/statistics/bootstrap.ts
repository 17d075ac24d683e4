import { normalCdf, normalQuantile, tQuantile } from './distributions.ts';
import type { Interval } from './interval.ts';
import { DRAWS_MAX, MEAN_REPLICATES, REPLICATES_MAX, STATISTIC_REPLICATES } from './limits.ts';
import { momentsOf } from './moments.ts';
import { seededRandom } from './random.ts';
import { StatisticsError } from './statistics-error.ts';

export interface BootstrapOptions {
  /** The same seed gives the same interval. `0` by default. */
  readonly seed?: string | number;
  readonly replicates?: number;
}

/**
 * Interval of a mean by the bootstrap: bias-corrected and accelerated (Efron 1987), with percentiles expanded for small
 * samples (Hesterberg 2015), whose plain percentiles cover too little. Undefined for fewer than two values.
 */
export function bootstrapInterval(
  values: ArrayLike<number>,
  { seed = 0, replicates = MEAN_REPLICATES }: BootstrapOptions = {},
): Interval | undefined {
  const list = Float64Array.from(values);
  checkSize(list.length, replicates);
  const { count, mean, deviation, skewness } = momentsOf(list);
  if (count < 2) return undefined;
  if (deviation === 0) return { low: mean, high: mean };
  const means = resampleMeans(list, seed, replicates);
  let below = 0;
  for (const one of means) below += one < mean ? 1 : one === mean ? 0.5 : 0;
  // All replicates may be on one side.
  const bias = normalQuantile(Math.min(Math.max(below, 1), replicates - 1) / replicates);
  const acceleration = skewness / (6 * Math.sqrt(count));
  const reach = tQuantile(0.975, count - 1) * Math.sqrt(count / (count - 1));
  const at = (z: number) => {
    const shifted = bias + z;
    return percentile(means, normalCdf(bias + shifted / Math.max(1 - acceleration * shifted, 0.1)));
  };
  return { low: at(-reach), high: at(reach) };
}

function resampleMeans(values: Float64Array, seed: string | number, replicates: number): Float64Array {
  const random = seededRandom(seed);
  const count = values.length;
  const means = new Float64Array(replicates);
  for (let replicate = 0; replicate < replicates; replicate++) {
    let sum = 0;
    for (let draw = 0; draw < count; draw++) sum += values[random.below(count)] as number;
    means[replicate] = sum / count;
  }
  return means.sort();
}

/**
 * Interval of any statistic of a list, by percentiles of its values for random samples of the list. Samples for which the
 * statistic is undefined do not count; undefined when most of them are.
 *
 * @param statistic computes the value from indices of the list, whose array is used again
 */
export function bootstrapStatistic(
  count: number,
  statistic: (indices: Int32Array) => number | undefined,
  { seed = 0, replicates = STATISTIC_REPLICATES }: BootstrapOptions = {},
): Interval | undefined {
  checkSize(count, replicates);
  if (count < 2) return undefined;
  const random = seededRandom(seed);
  const indices = new Int32Array(count);
  const values: number[] = [];
  for (let replicate = 0; replicate < replicates; replicate++) {
    for (let draw = 0; draw < count; draw++) indices[draw] = random.below(count);
    const value = statistic(indices);
    if (value !== undefined) values.push(value);
  }
  if (values.length * 2 < replicates) return undefined;
  const sorted = Float64Array.from(values).sort();
  return { low: percentile(sorted, 0.025), high: percentile(sorted, 0.975) };
}

/** The value below which this share of a sorted list is, interpolated. */
export function percentile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length + 1) - 1;
  const below = Math.min(Math.max(Math.floor(position), 0), sorted.length - 1);
  const above = Math.min(below + 1, sorted.length - 1);
  const weight = Math.min(Math.max(position - below, 0), 1);
  return (sorted[below] as number) * (1 - weight) + (sorted[above] as number) * weight;
}

function checkSize(count: number, replicates: number): void {
  if (!Number.isInteger(replicates) || replicates < 2 || replicates > REPLICATES_MAX) {
    throw new StatisticsError(`Expected an integer from 2 to ${REPLICATES_MAX} as replicates, received ${replicates}.`);
  }
  if (count * replicates > DRAWS_MAX) {
    throw new StatisticsError(
      `Expected at most ${DRAWS_MAX} drawn items, received ${count} items and ${replicates} replicates. Use fewer replicates.`,
    );
  }
}
