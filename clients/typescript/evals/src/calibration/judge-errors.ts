import { Z_95 } from '../statistics/distributions.ts';
import { jeffreysInterval, shareOf } from '../statistics/interval.ts';
import { StatisticsError } from '../statistics/statistics-error.ts';

/** Items that both people and the judge labelled, by whether each called them positive. */
export interface JudgeErrors {
  readonly truePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
  readonly falsePositives: number;
}

/** The judge is not clearly better than chance, so its rate says nothing about the true one. */
export class JudgeNearChanceError extends StatisticsError {
  override readonly name = 'JudgeNearChanceError';
}

/** A share with Jeffreys's interval around its posterior mean, as distances to both ends. */
export interface ShareWithErrors {
  readonly value: number;
  readonly below: number;
  readonly above: number;
}

export function estimateShare(successes: number, count: number): ShareWithErrors {
  const value = (successes + 0.5) / (count + 1);
  const { low, high } = jeffreysInterval(successes, count);
  return { value, below: value - low, above: high - value };
}

/** @throws {JudgeNearChanceError} when sensitivity and specificity may add up to 1, or people gave one label only */
export function checkBetterThanChance(errors: JudgeErrors): void {
  for (const [name, count] of Object.entries(errors)) {
    if (Number.isInteger(count) && count >= 0) continue;
    throw new StatisticsError(`Expected a number of items from 0 as ${name}, received ${String(count)}.`);
  }
  const { truePositives, falseNegatives, trueNegatives, falsePositives } = errors;
  const [positives, negatives] = [truePositives + falseNegatives, trueNegatives + falsePositives];
  if (positives === 0 || negatives === 0) {
    throw new JudgeNearChanceError(
      `People gave no ${positives === 0 ? 'positive' : 'negative'} label, so the errors of the judge on such rows are unknown. Label more rows.`,
    );
  }
  // With one item more in each cell.
  const [sensitivity, specificity] = [(truePositives + 1) / (positives + 2), (trueNegatives + 1) / (negatives + 2)];
  const variance =
    (sensitivity * (1 - sensitivity)) / (positives + 2) + (specificity * (1 - specificity)) / (negatives + 2);
  const [youden, spread] = [sensitivity + specificity - 1, Z_95 * Math.sqrt(variance)];
  if (youden - spread > 0) return;
  const { value, low, high } = shareOf(positives, positives + negatives);
  throw new JudgeNearChanceError(
    `The judge is not clearly better than chance: sensitivity + specificity - 1 is ${youden.toFixed(2)} ± ${spread.toFixed(2)}. Improve the judge, label more rows, or use the labels of people alone: ${value?.toFixed(3)} (${low?.toFixed(3)} to ${high?.toFixed(3)}).`,
  );
}
