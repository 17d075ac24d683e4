import { tQuantile, Z_95 } from './distributions.ts';
import type { Moments } from './moments.ts';

/** A 95 % interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** An estimate with its 95 % interval. Undefined parts could not be computed. */
export interface Estimate {
  readonly value: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

export const toEstimate = (value: number | undefined, interval: Interval | undefined): Estimate => ({
  value,
  low: interval?.low,
  high: interval?.high,
});

/** Interval of a mean by Student's t distribution. Undefined for fewer than two values. */
export function studentInterval({ count, mean, deviation }: Moments): Interval | undefined {
  if (count < 2) return undefined;
  const half = (tQuantile(0.975, count - 1) * deviation) / Math.sqrt(count);
  return { low: mean - half, high: mean + half };
}

/** Interval of a share (Wilson 1927). Undefined without trials. `successes` may be fractional. */
export function wilsonInterval(successes: number, count: number): Interval | undefined {
  if (count <= 0) return undefined;
  const share = successes / count;
  const square = Z_95 * Z_95;
  const center = (share + square / (2 * count)) / (1 + square / count);
  const half = (Z_95 / (1 + square / count)) * Math.sqrt((share * (1 - share)) / count + square / (4 * count * count));
  return { low: successes === 0 ? 0 : center - half, high: successes === count ? 1 : center + half };
}

/** A share with its interval. */
export const shareOf = (successes: number, count: number): Estimate =>
  toEstimate(count === 0 ? undefined : successes / count, wilsonInterval(successes, count));

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
