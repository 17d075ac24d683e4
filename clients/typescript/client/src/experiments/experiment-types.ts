import type { DatasetExample } from '../datasets/datasets.ts';
import type { Experiment as ExperimentJson, ExperimentRun as RunJson } from '../generated/api.ts';

/** Global ID of an experiment. */
export type ExperimentId = string;

/** An experiment without its runs. */
export interface ExperimentInfo {
  readonly id: ExperimentId;
  readonly datasetId: string;
  readonly datasetVersionId: string;
  readonly name?: string;
  readonly description?: string | null;
  readonly repetitions: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly projectName: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly exampleCount: number;
  readonly successfulRunCount: number;
  readonly failedRunCount: number;
  readonly missingRunCount: number;
}

/** One execution of the task. `error` is null for a success. */
export interface ExperimentRun {
  readonly id: string;
  readonly traceId: string | null;
  readonly experimentId: ExperimentId;
  readonly datasetExampleId: string;
  readonly repetitionNumber: number;
  readonly startTime: Date;
  readonly endTime: Date;
  readonly output: unknown;
  readonly error: string | null;
}

/** Whether code or a model decides. */
export type EvaluatorKind = 'CODE' | 'LLM';

/** What an evaluator says of a run. */
export interface EvaluationResult {
  readonly score?: number | null;
  readonly label?: string | null;
  readonly explanation?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

/** A result of an evaluator. `error` is null when it has one. */
export interface ExperimentEvaluationRun {
  readonly id: string;
  readonly experimentRunId: string;
  readonly name: string;
  readonly annotatorKind: EvaluatorKind;
  readonly startTime: Date;
  readonly endTime: Date;
  readonly result: EvaluationResult | null;
  readonly error: string | null;
  readonly traceId: string | null;
}

/** Why a run of an experiment ended before all tasks were started. */
export type StopReason = 'cost' | 'duration' | 'interrupt' | 'error';

/** An experiment with its runs by ID, and what evaluators said. */
export interface RanExperiment extends ExperimentInfo {
  readonly runs: Readonly<Record<string, ExperimentRun>>;
  readonly evaluationRuns?: readonly ExperimentEvaluationRun[];
  /** Absent when all tasks were started. */
  readonly stopReason?: StopReason;
}

/** What a task can use besides its example. */
export interface TaskContext {
  /** Fires when the task takes too long. */
  readonly signal: AbortSignal;
  readonly repetitionNumber: number;
  /** OpenTelemetry IDs of the span of this task. */
  readonly traceId: string;
  readonly spanId: string;
  /** Adds what a call has cost, in the unit of `maxCost`. */
  addCost(cost: number): void;
}

/** Makes the output of an example. Examples are copies, so a task may change them. */
export type ExperimentTask = (example: DatasetExample, context: TaskContext) => unknown;

/** @internal */
export const toExperimentInfo = (experiment: ExperimentJson): ExperimentInfo => ({
  id: experiment.id,
  datasetId: experiment.dataset_id,
  datasetVersionId: experiment.dataset_version_id,
  name: experiment.name,
  description: experiment.description,
  repetitions: experiment.repetitions,
  metadata: experiment.metadata,
  projectName: experiment.project_name,
  createdAt: experiment.created_at,
  updatedAt: experiment.updated_at,
  exampleCount: experiment.example_count,
  successfulRunCount: experiment.successful_run_count,
  failedRunCount: experiment.failed_run_count,
  missingRunCount: experiment.missing_run_count,
});

/** @internal */
export const toExperimentRun = (run: RunJson): ExperimentRun => ({
  id: run.id,
  traceId: run.trace_id ?? null,
  experimentId: run.experiment_id,
  datasetExampleId: run.dataset_example_id,
  repetitionNumber: run.repetition_number,
  startTime: new Date(run.start_time),
  endTime: new Date(run.end_time),
  output: run.output,
  error: run.error ?? null,
});
