import { RUNNING_CALL_COUNT_MAX, WAITING_CALL_COUNT_MAX } from './limits.ts';
import { ToolError } from './tool.ts';

/** Bounds how many calls run at the same time, and how many wait. */
export interface CallQueue {
  /**
   * Runs work when there is room for it.
   *
   * @throws {ToolError} when too many calls wait
   */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

export function createCallQueue(): CallQueue {
  let running = 0;
  const waiting = new Set<() => void>();
  const leave = () => {
    running--;
    const [next] = waiting;
    if (next) waiting.delete(next);
    next?.();
  };
  return {
    async run(signal, work) {
      if (running >= RUNNING_CALL_COUNT_MAX) {
        if (waiting.size >= WAITING_CALL_COUNT_MAX) throw new ToolError('Too many calls at once; try again later.');
        await waitIn(waiting, signal);
      }
      signal.throwIfAborted();
      running++;
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

function waitIn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      signal.removeEventListener('abort', cancel);
      resolve();
    };
    const cancel = () => {
      waiting.delete(enter);
      reject(signal.reason);
    };
    waiting.add(enter);
    signal.addEventListener('abort', cancel, { once: true });
  });
}
