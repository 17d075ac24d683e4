import { sql } from 'kysely';
import type { DatasetLabel } from '../../model/dataset.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Tables: dataset_labels, datasets_dataset_labels.

/** All labels, or those with these names, by name. */
export async function listLabelsByName(db: Db, names?: readonly string[]): Promise<DatasetLabel[]> {
  const isNamed = names ? sql`where l.name = any(${names.map(toPostgresText)}::text[])` : sql``;
  const { rows } = await sql<DatasetLabel>`select ${COLUMNS} from dataset_labels l ${isNamed} order by l.name`.execute(
    db,
  );
  return rows;
}

/** A row id that no label has is absent. */
export async function findLabelsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, DatasetLabel>> {
  const { rows } = await sql<DatasetLabel>`
    select ${COLUMNS} from dataset_labels l where l.id = any(${rowIds}::bigint[])
  `.execute(db);
  return new Map(rows.map((row) => [row.rowId, row]));
}

/** Labels of each dataset by name. */
export async function findLabelsOfDatasets(
  db: Db,
  datasetRowIds: readonly number[],
): Promise<Map<number, DatasetLabel[]>> {
  const { rows } = await sql<DatasetLabel & { owner: number }>`
    select m.dataset_id as owner, ${COLUMNS}
    from datasets_dataset_labels m join dataset_labels l on l.id = m.dataset_label_id
    where m.dataset_id = any(${datasetRowIds}::bigint[]) order by l.name
  `.execute(db);
  const labels = new Map<number, DatasetLabel[]>();
  for (const { owner, ...label } of rows) labels.set(owner, [...(labels.get(owner) ?? []), label]);
  return labels;
}

/** Number of datasets with each label. An unused label is absent. */
export async function countDatasetsOfLabels(db: Db, rowIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; count: number }>`
    select dataset_label_id as id, count(*) as count from datasets_dataset_labels
    where dataset_label_id = any(${rowIds}::bigint[]) group by dataset_label_id
  `.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const COLUMNS = sql`l.id as "rowId", l.name, l.description, l.color`;
