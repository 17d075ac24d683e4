import type { SpandrelClient } from '../client.ts';
import type { EvaluatorsInput } from '../experiments/evaluators.ts';
import { readVariable } from '../settings/environment.ts';
import type { AcceptanceCriterion } from './acceptance.ts';

/** A test as an example of a dataset. `expected`, `reference` and `output` are names of one field. */
export interface TestParams<Input = unknown, Expected = unknown> {
  /** Identifies the example over versions. Default: an example with an equal input. */
  readonly id?: string;
  readonly input: Input;
  readonly expected?: Expected;
  readonly reference?: Expected;
  readonly output?: Expected;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly splits?: string | readonly string[];
  /** Tags and metadata of the runs. */
  readonly config?: { readonly tags?: readonly string[]; readonly metadata?: Readonly<Record<string, unknown>> };
  readonly repetitions?: number;
  /** Runs the test and stores nothing of it. */
  readonly dryRun?: boolean;
}

/** What a test function gets. */
export interface TestRecord<Input = unknown, Expected = unknown> {
  readonly id: string | undefined;
  readonly input: Input;
  readonly expected: Expected;
  /** The same as `expected`. */
  readonly reference: Expected;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** From 1. */
  readonly repetition: number;
}

export interface SuiteConfig {
  /** Default: the name of the suite. */
  readonly datasetName?: string;
  readonly datasetDescription?: string;
  readonly experimentName?: string;
  readonly experimentDescription?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Run after each test without an error, over its record. */
  readonly evaluators?: EvaluatorsInput;
  readonly repetitions?: number;
  readonly dryRun?: boolean;
  /** Conditions on the whole suite. */
  readonly acceptance?: AcceptanceCriterion | readonly AcceptanceCriterion[];
  /** Default: a client for the environment. */
  readonly client?: SpandrelClient;
}

/** A setting of tests: our prefix, else that of the public client. */
export const readTestSetting = (name: string): string | undefined =>
  readVariable(`SPANDREL_TEST_${name}`) ?? readVariable(`PHOENIX_TEST_${name}`);

let isOff: boolean | undefined;

/** Whether results are stored at all. It is read once for a process, and stays off. */
export function isTrackingOff(): boolean {
  isOff ??= ['false', '0', 'no', 'off'].includes(readTestSetting('TRACKING')?.toLowerCase() ?? '');
  return isOff;
}

const REPETITIONS_MAX = 1_000;

/** The repetitions of a test. A number that is none counts as one. */
export function countRepetitions(params: TestParams, suite: SuiteConfig): number {
  const setting = readTestSetting('REPETITIONS');
  const wanted = params.repetitions ?? suite.repetitions ?? (setting === undefined ? 1 : Number(setting));
  return Number.isSafeInteger(wanted) && wanted >= 1 ? Math.min(wanted, REPETITIONS_MAX) : 1;
}
