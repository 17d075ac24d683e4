import { ArgumentError } from '../http/errors.ts';
import { bindRunner } from '../test-runner/bind-runner.ts';
import type { Runner } from '../test-runner/runner.ts';

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

/** jest gives its functions to each file as globals. */
export const { describe, test, it } = bindRunner(() => {
  const runner = globalThis as unknown as Partial<Runner>;
  if (!runner.describe || !runner.beforeAll)
    throw new ArgumentError('@spandrel/client/jest needs the globals of jest: run it by jest, with injectGlobals.');
  return runner as Runner;
});
