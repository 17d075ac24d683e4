import { normalCdf, normalQuantile, tQuantile, Z_95 } from './distributions.ts';
import { type Moments, momentsOf } from './moments.ts';
import { randomIndices } from './random.ts';

/** A 95 % interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Interval of a mean by Student's t distribution. Undefined for fewer than two values. */
export function studentInterval({ count, mean, deviation }: Moments): Interval | undefined {
  if (count < 2) return undefined;
  const half = (tQuantile(0.975, count - 1) * deviation) / Math.sqrt(count);
  return { low: mean - half, high: mean + half };
}

/** Interval of a share (Wilson 1927). Undefined without trials. */
export function wilsonInterval(successes: number, count: number): Interval | undefined {
  if (count === 0) return undefined;
  const share = successes / count;
  const square = Z_95 * Z_95;
  const center = (share + square / (2 * count)) / (1 + square / count);
  const half = (Z_95 / (1 + square / count)) * Math.sqrt((share * (1 - share)) / count + square / (4 * count * count));
  return {
    low: successes === 0 ? 0 : center - half,
    high: successes === count ? 1 : center + half,
  };
}

/**
 * Interval of the mean difference of pairs of yes/no values (Bonett and Price 2012): one success is added to each kind of
 * disagreement, which corrects the coverage of small samples.
 */
export function pairedShareInterval(wins: number, losses: number, count: number): Interval | undefined {
  if (count === 0) return undefined;
  const total = count + 2;
  const [up, down] = [(wins + 1) / total, (losses + 1) / total];
  const half = Z_95 * Math.sqrt((up + down - (up - down) ** 2) / total);
  return { low: Math.max(-1, up - down - half), high: Math.min(1, up - down + half) };
}

/**
 * Interval of a mean by the bootstrap: bias-corrected and accelerated (Efron 1987), with percentiles expanded for small
 * samples (Hesterberg 2015), whose plain percentiles cover too little.
 */
export function bootstrapInterval(values: Float64Array, seed: string, replicateCount: number): Interval | undefined {
  const moments = momentsOf(values);
  const { count, mean, deviation, skewness } = moments;
  if (count < 2) return undefined;
  if (deviation === 0) return { low: mean, high: mean };
  const means = resampleMeans(values, seed, replicateCount);
  // Means that are equal differ by rounding errors, which depend on the order of a sum.
  const tie = 1e-9 * deviation;
  let below = 0;
  for (const one of means) below += Math.abs(one - mean) <= tie ? 0.5 : one < mean ? 1 : 0;
  // All replicates may be on one side.
  const bias = normalQuantile(Math.min(Math.max(below, 1), replicateCount - 1) / replicateCount);
  const acceleration = skewness / (6 * Math.sqrt(count));
  const reach = tQuantile(0.975, count - 1) * Math.sqrt(count / (count - 1));
  const at = (z: number) => {
    const shifted = bias + z;
    const adjusted = bias + shifted / Math.max(1 - acceleration * shifted, 0.1);
    return percentile(means, normalCdf(adjusted));
  };
  return { low: at(-reach), high: at(reach) };
}

/** Means of random samples of the values with replacement, in ascending order. */
function resampleMeans(values: Float64Array, seed: string, replicateCount: number): Float64Array {
  const random = randomIndices(seed);
  const count = values.length;
  const means = new Float64Array(replicateCount);
  for (let replicate = 0; replicate < replicateCount; replicate++) {
    let sum = 0;
    for (let draw = 0; draw < count; draw++) sum += values[random(count)] as number;
    means[replicate] = sum / count;
  }
  return means.sort();
}

/** The value below which this share of a sorted list is, interpolated. */
function percentile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length + 1) - 1;
  const below = Math.min(Math.max(Math.floor(place), 0), sorted.length - 1);
  const above = Math.min(below + 1, sorted.length - 1);
  const weight = Math.min(Math.max(place - below, 0), 1);
  return (sorted[below] as number) * (1 - weight) + (sorted[above] as number) * weight;
}
