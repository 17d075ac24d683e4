import { ArgumentError } from '../http/errors.ts';
import { acceptSuite } from './acceptance.ts';
import { type Mark, marked, type Runner } from './runner.ts';
import { addTest, runTest, type Suite, type TestBody } from './suite.ts';
import { writeSuiteReport } from './suite-report.ts';
import { isTrackingOff, type SuiteConfig, type TestParams } from './test-params.ts';
import { lastByName, SuiteTracker } from './track-suite.ts';

type Describe = (name: string, run: () => void, config?: SuiteConfig) => void;
type Test = <Input, Expected>(
  name: string,
  params: TestParams<Input, Expected>,
  run: TestBody<Input, Expected>,
  timeoutMs?: number,
) => void;
type TestEach = <Input, Expected>(
  table: readonly TestParams<Input, Expected>[],
) => (name: string, run: TestBody<Input, Expected>, timeoutMs?: number) => void;

/** `describe`, `test` and `it` of a runner, whose tests are examples of a dataset. */
export interface TestApi {
  readonly describe: Describe & { readonly only: Describe; readonly skip: Describe };
  readonly test: Test & { readonly only: Test; readonly skip: Test; readonly each: TestEach };
  readonly it: TestApi['test'];
}

/** Time of the hooks that speak to the server. Their own limits are lower, so they never fail by it. */
const HOOK_MS_MAX = 60_000;

/** Binds the functions to a runner, which is asked for when a file calls them. */
export function bindRunner(getRunner: () => Runner): TestApi {
  let current: Suite | undefined;
  const describe =
    (mark: Mark): Describe =>
    (name, run, config = {}) => {
      const suite: Suite = { name, config, isSkipped: mark === 'skip', tests: [], runs: [] };
      const runner = getRunner();
      marked<(name: string, run: () => void) => void>(runner.describe, mark)(name, () => {
        const outer = current;
        current = suite;
        addHooks(runner, suite);
        try {
          run();
        } finally {
          current = outer;
        }
      });
    };
  const test =
    (mark: Mark): Test =>
    (name, params, body, timeoutMs) => {
      const suite = current;
      if (!suite) throw new ArgumentError(`The test "${name}" must be inside of describe of @spandrel/client.`);
      if (typeof params !== 'object' || params === null || !('input' in params))
        throw new ArgumentError(`The test "${name}" needs { input, expected } as its second argument.`);
      const added = addTest(suite, name, params, mark);
      const add = marked<(name: string, run: () => Promise<void>, timeoutMs?: number) => void>(getRunner().test, mark);
      for (let repetition = 1; repetition <= added.repetitions; repetition++) {
        const title = added.repetitions === 1 ? added.name : `${added.name} [${repetition}]`;
        add(title, () => runTest(suite, added, repetition, body as TestBody), timeoutMs);
      }
    };
  const each: TestEach = (table) => (name, body, timeoutMs) => {
    for (const params of table) test(undefined)(toTitle(name, params), params, body, timeoutMs);
  };
  const plain = Object.assign(test(undefined), { only: test('only'), skip: test('skip'), each });
  return {
    describe: Object.assign(describe(undefined), { only: describe('only'), skip: describe('skip') }),
    test: plain,
    it: plain,
  };
}

/** `%s` is the ID or input of the row. */
function toTitle(name: string, { id, input }: TestParams): string {
  const text = id ?? (typeof input === 'string' ? input : (JSON.stringify(input) ?? ''));
  return name.replace(/%[sjo]/, () => (text.length > 80 ? `${text.slice(0, 80)}…` : text));
}

function addHooks(runner: Runner, suite: Suite): void {
  const warn = (message: string) => console.warn(message);
  let tracker: SuiteTracker | undefined;
  runner.beforeAll(async () => {
    if (isTrackingOff()) return;
    tracker = await SuiteTracker.open(suite, warn);
    suite.onRun = (test, run) => tracker?.add(test, run);
  }, HOOK_MS_MAX);
  runner.afterAll(async () => {
    const stored = await tracker?.close();
    if (stored?.problem) warn(`Results of "${suite.name}" are not all stored: ${stored.problem}`);
    const runs = suite.runs.map(({ run }) => ({
      testName: run.testName,
      annotations: new Map(
        lastByName(run.annotations).flatMap(({ name, result }) => (result ? [[name, result] as const] : [])),
      ),
    }));
    const acceptance = acceptSuite(suite.config.acceptance, runs);
    writeSuiteReport(suite, acceptance, stored?.url, warn);
    const failed = acceptance.filter(({ isPassed }) => !isPassed);
    if (failed.length > 0 && !suite.isSkipped)
      throw new Error(`"${suite.name}" is not accepted: ${failed.map(({ explanation }) => explanation).join('; ')}.`);
  }, HOOK_MS_MAX);
}
