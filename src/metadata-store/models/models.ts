import { isDeepStrictEqual } from 'node:util';
import { type Selectable, sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import { SpandrelError } from '../../model/errors.ts';
import type {
  GenerativeModel,
  NewGenerativeModel,
  PriceAbove,
  TokenPrice,
} from '../../model/models/generative-model.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { constraintOf, isTaken } from '../database/pool-errors.ts';
import type { GenerativeModelTable, PriceCustomization, TokenPriceTable } from './model-tables.ts';

// Tables: generative_models, token_prices. Spans contain row ids of models, so a deleted model is only marked.

/** Models that are not deleted, by row id. */
export async function listModels(db: Db): Promise<GenerativeModel[]> {
  const rows = await db
    .selectFrom('generative_models')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return withPrices(db, rows);
}

/** Includes deleted models. */
export async function findModelsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, GenerativeModel>> {
  const rows = await db
    .selectFrom('generative_models')
    .selectAll()
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map((await withPrices(db, rows)).map((model) => [model.rowId, model]));
}

/** @throws {SpandrelError} `MODEL_NAME_TAKEN` */
export function createModel(db: Db, model: NewGenerativeModel): Promise<GenerativeModel> {
  return rejectTaken(model, () =>
    db.transaction().execute(async (tx) => {
      const row = await tx
        .insertInto('generative_models')
        .values({ ...toColumns(model), is_built_in: false })
        .returningAll()
        .executeTakeFirstOrThrow();
      await insertPrices(tx, row.id, model.prices);
      return getModel(tx, row.id);
    }),
  );
}

/**
 * Replaces all fields of a model that a user created. Undefined when there is none.
 *
 * @throws {SpandrelError} `MODEL_NAME_TAKEN`
 */
export function updateModel(db: Db, rowId: number, model: NewGenerativeModel): Promise<GenerativeModel | undefined> {
  return rejectTaken(model, () =>
    db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('generative_models')
        .set({ ...toColumns(model), updated_at: sql`now()` })
        .where('id', '=', rowId)
        .where('is_built_in', '=', false)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return undefined;
      await tx.deleteFrom('token_prices').where('model_id', '=', rowId).execute();
      await insertPrices(tx, rowId, model.prices);
      return getModel(tx, rowId);
    }),
  );
}

/** Marks a model that a user created as deleted. Returns whether there was one. */
export async function deleteModel(db: Db, rowId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('generative_models')
    .set({ deleted_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', rowId)
    .where('is_built_in', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Any number of servers may start at once. */
const SYNC_LOCK = 7_203_114;

/** Synchronizes the built-in models with a list. A name keeps its row id, even if it was deleted in between. */
export function syncBuiltInModels(db: Db, models: readonly NewGenerativeModel[]): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${SYNC_LOCK})`.execute(tx);
    const rows = await tx.selectFrom('generative_models').selectAll().where('is_built_in', '=', true).execute();
    const stored = new Map((await withPrices(tx, rows)).map((model) => [model.name, model]));
    const deleted = new Set(rows.flatMap(({ name, deleted_at }) => (deleted_at ? name : [])));
    for (const model of models) {
      const known = stored.get(model.name);
      stored.delete(model.name);
      if (!known) await insertBuiltIn(tx, model);
      else if (deleted.has(model.name) || !isSame(known, model)) await replaceBuiltIn(tx, known.rowId, model);
    }
    const toDelete = [...stored.values()].filter(({ name }) => !deleted.has(name)).map(({ rowId }) => rowId);
    if (toDelete.length === 0) return;
    await tx
      .updateTable('generative_models')
      .set({ deleted_at: sql`now()`, updated_at: sql`now()` })
      .where('id', '=', sql<number>`any(${toDelete}::bigint[])`)
      .execute();
  });
}

async function insertBuiltIn(tx: Db, model: NewGenerativeModel): Promise<void> {
  const { id } = await tx
    .insertInto('generative_models')
    .values({ ...toColumns(model), is_built_in: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertPrices(tx, id, model.prices);
}

async function replaceBuiltIn(tx: Db, rowId: number, model: NewGenerativeModel): Promise<void> {
  await tx
    .updateTable('generative_models')
    .set({ ...toColumns(model), updated_at: sql`now()`, deleted_at: null })
    .where('id', '=', rowId)
    .execute();
  await tx.deleteFrom('token_prices').where('model_id', '=', rowId).execute();
  await insertPrices(tx, rowId, model.prices);
}

const isSame = (stored: GenerativeModel, model: NewGenerativeModel): boolean =>
  stored.provider === model.provider &&
  stored.namePattern === model.namePattern &&
  stored.startTimeMs === model.startTimeMs &&
  isDeepStrictEqual(stored.prices, model.prices);

const getModel = async (tx: Db, rowId: number): Promise<GenerativeModel> =>
  expectPresent((await findModelsByRowIds(tx, [rowId])).get(rowId), 'the transaction has written the model');

const toColumns = ({ name, provider, namePattern, startTimeMs }: NewGenerativeModel) => ({
  name,
  provider,
  name_pattern: namePattern,
  start_time: startTimeMs === null ? null : new Date(startTimeMs),
});

async function insertPrices(tx: Db, modelId: number, prices: readonly TokenPrice[]): Promise<void> {
  await tx
    .insertInto('token_prices')
    .values(
      prices.map(({ tokenType, isPrompt, perToken, above }) => ({
        model_id: modelId,
        token_type: tokenType,
        is_prompt: isPrompt,
        base_rate: perToken,
        customization: above ? JSON.stringify(toCustomization(above)) : null,
      })),
    )
    .execute();
}

async function withPrices(db: Db, rows: readonly Selectable<GenerativeModelTable>[]): Promise<GenerativeModel[]> {
  const found = await db
    .selectFrom('token_prices')
    .selectAll()
    .where('model_id', '=', sql<number>`any(${rows.map(({ id }) => id)}::bigint[])`)
    .orderBy('id')
    .execute();
  const prices = new Map<number, TokenPrice[]>(rows.map(({ id }) => [id, []]));
  for (const price of found) prices.get(price.model_id)?.push(toPrice(price));
  return rows.map((row) => ({
    rowId: row.id,
    name: row.name,
    provider: row.provider,
    namePattern: row.name_pattern,
    isBuiltIn: row.is_built_in,
    startTimeMs: row.start_time?.getTime() ?? null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    prices: prices.get(row.id) ?? [],
  }));
}

function toPrice(row: Selectable<TokenPriceTable>): TokenPrice {
  const price = { tokenType: row.token_type, isPrompt: row.is_prompt, perToken: row.base_rate };
  const above = row.customization ? toAbove(row.customization) : undefined;
  return above ? { ...price, above } : price;
}

const toCustomization = ({ count, threshold, perToken }: PriceAbove): PriceCustomization => ({
  type: 'threshold_based',
  key: count,
  threshold,
  new_rate: perToken,
});

function toAbove(customization: Partial<PriceCustomization>): PriceAbove | undefined {
  const { type, key, threshold, new_rate: perToken } = customization;
  if (type !== 'threshold_based' || typeof key !== 'string') return undefined;
  return typeof threshold === 'number' && typeof perToken === 'number'
    ? { count: key, threshold, perToken }
    : undefined;
}

async function rejectTaken<Result>(model: NewGenerativeModel, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isTaken(error)) throw error;
    const isPattern = constraintOf(error) === 'generative_models_pattern';
    throw new SpandrelError(
      'MODEL_NAME_TAKEN',
      isPattern
        ? `Model with name pattern '${model.namePattern}' and provider '${model.provider}' already exists`
        : `Model with name '${model.name}' already exists`,
      { cause: error },
    );
  }
}

/** Functions of models with prices, bound to a database. */
export const modelRepository = (db: Db) =>
  bindToDatabase(db, {
    list: listModels,
    findByRowIds: findModelsByRowIds,
    syncBuiltIn: syncBuiltInModels,
    create: createModel,
    update: updateModel,
    delete: deleteModel,
  });
