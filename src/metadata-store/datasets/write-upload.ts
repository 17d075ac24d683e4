import { sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { Authored } from '../../model/access/author.ts';
import { UPLOADED_SPLIT_COLOR, type UploadAction, type UploadResult } from '../../model/dataset.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { current, insertTombstones, insertVersion, type LockedDataset, setExampleRange } from './dataset-versions.ts';
import type { ChangeCounts } from './upload-plan.ts';

// Tables: dataset_versions, dataset_examples, dataset_example_revisions, dataset_splits, dataset_split_examples.

export interface UploadChanges extends Authored {
  readonly action: UploadAction;
  /** Whether the upload contains the splits of its examples. If not, the splits do not change. */
  readonly providesSplits: boolean;
}

/** With what the rows of the upload have. */
interface CollectedChanges extends UploadChanges {
  readonly hasSplits: boolean;
}

/** Creates the version with the matched and the new examples. */
export async function writeUpload(
  tx: Db,
  dataset: LockedDataset,
  { created, patched, deleted }: ChangeCounts,
  upload: CollectedChanges,
): Promise<UploadResult> {
  const previousCount = dataset.latest?.example_count ?? 0;
  const isChanged = created > 0 || patched > 0 || deleted > 0;
  // In a new dataset there is nothing that loses its splits.
  const changesSplits = upload.providesSplits && (upload.hasSplits || dataset.latest !== undefined);
  let versionId = dataset.latest?.id;
  if (isChanged || versionId === undefined) {
    versionId = await insertVersion(tx, dataset.id, previousCount + created - deleted, { userId: upload.userId });
    if (deleted > 0) await removeUnpaired(tx, dataset, versionId);
    if (patched > 0) await patchPaired(tx, dataset, versionId);
    if (created > 0) await createUnpaired(tx, dataset, versionId);
    if (created > 0 && changesSplits) await pairCreated(tx);
    await setExampleRange(tx, dataset.id, versionId);
  }
  const moved = changesSplits ? await assignSplits(tx, dataset, upload) : 0;
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

/** Rows `u` that no example of the latest version has. */
const isUnpaired = sql`not exists (select from upload_pairs p where p.ordinal = u.ordinal)`;

/** In the order of the upload by row id. An external ID of a deleted example restores that example. */
async function createUnpaired(tx: Db, dataset: LockedDataset, versionId: number): Promise<void> {
  if (dataset.latest) await reviveDeleted(tx, dataset, versionId);
  await sql`
    insert into dataset_examples (id, dataset_id, external_id, span_row_id) overriding system value
    select u.new_id, ${dataset.id}, u.given_id, u.span_row_id
    from upload_rows u where not u.is_revived and ${isUnpaired}
  `.execute(tx);
  await sql`
    insert into dataset_example_revisions
      (dataset_id, dataset_example_id, dataset_version_id, revision_kind, input, output, metadata, content_hash)
    select ${dataset.id}, u.new_id, ${versionId}, 'CREATE',
      u.input::json, u.output::json, u.metadata::json, u.content_hash
    from upload_rows u where ${isUnpaired}
  `.execute(tx);
}

/** Pairs the other rows with their new examples, for the assignment of splits. */
async function pairCreated(tx: Db): Promise<void> {
  await sql`
    insert into upload_pairs select u.ordinal, u.new_id, null, false from upload_rows u where ${isUnpaired}
  `.execute(tx);
}

/** Gives rows the row id of the deleted example that their external ID names, and ends its deletion. */
async function reviveDeleted(tx: Db, dataset: LockedDataset, versionId: number): Promise<void> {
  await sql`
    update upload_rows u set new_id = e.id, is_revived = true from dataset_examples e
    where e.dataset_id = ${dataset.id} and e.external_id = u.given_id and ${isUnpaired}
  `.execute(tx);
  await sql`
    update dataset_example_revisions r set until_version_id = ${versionId}
    from upload_rows u
    where u.is_revived and r.dataset_id = ${dataset.id} and r.dataset_example_id = u.new_id
      and r.until_version_id is null
  `.execute(tx);
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
  { action, userId }: Pick<UploadChanges, 'action' | 'userId'>,
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
