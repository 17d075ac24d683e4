import type { Log } from '../base/log.ts';
import type { CostRecomputation } from '../model/cost-recomputation.ts';
import { RECOMPUTE_ROW_COUNT } from '../model/limits.ts';

export interface RecomputeCostsOptions {
  /** The oldest one that has not ended. */
  readonly findOpen: () => Promise<CostRecomputation | undefined>;
  /** Notes that the spans before `nextSpanRowId` are done, and up to which one they go. */
  readonly advance: (rowId: number, nextSpanRowId: number, lastSpanRowId: number) => Promise<void>;
  /** Into the journal, and into the store: resolves when it is applied. */
  readonly recompute: (range: {
    readonly projectId: number | null;
    readonly firstRowId: number;
    readonly lastRowId: number;
  }) => Promise<void>;
  /** Greatest row id of a span that is stored. */
  readonly newestSpanRowId: () => Promise<number>;
  readonly log: Log;
  readonly rowCount?: number;
  readonly retryMs?: number;
}

export interface RecomputeCosts {
  /** To be called when there may be something to do. */
  notify(): void;
  /** Does not wait for the range at hand, which may be behind much else in the journal: it is done again after a start. */
  close(): void;
}

/**
 * Prices stored spans anew, a range of row ids at a time. Where it stands is noted after each; one that a crash left
 * without its note is done again, which changes nothing.
 */
export function startRecomputingCosts(options: RecomputeCostsOptions): RecomputeCosts {
  const { findOpen, advance, recompute, newestSpanRowId, log, rowCount = RECOMPUTE_ROW_COUNT } = options;
  let isClosed = false;
  let retryTimer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAsked = false;

  const step = async (open: CostRecomputation) => {
    const lastRowId = open.nextSpanRowId + rowCount - 1;
    await recompute({ projectId: open.projectId, firstRowId: open.nextSpanRowId, lastRowId });
    // Asked only now: the store has every span that came before the wish.
    const lastSpanRowId = open.lastSpanRowId ?? (await newestSpanRowId());
    await advance(open.rowId, lastRowId + 1, lastSpanRowId);
    if (lastRowId >= lastSpanRowId) log.info({ recomputation: open.rowId }, 'Costs of stored spans were computed anew');
  };
  const run = async () => {
    do {
      isAsked = false;
      for (let open = await findOpen(); open && !isClosed; open = await findOpen()) await step(open);
    } while (isAsked && !isClosed);
  };
  const notify = () => {
    isAsked = true;
    if (running || isClosed) return;
    clearTimeout(retryTimer);
    running = run()
      .catch((error: Error) => {
        if (isClosed) return;
        log.warn({ error: error.message }, 'Computing costs anew was interrupted; it goes on in a while');
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
