import type { Log } from '../base/log.ts';
import type { PricedModel } from '../model/models/generative-model.ts';
import type { Receipt } from '../model/receipt.ts';

export interface PublishPricesOptions {
  readonly readModels: () => Promise<readonly PricedModel[]>;
  /** Whether the span store has these prices. */
  readonly isInForce: (prices: string) => Promise<boolean>;
  /** Prices apply to the spans that are written after them. */
  readonly submit: (prices: string) => Promise<{ readonly receipt: Receipt }>;
  readonly waitFor: (receipt: Receipt) => Promise<void>;
  readonly log: Log;
  /** Default: 5 s. */
  readonly intervalMs?: number;
}

export interface PricePublisher {
  /** Resolves when new spans get the prices that are stored now. */
  publish(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Publishes changed model prices from the metadata store to the span store. It also checks every few seconds, because
 * another server on the same database may have changed them, the journal may have been full, or the span store may have
 * been rebuilt.
 */
export function startPricePublisher(options: PublishPricesOptions): PricePublisher {
  const { readModels, isInForce, submit, waitFor, log } = options;
  /** Prices that were submitted but are not applied yet. */
  let pendingDigest: string | undefined;
  let last: Promise<void> = Promise.resolve();

  const publishNow = async () => {
    const prices = toText(await readModels());
    if (prices === pendingDigest || (pendingDigest === undefined && (await isInForce(prices)))) return;
    const { receipt } = await submit(prices);
    pendingDigest = prices;
    const done = () => {
      if (pendingDigest === prices) pendingDigest = undefined;
    };
    waitFor(receipt).then(done, done);
  };
  const publish = () => {
    const turn = last.then(publishNow);
    last = turn.catch(() => undefined);
    return turn;
  };
  let hasWarned = false;
  const timer = setInterval(
    () =>
      publish().then(
        () => {
          hasWarned = false;
        },
        (error: Error) => {
          if (!hasWarned) log.warn({ err: error }, 'Could not check for changed model prices; the server retries');
          hasWarned = true;
        },
      ),
    options.intervalMs ?? 5_000,
  ).unref();
  return {
    publish,
    async close() {
      clearInterval(timer);
      await last;
    },
  };
}

/** Returns the same text for the same prices. */
const toText = (models: readonly PricedModel[]): string =>
  JSON.stringify(
    models
      .toSorted((a, b) => a.rowId - b.rowId)
      .map(({ rowId, name, provider, namePattern, isBuiltIn, startTimeMs, prices }) => ({
        rowId,
        name,
        provider,
        namePattern,
        isBuiltIn,
        startTimeMs,
        prices,
      })),
  );
