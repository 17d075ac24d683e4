import { sql } from 'kysely';
import type { DatasetSplit, SplitFields } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { toGlobalId } from '../../model/global-id.ts';
import type { Db } from '../database/database.ts';
import { refuseTakenName, toColumns } from './dataset-splits.ts';
import { findSplitsByRowIds } from './split-lists.ts';

// Tables: dataset_splits, dataset_split_examples. Here examples may be of any dataset, each at its latest version.

/** @throws {SpandrelError} `DATASET_SPLIT_NAME_TAKEN`, `DATASET_EXAMPLE_NOT_FOUND` */
export function createSplitOver(db: Db, fields: SplitFields, exampleRowIds: readonly number[]): Promise<DatasetSplit> {
  return refuseTakenName(`A dataset split named '${fields.name}' already exists.`, () =>
    db.transaction().execute(async (tx) => {
      await refuseAbsentExamples(tx, exampleRowIds);
      const { id } = await tx
        .insertInto('dataset_splits')
        .values(toColumns(fields) as SplitFields)
        .returning('id')
        .executeTakeFirstOrThrow();
      await link(tx, exampleRowIds, [id]);
      return (await findSplitsByRowIds(tx, [id])).get(id)!;
    }),
  );
}

/** Absent fields stay; undefined when there is no such split. @throws {SpandrelError} `DATASET_SPLIT_NAME_TAKEN` */
export async function patchSplit(
  db: Db,
  rowId: number,
  changes: Partial<SplitFields>,
): Promise<DatasetSplit | undefined> {
  await refuseTakenName('A dataset split with this name already exists', () =>
    db
      .updateTable('dataset_splits')
      .set({ ...toColumns(changes), updated_at: sql`now()` })
      .where('id', '=', rowId)
      .execute(),
  );
  return (await findSplitsByRowIds(db, [rowId])).get(rowId);
}

/** All of them; those that were deleted, or undefined and none deleted when one is not there. */
export function deleteSplits(db: Db, rowIds: readonly number[]): Promise<DatasetSplit[] | undefined> {
  return db.transaction().execute(async (tx) => {
    const splits = await findSplitsByRowIds(tx, rowIds);
    if (splits.size < new Set(rowIds).size) return undefined;
    await sql`delete from dataset_splits where id = any(${rowIds}::bigint[])`.execute(tx);
    return [...splits.values()];
  });
}

/** Puts examples into these splits and no others. @throws {SpandrelError} `DATASET_EXAMPLE_NOT_FOUND`, `DATASET_SPLIT_NOT_FOUND` */
export function setSplitsOfExamples(
  db: Db,
  exampleRowIds: readonly number[],
  splitRowIds: readonly number[],
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await refuseAbsentExamples(tx, exampleRowIds);
    const { rows } = await sql<{ id: number }>`
      select id from dataset_splits where id = any(${splitRowIds}::bigint[]) for key share
    `.execute(tx);
    const absent = splitRowIds.filter((rowId) => !rows.some(({ id }) => id === rowId));
    if (absent.length > 0) {
      const ids = absent.map((rowId) => toGlobalId('DatasetSplit', rowId)).join(', ');
      throw new SpandrelError('DATASET_SPLIT_NOT_FOUND', `Dataset splits not found: ${ids}`);
    }
    await sql`
      delete from dataset_split_examples m using dataset_examples e
      where e.id = any(${exampleRowIds}::bigint[]) and m.dataset_id = e.dataset_id and m.dataset_example_id = e.id
        and not m.dataset_split_id = any(${splitRowIds}::bigint[])
    `.execute(tx);
    await link(tx, exampleRowIds, splitRowIds);
  });
}

async function link(tx: Db, exampleRowIds: readonly number[], splitRowIds: readonly number[]): Promise<void> {
  await sql`
    insert into dataset_split_examples (dataset_split_id, dataset_id, dataset_example_id)
    select split_id, e.dataset_id, e.id
    from dataset_examples e cross join unnest(${splitRowIds}::bigint[]) as wanted (split_id)
    where e.id = any(${exampleRowIds}::bigint[]) on conflict do nothing
  `.execute(tx);
}

async function refuseAbsentExamples(tx: Db, exampleRowIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select wanted.id from unnest(${exampleRowIds}::bigint[]) with ordinality as wanted (id, place)
    where not exists (
      select from dataset_examples e
      join dataset_example_revisions r on r.dataset_id = e.dataset_id and r.dataset_example_id = e.id
        and r.until_version_id is null and r.revision_kind <> 'DELETE'
      where e.id = wanted.id
    ) order by wanted.place limit ${ABSENT_COUNT_SHOWN_MAX}
  `.execute(tx);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => toGlobalId('DatasetExample', id)).join(', ');
  throw new SpandrelError('DATASET_EXAMPLE_NOT_FOUND', `Dataset examples not found: ${ids}`);
}

const ABSENT_COUNT_SHOWN_MAX = 100;
