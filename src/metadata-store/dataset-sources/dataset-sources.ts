import { sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type { NewExample } from '../../model/dataset.ts';
import type { AddedSpans, DatasetSource, NewDatasetSource, SpanMapping } from '../../model/dataset-source.ts';
import { SpandrelError } from '../../model/errors.ts';
import { authorColumn } from '../access/author.ts';
import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { readJson, writeJson } from '../database/json-column.ts';
import { isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { addSpanExamples, findRepetitions, type SpanExamples } from './span-examples.ts';

// Tables: span_mappings, dataset_sources, dataset_source_spans.

/** The mapping that a project used last. */
export async function findMapping(db: Db, projectId: number): Promise<SpanMapping | undefined> {
  const { rows } = await sql<{ mapping: string }>`
    select mapping::text as mapping from span_mappings where project_id = ${projectId}
  `.execute(db);
  return rows[0] && readJson<SpanMapping>(rows[0].mapping);
}

/** False when there is no such project. */
export async function saveMapping(
  db: Db,
  projectId: number,
  mapping: SpanMapping,
  userId: number | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into span_mappings (project_id, mapping, user_id)
    select id, ${writeJson(mapping)}::json, ${authorColumn(userId)} from projects where id = ${projectId}
    on conflict (project_id) do update
      set mapping = excluded.mapping, user_id = excluded.user_id, updated_at = now()
  `.execute(db);
  return Number(numAffectedRows ?? 0n) > 0;
}

const SELECTED = sql`id, project_id, dataset_id, name, filter, mapping::text as mapping,
  split_names::text as split_names, last_span_row_id, created_at, added_at, user_id from dataset_sources`;

/** Lists sources by name. */
export async function listSources(
  db: Db,
  of: { readonly projectId: number } | { readonly datasetRowId: number },
): Promise<DatasetSource[]> {
  const condition = 'projectId' in of ? sql`project_id = ${of.projectId}` : sql`dataset_id = ${of.datasetRowId}`;
  const { rows } = await sql<SourceRow>`select ${SELECTED} where ${condition} order by name, id`.execute(db);
  return rows.map(toSource);
}

export async function findSource(db: Db, rowId: number): Promise<DatasetSource | undefined> {
  const { rows } = await sql<SourceRow>`select ${SELECTED} where id = ${rowId}`.execute(db);
  return rows[0] && toSource(rows[0]);
}

/**
 * Undefined when the project or the dataset does not exist.
 *
 * @throws {SpandrelError} `DATASET_SOURCE_NAME_TAKEN`
 */
export async function createSource(db: Db, source: NewDatasetSource & Authored): Promise<DatasetSource | undefined> {
  try {
    const { rows } = await sql<{ id: number }>`
      insert into dataset_sources (project_id, dataset_id, name, filter, mapping, split_names, last_span_row_id, user_id)
      select p.id, d.id, ${toPostgresText(source.name)}, ${toPostgresText(source.filter)},
        ${writeJson(source.mapping)}::json, ${writeJson(source.splitNames.map(toPostgresText))}::json,
        ${source.lastSpanRowId}, ${authorColumn(source.userId)}
      from projects p cross join datasets d where p.id = ${source.projectId} and d.id = ${source.datasetRowId}
      returning id
    `.execute(db);
    return rows[0] && findSource(db, rows[0].id);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const message = `The dataset already has a source named '${source.name}'`;
    throw new SpandrelError('DATASET_SOURCE_NAME_TAKEN', message, { cause: error });
  }
}

/** Returns the deleted source. Its examples stay. Undefined when there is none. */
export async function deleteSource(db: Db, rowId: number): Promise<DatasetSource | undefined> {
  const source = await findSource(db, rowId);
  if (source) await sql`delete from dataset_sources where id = ${rowId}`.execute(db);
  return source;
}

/** Row ids of spans, of these, that a source has used. */
export async function findUsedSpans(db: Db, sourceRowId: number, spanRowIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select span_row_id as id from dataset_source_spans
    where source_id = ${sourceRowId} and span_row_id = any(${spanRowIds}::bigint[])
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** A use of a source: the examples of its new matches and the position after them. */
export interface SourceUse extends Pick<SpanExamples, 'keepsRepeated' | 'description' | 'userId'> {
  readonly sourceRowId: number;
  /** Reads the new matches of the source as it is now. Another use of the same source waits. */
  readonly readNew: (tx: Db, source: DatasetSource) => AsyncIterable<NewMatches>;
}

export interface NewMatches {
  readonly examples: readonly NewExample[];
  /** Position after the batch. Absent: it stays. */
  readonly lastSpanRowId?: number | undefined;
  /** Spans to be stored as used. */
  readonly usedSpanRowIds: readonly number[];
}

/** Adds the new matches of a source and advances its position, in one transaction. Undefined when there is no such source. */
export function useSource(db: Db, use: SourceUse): Promise<AddedSpans | undefined> {
  return db.transaction().execute(async (tx) => {
    await sql`select from dataset_sources where id = ${use.sourceRowId} for update`.execute(tx);
    const source = await findSource(tx, use.sourceRowId);
    if (!source) return undefined;
    let { lastSpanRowId } = source;
    const used: number[] = [];
    const read = async function* () {
      for await (const batch of use.readNew(tx, source)) {
        lastSpanRowId = Math.max(lastSpanRowId, batch.lastSpanRowId ?? 0);
        used.push(...batch.usedSpanRowIds);
        yield batch.examples;
      }
    };
    const result = await addSpanExamples(tx, {
      ...use,
      datasetRowId: source.datasetRowId,
      splitNames: source.splitNames,
      examples: read(),
      isDryRun: false,
    });
    await sql`
      update dataset_sources set last_span_row_id = ${lastSpanRowId}, added_at = now() where id = ${source.rowId}
    `.execute(tx);
    await sql`
      insert into dataset_source_spans (source_id, span_row_id)
      select ${source.rowId}, id from unnest(${used}::bigint[]) as ids (id) on conflict do nothing
    `.execute(tx);
    return result;
  });
}

const FUNCTIONS = {
  findMapping,
  saveMapping,
  list: listSources,
  find: findSource,
  create: createSource,
  delete: deleteSource,
  findUsedSpans,
  use: useSource,
  addSpans: addSpanExamples,
  findRepetitions,
};

/** Functions of mappings and sources, bound to a database. */
export type DatasetSourceRepository = BoundToDatabase<typeof FUNCTIONS>;
export const datasetSourceRepository = (db: Db): DatasetSourceRepository => bindToDatabase(db, FUNCTIONS);

interface SourceRow {
  readonly id: number;
  readonly project_id: number;
  readonly dataset_id: number;
  readonly name: string;
  readonly filter: string;
  readonly mapping: string;
  readonly split_names: string;
  readonly last_span_row_id: number;
  readonly created_at: Date;
  readonly added_at: Date | null;
  readonly user_id: number | null;
}

const toSource = (row: SourceRow): DatasetSource => ({
  rowId: row.id,
  projectId: row.project_id,
  datasetRowId: row.dataset_id,
  name: row.name,
  filter: row.filter,
  mapping: readJson<SpanMapping>(row.mapping),
  splitNames: readJson<string[]>(row.split_names),
  lastSpanRowId: row.last_span_row_id,
  createdAt: row.created_at,
  addedAt: row.added_at,
  userId: row.user_id,
});
