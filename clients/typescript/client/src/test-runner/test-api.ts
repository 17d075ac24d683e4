// What the entries of all runners export besides `describe`, `test` and `it`.
export type { AcceptanceCriterion, AcceptanceResult } from './acceptance.ts';
export type { TestApi } from './bind-runner.ts';
export { evaluate, type LoggedAnnotation, logAnnotation, logOutput, traceEvaluator } from './current-run.ts';
export type { SuiteConfig, TestParams, TestRecord } from './test-params.ts';
