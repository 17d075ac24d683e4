import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { silentLog } from '../../src/base/log.ts';
import type { PricedModel } from '../../src/model/models/generative-model.ts';
import { toReceipt } from '../../src/ingest/journaled-ingest.ts';
import { startPricePublisher } from '../../src/jobs/publish-prices.ts';

const model = (rowId: number): PricedModel => ({
  rowId,
  name: `m${rowId}`,
  provider: '',
  namePattern: 'm',
  isBuiltIn: false,
  startTimeMs: null,
  prices: [],
});

function given() {
  let inForce = '[]';
  const submitted: string[] = [];
  const waiting: (() => void)[] = [];
  let models = [model(1)];
  const publisher = startPricePublisher({
    readModels: async () => models,
    isInForce: async (prices) => prices === inForce,
    async submit(prices) {
      submitted.push(prices);
      return { receipt: toReceipt(submitted.length) };
    },
    waitFor: (receipt) =>
      new Promise((resolve) => {
        waiting.push(() => {
          inForce = submitted[receipt - 1]!;
          resolve();
        });
      }),
    log: silentLog,
    intervalMs: 1_000_000,
  });
  return {
    publisher,
    submitted,
    change: (changed: PricedModel[]) => {
      models = changed;
    },
    applyAll: async () => {
      for (const apply of waiting.splice(0)) apply();
      await new Promise(setImmediate);
    },
  };
}

describe('prices', () => {
  test('are submitted if the store has different ones, and only once while a submission runs', async () => {
    const { publisher, submitted, applyAll } = given();

    await publisher.publish();
    await publisher.publish();
    assert.equal(submitted.length, 1);
    await applyAll();
    await publisher.publish();

    assert.equal(submitted.length, 1);
    await publisher.close();
  });

  test('that change during a submission are submitted afterwards', async () => {
    const { publisher, submitted, change, applyAll } = given();

    const first = publisher.publish();
    await first;
    change([model(2), model(1)]);
    await Promise.all([publisher.publish(), publisher.publish()]);
    await applyAll();
    await publisher.publish();

    assert.deepEqual(
      submitted.map((prices) => (JSON.parse(prices) as PricedModel[]).map(({ rowId }) => rowId)),
      [[1], [1, 2]],
    );
    await publisher.close();
  });
});
