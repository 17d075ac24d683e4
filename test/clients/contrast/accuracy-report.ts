import { wilsonInterval } from '../../../src/domain/experiments/comparison/statistics/intervals.ts';
import type { JudgeAccuracy } from './measure-judge.ts';

const HEADINGS = ['judge', 'version', 'right', 'accuracy (95 %)', 'both right (95 %)', 'label errors', 'other', 'none'];

/** Accuracy of each judge as a table, and what the calls took. */
export function formatAccuracies(accuracies: readonly JudgeAccuracy[]): string {
  const lines = [HEADINGS, ...accuracies.map(toCells)];
  if (accuracies.length > 1) lines.push(toCells(sumAccuracies(accuracies)));
  return [...alignCells(lines), '', formatCalls(accuracies), ...NOTES].join('\n');
}

const NOTES = [
  'label errors: answers with a label that the judge does not have; other: answers without a label. Neither is right.',
  'none: rows without an answer, which count neither as right nor as wrong.',
];

/** Sums over all judges. */
export function sumAccuracies(accuracies: readonly JudgeAccuracy[]): Omit<JudgeAccuracy, 'calls' | 'wrong'> {
  const sum = (toCount: (accuracy: JudgeAccuracy) => number) =>
    accuracies.reduce((total, accuracy) => total + toCount(accuracy), 0);
  return {
    judge: 'all',
    version: '',
    answeredCount: sum(({ answeredCount }) => answeredCount),
    rightCount: sum(({ rightCount }) => rightCount),
    answeredPairCount: sum(({ answeredPairCount }) => answeredPairCount),
    rightPairCount: sum(({ rightPairCount }) => rightPairCount),
    labelErrorCount: sum(({ labelErrorCount }) => labelErrorCount),
    answerErrorCount: sum(({ answerErrorCount }) => answerErrorCount),
    missingCount: sum(({ missingCount }) => missingCount),
  };
}

const toCells = (accuracy: Omit<JudgeAccuracy, 'calls' | 'wrong'>): string[] => [
  accuracy.judge,
  accuracy.version,
  `${accuracy.rightCount}/${accuracy.answeredCount}`,
  formatShare(accuracy.rightCount, accuracy.answeredCount),
  `${accuracy.rightPairCount}/${accuracy.answeredPairCount}, ${formatShare(accuracy.rightPairCount, accuracy.answeredPairCount)}`,
  String(accuracy.labelErrorCount),
  String(accuracy.answerErrorCount),
  String(accuracy.missingCount),
];

/** A share with its interval by Wilson, such as `95.0 % (86.3 to 98.3)`. */
export function formatShare(rightCount: number, count: number): string {
  const interval = wilsonInterval(rightCount, count);
  if (!interval) return 'no answers';
  const percent = (share: number) => (share * 100).toFixed(1);
  return `${percent(rightCount / count)} % (${percent(interval.low)} to ${percent(interval.high)})`;
}

function formatCalls(accuracies: readonly JudgeAccuracy[]): string {
  const total = { requestCount: 0, inputTokens: 0, outputTokens: 0, cost: 0, unpricedCount: 0 };
  for (const { calls } of accuracies) {
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += calls[name];
  }
  const { requestCount, inputTokens, outputTokens, cost, unpricedCount } = total;
  const number = (value: number) => value.toLocaleString('en-US');
  const unpriced = unpricedCount > 0 && `${number(unpricedCount)} calls whose price is not known`;
  const price = [cost > 0 || !unpriced ? `$${cost.toFixed(4)}` : undefined, unpriced].filter(Boolean).join(' and ');
  return `${number(requestCount)} requests, ${number(inputTokens)} tokens in, ${number(outputTokens)} out, ${price}`;
}

function alignCells(lines: readonly (readonly string[])[]): string[] {
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
