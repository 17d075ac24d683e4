import { createSerialQueue, type SerialQueue } from '../../../base/serial-queue.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { SIGN_IN_QUEUE_LENGTH_MAX } from '../../../model/limits/access.ts';

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

const onFull = () => new SpandrelError('SIGN_IN_UNAVAILABLE', 'Too many people sign in at once; try again');

export function createAttemptQueue(): AttemptQueue {
  /** Accounts with attempts that have not ended. */
  const queues = new Map<string, SerialQueue>();
  return {
    async run(account, attempt) {
      const queue = queues.get(account) ?? createSerialQueue(SIGN_IN_QUEUE_LENGTH_MAX, onFull);
      queues.set(account, queue);
      try {
        return await queue.run(attempt);
      } finally {
        if (queue.length === 0) queues.delete(account);
      }
    },
  };
}
