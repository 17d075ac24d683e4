import { findZero } from '../statistics/distributions.ts';
import { type Estimate, shareOf } from '../statistics/interval.ts';
import { StatisticsError } from '../statistics/statistics-error.ts';
import { checkBetterThanChance, estimateShare, type JudgeErrors } from './judge-errors.ts';

/**
 * `rogan_gladen`: takes the judge's errors out by its sensitivity and specificity; the labelled items may have another share of
 * positives than the judged ones. `prediction_powered`: adds the mean error of the judge on the labelled items, which must be a
 * random sample of the same kind of items.
 */
export type CorrectionMethod = 'rogan_gladen' | 'prediction_powered';

export interface CorrectedRate {
  readonly method: CorrectionMethod;
  /** Share of positives with the judge's errors taken out. */
  readonly rate: number;
  /** 95 % interval that counts the errors of both samples. */
  readonly low: number;
  readonly high: number;
  /** Share of the judge's positives, with an interval that takes the judge to be right. */
  readonly naive: Estimate;
}

export interface JudgedCounts {
  /** Items that the judge called positive, of `count` without labels of people. */
  readonly positives: number;
  readonly count: number;
}

/**
 * The share of positives among judged items.
 *
 * @throws {JudgeNearChanceError} when the errors of the judge cannot be taken out
 */
export function correctedRate(
  judged: JudgedCounts,
  errors: JudgeErrors,
  { method = 'rogan_gladen' }: { readonly method?: CorrectionMethod } = {},
): CorrectedRate {
  const { positives, count } = judged;
  if (!Number.isInteger(count) || count < 1 || !Number.isInteger(positives) || positives < 0 || positives > count) {
    throw new StatisticsError(`Expected counts of rows, at least one, received ${positives} of ${count}.`);
  }
  if (!Object.hasOwn(METHODS, method)) {
    throw new StatisticsError(`Expected rogan_gladen or prediction_powered as method, received ${String(method)}.`);
  }
  checkBetterThanChance(errors);
  return { method, ...METHODS[method](judged, errors), naive: shareOf(positives, count) };
}

const clip = (share: number): number => Math.min(1, Math.max(0, share));

type Corrected = Pick<CorrectedRate, 'rate' | 'low' | 'high'>;

/**
 * Rogan and Gladen (1978): the rate at which the judge would give its labels, given its sensitivity and specificity.
 *
 * The interval contains each rate that fits the three shares: the difference of the judge's rate to the one that would follow
 * has an interval from their intervals (MOVER, Zou and Donner 2008), which must contain 0. That is Fieller's method without its
 * symmetric intervals, which cover too little for shares near 0 and 1.
 */
function roganGladen({ positives, count }: JudgedCounts, errors: JudgeErrors): Corrected {
  const { truePositives, falseNegatives, trueNegatives, falsePositives } = errors;
  const sensitivity = estimateShare(truePositives, truePositives + falseNegatives);
  const specificity = estimateShare(trueNegatives, trueNegatives + falsePositives);
  const share = estimateShare(positives, count);
  const difference = (rate: number) => share.value - rate * sensitivity.value - (1 - rate) * (1 - specificity.value);
  const lower = (rate: number) =>
    difference(rate) - Math.hypot(share.below, rate * sensitivity.above, (1 - rate) * specificity.below);
  const upper = (rate: number) =>
    difference(rate) + Math.hypot(share.above, rate * sensitivity.below, (1 - rate) * specificity.above);
  // Both fall with the rate, because the judge is better than chance.
  const [low, high] = [findZero(lower, 0, 1), findZero(upper, 0, 1)];
  const rawSpecificity = trueNegatives / (trueNegatives + falsePositives);
  const youden = truePositives / (truePositives + falseNegatives) + rawSpecificity - 1;
  const rate = clip(youden > 0 ? (positives / count + rawSpecificity - 1) / youden : (low + high) / 2);
  return { rate, low: Math.min(low, rate), high: Math.max(high, rate) };
}

/**
 * Prediction-powered rate with the tuned weight of PPI++ (Angelopoulos, Duchi and Zrnic 2023).
 *
 * For yes/no labels that is the share of people's positives among the judge's positives, and among its negatives, weighted by the
 * judge's rate on all rows. The interval follows from Jeffreys's intervals of these three shares (MOVER), because the normal one
 * covers too little for small samples and for rates near 0 and 1.
 */
function predictionPowered({ positives, count }: JudgedCounts, errors: JudgeErrors): Corrected {
  const { truePositives, falseNegatives, trueNegatives, falsePositives } = errors;
  const [found, missed] = [truePositives + falsePositives, trueNegatives + falseNegatives];
  const all = count + found + missed;
  const share = estimateShare(positives + found, all);
  const hits = estimateShare(truePositives, found);
  const misses = estimateShare(falseNegatives, missed);
  const center = share.value * hits.value + (1 - share.value) * misses.value;
  const weight = hits.value - misses.value;
  const [below, above] = weight >= 0 ? [share.below, share.above] : [share.above, share.below];
  const half = (ofHits: number, ofMisses: number, ofShare: number) =>
    Math.hypot(share.value * ofHits, (1 - share.value) * ofMisses, weight * ofShare);
  const raw = (positives + found) / all;
  const rate = raw * ratio(truePositives, found) + (1 - raw) * ratio(falseNegatives, missed);
  return {
    rate,
    low: Math.min(clip(center - half(hits.below, misses.below, below)), rate),
    high: Math.max(clip(center + half(hits.above, misses.above, above)), rate),
  };
}

/** Without trials nothing is known, so it is one half. */
const ratio = (successes: number, count: number): number => (count === 0 ? 0.5 : successes / count);

const METHODS: Readonly<Record<CorrectionMethod, (judged: JudgedCounts, errors: JudgeErrors) => Corrected>> = {
  rogan_gladen: roganGladen,
  prediction_powered: predictionPowered,
};
