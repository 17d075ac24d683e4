import { sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type { VersionNote } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Db } from '../database/database.ts';
import { newVersion } from './change-examples.ts';
import { insertTombstones } from './dataset-versions.ts';

// Tables: dataset_versions, dataset_example_revisions, dataset_split_examples.

/**
 * Creates a version with the examples of an earlier version of the dataset. Splits have no versions, so examples that
 * return are in none.
 *
 * @throws {SpandrelError} `DATASET_NOT_FOUND`; `QUERY_INVALID` if the latest version has the same examples
 */
export function restoreVersion(
  db: Db,
  datasetRowId: number,
  version: { readonly rowId: number; readonly exampleCount: number },
  note: VersionNote & Authored,
): Promise<number> {
  const countOf = (latestCount: number): number => version.exampleCount - latestCount;
  return newVersion(db, datasetRowId, note, countOf, async (tx, dataset, versionId) => {
    await sql`
      create temporary table restored_examples on commit drop as
      select t.example_id as dataset_example_id, o.id as old_id, c.id as id, c.revision_kind as kind, c.content_hash
      from (
        select distinct dataset_example_id as example_id from dataset_example_revisions
        where dataset_id = ${dataset.id} and dataset_version_id > ${version.rowId}
      ) t
      left join dataset_example_revisions o on o.dataset_id = ${dataset.id} and o.dataset_example_id = t.example_id
        and o.dataset_version_id <= ${version.rowId} and o.until_version_id > ${version.rowId}
        and o.revision_kind <> 'DELETE'
      join dataset_example_revisions c on c.dataset_id = ${dataset.id} and c.dataset_example_id = t.example_id
        and c.until_version_id is null
      where case when o.id is null then c.revision_kind <> 'DELETE'
        else c.revision_kind = 'DELETE' or c.content_hash <> o.content_hash end
    `.execute(tx);
    const removed = sql`(select id, dataset_example_id, content_hash from restored_examples where old_id is null)`;
    const { rows } = await sql<{ count: number }>`select count(*) as count from restored_examples`.execute(tx);
    if (rows[0]?.count === 0) {
      throw new SpandrelError('QUERY_INVALID', 'The latest version has the same examples as this version.');
    }
    await insertTombstones(tx, dataset.id, versionId, removed);
    await sql`
      update dataset_example_revisions r set until_version_id = ${versionId}
      from restored_examples t where r.id = t.id and t.old_id is not null
    `.execute(tx);
    await sql`
      insert into dataset_example_revisions
        (dataset_id, dataset_example_id, dataset_version_id, revision_kind, input, output, metadata, content_hash)
      select o.dataset_id, o.dataset_example_id, ${versionId}, case when t.kind = 'DELETE' then 'CREATE' else 'PATCH' end,
        o.input, o.output, o.metadata, o.content_hash
      from restored_examples t join dataset_example_revisions o on o.id = t.old_id
    `.execute(tx);
    return versionId;
  });
}
