import { RETRY_AFTER_MS_MAX } from '../../model/limits/jobs.ts';
import type { AttemptOptions, EvaluationOutcome, TaskOutcome } from '../../domain/experiments/jobs/job-work.ts';
import type { Call } from './calls-in-flight.ts';
import type { RateLimits } from './rate-limits.ts';

/** Signal of a call, and what it tells the limit of its key while it runs. */
export function attemptOptions(limits: RateLimits, call: Call): AttemptOptions {
  const { controller, start } = call;
  return {
    signal: controller.signal,
    onLimits(stated) {
      call.isLimitUsedUp = stated.some(({ remaining }) => remaining < 1);
      if (start.limitKey !== null) limits.of(start.limitKey, Date.now()).observe(start, stated);
    },
  };
}

/** Tells the limit of a call's key how the call ended. */
export function recordLimit(
  limits: RateLimits,
  call: Call,
  { retry, callCount }: TaskOutcome | EvaluationOutcome,
): void {
  const { limitKey, startedAt } = call.start;
  const isRejected = retry?.isRateLimit === true;
  if (limitKey === null || call.abortedBy || (!isRejected && callCount === 0)) return;
  const now = Date.now();
  const limit = limits.of(limitKey, now);
  // An absurd wait fails the item, and must not stop the other jobs of the key.
  const asked = retry?.afterMs;
  const afterMs = asked !== undefined && asked <= RETRY_AFTER_MS_MAX ? asked : undefined;
  if (!isRejected) limit.accept(now, startedAt);
  else if (call.isLimitUsedUp) limit.pause(now, afterMs);
  else limit.reject(now, startedAt, afterMs);
}
