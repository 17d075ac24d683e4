import { ArgumentError } from '../http/errors.ts';
import { bindRunner } from '../test-runner/bind-runner.ts';
import type { Runner } from '../test-runner/runner.ts';

export * from '../test-runner/test-api.ts';

/** jest gives its functions to each file as globals. */
export const { describe, test, it } = bindRunner(() => {
  const runner = globalThis as unknown as Partial<Runner>;
  if (!runner.describe || !runner.beforeAll)
    throw new ArgumentError('@spandrel/client/jest needs the globals of jest: run it by jest, with injectGlobals.');
  return runner as Runner;
});
