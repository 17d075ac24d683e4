import type { Evaluation, EvaluatorOutcome } from '../../model/evaluators/evaluation.ts';
import type { OnlineItem } from '../../model/evaluators/online-evaluator.ts';
import {
  ONLINE_ATTEMPT_COUNT_MAX,
  ONLINE_EVALUATION_MS_MAX,
  ONLINE_RETRY_MS,
} from '../../model/limits/online-evaluators.ts';
import { type EvaluatorRunPorts, runEvaluator } from '../evaluators/run/run-evaluator.ts';
import type { Runnable } from '../evaluators/run/runnable.ts';
import type { OnlineTargetContext } from './find-targets.ts';

export type EvaluatedItem =
  /** The model was busy. */
  | { readonly dueAt: Date }
  | {
      /** Without those that failed. */
      readonly evaluations: readonly Evaluation[];
      readonly error: string | null;
      readonly usage: EvaluatorOutcome['usage'];
    };

/** Evaluates a target once. Throws only when it is stopped. */
export async function evaluateItem(
  ports: EvaluatorRunPorts,
  runnable: Runnable,
  { context }: OnlineTargetContext,
  { attemptCount }: OnlineItem,
  stop: AbortSignal,
): Promise<EvaluatedItem> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ONLINE_EVALUATION_MS_MAX)]);
  const options = { signal, credentials: {}, projectName: runnable.projectName };
  const { evaluations, retry, usage } = await runEvaluator(ports, runnable, context, options).catch((error) => {
    if (stop.aborted || !signal.aborted) throw error;
    return TIMED_OUT;
  });
  if (retry && attemptCount + 1 < ONLINE_ATTEMPT_COUNT_MAX) {
    return { dueAt: new Date(Date.now() + Math.max(retry.afterMs ?? 0, ONLINE_RETRY_MS * 2 ** attemptCount)) };
  }
  const failed = evaluations.find(({ error }) => error !== null);
  return {
    evaluations: evaluations.filter(({ error }) => error === null),
    error: failed?.error ?? (evaluations.length === 0 ? (retry?.reason ?? null) : null),
    usage,
  };
}

const TIMED_OUT: Pick<EvaluatorOutcome, 'evaluations' | 'retry' | 'usage'> = {
  evaluations: [],
  retry: { afterMs: undefined, reason: `The evaluation took longer than ${ONLINE_EVALUATION_MS_MAX / 1000} s` },
  usage: { callCount: 1, promptTokens: 0, completionTokens: 0 },
};
