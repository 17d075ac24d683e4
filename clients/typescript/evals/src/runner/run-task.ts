import { AnswerError, BudgetError, InputError, LabelError, toErrorText } from '../errors.ts';
import type { EvaluatorBase } from '../evaluators/evaluator-base.ts';
import { FunctionEvaluator } from '../evaluators/function-evaluator.ts';
import type { EvalRecord } from '../evaluators/input-mapping.ts';
import { isRateLimit, isRepeatable, repeatWaitMs, waitFor } from '../models/repeat.ts';
import { toScore } from '../scores/score.ts';
import type { ModelGate } from './calls/model-gate.ts';
import type { RunCaller, TaskCaller } from './calls/run-caller.ts';
import type { RowEvaluation } from './evaluated-row.ts';
import { ResultError } from './files/checkpoint.ts';

export interface TaskContext {
  readonly caller: RunCaller;
  /** Of functions, which may call anything. */
  readonly functionGate: ModelGate;
  readonly maxRetries: number;
  /** Of a function; calls of models have a limit of their own. */
  readonly timeoutMs: number;
  readonly repetition: number | undefined;
  readonly signal: AbortSignal;
}

/** Messages of attempts that are kept for a row. */
const EXCEPTION_COUNT_MAX = 20;

/** Evaluates a row and stores the result. It rejects only when `store` does: an error of the evaluator is a result. */
export async function runTask(
  context: TaskContext,
  evaluator: EvaluatorBase<never>,
  record: EvalRecord,
  store: (evaluation: RowEvaluation) => Promise<void> | undefined,
): Promise<RowEvaluation> {
  const exceptions: string[] = [];
  const caller = context.caller.forTask((error) => addException(exceptions, error));
  try {
    const evaluation = await attempt(context, evaluator, record, caller, exceptions);
    if (evaluation.status === 'DID NOT RUN') return evaluation;
    try {
      await store(evaluation);
      return evaluation;
    } catch (error) {
      if (!(error instanceof ResultError)) throw error;
      addException(exceptions, error);
      const failed: RowEvaluation = { ...evaluation, score: null, status: 'FAILED', exceptions, errorKind: 'other' };
      await store(failed);
      return failed;
    }
  } finally {
    caller.release();
  }
}

function addException(exceptions: string[], error: unknown): void {
  if (exceptions.length < EXCEPTION_COUNT_MAX) exceptions.push(toErrorText(error));
}

async function attempt(
  context: TaskContext,
  evaluator: EvaluatorBase<never>,
  record: EvalRecord,
  caller: TaskCaller,
  exceptions: string[],
): Promise<RowEvaluation> {
  const { functionGate, maxRetries, timeoutMs, repetition, signal } = context;
  const gate = evaluator instanceof FunctionEvaluator ? functionGate : undefined;
  const options = { caller, signal, ...(repetition !== undefined && { repetition }) };
  let startedAt = performance.now();
  const end = (status: RowEvaluation['status'], rest: Partial<RowEvaluation> = {}): RowEvaluation => ({
    score: null,
    status,
    exceptions,
    executionSeconds: (performance.now() - startedAt) / 1_000,
    ...rest,
  });
  for (let attempt = 1; ; attempt++) {
    try {
      signal.throwIfAborted();
      await gate?.enter();
      startedAt = attempt === 1 ? performance.now() : startedAt;
    } catch {
      return end('DID NOT RUN');
    }
    const calledAt = performance.now();
    try {
      const evaluating = evaluator.evaluate(record as never, options);
      const result = await (gate ? withLimits(evaluating, evaluator.name, timeoutMs, signal) : evaluating);
      gate?.succeed(performance.now() - calledAt, undefined, 0);
      gate?.leave();
      return end(exceptions.length > 0 ? 'COMPLETED WITH RETRIES' : 'COMPLETED', { score: toScore(evaluator, result) });
    } catch (error) {
      gate?.fail(error, calledAt);
      gate?.leave();
      if (signal.aborted) return end('DID NOT RUN');
      addException(exceptions, error);
      // Calls of models were repeated by the caller.
      if (!gate || attempt > maxRetries || !isRepeatable(error)) return end('FAILED', { errorKind: kindOf(error) });
      if (!isRateLimit(error)) await waitFor(repeatWaitMs(error, attempt), signal).catch(() => undefined);
    }
  }
}

/** A function may look at no signal and never end. Calls that are paid for end when the budget is used up, so functions do, too. */
async function withLimits<Result>(
  evaluating: Promise<Result>,
  name: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Result> {
  let abort = () => {};
  let timer: NodeJS.Timeout | undefined;
  const aborted = new Promise<never>((_, reject) => {
    const message = `${name} gave no result within ${timeoutMs / 1000} s.`;
    timer = setTimeout(() => reject(Object.assign(new Error(message), { name: 'TimeoutError' })), timeoutMs);
    abort = () => {
      if (!(signal.reason instanceof BudgetError)) reject(signal.reason);
    };
  });
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([evaluating, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function kindOf(error: unknown): NonNullable<RowEvaluation['errorKind']> {
  if (error instanceof LabelError) return 'label';
  if (error instanceof AnswerError) return 'answer';
  return error instanceof InputError ? 'input' : 'other';
}
