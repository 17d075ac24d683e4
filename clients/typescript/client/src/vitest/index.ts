import * as vitest from 'vitest';
import { bindRunner } from '../test-runner/bind-runner.ts';

export type { AcceptanceCriterion, AcceptanceResult } from '../test-runner/acceptance.ts';
export type { TestApi } from '../test-runner/bind-runner.ts';
export {
  evaluate,
  type LoggedAnnotation,
  logAnnotation,
  logOutput,
  traceEvaluator,
} from '../test-runner/current-run.ts';
export type { SuiteConfig, TestParams, TestRecord } from '../test-runner/test-params.ts';
export const { describe, test, it } = bindRunner(() => vitest);
