import type { ItemResult, Verdict } from '../../../model/evaluators/calibration.ts';
import { CONFUSION_LABEL_COUNT_MAX } from '../../../model/limits/evaluators.ts';
import { agreementOfLabels, agreementOfScores, type ScoreAgreement } from '../agreement/agreement-measures.ts';
import { type Interval, kappaInterval, shareInterval } from './kappa-interval.ts';

/** How well a judge agrees with people on some of the targets of a calibration. */
export interface CalibrationMeasures {
  readonly itemCount: number;
  /** Targets with a verdict of the judge, without those that failed. */
  readonly evaluatedCount: number;
  readonly errorCount: number;
  /** Null without a target that has both labels. */
  readonly labels: LabelMeasures | null;
  /** Null without a target that has both scores. */
  readonly scores: ScoreMeasures | null;
}

export interface LabelMeasures {
  /** Targets with both labels. */
  readonly count: number;
  readonly agreedCount: number;
  readonly share: number;
  readonly shareInterval: Interval;
  /** Cohen's kappa. Null when both gave only one label. */
  readonly kappa: number | null;
  readonly kappaInterval: Interval | null;
  /** Labels of the output in its order, then others by name. Rare other labels are left out of the matrix. */
  readonly labels: readonly LabelQuality[];
  /** Number of targets by label of people (row) and label of the judge (column), in the order of `labels`. */
  readonly matrix: readonly (readonly number[])[];
}

/** How well the judge finds one label of people. */
export interface LabelQuality {
  readonly label: string;
  readonly humanCount: number;
  readonly judgeCount: number;
  readonly agreedCount: number;
  /** Part of the judge's labels that people gave too. Null when the judge never gave the label. */
  readonly precision: number | null;
  /** Part of the people's labels that the judge gave too. Null when people never gave the label. */
  readonly recall: number | null;
  /** Harmonic mean of both. */
  readonly f1: number | null;
}

export interface ScoreMeasures extends ScoreAgreement {
  readonly meanAbsoluteDifference: number;
}

/** A target with the verdicts of people and of the judge. */
export interface MeasuredItem extends Pick<ItemResult, 'human'> {
  readonly evaluated: { readonly judge: Verdict; readonly hasError: boolean } | null;
}

/** @param labelOrder Labels of the judge's output. */
export function measureCalibration(items: readonly MeasuredItem[], labelOrder: readonly string[]): CalibrationMeasures {
  const evaluated = items.flatMap(({ human, evaluated }) =>
    evaluated && !evaluated.hasError ? { human, judge: evaluated.judge } : [],
  );
  const labels = evaluated.flatMap(({ human, judge }): [string, string][] =>
    human.label !== null && judge.label !== null ? [[human.label, judge.label]] : [],
  );
  const scores = evaluated.flatMap(({ human, judge }): [number, number][] =>
    human.score !== null && judge.score !== null ? [[human.score, judge.score]] : [],
  );
  return {
    itemCount: items.length,
    evaluatedCount: evaluated.length,
    errorCount: items.filter(({ evaluated }) => evaluated?.hasError).length,
    labels: measureLabels(labels, labelOrder),
    scores: measureScores(scores),
  };
}

function measureLabels(pairs: readonly [string, string][], labelOrder: readonly string[]): LabelMeasures | null {
  const agreement = agreementOfLabels(pairs);
  if (!agreement) return null;
  const cells = new Map<string, Map<string, number>>();
  const [human, judge] = [new Map<string, number>(), new Map<string, number>()];
  for (const [first, second] of pairs) {
    const row = cells.get(first) ?? new Map<string, number>();
    row.set(second, (row.get(second) ?? 0) + 1);
    cells.set(first, row);
    human.set(first, (human.get(first) ?? 0) + 1);
    judge.set(second, (judge.get(second) ?? 0) + 1);
  }
  const others = [...new Set([...human.keys(), ...judge.keys()])].filter((label) => !labelOrder.includes(label));
  const names = [...labelOrder, ...others.sort()].slice(0, CONFUSION_LABEL_COUNT_MAX);
  return {
    ...agreement,
    shareInterval: shareInterval(agreement.agreedCount, agreement.count),
    kappaInterval: kappaInterval(pairs) ?? null,
    labels: names.map((label) =>
      toQuality(label, human.get(label) ?? 0, judge.get(label) ?? 0, cells.get(label)?.get(label) ?? 0),
    ),
    matrix: names.map((row) => names.map((column) => cells.get(row)?.get(column) ?? 0)),
  };
}

function toQuality(label: string, humanCount: number, judgeCount: number, agreedCount: number): LabelQuality {
  const precision = judgeCount === 0 ? null : agreedCount / judgeCount;
  const recall = humanCount === 0 ? null : agreedCount / humanCount;
  const f1 = humanCount + judgeCount === 0 ? null : (2 * agreedCount) / (humanCount + judgeCount);
  return { label, humanCount, judgeCount, agreedCount, precision, recall, f1 };
}

function measureScores(pairs: readonly [number, number][]): ScoreMeasures | null {
  const agreement = agreementOfScores(pairs);
  if (!agreement) return null;
  const total = pairs.reduce((sum, [human, judge]) => sum + Math.abs(judge - human), 0);
  return { ...agreement, meanAbsoluteDifference: total / pairs.length };
}
