import type { Log } from './base/log.ts';
import type { NewGenerativeModel } from './model/models/generative-model.ts';
import { digestOfPrices } from './span-store/contract/cost-change.ts';
import type { SpanStore } from './span-store/contract/span-store.ts';
import type { Db } from './metadata-store/database/database.ts';
import { recomputationRepository } from './metadata-store/models/cost-recomputations.ts';
import { modelRepository } from './metadata-store/models/models.ts';
import type { Ingest } from './ingest/ingest.ts';
import { startPricePublisher } from './jobs/publish-prices.ts';
import { startRecomputingCosts } from './jobs/recompute-costs.ts';

interface CostsOptions {
  readonly db: Db;
  readonly spanStore: SpanStore;
  readonly ingest: Ingest;
  readonly builtInModels: readonly NewGenerativeModel[];
  readonly log: Log;
}

/** Publishes the prices in Postgres to the span store, and recomputes costs when a user requests it. */
export async function openCosts({ db, spanStore, ingest, builtInModels, log }: CostsOptions) {
  const rows = modelRepository(db);
  await rows.syncBuiltIn(builtInModels);
  const prices = startPricePublisher({
    readModels: () => rows.list(),
    isInForce: async (text) => (await spanStore.priceDigest()) === digestOfPrices(text),
    submit: (models) => ingest.submitCostChange({ what: 'prices', models }),
    waitFor: (receipt) => ingest.waitFor(receipt),
    log,
  });
  // Before the first span arrives, if the disk has free space.
  await prices
    .publish()
    .catch((error: Error) =>
      log.warn({ error: error.message }, 'Could not publish model prices; new spans use the previous prices'),
    );

  const requests = recomputationRepository(db);
  const recomputing = startRecomputingCosts({
    findOpen: () => requests.findOpen(),
    advance: (...progress) => requests.advance(...progress),
    recompute: async (range) => {
      const { receipt } = await ingest.submitCostChange({ what: 'recompute', ...range });
      await ingest.waitFor(receipt);
    },
    newestSpanRowId: () => spanStore.newestSpanRowId(),
    log,
  });
  return {
    models: { ...rows, publish: () => prices.publish() },
    recomputations: {
      ...requests,
      async create(projectId: number | null) {
        const created = await requests.create(projectId);
        recomputing.notify();
        return created;
      },
    },
    async close() {
      await recomputing.close();
      await prices.close();
    },
  };
}
