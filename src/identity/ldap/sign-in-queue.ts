/** Runs at most `runningCountMax` at a time. */
export interface BoundedQueue {
  /** @throws {QueueFullError} when too many wait; an aborted signal ends the waiting with its reason */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export class QueueFullError extends Error {}

export function openBoundedQueue(runningCountMax: number, waitingCountMax: number): BoundedQueue {
  let runningCount = 0;
  const waiting = new Set<() => void>();

  const waitForSlot = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = () => {
        waiting.delete(start);
        reject(signal.reason);
      };
      waiting.add(start);
      signal.addEventListener('abort', stop, { once: true });
    });
  return {
    async run(work, signal) {
      if (runningCount >= runningCountMax) {
        if (waiting.size >= waitingCountMax) throw new QueueFullError('Too many sign-ins wait for the directory');
        // The slot is handed over: the count stays.
        await waitForSlot(signal);
      } else runningCount++;
      try {
        return await work();
      } finally {
        const [next] = waiting;
        if (next) {
          waiting.delete(next);
          next();
        } else runningCount--;
      }
    },
  };
}
