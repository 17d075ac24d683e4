export * from './compare-experiments.ts';
export { type Interval, mean, meanInterval, normalQuantile, rateInterval, tQuantile } from './confidence.ts';
export {
  asEvaluator,
  asExperimentEvaluator,
  type EvaluatorInput,
  type EvaluatorsInput,
  type ExperimentEvaluator,
  fromLLMEvaluator,
  fromPhoenixLLMEvaluator,
  getExperimentEvaluators,
} from './evaluators.ts';
export type {
  EvaluationResult,
  EvaluatorKind,
  ExperimentEvaluationRun,
  ExperimentInfo,
  ExperimentRun,
  ExperimentTask,
  RanExperiment,
  StopReason,
  TaskContext,
} from './experiment-types.ts';
export {
  createExperiment,
  deleteExperiment,
  getExperiment,
  getExperimentInfo,
  getExperimentRuns,
  listExperimentRuns,
  listExperiments,
} from './experiments.ts';
export type { Logger } from './logger.ts';
export { listPendingResults, type PendingResults, sendPendingResults } from './pending-results.ts';
export { UnsentResultsError } from './post-results.ts';
export { type ResumedExperiment, resumeEvaluation, resumeExperiment } from './resume-experiment.ts';
export { evaluateExperiment, experimentUrl, type RunExperimentOptions, runExperiment } from './run-experiment.ts';
export type { WorkOptions } from './work-session.ts';
