import { getExperimentEvaluators } from '../experiments/evaluators.ts';
import { toErrorText } from '../experiments/run-tasks.ts';
import { randomHex } from '../experiments/span-sender.ts';
import { evaluate, type TestRun, withRun } from './current-run.ts';
import type { Mark } from './runner.ts';
import { countRepetitions, type SuiteConfig, type TestParams, type TestRecord } from './test-params.ts';

export type TestBody<Input = unknown, Expected = unknown> = (record: TestRecord<Input, Expected>) => unknown;

/** A test of a suite, with what was found while its file was loaded. */
export interface SuiteTest {
  /** Unique in the suite. */
  readonly name: string;
  readonly params: TestParams;
  readonly expected: unknown;
  readonly mark: Mark;
  readonly isDryRun: boolean;
  readonly repetitions: number;
}

/** A suite: one dataset and one experiment. */
export interface Suite {
  readonly name: string;
  readonly config: SuiteConfig;
  readonly isSkipped: boolean;
  readonly tests: SuiteTest[];
  /** In the order in which they ended. */
  readonly runs: { readonly test: SuiteTest; readonly run: TestRun }[];
  /** Stores a run, while runs are stored. */
  onRun?: (test: SuiteTest, run: TestRun) => void;
}

/** Adds a test to a suite. */
export function addTest(suite: Suite, name: string, params: TestParams, mark: Mark): SuiteTest {
  const names = new Set(suite.tests.map((test) => test.name));
  let unique = name;
  for (let number = 2; names.has(unique); number++) unique = `${name} (${number})`;
  const test = {
    name: unique,
    params,
    expected: params.expected ?? params.reference ?? params.output,
    mark,
    isDryRun: params.dryRun ?? suite.config.dryRun ?? false,
    repetitions: countRepetitions(params, suite.config),
  };
  suite.tests.push(test);
  return test;
}

/** Runs a test once. Its error is recorded and thrown again, so that the runner sees it. */
export async function runTest(suite: Suite, test: SuiteTest, repetition: number, body: TestBody): Promise<void> {
  const { params, expected } = test;
  const metadata = {
    ...params.metadata,
    ...params.config?.metadata,
    ...(params.config?.tags && { tags: params.config.tags }),
  };
  const run: TestRun = {
    testName: test.name,
    repetition,
    ...{ traceId: randomHex(16), spanId: randomHex(8) },
    ...{ input: params.input, expected, metadata },
    ...{ startTime: new Date(), endTime: new Date(), annotations: [], output: null, hasOutput: false, error: null },
  };
  await withRun(run, async () => {
    try {
      const record = { id: params.id, input: params.input, expected, reference: expected, metadata, repetition };
      const returned = await body(record);
      if (!run.hasOutput && returned !== undefined) run.output = returned;
      run.endTime = new Date();
      await runEvaluators(suite);
    } catch (error) {
      run.error = toErrorText(error);
      throw error;
    } finally {
      if (run.error !== null) run.endTime = new Date();
      suite.runs.push({ test, run });
      suite.onRun?.(test, run);
    }
  });
}

/** An evaluator that fails is recorded; it does not fail the test. */
async function runEvaluators({ config }: Suite): Promise<void> {
  for (const evaluator of config.evaluators ? getExperimentEvaluators(config.evaluators) : [])
    await evaluate(evaluator).catch(() => undefined);
}
