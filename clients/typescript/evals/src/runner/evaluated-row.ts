import type { Score } from '../scores/score.ts';

export type RowStatus = 'COMPLETED' | 'COMPLETED WITH RETRIES' | 'FAILED' | 'DID NOT RUN';

/** How the evaluation of a row by one evaluator went. */
export interface ExecutionDetails {
  readonly status: RowStatus;
  /** Errors, also of attempts before the one that succeeded. */
  readonly exceptions: readonly string[];
  readonly executionSeconds: number;
  /** `label` for a label outside of the choices, `answer` for another answer that cannot be used, `input` for a row that does not fit. */
  readonly errorKind?: 'label' | 'answer' | 'input' | 'other';
}

/** What is stored of the evaluation of a row by one evaluator. */
export interface RowEvaluation extends ExecutionDetails {
  readonly score: Score | null;
}

/** A row with what its evaluators said. */
export interface EvaluatedRow<RecordType> {
  /** Place in the data, from 0. */
  readonly index: number;
  /** Undefined when the row could not be read. */
  readonly row: RecordType | undefined;
  /** Name of the evaluator → its score; null when it failed. */
  readonly scores: Readonly<Record<string, Score | null>>;
  readonly details: Readonly<Record<string, ExecutionDetails>>;
}
