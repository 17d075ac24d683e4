import { type ConfusionMatrix, confusionMatrix, type LabelPair } from '../statistics/confusion.ts';
import { type Estimate, shareOf } from '../statistics/interval.ts';
import { type CohenKappa, cohenKappa, type Kappa, weightedKappa } from '../statistics/kappa.ts';
import { type LabelQuality, labelQuality } from '../statistics/label-quality.ts';
import type { JudgeErrors } from './judge-errors.ts';
import type { LabelledRow } from './labelled-rows.ts';

/** A labelled row with the answer of the judge, or its error. */
export interface JudgedRow {
  readonly labelled: LabelledRow;
  readonly label: string | undefined;
  readonly score: number | undefined;
  readonly explanation: string | undefined;
  readonly error: string | undefined;
}

/** A row on which both people and the judge have decided. */
export interface DecidedRow extends JudgedRow {
  readonly label: string;
  readonly labelled: LabelledRow & { readonly label: string };
}

export const isDecided = (row: JudgedRow): row is DecidedRow =>
  row.label !== undefined && row.labelled.label !== undefined;

/** Agreement of a judge with people on some rows. */
export interface Measures {
  readonly count: number;
  readonly positive: string;
  readonly matrix: ConfusionMatrix;
  /** By label, each against all others. */
  readonly labels: Readonly<Record<string, LabelQuality>>;
  /** Quality on the positive label. */
  readonly quality: LabelQuality;
  /** Counts with which `correctedRate` takes the judge's errors out. */
  readonly errors: JudgeErrors;
  readonly agreement: Estimate;
  readonly kappa: CohenKappa;
  /** Only for ordered labels. */
  readonly weightedKappa: Kappa | undefined;
}

/** @param order of the labels, from low to high, for a weighted kappa, whose interval is a bootstrap by a fixed seed */
export function measure(
  rows: readonly JudgedRow[],
  positive: string,
  labels: readonly string[],
  order: readonly string[] | undefined,
): Measures {
  const pairs = rows.filter(isDecided).map(({ labelled, label }): LabelPair => [labelled.label, label]);
  const matrix = confusionMatrix(pairs, labels);
  const agreed = pairs.filter(([human, judge]) => human === judge).length;
  const quality = labelQuality(pairs, positive);
  const { truePositives, falseNegatives, trueNegatives, falsePositives } = quality;
  return {
    count: pairs.length,
    positive,
    matrix,
    labels: Object.fromEntries(matrix.labels.map((label) => [label, labelQuality(pairs, label)])),
    quality,
    errors: { truePositives, falseNegatives, trueNegatives, falsePositives },
    agreement: shareOf(agreed, pairs.length),
    kappa: cohenKappa(pairs),
    weightedKappa: order ? weightedKappa(pairs, order) : undefined,
  };
}
