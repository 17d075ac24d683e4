import { useEffect, useRef } from 'react';
import { type Topic, useTopic } from './event-stream.ts';
import { endStale, reportStale } from './stale-data.ts';
import { toFailure } from './use-query.ts';

/** Between two reads, and how many times the last one's duration: what is large and changes always is read less often. */
const PAUSE_MS_MIN = 500;
const PAUSE_FACTOR = 4;
/** After a read that failed. */
const RETRY_MS = 3_000;

/**
 * Reads again after events of a topic: one read at a time, and one more after it for all that came meanwhile.
 *
 * @param read Shows what it has read, unless the signal says that nobody wants it any more.
 */
export function useFollow(topic: Topic | undefined, read: (signal: AbortSignal) => Promise<void>): void {
  const latest = useRef(read);
  latest.current = read;
  const notify = useRef<() => void>(undefined);
  const key = topic && `${topic.kind} ${topic.id}`;
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    const token = {};
    let isChanged = false;
    let isBusy = false;
    const run = async () => {
      isBusy = true;
      while (isChanged && !signal.aborted) {
        isChanged = false;
        const startedAt = performance.now();
        let pauseMs = RETRY_MS;
        try {
          await latest.current(signal);
          endStale(token);
          pauseMs = Math.max(PAUSE_MS_MIN, PAUSE_FACTOR * (performance.now() - startedAt));
        } catch (error) {
          if (signal.aborted) break;
          const failure = toFailure(error);
          // Once the server is there again, the stream tells of the topic anew.
          if (!failure.isOutage) {
            reportStale(token, failure);
            isChanged = true;
          }
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      isBusy = false;
    };
    notify.current = () => {
      isChanged = true;
      if (!isBusy) void run();
    };
    return () => {
      notify.current = undefined;
      controller.abort();
      endStale(token);
    };
  }, [key]);
  useTopic(topic, () => notify.current?.());
}
