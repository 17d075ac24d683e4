import { sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type { DatasetSplit, SplitFields, SplitMembership } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { RowError } from '../../model/row-error.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { findSplitsByRowIds } from './split-queries.ts';

// Tables: dataset_splits, dataset_split_examples. An example is in a split at the latest version of its dataset.

/**
 * Creates a split with examples of any datasets, or only of the given one.
 *
 * @throws {SpandrelError} `DATASET_SPLIT_NAME_TAKEN`; `DATASET_EXAMPLE_NOT_FOUND`, and then nothing is written
 */
export function createSplit(
  db: Db,
  { userId, ...fields }: SplitFields & Authored,
  exampleRowIds: readonly number[],
  datasetRowId?: number,
): Promise<DatasetSplit> {
  return rejectTakenName(`A dataset split named '${fields.name}' already exists`, () =>
    db.transaction().execute(async (tx) => {
      await checkExamples(tx, exampleRowIds, datasetRowId);
      const { id } = await tx
        .insertInto('dataset_splits')
        .values({ ...toColumns(fields), ...requiredColumns(fields), user_id: authorColumn(userId) })
        .returning('id')
        .executeTakeFirstOrThrow();
      await link(tx, exampleRowIds, [id]);
      return getSplit(tx, id);
    }),
  );
}

/**
 * Changes a split. An absent field keeps its value. An example that is both added and removed ends up removed. Undefined
 * when there is no such split.
 *
 * @throws {SpandrelError} `DATASET_SPLIT_NAME_TAKEN`; `DATASET_EXAMPLE_NOT_FOUND`, and then nothing is written
 */
export function updateSplit(
  db: Db,
  rowId: number,
  changes: Partial<SplitFields>,
  membership?: SplitMembership,
): Promise<DatasetSplit | undefined> {
  return rejectTakenName('A dataset split with this name already exists', () =>
    db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('dataset_splits')
        .set({ ...toColumns(changes), updated_at: sql`now()` })
        .where('id', '=', rowId)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return undefined;
      if (membership) await changeMembers(tx, rowId, membership);
      return getSplit(tx, rowId);
    }),
  );
}

async function changeMembers(
  tx: Db,
  splitRowId: number,
  { datasetRowId, added, removed }: SplitMembership,
): Promise<void> {
  await checkExamples(tx, [...added, ...removed], datasetRowId);
  await link(tx, added, [splitRowId]);
  await sql`
    delete from dataset_split_examples where dataset_id = ${datasetRowId} and dataset_split_id = ${splitRowId}
      and dataset_example_id = any(${removed}::bigint[])
  `.execute(tx);
}

/** Deletes splits, all or none. Their examples stay. Undefined when one does not exist. */
export function deleteSplits(db: Db, rowIds: readonly number[]): Promise<DatasetSplit[] | undefined> {
  return db.transaction().execute(async (tx) => {
    const splits = await findSplitsByRowIds(tx, rowIds);
    if (splits.size < new Set(rowIds).size) return undefined;
    await sql`delete from dataset_splits where id = any(${rowIds}::bigint[])`.execute(tx);
    return [...splits.values()];
  });
}

/** Replaces the splits of examples. @throws {SpandrelError} `DATASET_EXAMPLE_NOT_FOUND`, `DATASET_SPLIT_NOT_FOUND` */
export function setSplitsOfExamples(
  db: Db,
  exampleRowIds: readonly number[],
  splitRowIds: readonly number[],
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await checkExamples(tx, exampleRowIds);
    await checkSplits(tx, splitRowIds);
    await sql`
      delete from dataset_split_examples m using dataset_examples e
      where e.id = any(${exampleRowIds}::bigint[]) and m.dataset_id = e.dataset_id and m.dataset_example_id = e.id
        and not m.dataset_split_id = any(${splitRowIds}::bigint[])
    `.execute(tx);
    await link(tx, exampleRowIds, splitRowIds);
  });
}

/**
 * Adds examples of a dataset to splits and removes them from others.
 *
 * @throws {SpandrelError} `DATASET_EXAMPLE_NOT_FOUND`, `DATASET_SPLIT_NOT_FOUND`
 */
export function changeSplitsOfExamples(
  db: Db,
  datasetRowId: number,
  exampleRowIds: readonly number[],
  { added, removed }: { readonly added: readonly number[]; readonly removed: readonly number[] },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await checkExamples(tx, exampleRowIds, datasetRowId);
    await checkSplits(tx, added);
    await sql`
      delete from dataset_split_examples where dataset_id = ${datasetRowId}
        and dataset_example_id = any(${exampleRowIds}::bigint[]) and dataset_split_id = any(${removed}::bigint[])
    `.execute(tx);
    await link(tx, exampleRowIds, added);
  });
}

async function checkSplits(tx: Db, splitRowIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
      select id from dataset_splits where id = any(${splitRowIds}::bigint[]) for key share
    `.execute(tx);
  const absent = splitRowIds.filter((rowId) => !rows.some(({ id }) => id === rowId));
  if (absent.length > 0) {
    throw new RowError('DATASET_SPLIT_NOT_FOUND', 'DatasetSplit', absent, (ids) => `Dataset splits not found: ${ids}`);
  }
}

async function link(tx: Db, exampleRowIds: readonly number[], splitRowIds: readonly number[]): Promise<void> {
  await sql`
    insert into dataset_split_examples (dataset_split_id, dataset_id, dataset_example_id)
    select split_id, e.dataset_id, e.id
    from dataset_examples e cross join unnest(${splitRowIds}::bigint[]) as wanted (split_id)
    where e.id = any(${exampleRowIds}::bigint[]) on conflict do nothing
  `.execute(tx);
}

/**
 * @throws {SpandrelError} `DATASET_EXAMPLE_NOT_FOUND` for examples that are not in the latest version of their dataset
 */
async function checkExamples(tx: Db, exampleRowIds: readonly number[], datasetRowId?: number): Promise<void> {
  const ofDataset = datasetRowId === undefined ? sql`` : sql`and e.dataset_id = ${datasetRowId}`;
  const { rows } = await sql<{ id: number }>`
    select wanted.id from unnest(${[...new Set(exampleRowIds)]}::bigint[]) with ordinality as wanted (id, place)
    where not exists (
      select from dataset_examples e
      join dataset_example_revisions r on r.dataset_id = e.dataset_id and r.dataset_example_id = e.id
        and r.until_version_id is null and r.revision_kind <> 'DELETE'
      where e.id = wanted.id ${ofDataset}
    ) order by wanted.place
  `.execute(tx);
  if (rows.length > 0) throw examplesAbsent(rows.map(({ id }) => id));
}

export const examplesAbsent = (rowIds: readonly number[]): RowError =>
  new RowError('DATASET_EXAMPLE_NOT_FOUND', 'DatasetExample', rowIds, (ids) => `Dataset examples not found: ${ids}`);

async function getSplit(tx: Db, rowId: number): Promise<DatasetSplit> {
  const split = (await findSplitsByRowIds(tx, [rowId])).get(rowId);
  if (!split) throw new Error(`the split ${rowId} is missing in the transaction that wrote it`);
  return split;
}

const requiredColumns = ({ name, color, metadata }: SplitFields) => ({
  name: toPostgresText(name),
  color: toPostgresText(color),
  metadata,
});

const toColumns = ({ name, description, color, metadata }: Partial<SplitFields>) => ({
  ...(name !== undefined && { name: toPostgresText(name) }),
  ...(description !== undefined && { description: description && toPostgresText(description) }),
  ...(color !== undefined && { color: toPostgresText(color) }),
  ...(metadata !== undefined && { metadata }),
});

async function rejectTakenName<Result>(message: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new SpandrelError('DATASET_SPLIT_NAME_TAKEN', message, { cause: error });
  }
}
