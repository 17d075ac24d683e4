import { RETRY_AFTER_MS_MAX } from '../../model/limits/jobs.ts';
import type { VendorLimit } from '../../model/models/vendor-limit.ts';
import type { RateLimits } from './rate-limits.ts';

export interface CallStart {
  /** Null for work that calls no model. */
  readonly limitKey: string | null;
  /** Number of the call in its rate limit. */
  readonly number: number;
  /** Time by `Date.now()`. */
  readonly startedAt: number;
}

/** A call that has started, under the limit of its key. */
export interface LimitedCall {
  readonly start: CallStart;
  /** The headers of the response state a limit of which nothing remains. */
  isLimitUsedUp: boolean;
}

/** How a call ended. */
export interface CallEnd {
  /** Null: another attempt would end in the same way. */
  readonly retry: { readonly isRateLimit: boolean; readonly afterMs: number | undefined } | null;
  /** Requests that reached the vendor. */
  readonly callCount: number;
}

/** Records the limits in a response's headers for a call's key. */
export const limitListener =
  (limits: RateLimits, call: LimitedCall) =>
  (stated: readonly VendorLimit[]): void => {
    call.isLimitUsedUp = stated.some(({ remaining }) => remaining < 1);
    const { limitKey } = call.start;
    if (limitKey !== null) limits.of(limitKey, Date.now()).observe(call.start, stated);
  };

/** Records the outcome of a call for its key's limit. */
export function recordLimit(limits: RateLimits, call: LimitedCall, { retry, callCount }: CallEnd): void {
  const { limitKey, startedAt } = call.start;
  const isRejected = retry?.isRateLimit === true;
  if (limitKey === null || (!isRejected && callCount === 0)) return;
  const now = Date.now();
  const limit = limits.of(limitKey, now);
  // An absurd wait fails the item, and must not stop the other work of the key.
  const requestedMs = retry?.afterMs;
  const afterMs = requestedMs !== undefined && requestedMs <= RETRY_AFTER_MS_MAX ? requestedMs : undefined;
  if (!isRejected) limit.accept(now, startedAt);
  else if (call.isLimitUsedUp) limit.pause(now, afterMs);
  else limit.reject(now, startedAt, afterMs);
}

/** Calls that may start now, and the milliseconds after which more may; 0 when all may. */
export interface Slots {
  readonly starts: readonly CallStart[];
  readonly waitMs: number;
}

/** Takes up to `count` calls of a key. Those that are not made are released. */
export function acquireSlots(limits: RateLimits, limitKey: string | null, count: number): Slots {
  const startedAt = Date.now();
  const starts: CallStart[] = [];
  const limit = limitKey === null ? undefined : limits.of(limitKey, startedAt);
  while (starts.length < count) {
    const waitMs = limit?.take(startedAt) ?? 0;
    if (waitMs > 0) return { starts, waitMs };
    starts.push({ limitKey, number: limit?.startCount ?? 0, startedAt });
  }
  return { starts, waitMs: 0 };
}

export function releaseSlots(limits: RateLimits, limitKey: string | null, count: number): void {
  if (limitKey !== null && count > 0) limits.of(limitKey, Date.now()).release(count);
}
