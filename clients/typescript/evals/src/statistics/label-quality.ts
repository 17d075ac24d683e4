import type { LabelPair } from './confusion.ts';
import { type Estimate, shareOf } from './interval.ts';

/** How well a judge finds one label of people, the positive one. */
export interface LabelQuality {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
  /** Share of people's positives that the judge finds. Also called recall. */
  readonly sensitivity: Estimate;
  /** Share of people's negatives that the judge does not call positive. */
  readonly specificity: Estimate;
  /** Share of the judge's positives that people call positive too. */
  readonly precision: Estimate;
  readonly recall: Estimate;
  readonly accuracy: Estimate;
  /** Harmonic mean of precision and recall. */
  readonly f1: Estimate;
}

export function labelQuality(pairs: readonly LabelPair[], positive: string): LabelQuality {
  let [truePositives, falsePositives, falseNegatives, trueNegatives] = [0, 0, 0, 0];
  for (const [human, judge] of pairs) {
    if (human === positive) judge === positive ? truePositives++ : falseNegatives++;
    else judge === positive ? falsePositives++ : trueNegatives++;
  }
  const sensitivity = shareOf(truePositives, truePositives + falseNegatives);
  return {
    ...{ truePositives, falsePositives, falseNegatives, trueNegatives, sensitivity, recall: sensitivity },
    specificity: shareOf(trueNegatives, trueNegatives + falsePositives),
    precision: shareOf(truePositives, truePositives + falsePositives),
    accuracy: shareOf(truePositives + trueNegatives, pairs.length),
    f1: toF1(shareOf(truePositives, truePositives + falsePositives + falseNegatives)),
  };
}

/** Of the items that either side calls positive, the hits are a share, of which F1 is a function. */
function toF1({ value, low, high }: Estimate): Estimate {
  const convert = (share: number | undefined) => (share === undefined ? undefined : (2 * share) / (1 + share));
  return { value: convert(value), low: convert(low), high: convert(high) };
}
