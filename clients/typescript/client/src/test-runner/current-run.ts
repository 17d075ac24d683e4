import type { AsyncLocalStorage } from 'node:async_hooks';
import { type ExperimentEvaluator, getExperimentEvaluators, toEvaluationResult } from '../experiments/evaluators.ts';
import type { EvaluationResult, EvaluatorKind } from '../experiments/experiment-types.ts';
import { toErrorText } from '../experiments/run-tasks.ts';
import { randomHex } from '../experiments/span-sender.ts';
import { ArgumentError } from '../http/errors.ts';

/** What someone or something says of a run. */
export interface LoggedAnnotation extends EvaluationResult {
  readonly name: string;
  /** Default `CODE`. */
  readonly annotatorKind?: EvaluatorKind | 'HUMAN';
}

/** An annotation with what is stored beside it. */
export interface RunAnnotation {
  readonly name: string;
  readonly annotatorKind: EvaluatorKind | 'HUMAN';
  readonly startTime: Date;
  readonly endTime: Date;
  readonly result: EvaluationResult | null;
  readonly error: string | null;
  readonly traceId: string;
}

/** One execution of a test. */
export interface TestRun {
  readonly testName: string;
  readonly repetition: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly input: unknown;
  readonly expected: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly startTime: Date;
  readonly annotations: RunAnnotation[];
  output: unknown;
  hasOutput: boolean;
  endTime: Date;
  error: string | null;
}

let storage: AsyncLocalStorage<TestRun> | undefined;

function runs(): AsyncLocalStorage<TestRun> {
  storage ??= new (globalThis.process.getBuiltinModule('node:async_hooks').AsyncLocalStorage)<TestRun>();
  return storage;
}

/** Runs a function of which `run` is the current run, also across `await`. */
export const withRun = <Result>(run: TestRun, call: () => Result): Result => runs().run(run, call);

function currentRun(what: string): TestRun {
  const run = runs().getStore();
  if (!run)
    throw new ArgumentError(
      `${what} belongs into a test of @spandrel/client/vitest or /jest, and was called outside of one.`,
    );
  return run;
}

/** The output of the current test. Without a call it is what the test function returns. */
export function logOutput(output: unknown): void {
  const run = currentRun('logOutput');
  run.output = output;
  run.hasOutput = true;
}

/** Adds an annotation to the current run. The last one of a name counts. */
export function logAnnotation({ name, annotatorKind = 'CODE', ...result }: LoggedAnnotation): void {
  const run = currentRun('logAnnotation');
  if (!name?.trim()) throw new ArgumentError('An annotation needs a name.');
  const now = new Date();
  const common = { name, annotatorKind, startTime: now, endTime: now, error: null, traceId: run.traceId };
  run.annotations.push({ ...common, result: toEvaluationResult(result) });
}

/**
 * Runs an evaluator over the current run, or over `input`, and adds its result. Returns the result.
 *
 * @throws what the evaluator throws, after it was recorded
 */
export async function evaluate(
  evaluator: ExperimentEvaluator | ((input: never) => unknown),
  input: Readonly<Record<string, unknown>> = {},
): Promise<EvaluationResult> {
  const run = currentRun('evaluate');
  const [named] = getExperimentEvaluators([evaluator as ExperimentEvaluator]);
  if (!named) throw new ArgumentError('evaluate needs an evaluator.');
  const { expected, metadata, output, traceId } = run;
  const record = { input: run.input, output, expected, reference: expected, metadata, traceId, ...input };
  const startTime = new Date();
  const common = { name: named.name, annotatorKind: named.kind, startTime, traceId: randomHex(16) };
  try {
    const result = toEvaluationResult(await named.evaluate(record as never));
    run.annotations.push({ ...common, endTime: new Date(), result, error: null });
    return result;
  } catch (error) {
    run.annotations.push({ ...common, endTime: new Date(), result: null, error: toErrorText(error) });
    throw error;
  }
}

/** A function that calls an evaluator with the given arguments, and adds its result to the current run. */
export function traceEvaluator<Arguments extends readonly unknown[], Result>(
  evaluator: (...args: Arguments) => Result | Promise<Result>,
  { name = evaluator.name, kind = 'CODE' }: { readonly name?: string; readonly kind?: EvaluatorKind } = {},
): (...args: Arguments) => Promise<Result> {
  return async (...args) => {
    const returned: Result[] = [];
    const call = async (): Promise<Result> => {
      const value = await evaluator(...args);
      returned.push(value);
      return value;
    };
    await evaluate({ name, kind, evaluate: call });
    // It has returned, because its errors are thrown again.
    return returned[0] as Result;
  };
}
