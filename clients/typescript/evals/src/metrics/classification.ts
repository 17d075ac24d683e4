import { ArgumentError, describeType, InputError } from '../errors.ts';

export type Average = 'macro' | 'micro' | 'weighted';
export type ClassLabel = string | number | boolean;

export interface PrecisionRecallOptions {
  /** Weight of recall in the F-score: 2 counts it twice as much as precision. 1 by default. */
  readonly beta?: number;
  /** How the values of several labels become one. `macro` by default. */
  readonly average?: Average;
  /** Value of a division of 0 by 0. 0 by default. */
  readonly zeroDivision?: number;
  /** Measures this label alone. */
  readonly positiveLabel?: ClassLabel;
}

export interface PrecisionRecallF {
  readonly precision: number;
  readonly recall: number;
  readonly f: number;
  /** The labels of both lists. */
  readonly labels: readonly ClassLabel[];
  /** The label that was measured alone. */
  readonly positiveLabel: ClassLabel | undefined;
}

interface Counts {
  readonly hits: number;
  readonly predicted: number;
  readonly expected: number;
}

/**
 * Precision, recall and F-score of predicted labels. With `positiveLabel`, or without it when the labels are exactly the
 * numbers 0 and 1 and the average is `macro`, they are those of one label.
 *
 * @throws {InputError} for lists that are empty or of different lengths, and a positive label that never occurs
 */
export function computePrecisionRecallFScore(
  { expected, output }: { readonly expected: readonly ClassLabel[]; readonly output: readonly ClassLabel[] },
  options: PrecisionRecallOptions = {},
): PrecisionRecallF {
  const { beta, average, zeroDivision } = checkOptions(options);
  checkLists(expected, output);
  const labels = [...new Set([...expected, ...output])];
  const positive = findPositiveLabel(labels, options);
  const counts = countLabels(labels, expected, output);
  const divide = (above: number, below: number) => (below === 0 ? zeroDivision : above / below);
  const measure = ({ hits, predicted, expected: wanted }: Counts) => {
    const [precision, recall] = [divide(hits, predicted), divide(hits, wanted)];
    const both = beta * beta * precision + recall;
    return { precision, recall, f: both === 0 ? 0 : ((1 + beta * beta) * precision * recall) / both };
  };
  const all = { labels, positiveLabel: positive };
  if (positive !== undefined) return { ...measure(counts.get(positive) as Counts), ...all };
  if (average === 'micro') return { ...measure(sumUp([...counts.values()])), ...all };
  const weightOf = (each: Counts) => (average === 'macro' ? 1 / labels.length : each.expected / expected.length);
  const sums = { precision: 0, recall: 0, f: 0 };
  for (const each of counts.values()) {
    const [weight, one] = [weightOf(each), measure(each)];
    sums.precision += weight * one.precision;
    sums.recall += weight * one.recall;
    sums.f += weight * one.f;
  }
  return { ...sums, ...all };
}

/** The part of a score's name after `precision`, `recall` or `f1`: none for one label and for `macro`. */
export const averageSuffix = ({ average = 'macro', positiveLabel }: PrecisionRecallOptions): string =>
  positiveLabel !== undefined || average === 'macro' ? '' : `_${average}`;

/** `f1`, or `f0_5` for a beta of 0.5. */
export const fScoreName = (beta: number): string => `f${String(beta).replace('.', '_')}`;

/** Fills in the defaults. @throws {ArgumentError} */
export function checkOptions(options: PrecisionRecallOptions) {
  const { beta = 1, average = 'macro', zeroDivision = 0, positiveLabel } = options;
  if (!(Number.isFinite(beta) && beta > 0))
    throw new ArgumentError(`Expected a positive number as beta, received ${beta}.`);
  if (!['macro', 'micro', 'weighted'].includes(average)) {
    throw new ArgumentError(`Expected macro, micro or weighted as average, received ${String(average)}.`);
  }
  if (!Number.isFinite(zeroDivision)) {
    throw new ArgumentError(`Expected a number as zeroDivision, received ${String(zeroDivision)}.`);
  }
  return { beta, average, zeroDivision, positiveLabel };
}

function checkLists(expected: unknown, output: unknown): void {
  for (const [name, list] of Object.entries({ expected, output })) {
    if (!Array.isArray(list))
      throw new InputError(`Expected a list of labels as '${name}', received ${describeType(list)}.`);
    if (list.length === 0)
      throw new InputError(`Expected a list of a length of at least 1 as '${name}', received an empty one.`);
  }
  const [wanted, received] = [(expected as unknown[]).length, (output as unknown[]).length];
  if (wanted !== received) {
    throw new InputError(
      `Expected lists of one length as 'output' and 'expected', received ${received} and ${wanted} labels.`,
    );
  }
}

function findPositiveLabel(
  labels: readonly ClassLabel[],
  { positiveLabel, average = 'macro' }: PrecisionRecallOptions,
): ClassLabel | undefined {
  if (positiveLabel !== undefined) {
    if (labels.includes(positiveLabel)) return positiveLabel;
    const known = labels.slice(0, 20).map(String).join(', ');
    throw new InputError(`Expected one of the labels ${known} as positive label, received ${String(positiveLabel)}.`);
  }
  const isBinary = labels.length === 2 && labels.includes(0) && labels.includes(1);
  return isBinary && average === 'macro' ? 1 : undefined;
}

function countLabels(
  labels: readonly ClassLabel[],
  expected: readonly ClassLabel[],
  output: readonly ClassLabel[],
): Map<ClassLabel, Counts> {
  const counts = new Map(labels.map((label) => [label, { hits: 0, predicted: 0, expected: 0 }]));
  for (const [index, wanted] of expected.entries()) {
    const received = output[index] as ClassLabel;
    const [ofWanted, ofReceived] = [counts.get(wanted), counts.get(received)];
    if (ofWanted) ofWanted.expected++;
    if (ofReceived) ofReceived.predicted++;
    if (ofWanted && wanted === received) ofWanted.hits++;
  }
  return counts;
}

const sumUp = (counts: readonly Counts[]): Counts => ({
  hits: counts.reduce((sum, each) => sum + each.hits, 0),
  predicted: counts.reduce((sum, each) => sum + each.predicted, 0),
  expected: counts.reduce((sum, each) => sum + each.expected, 0),
});
