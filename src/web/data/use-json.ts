import { useCallback, useEffect, useRef, useState } from 'react';
import { getJson } from './get-json.ts';
import type { RequestFailure } from './request.ts';
import { usePoll } from './use-poll.ts';
import { toFailure } from './use-query.ts';
import { useRetries } from './use-retries.ts';

export interface JsonResult<Data> {
  readonly data: Data | undefined;
  /** Reason why there is no data. */
  readonly failure: RequestFailure | undefined;
  readonly refetch: () => void;
}

/** Reads a path of the REST interface again and again while the page is visible. */
export function useJson<Data>(path: string, intervalMs: number): JsonResult<Data> {
  const [data, setData] = useState<Data>();
  const [failure, setFailure] = useState<RequestFailure>();
  const running = useRef<AbortController>(undefined);
  const refetch = useCallback(() => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    getJson<Data>(path, controller.signal).then(
      (answer) => {
        setData(answer);
        setFailure(undefined);
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setFailure(toFailure(error));
      },
    );
  }, [path]);
  useEffect(() => {
    refetch();
    return () => running.current?.abort();
  }, [refetch]);
  usePoll(refetch, intervalMs);
  useRetries(failure, data !== undefined, refetch);
  return { data, failure: data === undefined ? failure : undefined, refetch };
}
