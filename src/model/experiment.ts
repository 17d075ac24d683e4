import type { DatasetExample } from './dataset.ts';

/** A run of a task over the examples that a dataset's version held when the experiment was made. */
export interface Experiment {
  readonly rowId: number;
  readonly datasetRowId: number;
  readonly datasetVersionRowId: number;
  readonly name: string;
  readonly description: string | null;
  readonly repetitions: number;
  /** A JSON object's text. */
  readonly metadata: string;
  /** The project that takes the traces of its runs. */
  readonly projectName: string;
  /** Goes by itself, `EPHEMERAL_EXPERIMENT_MS` after its last change; lists leave it out unless asked. */
  readonly isEphemeral: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly exampleCount: number;
  readonly successfulRunCount: number;
  readonly failedRunCount: number;
}

/** Fields of a new experiment. */
export interface NewExperiment {
  readonly datasetRowId: number;
  readonly datasetVersionRowId: number;
  readonly name: string;
  readonly description: string | null;
  readonly repetitions: number;
  /** A JSON object's text. */
  readonly metadata: string;
  readonly projectName: string;
  readonly projectDescription: string;
  /** Only examples in any of them; empty: all. */
  readonly splitRowIds: readonly number[];
}

/** The result of one repetition of the task on one example. Times are microseconds since the Unix epoch. */
export interface NewExperimentRun {
  readonly exampleRowId: number;
  /** From 1. */
  readonly repetitionNumber: number;
  /** A JSON value's text. */
  readonly output: string;
  readonly startMicros: bigint;
  readonly endMicros: bigint;
  /** Of OpenTelemetry, in hex; the trace may never come. */
  readonly traceId: string | null;
  /** Null: the run succeeded. */
  readonly error: string | null;
}

export interface ExperimentRun extends NewExperimentRun {
  readonly rowId: number;
  readonly experimentRowId: number;
}

export const ANNOTATOR_KINDS = ['LLM', 'CODE', 'HUMAN'] as const;

/** What an evaluator says of a run. */
export interface NewExperimentEvaluation {
  readonly name: string;
  readonly annotatorKind: (typeof ANNOTATOR_KINDS)[number];
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  readonly traceId: string | null;
  /** Of the evaluator; null: it succeeded. */
  readonly error: string | null;
  /** A JSON object's text. */
  readonly metadata: string;
  readonly startMicros: bigint;
  readonly endMicros: bigint;
}

export interface ExperimentEvaluation extends NewExperimentEvaluation {
  readonly rowId: number;
}

/** An example of an experiment with the repetitions that have not succeeded, ascending. */
export interface IncompleteRuns {
  readonly rowId: number;
  readonly example: SnapshotExample;
  readonly repetitionNumbers: readonly number[];
}

/** A run that succeeded, with the evaluations that have not, sorted. */
export interface IncompleteEvaluations {
  readonly rowId: number;
  readonly run: ExperimentRun;
  readonly example: SnapshotExample;
  readonly evaluationNames: readonly string[];
}

/** A run with what a download shows beside it. */
export interface RunRecord {
  readonly run: ExperimentRun;
  readonly example: SnapshotExample;
  readonly evaluations: readonly ExperimentEvaluation[];
}

/** An example as an experiment took it. */
export type SnapshotExample = Pick<DatasetExample, 'rowId' | 'input' | 'output' | 'metadata' | 'updatedAt'>;

/** A name of a dataset that points at one of its experiments. */
export interface ExperimentTag {
  readonly rowId: number;
  readonly experimentRowId: number;
  readonly name: string;
  readonly description: string | null;
}

/** A run with the row id of the revision that its experiment took of the example. */
export interface RunOfRevision extends ExperimentRun {
  readonly revisionRowId: number;
}

/** Over the runs of an experiment, each example weighing the same whatever its repetitions. */
export interface RunSummary {
  /** 0 to 1. */
  readonly errorRate: number;
  readonly averageLatencyMs: number;
}

/** Over the evaluations of one name. */
export interface EvaluationSummary {
  readonly name: string;
  readonly minScore: number | null;
  readonly maxScore: number | null;
  /** Each example weighs the same. */
  readonly meanScore: number | null;
  readonly count: number;
  readonly errorCount: number;
  readonly scoreCount: number;
  readonly labelCount: number;
  /** Most frequent first. */
  readonly labels: readonly { readonly label: string; readonly count: number }[];
}

/** Editable fields of an experiment. An absent field keeps its value. */
export interface ExperimentChanges {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  /** A JSON object's text. */
  readonly metadata?: string | undefined;
}
