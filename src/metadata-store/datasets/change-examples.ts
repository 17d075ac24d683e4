import { type RawBuilder, sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type { ExampleContent, HashedContent, NewExample, VersionNote } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Revise } from '../../model/example-rows.ts';
import { ERROR_ROW_COUNT_MAX } from '../../model/limits/datasets.ts';
import { RowError } from '../../model/row-error.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import {
  insertTombstones,
  insertVersion,
  type LockedDataset,
  lockDataset,
  setExampleRange,
} from './dataset-versions.ts';
import { allowLongStatements } from './datasets.ts';
import { examplesAbsent } from './splits.ts';

// Tables: dataset_versions, dataset_examples, dataset_example_revisions, dataset_split_examples.

/**
 * Adds examples to a dataset as a new version. Unknown splits are ignored.
 *
 * @throws {SpandrelError} `DATASET_NOT_FOUND`; `DATASET_EXAMPLE_ID_TAKEN` for IDs that the dataset has already
 */
export function addExamples(
  db: Db,
  datasetRowId: number,
  examples: readonly NewExample[],
  note: VersionNote & Authored,
): Promise<void> {
  return newVersion(db, datasetRowId, note, examples.length, (tx, dataset, versionId) =>
    insertExamples(tx, dataset.id, versionId, examples),
  );
}

/** @throws {SpandrelError} `DATASET_EXAMPLE_ID_TAKEN` for IDs that the dataset has already */
export async function insertExamples(
  tx: Db,
  datasetId: number,
  versionId: number,
  examples: readonly NewExample[],
): Promise<void> {
  const ids = examples.flatMap(({ id }) => (id === null ? [] : [toPostgresText(id)]));
  const { rows: taken } = await sql<{ id: string }>`
      select external_id as id from dataset_examples
      where dataset_id = ${datasetId} and external_id = any(${ids}::text[]) order by id
    `.execute(tx);
  if (taken.length > 0) throw exampleIdTaken(taken.map(({ id }) => id));
  const column = <Value>(value: (example: NewExample) => Value) => examples.map(value);
  await sql`
      with incoming as (
        select * from unnest(
          ${column(({ id }) => (id === null ? null : toPostgresText(id)))}::text[],
          ${column(({ spanRowId }) => spanRowId)}::bigint[],
          ${column(({ input }) => input)}::text[],
          ${column(({ output }) => output)}::text[],
          ${column(({ metadata }) => metadata)}::text[],
          ${column(({ hash }) => hash)}::bytea[]
        ) with ordinality as incoming (external_id, span_row_id, input, output, metadata, hash, place)
      ), ids as materialized (
        select nextval(pg_get_serial_sequence('dataset_examples', 'id')) as id
        from generate_series(1, ${examples.length}::bigint)
      ), placed as materialized (
        select id, row_number() over (order by id) as place from ids
      ), made as (
        insert into dataset_examples (id, dataset_id, external_id, span_row_id) overriding system value
        select id, ${datasetId}::bigint, external_id, span_row_id from incoming join placed using (place) order by place
      )
      insert into dataset_example_revisions
        (dataset_id, dataset_example_id, dataset_version_id, revision_kind, input, output, metadata, content_hash)
      select ${datasetId}::bigint, id, ${versionId}::bigint, 'CREATE', input::json, output::json, metadata::json, hash
      from incoming join placed using (place) order by place
    `.execute(tx);
}

/**
 * Revises examples as a new version.
 *
 * @throws {SpandrelError} `DATASET_NOT_FOUND`; `DATASET_EXAMPLE_NOT_FOUND` for one that is not in its latest version
 */
export function patchExamples(
  db: Db,
  datasetRowId: number,
  exampleRowIds: readonly number[],
  revise: Revise,
  note: VersionNote & Authored,
): Promise<void> {
  return newVersion(db, datasetRowId, note, 0, async (tx, dataset, versionId) => {
    const { rows } = await sql<ExampleContent & { revision_id: number; example_id: number }>`
      select r.id as revision_id, r.dataset_example_id as example_id, r.input::text as input,
        r.output::text as output, r.metadata::text as metadata ${currentRevisions(dataset, exampleRowIds)}
      order by r.dataset_example_id
    `.execute(tx);
    rejectAbsent(
      exampleRowIds,
      rows.map(({ example_id }) => example_id),
    );
    await insertRevisions(
      tx,
      dataset.id,
      versionId,
      rows.map((row) => ({ ...row, content: revise(row.example_id, row) })),
    );
  });
}

/** Replaces revisions by new content. */
export async function insertRevisions(
  tx: Db,
  datasetId: number,
  versionId: number,
  revised: readonly { readonly revision_id: number; readonly example_id: number; readonly content: HashedContent }[],
): Promise<void> {
  await sql`
    update dataset_example_revisions set until_version_id = ${versionId}
    where id = any(${revised.map(({ revision_id }) => revision_id)}::bigint[])
  `.execute(tx);
  await sql`
    insert into dataset_example_revisions
      (dataset_id, dataset_example_id, dataset_version_id, revision_kind, input, output, metadata, content_hash)
    select ${datasetId}::bigint, example_id, ${versionId}::bigint, 'PATCH', input::json, output::json, metadata::json, hash
    from unnest(
      ${revised.map(({ example_id }) => example_id)}::bigint[],
      ${revised.map(({ content }) => content.input)}::text[],
      ${revised.map(({ content }) => content.output)}::text[],
      ${revised.map(({ content }) => content.metadata)}::text[],
      ${revised.map(({ content }) => content.hash)}::bytea[]
    ) as revised (example_id, input, output, metadata, hash)
  `.execute(tx);
}

/**
 * Removes examples from a dataset as a new version. They are also removed from all splits.
 *
 * @throws {SpandrelError} like `patchExamples`
 */
export function deleteExamples(
  db: Db,
  datasetRowId: number,
  exampleRowIds: readonly number[],
  note: VersionNote & Authored,
): Promise<void> {
  return newVersion(db, datasetRowId, note, -exampleRowIds.length, async (tx, dataset, versionId) => {
    const { rows } = await sql<{ id: number }>`
      select r.dataset_example_id as id ${currentRevisions(dataset, exampleRowIds)}
    `.execute(tx);
    rejectAbsent(
      exampleRowIds,
      rows.map(({ id }) => id),
    );
    // The temporary table exists only now: deleted examples are no longer current.
    await sql`
      create temporary table deleted_examples on commit drop as
      select r.id, r.dataset_example_id, r.content_hash ${currentRevisions(dataset, exampleRowIds)}
    `.execute(tx);
    await insertTombstones(tx, dataset.id, versionId, sql`deleted_examples`);
  });
}

/**
 * Creates a version in one transaction, with the changes that `change` makes. If it throws, nothing is written.
 *
 * @param countChange Difference of the number of examples to the latest version, or its computation from that number.
 */
export function newVersion<Result>(
  db: Db,
  datasetRowId: number,
  note: VersionNote & Authored,
  countChange: number | ((latestCount: number) => number),
  change: (tx: Db, dataset: LockedDataset, versionId: number) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (tx) => {
    await allowLongStatements(tx);
    const dataset = await lockDataset(tx, datasetRowId);
    if (!dataset) {
      throw new RowError('DATASET_NOT_FOUND', 'Dataset', [datasetRowId], (id) => `Unknown dataset: ${id}`);
    }
    const latestCount = dataset.latest?.example_count ?? 0;
    const exampleCount = latestCount + (typeof countChange === 'number' ? countChange : countChange(latestCount));
    const versionId = await insertVersion(tx, dataset.id, exampleCount, note);
    const result = await change(tx, dataset, versionId);
    await setExampleRange(tx, dataset.id, versionId);
    return result;
  });
}

/** Revisions `r` of these examples that are neither replaced nor deleted. */
export const currentRevisions = ({ id }: LockedDataset, exampleRowIds: readonly number[]): RawBuilder<unknown> => sql`
  from dataset_example_revisions r
  where r.dataset_id = ${id}::bigint and r.dataset_example_id = any(${exampleRowIds}::bigint[])
    and r.until_version_id is null and r.revision_kind <> 'DELETE'`;

function rejectAbsent(wanted: readonly number[], found: readonly number[]): void {
  const known = new Set(found);
  const absent = wanted.filter((rowId) => !known.has(rowId));
  if (absent.length > 0) throw examplesAbsent(absent);
}

const exampleIdTaken = (ids: readonly string[]): SpandrelError =>
  new SpandrelError(
    'DATASET_EXAMPLE_ID_TAKEN',
    `Examples with these IDs already exist in the dataset: ${ids.slice(0, ERROR_ROW_COUNT_MAX).join(', ')}`,
  );
