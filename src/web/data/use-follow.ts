import { useEffect, useRef } from 'react';
import { type Topic, useTopic } from './event-stream.ts';
import { endStale, reportStale } from './stale-data.ts';
import { toFailure } from './use-query.ts';

/**
 * Pause between two reads: a multiple of the last read's duration, so that large reads do not keep the server busy. A change
 * that arrives during a read of up to half a second is still visible within two seconds.
 */
const PAUSE_MS_MIN = 500;
const PAUSE_FACTOR = 2;
/** Pause after a failed read. */
const RETRY_MS = 3_000;

/**
 * Reads again after events of a topic, one read at a time. Events that arrive during a read cause one further read.
 *
 * @param read Reads and shows data, unless the signal fires because the data is no longer needed.
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
          // After an outage, the stream sends the first event of the topic again.
          // A deleted object stays visible until the user leaves it, and is not read again.
          if (!failure.isOutage && failure.kind !== 'notFound') {
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
