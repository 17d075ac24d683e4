import type { Log } from '../base/log.ts';
import { RECOMPUTE_ROW_COUNT } from '../model/limits/models.ts';
import type { CostRecomputation } from '../model/models/cost-recomputation.ts';

export interface RecomputeCostsOptions {
  /** Returns the oldest recomputation that is not finished. */
  readonly findOpen: () => Promise<CostRecomputation | undefined>;
  /** Records that the spans before `nextSpanRowId` are done, and the last span of the recomputation. */
  readonly advance: (rowId: number, nextSpanRowId: number, lastSpanRowId: number) => Promise<void>;
  /** Recomputes a range of spans through the journal. Resolves when the range is applied. */
  readonly recompute: (range: {
    readonly projectId: number | null;
    readonly firstRowId: number;
    readonly lastRowId: number;
  }) => Promise<void>;
  /** Largest row id of a stored span. */
  readonly newestSpanRowId: () => Promise<number>;
  readonly log: Log;
  readonly rowCount?: number;
  readonly retryMs?: number;
}

export interface RecomputeCosts {
  /** Call this when a recomputation may have been added. */
  notify(): void;
  /** Does not wait for the current range, which may be far back in the journal. The range is repeated after a start. */
  close(): void;
}

/**
 * Recomputes the costs of stored spans, one range of row ids at a time. The progress is recorded after each range. A
 * range without a record, after a crash, is repeated; the result is the same.
 */
export function startRecomputingCosts(options: RecomputeCostsOptions): RecomputeCosts {
  const { findOpen, advance, recompute, newestSpanRowId, log, rowCount = RECOMPUTE_ROW_COUNT } = options;
  let isClosed = false;
  let retryTimer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isRequested = false;

  const step = async (open: CostRecomputation) => {
    const lastRowId = open.nextSpanRowId + rowCount - 1;
    await recompute({ projectId: open.projectId, firstRowId: open.nextSpanRowId, lastRowId });
    // The row id is read now, so that the range includes every span that was stored before the request.
    const lastSpanRowId = open.lastSpanRowId ?? (await newestSpanRowId());
    await advance(open.rowId, lastRowId + 1, lastSpanRowId);
    if (lastRowId >= lastSpanRowId) log.info({ recomputation: open.rowId }, 'Recomputed the costs of stored spans');
  };
  const run = async () => {
    do {
      isRequested = false;
      for (let open = await findOpen(); open && !isClosed; open = await findOpen()) await step(open);
    } while (isRequested && !isClosed);
  };
  const notify = () => {
    isRequested = true;
    if (running || isClosed) return;
    clearTimeout(retryTimer);
    running = run()
      .catch((error: Error) => {
        if (isClosed) return;
        log.warn({ err: error }, 'The recomputation of costs was interrupted; it continues in a few seconds');
        retryTimer = setTimeout(notify, options.retryMs ?? 5_000).unref();
      })
      .finally(() => {
        running = undefined;
      });
  };
  notify();
  return {
    notify,
    close() {
      isClosed = true;
      clearTimeout(retryTimer);
    },
  };
}
