import type { Authored } from '../access/author.ts';
import type { AnnotationTarget } from '../annotations/annotation.ts';
import type { InputMapping, OutputConfig } from './evaluator.ts';

/** State of a calibration. A stopped or failed one has a reason, and can be resumed. */
export const CALIBRATION_STATUSES = ['RUNNING', 'COMPLETED', 'STOPPED', 'ERROR'] as const;
export type CalibrationStatus = (typeof CALIBRATION_STATUSES)[number];

/** Targets with a context for evaluators. */
export const CALIBRATED_TARGETS = ['span', 'trace', 'session'] as const satisfies readonly AnnotationTarget[];
export type CalibratedTarget = (typeof CALIBRATED_TARGETS)[number];

/** Where people have labelled: targets of a project, or runs of a dataset's experiments. */
export type LabelSource =
  | { readonly type: 'project'; readonly projectRowId: number; readonly target: CalibratedTarget }
  | { readonly type: 'dataset'; readonly datasetRowId: number };

export interface NewCalibration extends Authored {
  readonly datasetEvaluatorRowId: number;
  /** Name of the evaluator when the calibration started. */
  readonly evaluatorName: string;
  /** Version of the judge's prompt. Null for other kinds, and after it was deleted. */
  readonly promptVersionRowId: number | null;
  readonly inputMapping: InputMapping;
  /** The output that is compared with the labels of people. */
  readonly outputConfig: OutputConfig;
  /** Name of the annotations of people. */
  readonly annotationName: string;
  readonly source: LabelSource;
  /** Part of the targets that is reported apart, from 0 to 1. */
  readonly heldOutShare: number;
  /** Evaluations at a time. */
  readonly concurrency: number;
}

/** A run of a judge over the targets that people have labelled under one name. */
export interface Calibration extends NewCalibration {
  readonly rowId: number;
  readonly status: CalibrationStatus;
  readonly reason: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** Row of a labelled target. */
export interface CalibrationTarget {
  readonly type: CalibratedTarget | 'run';
  readonly rowId: number;
}

/** A label or score, by people or by the judge. */
export interface Verdict {
  readonly label: string | null;
  readonly score: number | null;
}

/** A target that people have labelled. */
export interface NewCalibrationItem {
  readonly target: CalibrationTarget;
  readonly isHeldOut: boolean;
  /** The most frequent label of people, of equally frequent ones the newest, and their mean score. */
  readonly human: Verdict;
  /** Annotations of people. */
  readonly humanCount: number;
}

/** The result of the judge for a target. One with an error has neither label nor score. */
export interface EvaluatedItem {
  readonly judge: Verdict;
  readonly explanation: string | null;
  readonly error: string | null;
  /** Trace of the evaluation. Null when it was not traced. */
  readonly traceId: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Null when the price is unknown. */
  readonly costUsd: number | null;
  readonly latencyMs: number;
}

/** A target with the result of the judge, which is null until then. */
export interface CalibrationItem extends NewCalibrationItem {
  readonly rowId: number;
  readonly evaluated: EvaluatedItem | null;
}

/** An item without its texts, of which statistics need all. */
export interface ItemResult extends Omit<CalibrationItem, 'evaluated'> {
  readonly evaluated:
    | (Omit<EvaluatedItem, 'explanation' | 'error' | 'traceId'> & { readonly hasError: boolean })
    | null;
}

/** Selects items of a calibration. Absent fields select all. */
export interface ItemFilter {
  readonly isHeldOut?: boolean | undefined;
  /** Items on which judge and people disagree: by label if both gave one, else by score. */
  readonly isDisagreement?: boolean | undefined;
  readonly hasError?: boolean | undefined;
  readonly humanLabel?: string | undefined;
  readonly judgeLabel?: string | undefined;
}
