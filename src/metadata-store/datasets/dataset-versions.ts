import { type RawBuilder, sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type { VersionNote } from '../../model/dataset.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Tables: dataset_versions, dataset_example_revisions, dataset_split_examples.

/** A dataset that is locked against changes by other transactions. */
export interface LockedDataset {
  readonly id: number;
  readonly latest: { readonly id: number; readonly example_count: number } | undefined;
}

/** Undefined when there is none. */
export async function lockDataset(tx: Db, rowId: number): Promise<LockedDataset | undefined> {
  const found = await tx.selectFrom('datasets').select('id').where('id', '=', rowId).forUpdate().executeTakeFirst();
  return found && { id: rowId, latest: await findLatestVersion(tx, rowId) };
}

export const findLatestVersion = (tx: Db, datasetId: number): Promise<LockedDataset['latest']> =>
  tx
    .selectFrom('dataset_versions')
    .select(['id', 'example_count'])
    .where('dataset_id', '=', datasetId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Revisions that are neither replaced nor deleted, which are those of the latest version. */
export const current = ({ id }: LockedDataset): RawBuilder<unknown> => sql`(
  select id, dataset_example_id, content_hash from dataset_example_revisions
  where dataset_id = ${id} and until_version_id is null and revision_kind <> 'DELETE'
)`;

/**
 * Creates a version with a number of examples; `setExampleRange` completes it. Metadata is the text of a JSON object.
 */
export async function insertVersion(
  tx: Db,
  datasetId: number,
  exampleCount: number,
  { description = null, metadata, userId }: VersionNote & Authored,
): Promise<number> {
  const { id } = await tx
    .insertInto('dataset_versions')
    .values({
      dataset_id: datasetId,
      description: description === null ? null : toPostgresText(description),
      example_count: exampleCount,
      user_id: authorColumn(userId),
      ...(metadata !== undefined && { metadata }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Ends revisions, given by `id`, `dataset_example_id` and `content_hash`, with a DELETE. Their examples leave all
 * splits.
 */
export async function insertTombstones(
  tx: Db,
  datasetId: number,
  versionId: number,
  removed: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update dataset_example_revisions r set until_version_id = ${versionId} from ${removed} d where r.id = d.id
  `.execute(tx);
  await sql`
    insert into dataset_example_revisions
      (dataset_id, dataset_example_id, dataset_version_id, revision_kind, input, output, metadata, content_hash)
    select ${datasetId}, dataset_example_id, ${versionId}, 'DELETE', '{}', '{}', '{}', content_hash from ${removed} d
  `.execute(tx);
  await sql`
    delete from dataset_split_examples m using ${removed} d
    where m.dataset_id = ${datasetId} and m.dataset_example_id = d.dataset_example_id
  `.execute(tx);
}

/** Records the range of row ids of the examples of a new version. */
export async function setExampleRange(tx: Db, datasetId: number, versionId: number): Promise<void> {
  const live = sql`from dataset_example_revisions
    where dataset_id = ${datasetId} and until_version_id is null and revision_kind <> 'DELETE'`;
  await sql`
    update dataset_versions set
      first_example_id = (select dataset_example_id ${live} order by dataset_id, dataset_example_id limit 1),
      last_example_id = (select dataset_example_id ${live} order by dataset_id desc, dataset_example_id desc limit 1)
    where id = ${versionId}
  `.execute(tx);
}
