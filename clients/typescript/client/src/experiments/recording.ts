import { Outbox } from './outbox.ts';
import { ResultPoster } from './post-results.ts';
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
 * @throws {UnsentResultsError} when the server rejects one of these results, or is away for long
 */
export async function openRecording({ client, logger, signal }: WorkSession, experimentId: string): Promise<Recording> {
  const warn = (message: string) => logger.warn(message);
  const { outbox, pending } = await Outbox.open({ baseUrl: client.config.baseUrl, experimentId }, warn);
  const poster = new ResultPoster({ client, experimentId, outbox, warn, signal });
  try {
    // Evaluations name runs by their IDs, so both kinds can go in any order.
    await Promise.all(pending.map((record) => poster.post(record)));
  } catch (error) {
    await outbox.close();
    throw error;
  }
  if (pending.length > 0)
    logger.info(`Sent ${pending.length} results that an earlier process had left in ${outbox.path}.`);
  return { poster, sentCount: pending.length, close: () => outbox.close() };
}
