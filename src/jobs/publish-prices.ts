import type { Log } from '../base/log.ts';
import type { PricedModel } from '../model/generative-model.ts';

export interface PublishPricesOptions {
  readonly readModels: () => Promise<readonly PricedModel[]>;
  /** Whether the span store has these prices. */
  readonly isInForce: (prices: string) => Promise<boolean>;
  /** Into the journal: spans after it have these prices. */
  readonly submit: (prices: string) => Promise<{ readonly position: number }>;
  readonly applied: (position: number) => Promise<void>;
  readonly log: Log;
  /** Default five seconds. */
  readonly intervalMs?: number;
}

export interface PricePublisher {
  /** Resolves when spans from now on have the prices that are stored now. */
  publish(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Brings the prices from where people edit them to where spans are priced. It looks every few seconds as well: another
 * server on the same database may have changed them, a journal may have been full, a span store may have begun anew.
 */
export function startPricePublisher(options: PublishPricesOptions): PricePublisher {
  const { readModels, isInForce, submit, applied, log } = options;
  /** Submitted, and not in the store yet. */
  let underWay: string | undefined;
  let last: Promise<void> = Promise.resolve();

  const publishNow = async () => {
    const prices = toText(await readModels());
    if (prices === underWay || (underWay === undefined && (await isInForce(prices)))) return;
    const { position } = await submit(prices);
    underWay = prices;
    const done = () => {
      if (underWay === prices) underWay = undefined;
    };
    applied(position).then(done, done);
  };
  const publish = () => {
    const turn = last.then(publishNow);
    last = turn.catch(() => undefined);
    return turn;
  };
  let isSaid = false;
  const timer = setInterval(
    () =>
      publish().then(
        () => {
          isSaid = false;
        },
        (error: Error) => {
          if (!isSaid) log.warn({ error: error.message }, 'Could not look for changed model prices; trying again');
          isSaid = true;
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

/** The same prices are always the same text. */
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
