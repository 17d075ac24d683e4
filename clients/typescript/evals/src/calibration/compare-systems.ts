import { tQuantile } from '../statistics/distributions.ts';
import type { Interval } from '../statistics/interval.ts';
import { momentsOf } from '../statistics/moments.ts';
import {
  type BetterDirection,
  type DifferenceOptions,
  type DifferenceVerdict,
  describeDifference,
  type PairedDifference,
} from '../statistics/paired-difference.ts';
import { StatisticsError } from '../statistics/statistics-error.ts';
import {
  adjustedQuality,
  checkBetterThanChance,
  type JudgeErrors,
  JudgeNearChanceError,
  rawQuality,
} from './judge-errors.ts';

/** Scores of two systems for the same input. */
export interface SystemPair {
  readonly a: number;
  readonly b: number;
  /** Rows of one session depend on each other, so they count as one draw. */
  readonly session?: string | null;
}

export interface SystemComparison extends Omit<PairedDifference, 'method'> {
  readonly method: PairedDifference['method'] | 'CLUSTERED';
  /** Number of sessions. Undefined without any. */
  readonly sessionCount: number | undefined;
  /**
   * The difference of the true shares, with the judge's errors taken out. It takes these errors to be the same for both
   * systems. Undefined without a calibration.
   */
  readonly corrected: CorrectedDifference | undefined;
}

export interface CorrectedDifference extends Interval {
  readonly difference: number;
  readonly verdict: DifferenceVerdict;
}

export interface CompareOptions extends DifferenceOptions {
  /** Errors of the judge that gave the scores, which must be 0 or 1 then. */
  readonly calibration?: JudgeErrors;
}

/**
 * Compares two systems by the scores of the same inputs: the mean of b − a.
 *
 * @throws {JudgeNearChanceError} when the errors of the judge cannot be taken out
 */
export function compareSystems(rows: readonly SystemPair[], options: CompareOptions = {}): SystemComparison {
  const { calibration, direction = 1 } = options;
  for (const { a, b } of rows) {
    if (Number.isFinite(a) && Number.isFinite(b)) continue;
    throw new StatisticsError(
      `Expected finite scores, received ${String(a)} and ${String(b)}. Leave out rows without a score.`,
    );
  }
  const isBinary = rows.every(({ a, b }) => isYesNo(a) && isYesNo(b));
  if (calibration && !isBinary) {
    throw new StatisticsError('Expected scores of 0 or 1 together with a calibration. Convert labels to 0 and 1.');
  }
  const differences = Float64Array.from(rows, ({ a, b }) => b - a);
  const sessions = groupBySession(rows, differences);
  const plain = describeDifference(differences, { ...options, isBinary });
  const mean = sessions ? clusteredMean(sessions, rows.length) : plainMean(differences);
  const interval = sessions && mean ? studentOf(mean) : undefined;
  return {
    ...plain,
    ...(sessions && {
      method: 'CLUSTERED' as const,
      pValue: undefined,
      countNeeded: undefined,
      low: interval?.low,
      high: interval?.high,
      verdict: verdictOf(interval, direction, sessions.length),
    }),
    sessionCount: sessions?.length,
    corrected: calibration && mean ? correct(mean, calibration, direction, sessions?.length ?? rows.length) : undefined,
  };
}

const isYesNo = (value: number): boolean => value === 0 || value === 1;

interface Session {
  readonly sum: number;
  readonly count: number;
}

/** Undefined when no row has a session. Rows without one are sessions of their own. */
function groupBySession(rows: readonly SystemPair[], differences: Float64Array): Session[] | undefined {
  const sessions = new Map<string | number, Session>();
  for (const [index, { session }] of rows.entries()) {
    const key = session ?? index;
    const { sum, count } = sessions.get(key) ?? { sum: 0, count: 0 };
    sessions.set(key, { sum: sum + (differences[index] as number), count: count + 1 });
  }
  const hasSessions = rows.some(({ session }) => session !== undefined && session !== null);
  return hasSessions ? [...sessions.values()] : undefined;
}

/** A mean with the variance of its error, and the degrees of freedom of that variance. */
interface Mean {
  readonly mean: number;
  readonly variance: number;
  readonly degrees: number;
}

function plainMean(differences: Float64Array): Mean | undefined {
  const { count, mean, deviation } = momentsOf(differences);
  return count < 2 ? undefined : { mean, variance: deviation ** 2 / count, degrees: count - 1 };
}

/** A session's rows are one draw: the variance is that of the sums of sessions around their expected sums. */
function clusteredMean(sessions: readonly Session[], rowCount: number): Mean | undefined {
  const count = sessions.length;
  if (count < 2) return undefined;
  const mean = sessions.reduce((total, { sum }) => total + sum, 0) / rowCount;
  const squares = sessions.reduce((total, session) => total + (session.sum - mean * session.count) ** 2, 0);
  return { mean, variance: ((count / (count - 1)) * squares) / rowCount ** 2, degrees: count - 1 };
}

function studentOf({ mean, variance, degrees }: Mean): Interval {
  const half = tQuantile(0.975, degrees) * Math.sqrt(variance);
  return { low: mean - half, high: mean + half };
}

/** Interval of the ratio of two estimates (Fieller 1954): the observed difference over Youden's J. */
function correct(
  { mean, variance, degrees }: Mean,
  calibration: JudgeErrors,
  direction: BetterDirection,
  drawCount: number,
): CorrectedDifference {
  checkBetterThanChance(calibration);
  const { youden, sensitivityVariance, specificityVariance } = adjustedQuality(calibration);
  const square = tQuantile(0.975, degrees) ** 2;
  const a = youden ** 2 - square * (sensitivityVariance + specificityVariance);
  const b = mean * youden;
  const c = mean ** 2 - square * variance;
  if (a <= 0) {
    throw new JudgeNearChanceError('The judge is near chance for so few rows. Label more items, or compare more rows.');
  }
  const root = Math.sqrt(Math.max(0, b * b - a * c));
  const interval = { low: Math.max(-1, (b - root) / a), high: Math.min(1, (b + root) / a) };
  const difference = Math.min(1, Math.max(-1, mean / rawQuality(calibration).youden));
  return { difference, ...interval, verdict: verdictOf(interval, direction, drawCount) };
}

/** Fewer draws give no verdict: an interval of so few is not reliable. */
const DRAWS_MIN = 6;

function verdictOf(interval: Interval | undefined, direction: BetterDirection, drawCount: number): DifferenceVerdict {
  if (!interval || direction === 0 || drawCount < DRAWS_MIN) return 'UNCLEAR';
  if (interval.low > 0) return direction > 0 ? 'BETTER' : 'WORSE';
  if (interval.high < 0) return direction > 0 ? 'WORSE' : 'BETTER';
  return 'UNCLEAR';
}
