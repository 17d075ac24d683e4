import { useEffect, useEffectEvent, useRef } from 'react';
import { type Topic, useTopic } from './streams/event-stream.ts';

/**
 * Pause between two reads: a multiple of the last read's duration, so that large reads do not keep the server busy. A change
 * that arrives during a read of up to half a second is still visible within two seconds.
 */
const PAUSE_MS_MIN = 500;
const PAUSE_FACTOR = 2;

/**
 * Reads again after events of a topic, one read at a time. Events that arrive during a read cause one further read.
 *
 * @param read Resolves when the page has new data. A failed query retries automatically.
 */
export function useFollow(topic: Topic | undefined, read: () => Promise<unknown>): void {
  const onChange = useEffectEvent(read);
  const notify = useRef<() => void>(undefined);
  const key = topic && `${topic.kind} ${topic.id}`;
  useEffect(() => {
    if (key === undefined) return;
    let isLeft = false;
    let isChanged = false;
    let isBusy = false;
    const run = async () => {
      isBusy = true;
      while (isChanged && !isLeft) {
        isChanged = false;
        const startedAt = performance.now();
        await onChange();
        const pauseMs = Math.max(PAUSE_MS_MIN, PAUSE_FACTOR * (performance.now() - startedAt));
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
      isLeft = true;
    };
  }, [key]);
  useTopic(topic, () => notify.current?.());
}
