import { setMaxListeners } from 'node:events';

/**
 * Runs work with a signal that aborts when another one does, or after a time, with a `TimeoutError` as its reason. The signal is of
 * no use after the work. Replaces `AbortSignal.any([signal, AbortSignal.timeout(ms)])`, which loses the time on Node 20: nothing
 * but the combined signal refers to it, and weakly, so that it is collected as garbage and the work never ends.
 */
export async function limitTime<Result>(
  msMax: number,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limited = new AbortController();
  const stop = () => limited.abort(signal.reason);
  const timer = setTimeout(
    () => limited.abort(new DOMException(`It took longer than ${msMax} ms`, 'TimeoutError')),
    msMax,
  );
  // Many calls share the signal of a job.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await work(limited.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
