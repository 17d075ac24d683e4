import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { NewGenerativeModel } from '../../src/model/models/generative-model.ts';
import type { Db } from '../../src/metadata-store/database/database.ts';
import {
  advanceRecomputation,
  countOpenRecomputations,
  createRecomputation,
  findOpenRecomputation,
  findRecomputation,
} from '../../src/metadata-store/models/cost-recomputations.ts';
import {
  createModel,
  deleteModel,
  findModelsByRowIds,
  listModels,
  syncBuiltInModels,
  updateModel,
} from '../../src/metadata-store/models/models.ts';
import { readModelPrices } from '../../src/read-model-prices.ts';
import { cleanUpAfter, openTestPostgres, openTestStore } from './fixtures.ts';

const model = (name: string, fields: Partial<NewGenerativeModel> = {}): NewGenerativeModel => ({
  name,
  provider: '',
  namePattern: `^${name}$`,
  startTimeMs: null,
  prices: [
    { tokenType: 'input', isPrompt: true, perToken: 1e-6, above: { count: 'prompt', threshold: 10, perToken: 3e-6 } },
    { tokenType: 'output', isPrompt: false, perToken: 2e-6 },
  ],
  ...fields,
});

describe('priced models', () => {
  let db: Db;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const server = await openTestPostgres(cleanUp);
    db = (await openTestStore(cleanUp, { url: await server.newDatabase() })).db;
  });

  test('are stored unchanged, and replaced as a whole', async () => {
    const made = await createModel(db, model('made', { provider: 'p', startTimeMs: 1_700_000_000_000 }));
    assert.deepEqual((await findModelsByRowIds(db, [made.rowId])).get(made.rowId), made);
    assert.deepEqual({ ...model('made', { provider: 'p', startTimeMs: 1_700_000_000_000 }) }.prices, made.prices);

    const changes = model('other', { prices: model('x').prices.slice(1) });
    const updated = await updateModel(db, made.rowId, changes);
    const { rowId, isBuiltIn, createdAt, updatedAt: _, ...stored } = updated!;
    assert.deepEqual([rowId, isBuiltIn, createdAt], [made.rowId, false, made.createdAt]);
    assert.deepEqual(stored, changes);
  });

  test('stay readable by row id after their deletion, and release their name', async () => {
    const { rowId } = await createModel(db, model('gone'));

    assert.equal(await deleteModel(db, rowId), true);
    assert.equal(await deleteModel(db, rowId), false);
    assert.equal(await updateModel(db, rowId, model('gone')), undefined);
    assert.ok(!(await listModels(db)).some((found) => found.rowId === rowId));
    assert.equal((await findModelsByRowIds(db, [rowId])).get(rowId)?.name, 'gone');
    assert.notEqual((await createModel(db, model('gone'))).rowId, rowId);
  });

  test('are rejected if their name, or their pattern for a provider, is in use', async () => {
    await createModel(db, model('twice'));

    await assert.rejects(createModel(db, model('twice', { namePattern: 'x' })), { code: 'MODEL_NAME_TAKEN' });
    await assert.rejects(createModel(db, model('again', { namePattern: '^twice$' })), { code: 'MODEL_NAME_TAKEN' });
    await createModel(db, model('again', { namePattern: '^twice$', provider: 'p' }));
  });

  test('that are built-in are synced with the file, and keep their row ids', async () => {
    await syncBuiltInModels(db, [model('a'), model('b')]);
    const shipped = async () => (await listModels(db)).filter(({ isBuiltIn }) => isBuiltIn);
    const [a, b] = await shipped();
    await syncBuiltInModels(db, [model('a'), model('b')]);
    assert.deepEqual(await shipped(), [a, b], 'nothing is written when nothing changed');

    await syncBuiltInModels(db, [model('b', { provider: 'p' }), model('c')]);
    assert.deepEqual(
      (await shipped()).map(({ name, rowId, provider }) => [name, rowId === b?.rowId, provider]),
      [
        ['b', true, 'p'],
        ['c', false, ''],
      ],
    );
    await Promise.all([1, 2, 3].map(() => syncBuiltInModels(db, [model('a')])));
    assert.deepEqual(
      (await shipped()).map(({ name, rowId }) => [name, rowId]),
      [['a', a?.rowId]],
    );
    assert.equal(await deleteModel(db, a!.rowId), false);
    assert.equal(await updateModel(db, a!.rowId, model('a')), undefined);
  });

  test('that are built-in are stored without loss', async () => {
    const { models } = await readModelPrices();

    await syncBuiltInModels(db, models);

    const stored = new Map(
      (await listModels(db)).filter(({ isBuiltIn }) => isBuiltIn).map((found) => [found.name, found]),
    );
    for (const shipped of models) assert.deepEqual(stored.get(shipped.name)?.prices, shipped.prices);
  });

  test('are used by cost recomputations in order, which end after their last span', async () => {
    const first = await createRecomputation(db, null);
    const second = await createRecomputation(db, 7);

    assert.equal(await countOpenRecomputations(db), 2);
    assert.deepEqual(await findOpenRecomputation(db), first);
    await advanceRecomputation(db, first.rowId, 11, 20);
    assert.equal((await findOpenRecomputation(db))?.nextSpanRowId, 11);
    await advanceRecomputation(db, first.rowId, 21, 20);
    assert.deepEqual(await findOpenRecomputation(db), second);
    assert.ok((await findRecomputation(db, first.rowId))?.endedAt);
  });
});
