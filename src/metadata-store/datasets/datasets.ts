import { type SelectQueryBuilder, sql } from 'kysely';
import type { Dataset, DatasetChanges, DatasetVersion, RowIdOrName } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { DATASET_STATEMENT_MS_MAX, DATASET_WORK_MEMORY_MIB } from '../../model/limits/datasets.ts';
import type { Page } from '../../model/page.ts';
import type { Database, Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { type DeletedBindings, deleteEvaluatorsOfDataset } from '../evaluators/delete-evaluators.ts';

// Tables: datasets, dataset_versions.

/** Highest row id first. */
export async function listDatasets(
  db: Db,
  query: { readonly limit: number; readonly fromRowId?: number | undefined; readonly name?: string | undefined },
): Promise<Page<Dataset>> {
  let select = selectDatasets(db)
    .orderBy('datasets.id', 'desc')
    .limit(query.limit + 1);
  if (query.fromRowId !== undefined) select = select.where('datasets.id', '<=', query.fromRowId);
  if (query.name !== undefined) select = select.where('datasets.name', '=', toPostgresText(query.name));
  return toPage((await select.execute()).map(toDataset), query.limit);
}

export async function findDataset(db: Db, ref: RowIdOrName): Promise<Dataset | undefined> {
  const select = selectDatasets(db);
  const row = await ('rowId' in ref
    ? select.where('datasets.id', '=', ref.rowId)
    : select.where('datasets.name', '=', toPostgresText(ref.name))
  ).executeTakeFirst();
  return row && toDataset(row);
}

/** False when there is no such dataset. @throws {SpandrelError} `DATASET_NAME_TAKEN` */
export async function updateDataset(db: Db, rowId: number, changes: DatasetChanges): Promise<boolean> {
  const { name, description, metadata } = changes;
  return rejectTakenName(name ?? '', async () => {
    const { numUpdatedRows } = await db
      .updateTable('datasets')
      .set({
        ...(name !== undefined && { name: toPostgresText(name) }),
        ...(description !== undefined && { description: description === null ? null : toPostgresText(description) }),
        ...(metadata !== undefined && { metadata }),
        updated_at: sql`now()`,
      })
      .where('id', '=', rowId)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/**
 * Deletes a dataset with its versions, examples, experiments and evaluators. Undefined when it does not exist. Row ids
 * are never reused.
 *
 * @returns The projects of the traces of its evaluators.
 */
export function deleteDataset(db: Db, rowId: number): Promise<DeletedBindings | undefined> {
  return inTransaction(db, async (tx) => {
    await allowLongStatements(tx);
    const dataset = await tx.selectFrom('datasets').select('id').where('id', '=', rowId).forUpdate().executeTakeFirst();
    if (!dataset) return undefined;
    const deleted = await deleteEvaluatorsOfDataset(tx, rowId);
    await tx.deleteFrom('datasets').where('id', '=', rowId).execute();
    return deleted;
  });
}

/** Highest row id first; empty for an unknown dataset. */
export async function listDatasetVersions(
  db: Db,
  query: { readonly datasetRowId: number; readonly limit: number; readonly fromRowId?: number | undefined },
): Promise<Page<DatasetVersion>> {
  let select = selectVersions(db)
    .where('dataset_id', '=', query.datasetRowId)
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.fromRowId !== undefined) {
    // A version of another dataset is not a position in this list.
    const own = await findDatasetVersion(db, query.datasetRowId, query.fromRowId);
    if (!own) return { items: [] };
    select = select.where('id', '<=', query.fromRowId);
  }
  return toPage((await select.execute()).map(toVersion), query.limit);
}

/** This version of the dataset, or its latest. Undefined without versions, or for a version of another dataset. */
export async function findDatasetVersion(
  db: Db,
  datasetRowId: number,
  versionRowId?: number,
): Promise<DatasetVersion | undefined> {
  let select = selectVersions(db).where('dataset_id', '=', datasetRowId).orderBy('id', 'desc').limit(1);
  if (versionRowId !== undefined) select = select.where('id', '=', versionRowId);
  const row = await select.executeTakeFirst();
  return row && toVersion(row);
}

/** Allows the statements of a transaction to process whole datasets, and to sort and join them in memory. */
export async function allowLongStatements(tx: Db): Promise<void> {
  await sql.raw(`set local statement_timeout = ${DATASET_STATEMENT_MS_MAX}`).execute(tx);
  await sql.raw(`set local work_mem = '${DATASET_WORK_MEMORY_MIB}MB'`).execute(tx);
}

export function toPage<Item extends { readonly rowId: number }>(rows: Item[], limit: number): Page<Item> {
  const next = rows[limit];
  return next ? { items: rows.slice(0, limit), nextRowId: next.rowId } : { items: rows };
}

export async function rejectTakenName<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw datasetNameTaken(name, error);
  }
}

export const datasetNameTaken = (name: string, cause?: unknown): SpandrelError =>
  new SpandrelError('DATASET_NAME_TAKEN', `A dataset named "${name}" already exists.`, { cause });

export const selectDatasets = (db: Db) =>
  db
    .selectFrom('datasets')
    .select(['datasets.id', 'name', 'description', 'created_at', 'updated_at', 'user_id'])
    .select(sql<string>`metadata::text`.as('json'))
    .select(
      sql<number>`coalesce((
        select v.example_count from dataset_versions v where v.dataset_id = datasets.id order by v.id desc limit 1
      ), 0)`.as('example_count'),
    );

export const selectVersions = (db: Db) =>
  db
    .selectFrom('dataset_versions')
    .select(['id', 'dataset_id', 'description', 'created_at', 'example_count', 'user_id'])
    .select(sql<string>`metadata::text`.as('json'));

type RowOf<Query> = Query extends SelectQueryBuilder<Database, never, infer Row> ? Row : never;
type DatasetRow = RowOf<ReturnType<typeof selectDatasets>>;
type VersionRow = RowOf<ReturnType<typeof selectVersions>>;

export const toDataset = (row: DatasetRow): Dataset => ({
  rowId: row.id,
  name: row.name,
  description: row.description,
  metadata: row.json,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  exampleCount: row.example_count,
  userId: row.user_id,
});

export const toVersion = (row: VersionRow): DatasetVersion => ({
  rowId: row.id,
  datasetRowId: row.dataset_id,
  description: row.description,
  metadata: row.json,
  createdAt: row.created_at,
  exampleCount: row.example_count,
  userId: row.user_id,
});
