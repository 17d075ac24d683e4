import type { SnapshotExample } from '../../model/experiment.ts';
import type { EvaluationTarget } from '../../domain/experiments/jobs/job-work.ts';

/** A repetition of the task on an example. */
export interface TaskItem {
  readonly kind: 'task';
  readonly example: SnapshotExample;
  readonly repetitionNumber: number;
  /** Failed attempts so far. */
  readonly failureCount: number;
  /** Whether a failed attempt has sent pieces, which another attempt makes void. */
  readonly hasSentPieces: boolean;
}

/** An evaluator on a run. */
export interface EvaluationItem {
  readonly kind: 'evaluation';
  readonly evaluatorRowId: number;
  readonly target: EvaluationTarget;
  readonly failureCount: number;
}

export type WorkItem = TaskItem | EvaluationItem;

export const evaluationKey = (runRowId: number, evaluatorRowId: number): string => `${runRowId}:${evaluatorRowId}`;

export const keyOfItem = (item: WorkItem): string =>
  item.kind === 'task'
    ? `task ${item.example.rowId}:${item.repetitionNumber}`
    : `evaluation ${evaluationKey(item.target.run.rowId, item.evaluatorRowId)}`;
