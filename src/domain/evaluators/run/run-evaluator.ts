import { type ExactJson, type ExactJsonObject, newJsonObject } from '../../../base/exact-json.ts';
import { limitTime } from '../../../base/limit-time.ts';
import { authorOf } from '../../../model/access/caller.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { Evaluation, EvaluationContext, EvaluatorOutcome } from '../../../model/evaluators/evaluation.ts';
import {
  EVALUATION_ERROR_CHARS_MAX,
  EVALUATION_EXPLANATION_CHARS_MAX,
  EVALUATION_MS_MAX,
} from '../../../model/limits/evaluators.ts';
import type { RequestCredentials } from '../../../model/playground/chat-task.ts';
import type { CallOptions } from '../../../llm/contract/chat-model.ts';
import { ModelError } from '../../../llm/contract/model-error.ts';
import type { Ports } from '../../ports.ts';
import { runCodeEvaluator } from '../code/run-code-evaluator.ts';
import { annotationNames } from './annotation-names.ts';
import { EvaluationTrace } from './evaluation-trace.ts';
import { failedResult, type KindResult, type OutputResult } from './evaluator-result.ts';
import type { EvaluationRun } from './evaluator-step.ts';
import { type JudgePorts, runJudge } from './judge/run-judge.ts';
import { runBuiltInEvaluator } from './run-built-in-evaluator.ts';
import type { Runnable } from './runnable.ts';

export interface EvaluatorRunOptions {
  readonly signal: AbortSignal;
  readonly credentials: RequestCredentials;
  /** Called with the limits that a response of a vendor states. */
  readonly onLimits?: CallOptions['onLimits'];
  /** Project for the trace. Null: nothing is traced. */
  readonly projectName: string | null;
}

export type EvaluatorRunPorts = Pick<Ports, 'caller' | 'writes' | 'regexes' | 'sandbox'> & JudgePorts;

/**
 * Evaluates a target once. A failure is an evaluation with an error, for each output without a result, and no exception.
 *
 * @throws {ModelError} of kind `stopped` when the signal aborts. Nothing is stored then.
 */
export const runEvaluator = (
  ports: EvaluatorRunPorts,
  runnable: Runnable,
  { input, output, reference, metadata }: EvaluationContext,
  options: EvaluatorRunOptions,
): Promise<EvaluatorOutcome> =>
  evaluateValues(ports, runnable, Object.assign(newJsonObject(), { input, output, reference, metadata }), options);

/** Like `runEvaluator`, for any values into which the paths of the mapping lead. */
export async function evaluateValues(
  ports: EvaluatorRunPorts,
  runnable: Runnable,
  context: ExactJsonObject,
  { signal, credentials, onLimits, projectName }: EvaluatorRunOptions,
): Promise<EvaluatorOutcome> {
  const trace = projectName === null ? undefined : new EvaluationTrace();
  const startTime = new Date();
  const root = trace?.start(`Evaluator: ${runnable.name}`, 'EVALUATOR', null, context);
  const usage = { callCount: 0, promptTokens: 0, completionTokens: 0 };
  const { results, metadata, retry } = await limitTime(EVALUATION_MS_MAX, signal, (limited) =>
    attempt(
      ports,
      runnable,
      {
        context,
        credentials,
        onLimits,
        signal: limited,
        owner: ownerOf(ports, runnable),
        trace,
        rootSpanId: root?.spanId ?? null,
        usage,
      },
      signal,
    ),
  );
  const endTime = new Date();
  root?.end({ output: results.map((result): ExactJson => ({ ...result })), error: findError(results) });
  const receipt = projectName === null || !trace ? null : await trace.store(ports, projectName);
  const names = annotationNames(runnable.outputConfigs);
  const traceId = trace === undefined || receipt === null ? null : trace.traceId;
  const evaluations = results.map(
    ({ label, score, explanation, error }, index): Evaluation => ({
      name: names[index] ?? runnable.name,
      annotatorKind: runnable.kind === 'LLM' ? 'LLM' : 'CODE',
      label,
      score,
      explanation: explanation?.slice(0, EVALUATION_EXPLANATION_CHARS_MAX) ?? null,
      error: error?.slice(0, EVALUATION_ERROR_CHARS_MAX) ?? null,
      metadata,
      startTime,
      endTime,
      traceId,
    }),
  );
  return { evaluations, retry, receipt, usage };
}

/** The user who asks for the evaluation, else the author of the code, else the use of the evaluator. */
function ownerOf({ caller }: Pick<Ports, 'caller'>, runnable: Runnable): string {
  const userRowId = authorOf(caller) ?? (runnable.kind === 'CODE' ? runnable.authorRowId : null);
  return userRowId === null ? `project ${runnable.projectName}` : `user ${userRowId}`;
}

const findError = (results: readonly OutputResult[]): string | undefined =>
  results.find(({ error }) => error !== null)?.error ?? undefined;

type Attempt = KindResult & Pick<EvaluatorOutcome, 'retry'>;

/** Expected failures become results. The caller's stop does not. */
async function attempt(
  ports: EvaluatorRunPorts,
  runnable: Runnable,
  run: EvaluationRun,
  stop: AbortSignal,
): Promise<Attempt> {
  const fail = (message: string, retry: EvaluatorOutcome['retry']): Attempt => ({
    results: runnable.outputConfigs.map(() => failedResult(message)),
    metadata: newJsonObject(),
    retry,
  });
  try {
    return { ...(await runKind(ports, runnable, run)), retry: null };
  } catch (error) {
    if (stop.aborted) throw new ModelError('stopped', 'The evaluation was stopped', { cause: error });
    if (run.signal.aborted) {
      const message = `The evaluation timed out after ${EVALUATION_MS_MAX / 1_000} seconds`;
      return fail(message, { afterMs: undefined, reason: 'timeout' });
    }
    if (error instanceof ModelError) {
      return fail(error.message, error.isTransient ? { afterMs: error.retryAfterMs, reason: error.kind } : null);
    }
    if (error instanceof SpandrelError) return fail(error.message, null);
    throw error;
  }
}

function runKind(ports: EvaluatorRunPorts, runnable: Runnable, run: EvaluationRun): Promise<KindResult> {
  switch (runnable.kind) {
    case 'BUILTIN':
      return runBuiltInEvaluator(ports, run, runnable);
    case 'CODE':
      return runCodeEvaluator(ports, run, runnable);
    case 'LLM':
      return runJudge(ports, run, runnable);
  }
}
