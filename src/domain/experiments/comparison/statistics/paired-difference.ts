import { halfBinomialCdf, normalCdf, Z_95 } from './distributions.ts';
import { bootstrapInterval, type Interval, pairedShareInterval, studentInterval } from './intervals.ts';
import { type Moments, momentsOf } from './moments.ts';

export const COMPARISON_VERDICTS = ['BETTER', 'WORSE', 'UNCLEAR'] as const;
export type ComparisonVerdict = (typeof COMPARISON_VERDICTS)[number];

export type DifferenceMethod = 'BOOTSTRAP' | 'SIGN_TEST' | 'NORMAL';

/** The difference of an experiment to the baseline on a measure. */
export interface PairedDifference {
  /** Number of examples with a value on both sides. */
  readonly count: number;
  readonly mean: number | null;
  /** Null for fewer than `PAIR_COUNT_MIN` examples. */
  readonly low: number | null;
  readonly high: number | null;
  readonly method: DifferenceMethod;
  /** Two-sided. Null for the bootstrap, which has none. */
  readonly pValue: number | null;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly verdict: ComparisonVerdict;
  /** Number of examples that would tell a difference of this size with a probability of 80 %. Null when it is clear. */
  readonly countNeeded: number | null;
}

export interface DifferenceOptions {
  /** 1: higher is better; −1: lower is better; 0: neither, so that no verdict is given. */
  readonly direction: 1 | -1 | 0;
  /** Values of both sides are 0 or 1. */
  readonly isBinary: boolean;
  /** The bootstrap gives the same interval for the same seed. */
  readonly seed: string;
  /** Samples with more values use the normal approximation. */
  readonly bootstrapCountMax: number;
}

/** Samples of the bootstrap. Twice as many change an interval by less than 2 % of its width. */
export const REPLICATE_COUNT = 2_000;

/** A sign test of fewer pairs cannot be significant at 5 %, whatever their differences, and fewer pairs have no interval. */
export const PAIR_COUNT_MIN = 6;

/**
 * In smaller samples, the bootstrap covers too little if most differences are 0, and Student's interval if they are skewed,
 * so the interval contains both.
 */
const SMALL_SAMPLE_COUNT = 50;

/** Quantile for a power of 80 %. */
const Z_POWER = 0.8416212335729143;
/** Larger numbers of examples are not worth naming. */
const COUNT_NEEDED_MAX = 10_000_000;

/** @param differences experiment minus baseline, one per example */
export function describeDifference(differences: Float64Array, options: DifferenceOptions): PairedDifference {
  const { direction, isBinary, bootstrapCountMax } = options;
  const moments = momentsOf(differences);
  const { count, mean, deviation } = moments;
  const { up, down, isWhole } = countSigns(differences);
  // Means over repetitions are not yes/no values.
  const isSigns = isBinary && isWhole;
  const method: DifferenceMethod = isSigns ? 'SIGN_TEST' : count <= bootstrapCountMax ? 'BOOTSTRAP' : 'NORMAL';
  const interval = findInterval(method, differences, { up, down, seed: options.seed, moments });
  const pValue = findPValue(method, { up, down, mean, error: deviation / Math.sqrt(count) });
  const isClear =
    interval !== undefined && (interval.low > 0 || interval.high < 0) && (pValue === null || pValue < 0.05);
  const verdict = !isClear || direction === 0 ? 'UNCLEAR' : mean * direction > 0 ? 'BETTER' : 'WORSE';
  return {
    count,
    mean: count === 0 ? null : mean,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    method,
    pValue: count === 0 ? null : pValue,
    wins: direction < 0 ? down : up,
    losses: direction < 0 ? up : down,
    ties: count - up - down,
    verdict,
    countNeeded: isClear ? null : findCountNeeded(count, mean, deviation),
  };
}

interface Signs {
  readonly up: number;
  readonly down: number;
  /** Every difference is −1, 0 or 1. */
  readonly isWhole: boolean;
}

function countSigns(differences: Float64Array): Signs {
  let up = 0;
  let down = 0;
  let isWhole = true;
  for (let index = 0; index < differences.length; index++) {
    const value = differences[index] as number;
    // 0.3 − 0.1 − 0.2 is not 0.
    if (value > 1e-12) up++;
    else if (value < -1e-12) down++;
    if (value !== 0 && value !== 1 && value !== -1) isWhole = false;
  }
  return { up, down, isWhole };
}

function findInterval(
  method: DifferenceMethod,
  differences: Float64Array,
  {
    up,
    down,
    seed,
    moments,
  }: { readonly up: number; readonly down: number; readonly seed: string; readonly moments: Moments },
): Interval | undefined {
  const count = differences.length;
  if (count < PAIR_COUNT_MIN) return undefined;
  if (method === 'SIGN_TEST') return pairedShareInterval(up, down, count);
  const student = studentInterval(moments);
  if (method === 'NORMAL') return student;
  const bootstrap = bootstrapInterval(differences, seed, REPLICATE_COUNT);
  if (count >= SMALL_SAMPLE_COUNT || !student || !bootstrap) return bootstrap;
  return { low: Math.min(student.low, bootstrap.low), high: Math.max(student.high, bootstrap.high) };
}

function findPValue(
  method: DifferenceMethod,
  {
    up,
    down,
    mean,
    error,
  }: { readonly up: number; readonly down: number; readonly mean: number; readonly error: number },
): number | null {
  if (method === 'SIGN_TEST') return signTest(up, down);
  if (method === 'BOOTSTRAP') return null;
  if (error === 0) return mean === 0 ? 1 : 0;
  return 2 * normalCdf(-Math.abs(mean) / error);
}

/** Two-sided p-value of the exact sign test. Ties do not count. */
export const signTest = (up: number, down: number): number =>
  Math.min(1, 2 * halfBinomialCdf(Math.min(up, down), up + down));

function findCountNeeded(count: number, mean: number, deviation: number): number | null {
  if (count === 0 || mean === 0) return null;
  const needed = Math.ceil((((Z_95 + Z_POWER) * deviation) / mean) ** 2);
  const atLeast = Math.max(needed, count + 1, PAIR_COUNT_MIN);
  return atLeast > COUNT_NEEDED_MAX ? null : atLeast;
}
