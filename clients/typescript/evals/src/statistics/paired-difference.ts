import type { ScoreDirection } from '../scores/score.ts';
import { bootstrapInterval } from './bootstrap.ts';
import { halfBinomialCdf, normalCdf, Z_95 } from './distributions.ts';
import { type Interval, pairedShareInterval, studentInterval } from './interval.ts';
import { MEAN_REPLICATES } from './limits.ts';
import { momentsOf } from './moments.ts';

export type DifferenceVerdict = 'better' | 'worse' | 'unclear';
export type DifferenceMethod = 'bootstrap' | 'sign_test' | 'normal' | 'clustered';

/** The mean difference of pairs, with the numbers that the server computes for experiments. */
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
  /** `maximize` by default. `neutral` gives no verdict. */
  readonly direction?: ScoreDirection;
  /** The bootstrap gives the same interval for the same seed. */
  readonly seed?: string | number;
}

/** A sign test of fewer pairs cannot be significant at 5 %, whatever their differences. */
const PAIRS_MIN = 6;
/** In smaller samples, the bootstrap or Student's interval alone covers too little, so the interval contains both. */
const SMALL_SAMPLE = 50;
/** Above it, the bootstrap and the normal approximation agree. */
const BOOTSTRAP_PAIRS_MAX = 2_000;
/** Quantile for a power of 80 %. */
const Z_POWER = 0.8416212335729143;
/** Larger numbers of pairs are not worth naming. */
const COUNT_NEEDED_MAX = 10_000_000;

/** What a difference needs besides its interval and its p-value. */
export interface DifferenceFacts {
  readonly count: number;
  readonly mean: number;
  readonly interval: Interval | undefined;
  readonly method: DifferenceMethod;
  readonly pValue: number | undefined;
  readonly up: number;
  readonly down: number;
  /** Standard deviation of one pair. */
  readonly deviation: number;
}

/** @param differences of each pair; their values are −1, 0 and 1 when both sides are yes or no */
export function describeDifference(
  differences: ArrayLike<number>,
  {
    direction = 'maximize',
    seed = 'difference',
    isBinary = false,
    bootstrapCountMax = BOOTSTRAP_PAIRS_MAX,
  }: DifferenceOptions & {
    /** Both sides are 0 or 1. */
    readonly isBinary?: boolean;
    /** Larger samples use the normal approximation. */
    readonly bootstrapCountMax?: number;
  } = {},
): PairedDifference {
  const values = Float64Array.from(differences);
  const { count, mean, deviation } = momentsOf(values);
  const { up, down } = countSigns(values);
  const isSigns = isBinary && values.every((value) => value === 0 || value === 1 || value === -1);
  const method: DifferenceMethod = isSigns ? 'sign_test' : count <= bootstrapCountMax ? 'bootstrap' : 'normal';
  const interval = findInterval(method, values, { up, down, seed });
  const pValue = findPValue(method, { up, down, mean, error: deviation / Math.sqrt(count) });
  return toDifference({ count, mean, interval, method, pValue, up, down, deviation }, direction);
}

/** A difference with its verdict, which needs a clear interval and a small p-value. */
export function toDifference(
  { count, mean, interval, method, pValue, up, down, deviation }: DifferenceFacts,
  direction: ScoreDirection,
): PairedDifference {
  const isClear =
    count >= PAIRS_MIN &&
    interval !== undefined &&
    (interval.low > 0 || interval.high < 0) &&
    (pValue === undefined || pValue < 0.05);
  const isMinimized = direction === 'minimize';
  return {
    count,
    mean: count === 0 ? undefined : mean,
    low: interval?.low,
    high: interval?.high,
    method,
    pValue: count === 0 ? undefined : pValue,
    wins: isMinimized ? down : up,
    losses: isMinimized ? up : down,
    ties: count - up - down,
    verdict: !isClear || direction === 'neutral' ? 'unclear' : mean > 0 === isMinimized ? 'worse' : 'better',
    countNeeded: isClear ? undefined : findCountNeeded(count, mean, deviation),
  };
}

/** Numbers of positive and negative values. */
export function countSigns(values: Float64Array): { readonly up: number; readonly down: number } {
  let [up, down] = [0, 0];
  for (const value of values) {
    // 0.3 − 0.1 − 0.2 is not 0.
    if (value > 1e-12) up++;
    else if (value < -1e-12) down++;
  }
  return { up, down };
}

function findInterval(
  method: DifferenceMethod,
  values: Float64Array,
  { up, down, seed }: { readonly up: number; readonly down: number; readonly seed: string | number },
): Interval | undefined {
  if (values.length < PAIRS_MIN) return undefined;
  if (method === 'sign_test') return pairedShareInterval(up, down, values.length);
  const student = studentInterval(momentsOf(values));
  if (method === 'normal') return student;
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
  if (method === 'sign_test') return signTest(up, down);
  if (method === 'bootstrap') return undefined;
  if (error === 0) return mean === 0 ? 1 : 0;
  return 2 * normalCdf(-Math.abs(mean) / error);
}

/** Two-sided p-value of the exact sign test. Ties do not count. */
export const signTest = (up: number, down: number): number =>
  Math.min(1, 2 * halfBinomialCdf(Math.min(up, down), up + down));

/**
 * Two-sided mid-p-value of the sign test: results as likely as the received one count half (Lancaster 1961). Under 5 % in less than
 * 5 % of cases without a difference, by an exact sum over cases instead of by proof; it finds a difference as often as the best
 * unbiased test does (docs/decisions/statistics.md).
 */
export function midPSignTest(up: number, down: number): number {
  const [few, count] = [Math.min(up, down), up + down];
  return Math.min(1, halfBinomialCdf(few, count) + (few > 0 ? halfBinomialCdf(few - 1, count) : 0));
}

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
