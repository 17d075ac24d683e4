import type { ScoreDirection } from '../scores/score.ts';
import { findZero, tCdf, tQuantile } from '../statistics/distributions.ts';
import type { Interval } from '../statistics/interval.ts';
import {
  countSigns,
  type DifferenceOptions,
  describeDifference,
  type PairedDifference,
  toDifference,
} from '../statistics/paired-difference.ts';
import { StatisticsError } from '../statistics/statistics-error.ts';
import { checkBetterThanChance, estimateShare, type JudgeErrors } from './judge-errors.ts';

/** Scores of two systems for the same input. */
export interface SystemPair {
  readonly a: number;
  readonly b: number;
  /** Rows of one session depend on each other, so they vary together. */
  readonly session?: string | number | null;
}

export interface SystemComparison {
  /** System b minus system a. */
  readonly difference: PairedDifference;
  /** The difference of rates with the errors of the judge taken out. Undefined without a calibration. */
  readonly corrected: CorrectedDifference | undefined;
}

export interface CorrectedDifference extends Interval {
  readonly mean: number;
}

export interface CompareOptions extends DifferenceOptions {
  /**
   * Errors of the judge that gave the scores, which must be 0 and 1. The judge must err as often on both systems; one that likes
   * long answers does not (see the bias checks).
   */
  readonly calibration?: JudgeErrors | null;
}

/**
 * Compares two systems that a judge has scored on the same rows.
 *
 * @throws {JudgeNearChanceError} when the errors of the judge cannot be taken out
 */
export function compareSystems(rows: readonly SystemPair[], options: CompareOptions = {}): SystemComparison {
  const { calibration, direction = 'maximize', seed } = options;
  for (const { a, b } of rows) {
    if (Number.isFinite(a) && Number.isFinite(b)) continue;
    throw new StatisticsError(
      `Expected finite scores, received ${String(a)} and ${String(b)}. Leave out rows without a score.`,
    );
  }
  const isBinary = rows.every(({ a, b }) => isYesNo(a) && isYesNo(b));
  if (calibration && !isBinary) {
    throw new StatisticsError('A calibration corrects scores of 0 and 1, received other scores.');
  }
  const differences = Float64Array.from(rows, ({ a, b }) => b - a);
  const hasSessions = rows.some(({ session }) => session !== undefined && session !== null);
  const difference = hasSessions
    ? describeClustered(rows, differences, direction)
    : describeDifference(differences, { direction, isBinary, ...(seed !== undefined && { seed }) });
  const { mean, low, high } = difference;
  if (!calibration || mean === undefined || low === undefined || high === undefined) {
    return { difference, corrected: undefined };
  }
  return { difference, corrected: correct(mean, { low, high }, calibration) };
}

const isYesNo = (value: number): boolean => value === 0 || value === 1;

/**
 * Sessions vary independently, rows do not: the variance of the mean is that of the sums of the sessions (Liang and Zeger 1986),
 * with Student's distribution for the number of sessions. A row without a session is one of its own.
 */
function describeClustered(
  rows: readonly SystemPair[],
  differences: Float64Array,
  direction: ScoreDirection,
): PairedDifference {
  const sessions = new Map<string, { sum: number; count: number }>();
  for (const [index, { session }] of rows.entries()) {
    const key = session === undefined || session === null ? `row ${index}` : `session ${typeof session} ${session}`;
    const found = sessions.get(key) ?? { sum: 0, count: 0 };
    sessions.set(key, found);
    found.sum += differences[index] as number;
    found.count += 1;
  }
  const [count, sessionCount] = [rows.length, sessions.size];
  const mean = differences.reduce((sum, value) => sum + value, 0) / count;
  const facts = { count, mean, method: 'clustered' as const, ...countSigns(differences) };
  if (sessionCount < 2) {
    return toDifference({ ...facts, interval: undefined, pValue: undefined, deviation: 0 }, direction);
  }
  let squares = 0;
  for (const session of sessions.values()) squares += (session.sum - mean * session.count) ** 2;
  const error = Math.sqrt((sessionCount / (sessionCount - 1)) * squares) / count;
  const half = tQuantile(0.975, sessionCount - 1) * error;
  const pValue = error === 0 ? Number(mean === 0) : 2 * tCdf(-Math.abs(mean) / error, sessionCount - 1);
  const interval = { low: mean - half, high: mean + half };
  return toDifference({ ...facts, interval, pValue, deviation: error * Math.sqrt(count) }, direction);
}

/** Each difference that fits the judge's difference and its sensitivity and specificity (MOVER), as in `correctedRate`. */
function correct(mean: number, { low, high }: Interval, calibration: JudgeErrors): CorrectedDifference {
  checkBetterThanChance(calibration);
  const { truePositives, falseNegatives, trueNegatives, falsePositives } = calibration;
  const [positives, negatives] = [truePositives + falseNegatives, trueNegatives + falsePositives];
  const [sensitivity, specificity] = [estimateShare(truePositives, positives), estimateShare(trueNegatives, negatives)];
  const youden = sensitivity.value + specificity.value - 1;
  const below = Math.hypot(sensitivity.below, specificity.below);
  const above = Math.hypot(sensitivity.above, specificity.above);
  const lower = (difference: number) =>
    mean - difference * youden - Math.hypot(mean - low, difference * (difference > 0 ? above : below));
  const upper = (difference: number) =>
    mean - difference * youden + Math.hypot(high - mean, difference * (difference > 0 ? below : above));
  const raw = truePositives / positives + trueNegatives / negatives - 1;
  const point = Math.max(-1, Math.min(1, mean / (raw > 0 ? raw : youden)));
  return { mean: point, low: Math.min(findZero(lower, -1, 1), point), high: Math.max(findZero(upper, -1, 1), point) };
}
