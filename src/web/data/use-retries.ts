import { useEffect, useRef } from 'react';
import { useOnRecovery } from './connection.ts';
import type { RequestFailure } from './request.ts';
import { endStale, isPassing, reportStale } from './stale-data.ts';

/** First and longest pause before data that could not be read again is asked for once more. */
const RETRY_MS_MIN = 3_000;
const RETRY_MS_MAX = 60_000;

/**
 * Asks again for what failed: once the server is there again, and from time to time where older data is shown, which the
 * page then says. Nothing asks by itself for what the server has refused: a person does, where there is nothing to show.
 */
export function useRetries(failure: RequestFailure | undefined, hasData: boolean, retry: () => void): void {
  const failed = useRef(failure);
  failed.current = failure;
  const latest = useRef(retry);
  latest.current = retry;
  const count = useRef(0);
  useOnRecovery(() => {
    if (failed.current) latest.current();
  });
  const isStale = failure !== undefined && hasData && failure.kind !== 'notFound' && !isPassing(failure);
  useEffect(() => {
    if (!failure) count.current = 0;
    if (!failure || !isStale) return;
    const token = {};
    reportStale(token, failure);
    const pauseMs = Math.min(RETRY_MS_MIN * 2 ** count.current++, RETRY_MS_MAX);
    const timer = setTimeout(() => latest.current(), pauseMs);
    return () => {
      clearTimeout(timer);
      endStale(token);
    };
  }, [failure, isStale]);
}
