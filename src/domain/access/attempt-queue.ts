import { SpandrelError } from '../../model/errors.ts';
import { SIGN_IN_QUEUE_LENGTH_MAX } from '../../model/limits.ts';

/**
 * Order of the attempts to sign in to one account. Each attempt counts as a failure until it has succeeded, so attempts at the
 * same time would lock out a script whose workers all sign in with the right password.
 */
export interface AttemptQueue {
  /**
   * Makes an attempt when the ones before it for the same account have ended.
   *
   * @throws {SpandrelError} `SIGN_IN_UNAVAILABLE` when too many are waiting
   */
  run<Result>(account: string, attempt: () => Promise<Result>): Promise<Result>;
}

export function createAttemptQueue(): AttemptQueue {
  /** Accounts with attempts that have not ended, and the last of them. */
  const lines = new Map<string, { last: Promise<unknown>; count: number }>();
  return {
    async run(account, attempt) {
      const line = lines.get(account) ?? { last: Promise.resolve(), count: 0 };
      if (line.count >= SIGN_IN_QUEUE_LENGTH_MAX) {
        throw new SpandrelError('SIGN_IN_UNAVAILABLE', 'Too many people sign in at once; try again');
      }
      lines.set(account, line);
      line.count++;
      const result = line.last.then(attempt);
      line.last = result.catch(() => {});
      try {
        return await result;
      } finally {
        if (--line.count === 0) lines.delete(account);
      }
    },
  };
}
