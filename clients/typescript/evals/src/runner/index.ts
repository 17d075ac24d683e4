export type { RowSource } from '../data/open-rows.ts';
export type { BatchOptions } from './batch/batch-queue.ts';
export type { CallRepeat } from './calls/call-repeats.ts';
export type { CallTotals } from './calls/run-caller.ts';
export type { EvaluatedRow, ExecutionDetails, RowStatus } from './evaluated-row.ts';
export { type EvaluateRunOptions, type EvaluationResults, type EvaluationRun, evaluate } from './evaluation-run.ts';
export type { CacheOptions } from './files/response-cache.ts';
export type { EvaluatorSummary, RunProgress, RunSummary, StopReason } from './run-summary.ts';
