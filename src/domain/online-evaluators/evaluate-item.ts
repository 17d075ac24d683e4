import { limitTime } from '../../base/limit-time.ts';
import type { Evaluation, EvaluatorOutcome } from '../../model/evaluators/evaluation.ts';
import type { OnlineItem } from '../../model/evaluators/online-evaluator.ts';
import {
  ONLINE_ATTEMPT_COUNT_MAX,
  ONLINE_EVALUATION_MS_MAX,
  ONLINE_RETRY_MS,
} from '../../model/limits/online-evaluators.ts';
import { toRetry } from '../experiments/jobs/call-failure.ts';
import type { Retry } from '../experiments/jobs/job-work.ts';
import { type EvaluatorRunOptions, type EvaluatorRunPorts, runEvaluator } from '../evaluators/run/run-evaluator.ts';
import type { Runnable } from '../evaluators/run/runnable.ts';
import type { OnlineTargetContext } from './find-targets.ts';

export type EvaluatedItem = {
  readonly retry: Retry | null;
  readonly usage: EvaluatorOutcome['usage'];
} /** The model was busy. */ & (
  | { readonly dueAt: Date }
  | {
      /** Without those that failed. */
      readonly evaluations: readonly Evaluation[];
      readonly error: string | null;
    }
);

export interface EvaluateItemOptions {
  /** Stops the evaluation. */
  readonly stop: AbortSignal;
  readonly onLimits: EvaluatorRunOptions['onLimits'];
}

/** Evaluates a target once. Throws only when it is stopped. */
export async function evaluateItem(
  ports: EvaluatorRunPorts,
  runnable: Runnable,
  { context }: OnlineTargetContext,
  { attemptCount }: OnlineItem,
  { stop, onLimits }: EvaluateItemOptions,
): Promise<EvaluatedItem> {
  const outcome = await limitTime(ONLINE_EVALUATION_MS_MAX, stop, (signal) =>
    runEvaluator(ports, runnable, context, {
      ...{ signal, onLimits, credentials: {}, projectName: runnable.projectName },
    }).catch((error) => {
      if (stop.aborted || !signal.aborted) throw error;
      return TIMED_OUT;
    }),
  );
  const { evaluations, usage } = outcome;
  const retry = outcome.retry && toRetry(outcome.retry.reason, outcome.retry.afterMs);
  if (retry && attemptCount + 1 < ONLINE_ATTEMPT_COUNT_MAX) {
    const waitMs = Math.max(retry.afterMs ?? 0, ONLINE_RETRY_MS * 2 ** attemptCount);
    return { retry, usage, dueAt: new Date(Date.now() + waitMs) };
  }
  const failed = evaluations.find(({ error }) => error !== null);
  return {
    ...{ retry, usage },
    evaluations: evaluations.filter(({ error }) => error === null),
    error: failed?.error ?? (evaluations.length === 0 ? (outcome.retry?.reason ?? null) : null),
  };
}

const TIMED_OUT: Pick<EvaluatorOutcome, 'evaluations' | 'retry' | 'usage'> = {
  evaluations: [],
  retry: { afterMs: undefined, reason: `The evaluation took longer than ${ONLINE_EVALUATION_MS_MAX / 1000} s` },
  usage: { callCount: 1, promptTokens: 0, completionTokens: 0 },
};
