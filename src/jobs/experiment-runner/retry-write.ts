import { setTimeout as sleep } from 'node:timers/promises';
import { SpandrelError } from '../../model/errors.ts';

/**
 * Repeats a write while the database is overloaded or times out, because an outcome that has cost money must not be lost.
 * `retryMs` are the waits before the attempts after the first one.
 *
 * @throws what the last attempt, or an attempt that failed for another reason, has thrown
 */
export async function retryWrite<Result>(retryMs: readonly number[], write: () => Promise<Result>): Promise<Result> {
  for (const waitMs of retryMs) {
    try {
      return await write();
    } catch (error) {
      const isPassing = error instanceof SpandrelError && (error.kind === 'overloaded' || error.kind === 'timedOut');
      if (!isPassing) throw error;
      await sleep(waitMs, undefined, { ref: false });
    }
  }
  return write();
}
