import { type RawBuilder, sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { Authored } from '../../model/access/author.ts';
import { type NewExample, UPLOADED_SPLIT_COLOR } from '../../model/dataset.ts';
import type { AddedSpans, Repetition } from '../../model/dataset-source.ts';
import { RowError } from '../../model/row-error.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { collectRows } from '../datasets/collect-upload.ts';
import { insertVersion, lockDataset, setExampleRange } from '../datasets/dataset-versions.ts';
import { allowLongStatements } from '../datasets/datasets.ts';

// Tables: dataset_versions, dataset_examples, dataset_example_revisions, dataset_splits, dataset_split_examples.

export interface SpanExamples extends Authored {
  readonly datasetRowId: number;
  /** In batches, without IDs. An error that it throws rolls back the write. */
  readonly examples: AsyncIterable<readonly NewExample[]>;
  /** Splits of the added examples, which are created when they are absent. */
  readonly splitNames: readonly string[];
  /** Description of the new version. */
  readonly description: string | null;
  /** Also adds examples that repeat one of the dataset, or an earlier one of the batch. */
  readonly keepsRepeated: boolean;
  /** Counts only. Nothing is written. */
  readonly isDryRun: boolean;
}

/**
 * Adds examples of spans as one new version, all of them or none. No version is created when nothing is added.
 *
 * @throws {SpandrelError} `DATASET_NOT_FOUND`
 */
export function addSpanExamples(db: Db, request: SpanExamples): Promise<AddedSpans> {
  return inTransaction(db, async (tx) => {
    await allowLongStatements(tx);
    await collectRows(tx, request);
    const dataset = await lockDataset(tx, request.datasetRowId);
    if (!dataset) {
      throw new RowError('DATASET_NOT_FOUND', 'Dataset', [request.datasetRowId], (id) => `Unknown dataset: ${id}`);
    }
    const counts = await markRepeated(tx, dataset.id);
    const addedCount = counts.newCount + (request.keepsRepeated ? counts.spanCount + counts.contentCount : 0);
    const result = {
      datasetRowId: dataset.id,
      addedCount,
      repeatedSpanCount: counts.spanCount,
      repeatedContentCount: counts.contentCount,
    };
    if (request.isDryRun || addedCount === 0) {
      await sql`drop table upload_rows, span_rows`.execute(tx);
      return { ...result, versionRowId: null };
    }
    const exampleCount = (dataset.latest?.example_count ?? 0) + addedCount;
    const versionRowId = await insertVersion(tx, dataset.id, exampleCount, request);
    await insertExamples(tx, dataset.id, versionRowId, request);
    await setExampleRange(tx, dataset.id, versionRowId);
    return { ...result, versionRowId };
  });
}

/** Reason why a row `u` repeats an example of the dataset, or an earlier row. */
const repetition = (datasetId: number): RawBuilder<Repetition | null> => sql`case
  when exists (
    select from dataset_examples e join dataset_example_revisions r
      on r.dataset_id = e.dataset_id and r.dataset_example_id = e.id
        and r.until_version_id is null and r.revision_kind <> 'DELETE'
    where e.span_row_id = u.span_row_id and e.dataset_id = ${datasetId}
  ) then 'SPAN'
  when row_number() over (partition by u.content_hash order by u.ordinal) > 1 or exists (
    select from dataset_example_revisions r where r.dataset_id = ${datasetId} and r.content_hash = u.content_hash
      and r.until_version_id is null and r.revision_kind <> 'DELETE'
  ) then 'CONTENT'
end`;

/** Fills `span_rows` with the reason of each repetition. */
async function markRepeated(tx: Db, datasetId: number) {
  await sql`
    create temporary table span_rows on commit drop as
    select u.*, ${repetition(datasetId)} as repetition from upload_rows u
  `.execute(tx);
  const { rows } = await sql<{ newCount: number; spanCount: number; contentCount: number }>`
    select count(*) filter (where repetition is null) as "newCount",
      count(*) filter (where repetition = 'SPAN') as "spanCount",
      count(*) filter (where repetition = 'CONTENT') as "contentCount"
    from span_rows
  `.execute(tx);
  return expectPresent(rows[0], 'an aggregate returns one row');
}

async function insertExamples(
  tx: Db,
  datasetId: number,
  versionId: number,
  { keepsRepeated, splitNames, userId }: SpanExamples,
): Promise<void> {
  await sql`
    create temporary table span_examples on commit drop as
    select new_id as id, * from span_rows where repetition is null or ${keepsRepeated}
  `.execute(tx);
  await sql`
    insert into dataset_examples (id, dataset_id, span_row_id) overriding system value
    select id, ${datasetId}, span_row_id from span_examples order by ordinal
  `.execute(tx);
  await sql`
    insert into dataset_example_revisions
      (dataset_id, dataset_example_id, dataset_version_id, revision_kind, input, output, metadata, content_hash)
    select ${datasetId}, id, ${versionId}, 'CREATE', input::json, output::json, metadata::json, content_hash
    from span_examples order by ordinal
  `.execute(tx);
  if (splitNames.length === 0) return;
  const names = sql`unnest(${splitNames.map(toPostgresText)}::text[]) as given (name)`;
  await sql`
    insert into dataset_splits (name, color, user_id)
    select distinct given.name, ${UPLOADED_SPLIT_COLOR}, ${authorColumn(userId)} from ${names} order by given.name
    on conflict (name) do nothing
  `.execute(tx);
  await sql`
    insert into dataset_split_examples (dataset_split_id, dataset_id, dataset_example_id)
    select s.id, ${datasetId}, e.id from dataset_splits s cross join span_examples e
    where s.name in (select given.name from ${names})
  `.execute(tx);
}

/**
 * Why each example would repeat one of the dataset, or an earlier one of the list, in the order of the list. Null for a new
 * one.
 */
export async function findRepetitions(
  db: Db,
  datasetRowId: number,
  examples: readonly { readonly spanRowId: number; readonly hash: Buffer }[],
): Promise<(Repetition | null)[]> {
  const { rows } = await sql<{ repetition: Repetition | null }>`
    select ${repetition(datasetRowId)} as repetition from unnest(
      ${examples.map(({ spanRowId }) => spanRowId)}::bigint[], ${examples.map(({ hash }) => hash)}::bytea[]
    ) with ordinality as u (span_row_id, content_hash, ordinal)
    order by u.ordinal
  `.execute(db);
  return rows.map(({ repetition }) => repetition);
}
