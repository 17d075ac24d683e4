import { sql } from 'kysely';
import type { DatasetSplit, SplitFields, SplitOfDataset, SplitWrite } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Db } from '../database/database.ts';
import { isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Tables: dataset_splits, dataset_split_examples.

/** Splits by row ids and names; those that there are, lowest row id first. */
export async function findSplits(
  db: Db,
  { rowIds, names }: { readonly rowIds: readonly number[]; readonly names: readonly string[] },
): Promise<Pick<DatasetSplit, 'rowId' | 'name'>[]> {
  const { rows } = await sql<{ rowId: number; name: string }>`
    select id as "rowId", name from dataset_splits
    where id = any(${rowIds}::bigint[]) or name = any(${names.map(toPostgresText)}::text[]) order by id
  `.execute(db);
  return rows;
}

/** @throws {SpandrelError} `DATASET_SPLIT_NAME_TAKEN` */
export function createSplit(
  db: Db,
  datasetRowId: number,
  fields: SplitFields,
  exampleRowIds: readonly number[],
): Promise<SplitWrite> {
  return refuseTakenName(`A dataset split named '${fields.name}' already exists`, () =>
    db.transaction().execute(async (tx): Promise<SplitWrite> => {
      const exampleIds = [...new Set(exampleRowIds)];
      const missing = await findMissingExamples(tx, datasetRowId, exampleIds);
      if (missing.length > 0) return { state: 'missing', exampleRowIds: missing };
      const { id } = await tx
        .insertInto('dataset_splits')
        .values(toColumns(fields) as { name: string; color: string; metadata: string; description: string | null })
        .returning('id')
        .executeTakeFirstOrThrow();
      await addExamples(tx, datasetRowId, id, exampleIds);
      return { state: 'written', split: await getSplit(tx, datasetRowId, id) };
    }),
  );
}

/** Absent fields stay. An example that is both added and removed ends up removed. @throws as `createSplit` */
export function updateSplit(
  db: Db,
  datasetRowId: number,
  splitRowId: number,
  changes: Partial<SplitFields>,
  { added, removed }: { readonly added: readonly number[]; readonly removed: readonly number[] },
): Promise<SplitWrite> {
  return refuseTakenName('A dataset split with this name already exists', () =>
    db.transaction().execute(async (tx): Promise<SplitWrite> => {
      const { numUpdatedRows } = await tx
        .updateTable('dataset_splits')
        .set({ ...toColumns(changes), updated_at: sql`now()` })
        .where('id', '=', splitRowId)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return { state: 'absent' };
      const missing = await findMissingExamples(tx, datasetRowId, [...new Set([...added, ...removed])]);
      if (missing.length > 0) throw new MissingExamples(missing);
      await addExamples(tx, datasetRowId, splitRowId, [...new Set(added)]);
      await sql`
        delete from dataset_split_examples where dataset_id = ${datasetRowId} and dataset_split_id = ${splitRowId}
          and dataset_example_id = any(${removed}::bigint[])
      `.execute(tx);
      return { state: 'written', split: await getSplit(tx, datasetRowId, splitRowId) };
    }),
  ).catch((error: unknown): SplitWrite => {
    if (!(error instanceof MissingExamples)) throw error;
    return { state: 'missing', exampleRowIds: error.exampleRowIds };
  });
}

/** Of all datasets; its examples stay. Tells whether there was one. */
export async function deleteSplit(db: Db, rowId: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('dataset_splits').where('id', '=', rowId).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Undoes the transaction that it is thrown out of. */
class MissingExamples extends Error {
  readonly exampleRowIds: readonly number[];
  constructor(exampleRowIds: readonly number[]) {
    super('examples are missing');
    this.exampleRowIds = exampleRowIds;
  }
}

async function findMissingExamples(tx: Db, datasetId: number, exampleIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${exampleIds}::bigint[]) with ordinality as wanted (id, place)
    where not exists (
      select from dataset_example_revisions r
      where r.dataset_id = ${datasetId} and r.dataset_example_id = wanted.id and r.until_version_id is null
        and r.revision_kind <> 'DELETE'
    ) order by place
  `.execute(tx);
  return rows.map(({ id }) => id);
}

async function addExamples(tx: Db, datasetId: number, splitId: number, exampleIds: readonly number[]): Promise<void> {
  await sql`
    insert into dataset_split_examples (dataset_split_id, dataset_id, dataset_example_id)
    select ${splitId}, ${datasetId}, id from unnest(${exampleIds}::bigint[]) as added (id)
    on conflict do nothing
  `.execute(tx);
}

async function getSplit(tx: Db, datasetId: number, splitId: number): Promise<SplitOfDataset> {
  const { rows } = await sql<SplitOfDataset>`
    select id as "rowId", name, description, color, metadata::text as metadata, created_at as "createdAt",
      updated_at as "updatedAt", (
        select count(*) from dataset_split_examples m where m.dataset_split_id = s.id and m.dataset_id = ${datasetId}
      ) as "exampleCount"
    from dataset_splits s where id = ${splitId}
  `.execute(tx);
  return rows[0]!;
}

export const toColumns = ({ name, description, color, metadata }: Partial<SplitFields>) => ({
  ...(name !== undefined && { name: toPostgresText(name) }),
  ...(description !== undefined && { description: description && toPostgresText(description) }),
  ...(color !== undefined && { color: toPostgresText(color) }),
  ...(metadata !== undefined && { metadata }),
});

export async function refuseTakenName<Result>(message: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new SpandrelError('DATASET_SPLIT_NAME_TAKEN', message, { cause: error });
  }
}
