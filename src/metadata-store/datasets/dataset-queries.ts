import { sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type { Dataset, DatasetVersion, NewDataset } from '../../model/dataset.ts';
import { DATASET_LIST_COUNT_MAX } from '../../model/limits/datasets.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { rejectTakenName, selectDatasets, selectVersions, toDataset, toVersion } from './datasets.ts';

// Tables: datasets, dataset_versions, datasets_dataset_labels.

export interface DatasetListQuery {
  /** Case is ignored. */
  readonly nameContains?: string | undefined;
  /** Selects the datasets that have at least one of these labels. */
  readonly labelRowIds?: readonly number[] | undefined;
  readonly sort?: { readonly column: 'name' | 'createdAt'; readonly isDescending: boolean } | undefined;
}

/** Row ids of datasets, lowest first unless sorted otherwise. */
export async function findDatasetIds(db: Db, { nameContains, labelRowIds, sort }: DatasetListQuery): Promise<number[]> {
  const direction = sort?.isDescending ? 'desc' : 'asc';
  let select = db.selectFrom('datasets').select('id').limit(DATASET_LIST_COUNT_MAX);
  if (sort) select = select.orderBy(sort.column === 'name' ? 'name' : 'created_at', direction);
  select = select.orderBy('id', direction);
  if (nameContains) {
    select = select.where(sql<boolean>`position(lower(${toPostgresText(nameContains)}) in lower(name)) > 0`);
  }
  if (labelRowIds) {
    const links = db
      .selectFrom('datasets_dataset_labels')
      .select('dataset_id')
      .where('dataset_label_id', '=', sql<number>`any(${labelRowIds}::bigint[])`);
    select = select.where('id', 'in', links);
  }
  return (await select.execute()).map(({ id }) => id);
}

export async function countDatasets(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('datasets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A row id that no dataset has is absent. */
export async function findDatasetsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, Dataset>> {
  const rows = await selectDatasets(db).where('datasets.id', '=', sql<number>`any(${rowIds}::bigint[])`).execute();
  return new Map(rows.map((row) => [row.id, toDataset(row)]));
}

/** A row id that no version has is absent. */
export async function findVersionsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, DatasetVersion>> {
  const rows = await selectVersions(db).where('id', '=', sql<number>`any(${rowIds}::bigint[])`).execute();
  return new Map(rows.map((row) => [row.id, toVersion(row)]));
}

/** Row ids of each dataset's versions, the newest first; a dataset without any is absent. */
export async function findVersionIdsOfDatasets(
  db: Db,
  datasetRowIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('dataset_versions')
    .select(['id', 'dataset_id'])
    .where('dataset_id', '=', sql<number>`any(${datasetRowIds}::bigint[])`)
    .orderBy('id', 'desc')
    .limit(DATASET_LIST_COUNT_MAX)
    .execute();
  const ids = new Map<number, number[]>();
  for (const { id, dataset_id } of rows) ids.set(dataset_id, [...(ids.get(dataset_id) ?? []), id]);
  return ids;
}

/** Row id of the newest version of each dataset. A dataset without versions is absent. */
export async function findLatestVersionIds(db: Db, datasetRowIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; version: number }>`
    select d.id, v.id as version from unnest(${datasetRowIds}::bigint[]) as d (id)
    cross join lateral (select id from dataset_versions where dataset_id = d.id order by id desc limit 1) v
  `.execute(db);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Time of the last change of each dataset, its examples or its experiments. */
export async function findChangeTimes(db: Db, datasetRowIds: readonly number[]): Promise<Map<number, Date>> {
  const { rows } = await sql<{ id: number; time: Date }>`
    select d.id, greatest(
      d.updated_at,
      (select created_at from dataset_versions v where v.dataset_id = d.id order by v.id desc limit 1),
      (select max(x.updated_at) from experiments x where x.dataset_id = d.id)
    ) as time
    from datasets d where d.id = any(${datasetRowIds}::bigint[])
  `.execute(db);
  return new Map(rows.map(({ id, time }) => [id, time]));
}

/** Time of the last change of any dataset. Undefined without datasets. */
export async function findLatestChangeTime(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ time: Date | null }>`
    select greatest(
      (select max(updated_at) from datasets),
      (select created_at from dataset_versions order by id desc limit 1),
      (select max(updated_at) from experiments)
    ) as time
  `.execute(db);
  return rows[0]?.time ?? undefined;
}

/** Creates a dataset without versions. @throws {SpandrelError} `DATASET_NAME_TAKEN` */
export async function createDataset(
  db: Db,
  { name, description, metadata, userId }: NewDataset & Authored,
): Promise<number> {
  const { id } = await rejectTakenName(name, () =>
    db
      .insertInto('datasets')
      .values({
        name: toPostgresText(name),
        description: description === null ? null : toPostgresText(description),
        metadata,
        user_id: authorColumn(userId),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return id;
}
