import { sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type { DatasetLabel, LabelFields } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Page } from '../../model/page.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { toPage } from './datasets.ts';

// Tables: dataset_labels, datasets_dataset_labels.

/** Highest row id first. */
export async function listLabels(
  db: Db,
  { limit, fromRowId }: { readonly limit: number; readonly fromRowId?: number | undefined },
): Promise<Page<DatasetLabel>> {
  let select = selectLabels(db)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (fromRowId !== undefined) select = select.where('id', '<=', fromRowId);
  return toPage(await select.execute(), limit);
}

export const findLabel = (db: Db, rowId: number): Promise<DatasetLabel | undefined> =>
  selectLabels(db).where('id', '=', rowId).executeTakeFirst();

/** Creates a label of these datasets. @throws {SpandrelError} `DATASET_LABEL_NAME_TAKEN`; `DATASET_NOT_FOUND`, and nothing is written */
export function createLabel(
  db: Db,
  { userId, ...fields }: LabelFields & Authored,
  datasetRowIds: readonly number[],
): Promise<DatasetLabel> {
  return rejectTakenName(fields.name, () =>
    db.transaction().execute(async (tx) => {
      const label = await tx
        .insertInto('dataset_labels')
        .values({
          ...toColumns(fields),
          name: toPostgresText(fields.name),
          color: fields.color,
          user_id: authorColumn(userId),
        })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
      const wanted = [...new Set(datasetRowIds)];
      const { numAffectedRows } = await sql`
        insert into datasets_dataset_labels (dataset_id, dataset_label_id)
        select id, ${label.rowId}::bigint from datasets where id = any(${wanted}::bigint[])
      `.execute(tx);
      if (Number(numAffectedRows) < wanted.length) throw new SpandrelError('DATASET_NOT_FOUND', 'Datasets not found');
      return label;
    }),
  );
}

/** Undefined when there is no such label. @throws {SpandrelError} `DATASET_LABEL_NAME_TAKEN` */
export async function updateLabel(
  db: Db,
  rowId: number,
  changes: Partial<LabelFields>,
): Promise<DatasetLabel | undefined> {
  return rejectTakenName(changes.name ?? '', () =>
    db
      .updateTable('dataset_labels')
      .set(toColumns(changes))
      .where('id', '=', rowId)
      .returning(COLUMNS)
      .executeTakeFirst(),
  );
}

/** Deletes labels, also from their datasets, all or none. Undefined when one does not exist. */
export function deleteLabels(db: Db, rowIds: readonly number[]): Promise<DatasetLabel[] | undefined> {
  return db
    .transaction()
    .execute(async (tx) => {
      const deleted = await tx
        .deleteFrom('dataset_labels')
        .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
        .returning(COLUMNS)
        .execute();
      if (deleted.length === new Set(rowIds).size) return deleted;
      throw new LabelAbsent();
    })
    .catch((error: unknown) => {
      if (error instanceof LabelAbsent) return undefined;
      throw error;
    });
}

/** Rolls back the transaction that throws it. */
class LabelAbsent extends Error {}

/** Highest row id first. */
export const listLabelsOfDataset = (db: Db, datasetRowId: number): Promise<DatasetLabel[]> =>
  selectLabels(db)
    .innerJoin('datasets_dataset_labels', 'dataset_label_id', 'id')
    .where('dataset_id', '=', datasetRowId)
    .orderBy('id', 'desc')
    .execute();

/** Idempotent. Returns false when the label or the dataset does not exist. */
export async function addLabelToDataset(db: Db, datasetRowId: number, labelRowId: number): Promise<boolean> {
  const { rows } = await sql`
    with label as (
      select l.id, d.id as dataset_id from dataset_labels l, datasets d
      where l.id = ${labelRowId} and d.id = ${datasetRowId} for key share
    ), added as (
      insert into datasets_dataset_labels (dataset_id, dataset_label_id) select dataset_id, id from label
      on conflict do nothing
    )
    select from label
  `.execute(db);
  return rows.length > 0;
}

/** Idempotent. */
export async function removeLabelFromDataset(db: Db, datasetRowId: number, labelRowId: number): Promise<void> {
  await db
    .deleteFrom('datasets_dataset_labels')
    .where('dataset_id', '=', datasetRowId)
    .where('dataset_label_id', '=', labelRowId)
    .execute();
}

/** Replaces the labels of the dataset. Returns false, and changes nothing, when one of them does not exist. */
export function setLabelsOfDataset(db: Db, datasetRowId: number, labelRowIds: readonly number[]): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const wanted = [...new Set(labelRowIds)];
    const { rows } = await sql`
      select from dataset_labels where id = any(${wanted}::bigint[]) for key share
    `.execute(tx);
    if (rows.length < wanted.length) return false;
    await sql`
      delete from datasets_dataset_labels
      where dataset_id = ${datasetRowId} and not dataset_label_id = any(${wanted}::bigint[])
    `.execute(tx);
    await sql`
      insert into datasets_dataset_labels (dataset_id, dataset_label_id)
      select ${datasetRowId}, id from unnest(${wanted}::bigint[]) as wanted (id) on conflict do nothing
    `.execute(tx);
    return true;
  });
}

const COLUMNS = ['id as rowId', 'name', 'description', 'color'] as const;
const selectLabels = (db: Db) => db.selectFrom('dataset_labels').select(COLUMNS);

const toColumns = ({ name, description, color }: Partial<LabelFields>) => ({
  ...(name !== undefined && { name: toPostgresText(name) }),
  ...(description !== undefined && { description: description && toPostgresText(description) }),
  ...(color !== undefined && { color }),
});

async function rejectTakenName<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new SpandrelError('DATASET_LABEL_NAME_TAKEN', `A dataset label named '${name}' already exists`, {
      cause: error,
    });
  }
}
