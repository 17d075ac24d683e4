import { sql } from 'kysely';
import type { DatasetSplit } from '../../model/dataset.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Tables: dataset_splits, dataset_split_examples.

/** All splits, or those with these names, lowest row id first. */
export async function listSplits(db: Db, names?: readonly string[]): Promise<DatasetSplit[]> {
  const isNamed = names ? sql`where s.name = any(${names.map(toPostgresText)}::text[])` : sql``;
  const { rows } = await sql<DatasetSplit>`select ${COLUMNS} from dataset_splits s ${isNamed} order by s.id`.execute(
    db,
  );
  return rows;
}

/** Existing splits with these row ids and names, lowest row id first. */
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

/** Counts the examples in a split, of a dataset or of all. */
export async function countExamplesOfSplit(db: Db, rowId: number, datasetRowId?: number): Promise<number> {
  const ofSplit = db
    .selectFrom('dataset_split_examples')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('dataset_split_id', '=', rowId);
  const { count } = await (datasetRowId === undefined
    ? ofSplit
    : ofSplit.where('dataset_id', '=', datasetRowId)
  ).executeTakeFirstOrThrow();
  return count;
}

/** A row id that no split has is absent. */
export async function findSplitsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, DatasetSplit>> {
  const { rows } = await sql<DatasetSplit>`
    select ${COLUMNS} from dataset_splits s where s.id = any(${rowIds}::bigint[])
  `.execute(db);
  return new Map(rows.map((row) => [row.rowId, row]));
}

/** Splits that contain an example of each dataset, by name. */
export async function findSplitsOfDatasets(
  db: Db,
  datasetRowIds: readonly number[],
): Promise<Map<number, DatasetSplit[]>> {
  const { rows } = await sql<DatasetSplit & { owner: number }>`
    select d.id as owner, ${COLUMNS} from unnest(${datasetRowIds}::bigint[]) as d (id) cross join dataset_splits s
    where exists (
      select from dataset_split_examples m where m.dataset_split_id = s.id and m.dataset_id = d.id
    ) order by s.name, s.id
  `.execute(db);
  return byOwner(rows);
}

/** Splits of each example, by name. */
export async function findSplitsOfExamples(
  db: Db,
  exampleRowIds: readonly number[],
): Promise<Map<number, DatasetSplit[]>> {
  const { rows } = await sql<DatasetSplit & { owner: number }>`
    select e.id as owner, ${COLUMNS}
    from dataset_examples e
    join dataset_split_examples m on m.dataset_id = e.dataset_id and m.dataset_example_id = e.id
    join dataset_splits s on s.id = m.dataset_split_id
    where e.id = any(${exampleRowIds}::bigint[]) order by s.name, s.id
  `.execute(db);
  return byOwner(rows);
}

function byOwner(rows: readonly (DatasetSplit & { readonly owner: number })[]): Map<number, DatasetSplit[]> {
  const splits = new Map<number, DatasetSplit[]>();
  for (const { owner, ...split } of rows) {
    const list = splits.get(owner);
    if (list) list.push(split);
    else splits.set(owner, [split]);
  }
  return splits;
}

const COLUMNS = sql`s.id as "rowId", s.name, s.description, s.color, s.metadata::text as metadata,
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;
