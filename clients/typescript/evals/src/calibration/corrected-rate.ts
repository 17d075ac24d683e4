import { Z_95 } from '../statistics/distributions.ts';
import { type Estimate, shareOf } from '../statistics/interval.ts';
import { StatisticsError } from '../statistics/statistics-error.ts';
import { adjustedQuality, checkBetterThanChance, type JudgeErrors, rawQuality } from './judge-errors.ts';

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
    throw new StatisticsError(
      `Expected at least one judged item and at most as many positives, received ${positives} of ${count}.`,
    );
  }
  if (!Object.hasOwn(METHODS, method)) {
    throw new StatisticsError(`Expected rogan_gladen or prediction_powered as method, received ${String(method)}.`);
  }
  checkBetterThanChance(errors);
  const { rate, low, high } = METHODS[method](judged, errors);
  return { method, rate: clip(rate), low: clip(low), high: clip(high), naive: shareOf(positives, count) };
}

const clip = (share: number): number => Math.min(1, Math.max(0, share));

type Corrected = Pick<CorrectedRate, 'rate' | 'low' | 'high'>;

/** Rogan and Gladen (1978), with the interval of Lang and Reiczigel (2014). */
function roganGladen({ positives, count }: JudgedCounts, errors: JudgeErrors): Corrected {
  const raw = rawQuality(errors);
  const { specificity, sensitivityVariance, specificityVariance, youden } = adjustedQuality(errors);
  const square = Z_95 * Z_95;
  const total = count + square;
  const apparent = (positives + square / 2) / total;
  const center = (apparent + specificity - 1) / youden;
  const shift = 2 * square * (center * sensitivityVariance - (1 - center) * specificityVariance);
  const variance =
    (apparent * (1 - apparent)) / total + center ** 2 * sensitivityVariance + (1 - center) ** 2 * specificityVariance;
  const half = (Z_95 / youden) * Math.sqrt(variance);
  return {
    rate: (positives / count + raw.specificity - 1) / raw.youden,
    low: center + shift - half,
    high: center + shift + half,
  };
}

/** Angelopoulos et al. (2023), with the weight of the judge that makes the interval shortest. */
function predictionPowered({ positives, count }: JudgedCounts, errors: JudgeErrors): Corrected {
  const estimate = (added: number) => {
    const truePositives = errors.truePositives + added;
    const falseNegatives = errors.falseNegatives + added;
    const trueNegatives = errors.trueNegatives + added;
    const falsePositives = errors.falsePositives + added;
    const labelled = truePositives + falseNegatives + trueNegatives + falsePositives;
    const [people, judge] = [(truePositives + falseNegatives) / labelled, (truePositives + falsePositives) / labelled];
    const covariance = truePositives / labelled - people * judge;
    const share = positives / count;
    const ofJudge = judge * (1 - judge);
    const weight = ofJudge === 0 ? 0 : clip(covariance / ((1 + labelled / count) * ofJudge));
    const ofRest = people * (1 - people) - 2 * weight * covariance + weight * weight * ofJudge;
    const error = Math.sqrt((weight * weight * share * (1 - share)) / count + Math.max(0, ofRest) / labelled);
    return { rate: weight * share + people - weight * judge, error };
  };
  const { rate } = estimate(0);
  const { rate: center, error } = estimate(0.5);
  return { rate, low: center - Z_95 * error, high: center + Z_95 * error };
}

const METHODS: Readonly<Record<CorrectionMethod, (judged: JudgedCounts, errors: JudgeErrors) => Corrected>> = {
  rogan_gladen: roganGladen,
  prediction_powered: predictionPowered,
};
