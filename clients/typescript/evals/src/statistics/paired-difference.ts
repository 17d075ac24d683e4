import { bootstrapInterval } from './bootstrap.ts';
import { halfBinomialCdf, normalCdf, Z_95 } from './distributions.ts';
import { type Interval, pairedShareInterval, studentInterval } from './interval.ts';
import { MEAN_REPLICATES } from './limits.ts';
import { momentsOf } from './moments.ts';

export type DifferenceVerdict = 'BETTER' | 'WORSE' | 'UNCLEAR';
export type DifferenceMethod = 'BOOTSTRAP' | 'SIGN_TEST' | 'NORMAL';

/** 1: higher is better; −1: lower is better; 0: neither, so that no verdict is given. */
export type BetterDirection = 1 | -1 | 0;

/** The mean difference of pairs, which the server computes in the same way for experiments. */
export interface PairedDifference {
  readonly count: number;
  readonly mean: number | undefined;
  /** Undefined for fewer than two pairs. */
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly method: DifferenceMethod;
  /** Two-sided. Undefined for the bootstrap, which has none. */
  readonly pValue: number | undefined;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly verdict: DifferenceVerdict;
  /** Number of pairs that would tell a difference of this size with a probability of 80 %. Undefined when it is clear. */
  readonly countNeeded: number | undefined;
}

export interface DifferenceOptions {
  /** 1 by default. */
  readonly direction?: BetterDirection;
  /** The bootstrap gives the same interval for the same seed. */
  readonly seed?: string | number;
}

/** A sign test of fewer pairs cannot be significant at 5 %, whatever their differences. */
const PAIRS_MIN = 6;
/** In smaller samples, the bootstrap or Student's interval alone covers too little, so the interval contains both. */
const SMALL_SAMPLE = 50;
/** Larger samples use the normal approximation. */
const BOOTSTRAP_PAIRS_MAX = 200;
/** Quantile for a power of 80 %. */
const Z_POWER = 0.8416212335729143;
/** Larger numbers of pairs are not worth naming. */
const COUNT_NEEDED_MAX = 10_000_000;

/** @param differences of each pair; their values are −1, 0 and 1 when both sides are yes or no */
export function describeDifference(
  differences: ArrayLike<number>,
  { direction = 1, seed = 0, isBinary = false }: DifferenceOptions & { readonly isBinary?: boolean } = {},
): PairedDifference {
  const values = Float64Array.from(differences);
  const { count, mean, deviation } = momentsOf(values);
  const up = countIf(values, (value) => value > ROUNDING);
  const down = countIf(values, (value) => value < -ROUNDING);
  const isSigns = isBinary && values.every((value) => value === 0 || value === 1 || value === -1);
  const method: DifferenceMethod = isSigns ? 'SIGN_TEST' : count <= BOOTSTRAP_PAIRS_MAX ? 'BOOTSTRAP' : 'NORMAL';
  const interval = isSigns
    ? count < 2
      ? undefined
      : pairedShareInterval(up, down, count)
    : meanInterval(values, seed);
  const pValue = findPValue(method, { up, down, mean, error: deviation / Math.sqrt(count) });
  const isClear =
    count >= PAIRS_MIN &&
    interval !== undefined &&
    (interval.low > 0 || interval.high < 0) &&
    (pValue === undefined || pValue < 0.05);
  return {
    count,
    mean: count === 0 ? undefined : mean,
    low: interval?.low,
    high: interval?.high,
    method,
    pValue: count === 0 ? undefined : pValue,
    wins: direction < 0 ? down : up,
    losses: direction < 0 ? up : down,
    ties: count - up - down,
    verdict: !isClear || direction === 0 ? 'UNCLEAR' : mean * direction > 0 ? 'BETTER' : 'WORSE',
    countNeeded: isClear ? undefined : findCountNeeded(count, mean, deviation),
  };
}

/** 0.3 − 0.1 − 0.2 is not 0. */
const ROUNDING = 1e-12;

const countIf = (values: Float64Array, isCounted: (value: number) => boolean): number =>
  values.reduce((sum, value) => sum + Number(isCounted(value)), 0);

/** Interval of a mean by the method that fits the number of values. Undefined for fewer than two. */
export function meanInterval(values: Float64Array, seed: string | number): Interval | undefined {
  const student = studentInterval(momentsOf(values));
  if (values.length > BOOTSTRAP_PAIRS_MAX) return student;
  const bootstrap = bootstrapInterval(values, { seed, replicates: MEAN_REPLICATES });
  if (values.length >= SMALL_SAMPLE || !student || !bootstrap) return bootstrap;
  return { low: Math.min(student.low, bootstrap.low), high: Math.max(student.high, bootstrap.high) };
}

interface Signs {
  readonly up: number;
  readonly down: number;
  readonly mean: number;
  readonly error: number;
}

function findPValue(method: DifferenceMethod, { up, down, mean, error }: Signs): number | undefined {
  if (method === 'SIGN_TEST') return signTest(up, down);
  if (method === 'BOOTSTRAP') return undefined;
  if (error === 0) return mean === 0 ? 1 : 0;
  return 2 * normalCdf(-Math.abs(mean) / error);
}

/** Two-sided p-value of the exact sign test. Ties do not count. */
export const signTest = (up: number, down: number): number =>
  Math.min(1, 2 * halfBinomialCdf(Math.min(up, down), up + down));

function findCountNeeded(count: number, mean: number, deviation: number): number | undefined {
  if (count === 0 || mean === 0) return undefined;
  const needed = Math.ceil((((Z_95 + Z_POWER) * deviation) / mean) ** 2);
  const atLeast = Math.max(needed, count + 1, PAIRS_MIN);
  return atLeast > COUNT_NEEDED_MAX ? undefined : atLeast;
}

/** Holm's correction of several p-values: each is below 5 % only if that holds for all tests together. */
export function holmCorrection(pValues: readonly number[]): number[] {
  const order = [...pValues.keys()].sort((a, b) => (pValues[a] as number) - (pValues[b] as number));
  const corrected = new Array<number>(pValues.length).fill(1);
  let largest = 0;
  for (const [rank, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues[index] as number) * (pValues.length - rank)));
    corrected[index] = largest;
  }
  return corrected;
}
