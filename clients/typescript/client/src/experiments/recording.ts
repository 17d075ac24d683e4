import { Outbox } from './outbox.ts';
import { ResultPoster, UnsentResultsError } from './post-results.ts';
import type { WorkSession } from './work-session.ts';

/** Outbox and poster of an experiment. */
export interface Recording {
  readonly poster: ResultPoster;
  /** Results of an earlier process that were sent now. */
  readonly sentCount: number;
  /** Removes the outbox when the server has everything. */
  close(): Promise<void>;
}

/**
 * Opens the outbox of an experiment and sends what is in it.
 *
 * @throws {UnsentResultsError} when the server is away for long, or takes no results of this caller
 */
export async function openRecording({ client, logger, signal }: WorkSession, experimentId: string): Promise<Recording> {
  const warn = (message: string) => logger.warn(message);
  const { outbox, pending } = await Outbox.open({ baseUrl: client.config.baseUrl, experimentId }, warn);
  const poster = new ResultPoster({ client, experimentId, outbox, warn, signal });
  // Evaluations name runs by their IDs, so both kinds can go in any order.
  const outcomes = await Promise.allSettled(pending.map((record) => poster.post(record)));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  const [first] = failures;
  if (first !== undefined && !(first instanceof UnsentResultsError && first.isRejected)) {
    await outbox.close();
    throw first;
  }
  // Results that the server will never take must not keep the others from being completed.
  if (first !== undefined)
    logger.warn(`${failures.length} results of an earlier process stay unsent. ${first.message}`);
  const sentCount = pending.length - failures.length;
  if (sentCount > 0) logger.info(`Sent ${sentCount} results that an earlier process had left in ${outbox.path}.`);
  return { poster, sentCount, close: () => outbox.close() };
}
