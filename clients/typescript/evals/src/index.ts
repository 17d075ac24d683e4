export {
  AnswerError,
  ArgumentError,
  BudgetError,
  EvaluationError,
  InputError,
  LabelError,
  ModelError,
  TemplateError,
} from './errors.ts';
export type { ChoicesInput } from './evaluators/choices.ts';
export {
  type EvaluateOptions,
  EvaluatorBase,
  type EvaluatorDescription,
  type EvaluatorKind,
  type EvaluatorOptions,
  type OptimizationDirection,
} from './evaluators/evaluator-base.ts';
export {
  asEvaluatorFn,
  type CreateEvaluatorOptions,
  createEvaluator,
  type EvaluatorFn,
  FunctionEvaluator,
} from './evaluators/function-evaluator.ts';
export type { EvalRecord, FieldSource, InputMapping } from './evaluators/input-mapping.ts';
export type { Telemetry } from './evaluators/telemetry.ts';
export { selectJsonPath } from './json-path/json-path.ts';
export * from './llm.ts';
export * from './metrics/judges/index.ts';
export * from './models/index.ts';
export * from './runner/index.ts';
export { type EvaluationResult, type Score, type ScoreDirection, type ScoreKind, toScore } from './scores/score.ts';
export { toEvaluationResult } from './scores/to-evaluation-result.ts';
export * from './templates/index.ts';
