import { Z_95 } from '../statistics/distributions.ts';
import { StatisticsError } from '../statistics/statistics-error.ts';

/** Items that both people and the judge labelled, by whether each called them positive. */
export interface JudgeErrors {
  readonly truePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
  readonly falsePositives: number;
}

/** The judge is so near chance that its errors cannot be taken out. */
export class JudgeNearChanceError extends StatisticsError {
  override readonly name = 'JudgeNearChanceError';
}

/** Sensitivity, specificity and their sum less one (Youden's J), each with the variance of its error. */
export interface JudgeQuality {
  readonly sensitivity: number;
  readonly specificity: number;
  readonly sensitivityVariance: number;
  readonly specificityVariance: number;
  readonly youden: number;
}

/** From the counts as they are. */
export function rawQuality(errors: JudgeErrors): JudgeQuality {
  return qualityOf(errors, 0);
}

/** With one success and one failure added to each, which corrects the coverage of small samples (Agresti and Coull 1998). */
export function adjustedQuality(errors: JudgeErrors): JudgeQuality {
  return qualityOf(errors, 1);
}

function qualityOf(
  { truePositives, falseNegatives, trueNegatives, falsePositives }: JudgeErrors,
  added: number,
): JudgeQuality {
  const positives = truePositives + falseNegatives + 2 * added;
  const negatives = trueNegatives + falsePositives + 2 * added;
  const [sensitivity, specificity] = [(truePositives + added) / positives, (trueNegatives + added) / negatives];
  return {
    sensitivity,
    specificity,
    sensitivityVariance: (sensitivity * (1 - sensitivity)) / positives,
    specificityVariance: (specificity * (1 - specificity)) / negatives,
    youden: sensitivity + specificity - 1,
  };
}

/** @throws {JudgeNearChanceError} when the interval of Youden's J contains 0, or people gave one label only */
export function checkBetterThanChance(errors: JudgeErrors): void {
  for (const [name, count] of Object.entries(errors)) {
    if (!Number.isInteger(count) || count < 0) {
      throw new StatisticsError(`Expected a number of items from 0 as ${name}, received ${String(count)}.`);
    }
  }
  const { truePositives, falseNegatives, trueNegatives, falsePositives } = errors;
  if (truePositives + falseNegatives === 0 || trueNegatives + falsePositives === 0) {
    const missing = truePositives + falseNegatives === 0 ? 'positive' : 'negative';
    throw new JudgeNearChanceError(
      `People labelled no item ${missing}, so the judge's errors on these are unknown. Label items that are ${missing}.`,
    );
  }
  const { youden, sensitivityVariance, specificityVariance } = adjustedQuality(errors);
  const low = youden - Z_95 * Math.sqrt(sensitivityVariance + specificityVariance);
  if (low > 0) return;
  throw new JudgeNearChanceError(
    `The judge is near chance: sensitivity and specificity add up to ${(youden + 1).toFixed(2)}, and 1.00 is in the interval. Label more items, or improve the judge.`,
  );
}
