import { FreeSpaceReserve } from './data-directory/free-space-reserve.ts';
import type { Ingest } from './ingest.ts';
import type { IngestOptions } from './ingest-options.ts';
import { Journal, type JournalOptions } from './journal/journal.ts';
import { readJournalRowIds } from './journal/journal-row-ids.ts';
import { listSegments } from './journal/journal-segments.ts';
import { JournaledIngest } from './journaled-ingest.ts';

/**
 * Opens the ingest pipeline. Records that the store lacks are applied in the background; new requests are accepted
 * immediately.
 */
export async function openIngest(options: IngestOptions): Promise<Ingest> {
  const appliedPosition = await options.writer.appliedPosition();
  // The journal is opened first. Its observers use objects that are created after it, and are called only later.
  let onCommit: JournalOptions['onCommit'];
  const { dir, log, onFatal } = options;
  const journal = await Journal.open({
    ...options.journal,
    dir,
    log,
    onFatal,
    startPosition: appliedPosition,
    onCommit: (commit) => onCommit?.(commit),
  });
  try {
    await options.beforeApplying?.({
      ...readJournalRowIds(dir, appliedPosition, journal.durablePosition),
      firstPosition: (await listSegments(dir))[0]?.firstPosition ?? journal.durablePosition,
      endPosition: journal.durablePosition,
    });
  } catch (error) {
    await journal.close();
    throw error;
  }
  const reserve = await FreeSpaceReserve.open({
    dir: options.storeDir ?? dir,
    durablePosition: () => journal.durablePosition,
    checkpointedPosition: () => options.writer.checkpointedPosition(),
    log,
  });
  const ingest = new JournaledIngest(options, journal, reserve, appliedPosition);
  onCommit = ingest.onCommit;
  // A plain object, so that a caller may spread it and replace one of its operations.
  return {
    findRejection: (bodyBytes) => ingest.findRejection(bodyBytes),
    submitOtlp: (request) => ingest.submitOtlp(request),
    submitSpans: (json, spanCount) => ingest.submitSpans(json, spanCount),
    submitAnnotations: (batch) => ingest.submitAnnotations(batch),
    submitDeletion: (deletion) => ingest.submitDeletion(deletion),
    submitTransfer: (transfer) => ingest.submitTransfer(transfer),
    submitCostChange: (change) => ingest.submitCostChange(change),
    waitFor: (receipt) => ingest.waitFor(receipt),
    isCaughtUp: () => ingest.isCaughtUp(),
    replay: () => ingest.replay(),
    recordRejection: (rejection) => ingest.recordRejection(rejection),
    latestErrors: () => ingest.latestErrors(),
    status: () => ingest.status(),
    close: () => ingest.close(),
  };
}
