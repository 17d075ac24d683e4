import { sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { Authored } from '../../model/access/author.ts';
import { type NewExample, UPLOADED_SPLIT_COLOR, type UploadAction, type UploadResult } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { RowError } from '../../model/row-error.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import {
  current,
  findLatestVersion,
  insertTombstones,
  insertVersion,
  type LockedDataset,
  setExampleRange,
} from './dataset-versions.ts';
import { allowLongStatements, datasetNameTaken } from './datasets.ts';

// Tables: datasets, dataset_versions, dataset_examples, dataset_example_revisions, dataset_splits, dataset_split_examples.

export interface ExampleUpload extends Authored {
  readonly action: UploadAction;
  readonly name: string;
  /** Description of the dataset if the upload creates it. */
  readonly description: string | null;
  /** Metadata of the dataset if the upload creates it, as the text of a JSON object. */
  readonly metadata?: string;
  /** In batches that fit into one statement. An error that it throws rolls back the upload. */
  readonly examples: AsyncIterable<readonly NewExample[]> | Iterable<readonly NewExample[]>;
  /** Whether the upload contains the splits of its examples. If not, the splits do not change. */
  readonly providesSplits: boolean;
}

/**
 * Adds the examples of an upload to a dataset, which is created when it is absent, in one transaction. They are
 * collected in a temporary table first, so that the dataset is locked only for the writing, and writers of one dataset
 * create versions one after the other. An upload that changes no content creates no version, unless there is none.
 *
 * An incoming example is matched with the stored example that its ID names. One without an ID is matched with the first
 * example of the same content that no ID has named.
 *
 * @throws {SpandrelError} `DATASET_NAME_TAKEN`; `DATASET_EXAMPLES_UNKNOWN` for global IDs that the latest version does not
 *   hold; `DATASET_UPLOAD_INVALID` for an ID that occurs twice.
 */
export function uploadExamples(db: Db, upload: ExampleUpload): Promise<UploadResult> {
  const name = toPostgresText(upload.name);
  return db.transaction().execute(async (tx) => {
    await allowLongStatements(tx);
    if (upload.action === 'create') await rejectTaken(tx, name);
    const rowCount = await collect(tx, upload);
    const dataset = await lockOrMake(tx, { ...upload, name });
    await pair(tx, dataset);
    return write(tx, dataset, rowCount, upload);
  });
}

/** An early check, before a long upload is read; the unique index decides. */
async function rejectTaken(tx: Db, name: string): Promise<void> {
  const taken = await tx.selectFrom('datasets').select('id').where('name', '=', name).executeTakeFirst();
  if (taken) throw datasetNameTaken(name);
}

/** Fills `upload_rows`; `ordinal` counts from 1. */
async function collect(tx: Db, { examples }: ExampleUpload): Promise<number> {
  await sql`
    create temporary table upload_rows (
      ordinal bigint, given_id text, example_id bigint, input text, output text, metadata text,
      content_hash bytea, span_row_id bigint, splits text
    ) on commit drop
  `.execute(tx);
  let rowCount = 0;
  for await (const batch of examples) {
    const first = rowCount + 1;
    rowCount += batch.length;
    const column = <Value>(value: (example: NewExample) => Value) => batch.map(value);
    await sql`
      insert into upload_rows
      select * from unnest(
        ${batch.map((_, index) => first + index)}::bigint[],
        ${column(({ id }) => (id === null ? null : toPostgresText(id)))}::text[],
        ${column(({ exampleRowId }) => exampleRowId ?? null)}::bigint[],
        ${column(({ input }) => input)}::text[],
        ${column(({ output }) => output)}::text[],
        ${column(({ metadata }) => metadata)}::text[],
        ${column(({ hash }) => hash)}::bytea[],
        ${column(({ spanRowId }) => spanRowId)}::bigint[],
        ${column(({ splits }) => (splits.length === 0 ? null : JSON.stringify(splits.map(toPostgresText))))}::text[]
      )
    `.execute(tx);
  }
  await sql`analyze upload_rows`.execute(tx);
  const { rows } = await sql<{ id: string }>`
    select given_id as id from upload_rows where given_id is not null group by given_id having count(*) > 1
    order by min(ordinal) limit 1
  `.execute(tx);
  if (rows[0]) throw new SpandrelError('DATASET_UPLOAD_INVALID', `Duplicate example_id in request: '${rows[0].id}'`);
  return rowCount;
}

/** Locks the dataset until the transaction ends. Creates it when it is absent. */
async function lockOrMake(
  tx: Db,
  upload: Pick<ExampleUpload, 'action' | 'name' | 'description' | 'metadata' | 'userId'>,
): Promise<LockedDataset> {
  for (;;) {
    const made = await tx
      .insertInto('datasets')
      .values({
        name: upload.name,
        description: upload.description === null ? null : toPostgresText(upload.description),
        ...(upload.metadata !== undefined && { metadata: upload.metadata }),
        user_id: authorColumn(upload.userId),
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) return { id: made.id, latest: undefined };
    if (upload.action === 'create') throw datasetNameTaken(upload.name);
    const found = await tx
      .selectFrom('datasets')
      .select('id')
      .where('name', '=', upload.name)
      .forUpdate()
      .executeTakeFirst();
    // Otherwise it was deleted in between.
    if (found) return { id: found.id, latest: await findLatestVersion(tx, found.id) };
  }
}

/** Fills `upload_pairs` with the incoming rows that have an example in the latest version. */
async function pair(tx: Db, dataset: LockedDataset): Promise<void> {
  await sql`
    create temporary table upload_pairs (ordinal bigint, example_id bigint, revision_id bigint, is_same boolean)
    on commit drop
  `.execute(tx);
  if (dataset.latest) {
    await sql`
      insert into upload_pairs
      select u.ordinal, r.dataset_example_id, r.id, r.content_hash = u.content_hash
      from upload_rows u
      left join dataset_examples e
        on e.dataset_id = ${dataset.id} and u.example_id is null and e.external_id = u.given_id
      join ${current(dataset)} r on r.dataset_example_id = coalesce(u.example_id, e.id)
      where u.given_id is not null
    `.execute(tx);
  }
  await rejectUnknown(tx);
  if (dataset.latest) {
    await rejectTwice(tx);
    await sql`analyze upload_pairs`.execute(tx);
    await sql`
      insert into upload_pairs
      select u.ordinal, r.dataset_example_id, r.id, true
      from (
        select ordinal, content_hash, row_number() over (partition by content_hash order by ordinal) as place
        from upload_rows where given_id is null
      ) u
      join (
        select c.id, dataset_example_id, content_hash,
          row_number() over (partition by content_hash order by dataset_example_id) as place
        from ${current(dataset)} c
        where content_hash in (select content_hash from upload_rows where given_id is null)
          and not exists (select from upload_pairs p where p.example_id = c.dataset_example_id)
      ) r using (content_hash, place)
    `.execute(tx);
  }
  await sql`analyze upload_pairs`.execute(tx);
}

async function rejectUnknown(tx: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select given_id as id from upload_rows u
    where example_id is not null and not exists (select from upload_pairs p where p.ordinal = u.ordinal)
    order by ordinal limit ${UNKNOWN_COUNT_SHOWN_MAX}
  `.execute(tx);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => `'${id}'`).join(', ');
  throw new SpandrelError(
    'DATASET_EXAMPLES_UNKNOWN',
    `No examples found in this dataset with the following IDs: ${ids}`,
  );
}

const UNKNOWN_COUNT_SHOWN_MAX = 100;

/** Two ids can name one example: its global ID and its external id. */
async function rejectTwice(tx: Db): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select example_id as id from upload_pairs group by example_id having count(*) > 1 limit 1
  `.execute(tx);
  if (!rows[0]) return;
  throw new RowError(
    'DATASET_UPLOAD_INVALID',
    'DatasetExample',
    [rows[0].id],
    (id) => `Duplicate example_id in request: '${id}'`,
  );
}

/** Creates the version with the matched and the new examples. */
async function write(tx: Db, dataset: LockedDataset, rowCount: number, upload: ExampleUpload): Promise<UploadResult> {
  const removes = upload.action === 'update' && dataset.latest !== undefined;
  const { rows: counts } = await sql<{ paired: number; patched: number }>`
    select count(*) as paired, count(*) filter (where not is_same) as patched from upload_pairs
  `.execute(tx);
  const { paired, patched } = expectPresent(counts[0], 'an aggregate returns one row');
  const previousCount = dataset.latest?.example_count ?? 0;
  const created = rowCount - paired;
  const deleted = removes ? previousCount - paired : 0;
  const isChanged = created > 0 || patched > 0 || deleted > 0;
  let versionId = dataset.latest?.id;
  if (isChanged || versionId === undefined) {
    versionId = await insertVersion(tx, dataset.id, previousCount + created - deleted, { userId: upload.userId });
    if (deleted > 0) await removeUnpaired(tx, dataset, versionId);
    if (patched > 0) await patchPaired(tx, dataset, versionId);
    if (created > 0) await createUnpaired(tx, dataset, versionId, created);
    await setExampleRange(tx, dataset.id, versionId);
  }
  const moved = upload.providesSplits ? await assignSplits(tx, dataset, upload) : 0;
  return {
    datasetRowId: dataset.id,
    versionRowId: versionId,
    createdCount: created,
    updatedCount: patched + moved,
    deletedCount: deleted,
  };
}

async function patchPaired(tx: Db, dataset: LockedDataset, versionId: number): Promise<void> {
  await sql`
    update dataset_example_revisions r set until_version_id = ${versionId}
    from upload_pairs p where r.id = p.revision_id and not p.is_same
  `.execute(tx);
  await sql`
    insert into dataset_example_revisions
      (dataset_id, dataset_example_id, dataset_version_id, revision_kind, input, output, metadata, content_hash)
    select ${dataset.id}, p.example_id, ${versionId}, 'PATCH',
      u.input::json, u.output::json, u.metadata::json, u.content_hash
    from upload_pairs p join upload_rows u using (ordinal) where not p.is_same order by p.ordinal
  `.execute(tx);
}

async function removeUnpaired(tx: Db, dataset: LockedDataset, versionId: number): Promise<void> {
  await sql`
    create temporary table upload_removed on commit drop as
    select r.id, r.dataset_example_id, r.content_hash from ${current(dataset)} r
    where not exists (select from upload_pairs p where p.example_id = r.dataset_example_id)
  `.execute(tx);
  await insertTombstones(tx, dataset.id, versionId, sql`upload_removed`);
}

/** In the order of the upload, also by row id. An external ID of a deleted example restores that example. */
async function createUnpaired(tx: Db, dataset: LockedDataset, versionId: number, count: number): Promise<void> {
  await sql`
    create temporary table upload_created on commit drop as
    with fresh as (
      select u.ordinal, e.id as revived_id,
        row_number() over (partition by e.id is null order by u.ordinal) as place
      from upload_rows u
      left join dataset_examples e on e.dataset_id = ${dataset.id} and e.external_id = u.given_id
      where not exists (select from upload_pairs p where p.ordinal = u.ordinal)
    ), ids as materialized (
      select nextval(pg_get_serial_sequence('dataset_examples', 'id')) as id from generate_series(1, ${count}::bigint)
    ), placed as (
      select id, row_number() over (order by id) as place from ids
    )
    select f.ordinal, coalesce(f.revived_id, p.id) as example_id, f.revived_id is null as is_new
    from fresh f join placed p using (place)
  `.execute(tx);
  await sql`analyze upload_created`.execute(tx);
  await sql`
    insert into dataset_examples (id, dataset_id, external_id, span_row_id) overriding system value
    select c.example_id, ${dataset.id}, u.given_id, u.span_row_id
    from upload_created c join upload_rows u using (ordinal) where c.is_new order by c.ordinal
  `.execute(tx);
  await sql`
    update dataset_example_revisions r set until_version_id = ${versionId}
    from upload_created c
    where not c.is_new and r.dataset_id = ${dataset.id} and r.dataset_example_id = c.example_id
      and r.until_version_id is null
  `.execute(tx);
  await sql`
    insert into dataset_example_revisions
      (dataset_id, dataset_example_id, dataset_version_id, revision_kind, input, output, metadata, content_hash)
    select ${dataset.id}, c.example_id, ${versionId}, 'CREATE',
      u.input::json, u.output::json, u.metadata::json, u.content_hash
    from upload_created c join upload_rows u using (ordinal) order by c.ordinal
  `.execute(tx);
  await sql`insert into upload_pairs select ordinal, example_id, null, false from upload_created`.execute(tx);
}

/**
 * Assigns the examples of the upload to the splits that it names, which are created when they are absent. With
 * `update`, other examples leave their splits.
 *
 * @returns The number of other examples whose splits changed.
 */
async function assignSplits(
  tx: Db,
  dataset: LockedDataset,
  { action, userId }: Pick<ExampleUpload, 'action' | 'userId'>,
): Promise<number> {
  await sql`
    insert into dataset_splits (name, color, user_id)
    select name, ${UPLOADED_SPLIT_COLOR}, ${authorColumn(userId)} from (
      select distinct name from upload_rows, json_array_elements_text(splits::json) name where splits is not null
    ) names order by name
    on conflict (name) do nothing
  `.execute(tx);
  await sql`
    create temporary table upload_splits on commit drop as
    select distinct p.example_id, s.id as split_id
    from upload_rows u
    join upload_pairs p using (ordinal)
    cross join lateral json_array_elements_text(u.splits::json) name
    join dataset_splits s on s.name = name.value
    where u.splits is not null
  `.execute(tx);
  const isConcerned =
    action === 'append'
      ? sql`exists (select from upload_pairs p where p.example_id = m.dataset_example_id)`
      : sql`true`;
  const { rows } = await sql<{ moved: number }>`
    with before as (
      select m.dataset_example_id as example_id, m.dataset_split_id as split_id from dataset_split_examples m
      where m.dataset_id = ${dataset.id} and ${isConcerned}
    ), differing as (
      (select * from before except select * from upload_splits)
      union all
      (select * from upload_splits except select * from before)
    )
    select count(distinct d.example_id) as moved from differing d
    where not exists (select from upload_pairs p where p.example_id = d.example_id and not p.is_same)
  `.execute(tx);
  await sql`
    delete from dataset_split_examples m where m.dataset_id = ${dataset.id} and ${isConcerned}
  `.execute(tx);
  await sql`
    insert into dataset_split_examples (dataset_split_id, dataset_id, dataset_example_id)
    select split_id, ${dataset.id}, example_id from upload_splits
  `.execute(tx);
  return expectPresent(rows[0], 'an aggregate returns one row').moved;
}
