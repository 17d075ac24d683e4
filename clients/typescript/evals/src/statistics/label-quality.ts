import { type BootstrapOptions, bootstrapStatistic } from './bootstrap.ts';
import type { LabelPair } from './confusion.ts';
import { type Estimate, shareOf, toEstimate } from './interval.ts';

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
  /** Harmonic mean of precision and recall. Its interval is that of a bootstrap over items. */
  readonly f1: Estimate;
}

export function labelQuality(
  pairs: readonly LabelPair[],
  positive: string,
  options: BootstrapOptions = {},
): LabelQuality {
  // Bit 0: people say positive; bit 1: the judge does.
  const cells = Uint8Array.from(pairs, ([human, judge]) => Number(human === positive) + 2 * Number(judge === positive));
  const counts = [0, 0, 0, 0];
  for (const cell of cells) counts[cell] = (counts[cell] as number) + 1;
  const [trueNegatives, falseNegatives, falsePositives, truePositives] = counts as [number, number, number, number];
  const f1Interval = bootstrapStatistic(
    cells.length,
    (indices) => {
      let [hits, errors] = [0, 0];
      for (let draw = 0; draw < indices.length; draw++) {
        const cell = cells[indices[draw] as number] as number;
        if (cell === 3) hits++;
        else if (cell !== 0) errors++;
      }
      return toF1(hits, errors);
    },
    options,
  );
  const sensitivity = shareOf(truePositives, truePositives + falseNegatives);
  return {
    ...{ truePositives, falsePositives, falseNegatives, trueNegatives, sensitivity, recall: sensitivity },
    specificity: shareOf(trueNegatives, trueNegatives + falsePositives),
    precision: shareOf(truePositives, truePositives + falsePositives),
    accuracy: shareOf(truePositives + trueNegatives, cells.length),
    f1: toEstimate(toF1(truePositives, falsePositives + falseNegatives), f1Interval),
  };
}

const toF1 = (hits: number, errors: number): number | undefined =>
  hits + errors === 0 ? undefined : (2 * hits) / (2 * hits + errors);
