import type { Authored } from './access/author.ts';
import type { DatasetExample } from './dataset.ts';

/** Runs of a task over the examples that a dataset version had when the experiment was created. */
export interface Experiment extends Authored {
  readonly rowId: number;
  readonly datasetRowId: number;
  readonly datasetVersionRowId: number;
  readonly name: string;
  readonly description: string | null;
  readonly repetitions: number;
  /** JSON object text. */
  readonly metadata: string;
  /** The project that receives the traces of its runs. */
  readonly projectName: string;
  /**
   * Deleted automatically `EPHEMERAL_EXPERIMENT_MS` after its last change. Lists omit it unless requested to
   * include it.
   */
  readonly isEphemeral: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly exampleCount: number;
  readonly successfulRunCount: number;
  readonly failedRunCount: number;
}

/** Fields of a new experiment. */
export interface NewExperiment extends Authored {
  readonly datasetRowId: number;
  readonly datasetVersionRowId: number;
  readonly name: string;
  readonly description: string | null;
  readonly repetitions: number;
  /** JSON object text. */
  readonly metadata: string;
  readonly projectName: string;
  readonly projectDescription: string;
  /** Row ids of splits whose examples are used. Empty: all examples. */
  readonly splitRowIds: readonly number[];
}

/** The result of one repetition of the task on one example. Times are microseconds since the Unix epoch. */
export interface NewExperimentRun {
  readonly exampleRowId: number;
  /** Starts at 1. */
  readonly repetitionNumber: number;
  /** JSON value text. */
  readonly output: string;
  readonly startMicros: bigint;
  readonly endMicros: bigint;
  /** Trace ID of OpenTelemetry in hex. The trace may never arrive. */
  readonly traceId: string | null;
  /** Null: the run has succeeded. */
  readonly error: string | null;
  /** Whether its response is that of an earlier run over the dataset. Default: false. */
  readonly isCached?: boolean;
}

export interface ExperimentRun extends NewExperimentRun {
  readonly rowId: number;
  readonly experimentRowId: number;
  readonly isCached: boolean;
}

export const ANNOTATOR_KINDS = ['LLM', 'CODE', 'HUMAN'] as const;

/** The result of an evaluator for a run. */
export interface NewExperimentEvaluation {
  readonly name: string;
  readonly annotatorKind: (typeof ANNOTATOR_KINDS)[number];
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  readonly traceId: string | null;
  /** Error of the evaluator. Null: it has succeeded. */
  readonly error: string | null;
  /** JSON object text. */
  readonly metadata: string;
  readonly startMicros: bigint;
  readonly endMicros: bigint;
}

export interface ExperimentEvaluation extends NewExperimentEvaluation {
  readonly rowId: number;
}

/** An example of an experiment, with its repetitions that have not succeeded in ascending order. */
export interface IncompleteRuns {
  readonly rowId: number;
  readonly example: SnapshotExample;
  readonly repetitionNumbers: readonly number[];
}

/** A run that has succeeded, with its evaluations that have not, sorted. */
export interface IncompleteEvaluations {
  readonly rowId: number;
  readonly run: ExperimentRun;
  readonly example: SnapshotExample;
  readonly evaluationNames: readonly string[];
}

/** A run with the additional data of a download. */
export interface RunRecord {
  readonly run: ExperimentRun;
  readonly example: SnapshotExample;
  readonly evaluations: readonly ExperimentEvaluation[];
}

/** An example as the experiment has captured it. */
export type SnapshotExample = Pick<DatasetExample, 'rowId' | 'input' | 'output' | 'metadata' | 'updatedAt'>;

/** A name in a dataset for one of its experiments. */
export interface ExperimentTag {
  readonly rowId: number;
  readonly experimentRowId: number;
  readonly name: string;
  readonly description: string | null;
}

/** A run with the row id of the example's revision that the experiment has captured. */
export interface RunOfRevision extends ExperimentRun {
  readonly revisionRowId: number;
}

/** Summary of an experiment's runs and evaluations. Each example has the same weight in means, whatever its repetitions. */
export interface ExperimentSummary {
  readonly successfulRunCount: number;
  readonly failedRunCount: number;
  /** 0 to 1. Null without runs, like the latency. */
  readonly errorRate: number | null;
  readonly averageLatencyMs: number | null;
  /** Sorted by name. */
  readonly evaluations: readonly EvaluationSummary[];
}

/** Summary of the evaluations of one name. */
export interface EvaluationSummary {
  readonly name: string;
  readonly minScore: number | null;
  readonly maxScore: number | null;
  /** Each example has the same weight. */
  readonly meanScore: number | null;
  readonly count: number;
  readonly errorCount: number;
  readonly scoreCount: number;
  readonly labelCount: number;
  /** Labels, the most frequent first. */
  readonly labels: readonly { readonly label: string; readonly count: number }[];
  /** 10th, 50th and 90th percentile of the scores. Null without scores. */
  readonly percentiles: readonly number[] | null;
  /** Number of scores in bins of equal width from the least to the greatest score. Empty without scores. */
  readonly scoreBins: readonly number[];
}

/** A note of a person on an experiment, in Markdown. */
export interface ExperimentNote extends Authored {
  readonly rowId: number;
  readonly experimentRowId: number;
  readonly text: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Experiments of a dataset with the same value of a key of their metadata. Each has the same weight in means. */
export interface ExperimentGroup {
  /** Null for the experiments without the key. */
  readonly value: string | null;
  readonly experimentCount: number;
  readonly errorRate: number | null;
  readonly averageLatencyMs: number | null;
  readonly scores: readonly { readonly name: string; readonly meanScore: number }[];
}

/** Equal errors of the runs, or of the evaluations of one name, in an experiment. */
export interface ExperimentErrorGroup {
  readonly source: 'TASK' | 'EVALUATOR';
  /** Null for the task. */
  readonly evaluatorName: string | null;
  readonly message: string;
  readonly count: number;
  /** Trace ID of one of them. */
  readonly traceId: string | null;
}

/** Order of a list of experiments. Experiments without the value are last. */
export interface ExperimentSort {
  readonly by:
    | 'createdAt'
    | 'name'
    | 'repetitions'
    | 'runCount'
    | 'errorRate'
    | 'averageRunLatencyMs'
    /** Mean score of an evaluation. */
    | { readonly meanScore: string };
  readonly isDescending: boolean;
}

/** Editable fields of an experiment. An absent field keeps its value. */
export interface ExperimentChanges {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  /** A JSON object's text. */
  readonly metadata?: string | undefined;
}
