import { type Selectable, sql } from 'kysely';
import { SpandrelError } from '../../model/errors.ts';
import type {
  CustomProvider,
  CustomProviderChanges,
  NewCustomProvider,
  ProviderSdk,
} from '../../model/models/custom-provider.ts';
import type { Page } from '../../model/page.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { CustomProviderTable } from './model-tables.ts';

// Table: generative_model_custom_providers.

/** Highest row id first. `beforeRowId` is the last row id of the previous page. */
export async function listCustomProviders(
  db: Db,
  { limit, beforeRowId = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly beforeRowId?: number },
): Promise<Page<CustomProvider>> {
  const rows = await db
    .selectFrom('generative_model_custom_providers')
    .selectAll()
    .where('id', '<', beforeRowId)
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const next = rows[limit];
  const items = rows.slice(0, limit).map(toProvider);
  return next ? { items, nextRowId: next.id } : { items };
}

/** A row id that no provider has is absent. */
export async function findCustomProviders(db: Db, rowIds: readonly number[]): Promise<Map<number, CustomProvider>> {
  const rows = await db
    .selectFrom('generative_model_custom_providers')
    .selectAll()
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, toProvider(row)]));
}

/** Sorted names of the models of each provider that prompt versions use. A provider without any is absent. */
export async function findModelNamesOfProviders(db: Db, rowIds: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('prompt_versions')
    .select(['custom_provider_id', sql<string[]>`array_agg(distinct model_name order by model_name)`.as('names')])
    .where('custom_provider_id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .groupBy('custom_provider_id')
    .execute();
  return new Map(rows.flatMap(({ custom_provider_id: rowId, names }) => (rowId === null ? [] : [[rowId, names]])));
}

/** @throws {SpandrelError} `PROVIDER_NAME_TAKEN` */
export async function createCustomProvider(db: Db, provider: NewCustomProvider): Promise<CustomProvider> {
  const row = await rejectTaken(provider.name, () =>
    db
      .insertInto('generative_model_custom_providers')
      .values({
        name: toPostgresText(provider.name),
        description: provider.description && toPostgresText(provider.description),
        provider: toPostgresText(provider.provider),
        sdk: provider.sdk,
        config: provider.sealedConfig,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  return toProvider(row);
}

/**
 * Undefined when there is no such provider, or its SDK is not one of `sdks`.
 *
 * @throws {SpandrelError} `PROVIDER_NAME_TAKEN`
 */
export async function updateCustomProvider(
  db: Db,
  rowId: number,
  changes: CustomProviderChanges,
  sdks: readonly ProviderSdk[],
): Promise<CustomProvider | undefined> {
  const row = await rejectTaken(changes.name, () =>
    db
      .updateTable('generative_model_custom_providers')
      .set({ ...toColumns(changes), updated_at: sql`now()` })
      .where('id', '=', rowId)
      .where('sdk', 'in', sdks)
      .returningAll()
      .executeTakeFirst(),
  );
  return row && toProvider(row);
}

/** Replaces an encrypted config by another encryption of it. False when the config has changed since it was read. */
export async function resealCustomProvider(
  db: Db,
  rowId: number,
  { from, to }: { readonly from: Buffer; readonly to: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('generative_model_custom_providers')
    .set({ config: to })
    .where('id', '=', rowId)
    .where('config', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Prompt versions that use it lose their provider. */
export async function deleteCustomProvider(db: Db, rowId: number): Promise<void> {
  await db.deleteFrom('generative_model_custom_providers').where('id', '=', rowId).execute();
}

/** Functions of custom providers, bound to a database. */
export const customProviderRepository = (db: Db) =>
  bindToDatabase(db, {
    list: listCustomProviders,
    findByRowIds: findCustomProviders,
    modelNamesOf: findModelNamesOfProviders,
    create: createCustomProvider,
    update: updateCustomProvider,
    reseal: resealCustomProvider,
    delete: deleteCustomProvider,
  });

const toColumns = ({ name, description, provider, sdk, sealedConfig }: CustomProviderChanges) => ({
  ...(name !== undefined && { name: toPostgresText(name) }),
  ...(description !== undefined && { description: description && toPostgresText(description) }),
  ...(provider !== undefined && { provider: toPostgresText(provider) }),
  ...(sdk !== undefined && { sdk }),
  ...(sealedConfig !== undefined && { config: sealedConfig }),
});

const toProvider = (row: Selectable<CustomProviderTable>): CustomProvider => ({
  rowId: row.id,
  name: row.name,
  description: row.description,
  provider: row.provider,
  sdk: row.sdk,
  sealedConfig: row.config,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

async function rejectTaken<Result>(name: string | undefined, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new SpandrelError('PROVIDER_NAME_TAKEN', `Provider with name '${name}' already exists`, { cause: error });
  }
}
