import { useEffect, useRef } from 'react';
import { useOnRecovery } from './connection.ts';
import type { FailureKind, RequestFailure } from './request.ts';
import { endStale, reportStale } from './stale-data.ts';

/** First and longest pause before a retry. */
const RETRY_MS_MIN = 2_000;
const RETRY_MS_MAX = 60_000;
/** Failures that end by themselves. After a rejection or a timeout, the user decides about a retry. */
const PASSING: ReadonlySet<FailureKind> = new Set(['unreachable', 'unavailable']);

/**
 * Retries a failed query: after an outage when the server is back, and at growing intervals when the failure may be
 * temporary or when outdated data is shown, which the page then reports.
 */
export function useRetries(failure: RequestFailure | undefined, hasData: boolean, retry: () => void): void {
  const latest = useRef({ failure, retry });
  latest.current = { failure, retry };
  const count = useRef(0);
  useOnRecovery(() => {
    if (latest.current.failure) latest.current.retry();
  });
  useEffect(() => {
    if (!failure) {
      count.current = 0;
      return;
    }
    if (
      failure.isOutage ||
      failure.kind === 'notFound' ||
      failure.kind === 'malformed' ||
      (!hasData && !PASSING.has(failure.kind))
    )
      return;
    const token = {};
    if (hasData) reportStale(token, failure);
    const pauseMs = Math.min(RETRY_MS_MIN * 2 ** count.current++, RETRY_MS_MAX);
    const timer = setTimeout(() => latest.current.retry(), pauseMs);
    return () => {
      clearTimeout(timer);
      endStale(token);
    };
  }, [failure, hasData]);
}
