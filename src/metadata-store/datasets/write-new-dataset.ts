import { sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type { NewExample, UploadResult } from '../../model/dataset.ts';
import { copyRows } from '../database/copy-rows.ts';
import type { Db } from '../database/database.ts';
import { CONTENT_COLUMNS, toContentFields } from './copy-content.ts';
import { insertVersion, setExampleRange } from './dataset-versions.ts';

// Tables: dataset_versions, dataset_examples, dataset_example_revisions.

/**
 * Writes the examples of a dataset that the same transaction has created, while they are read: nothing can match them.
 *
 * @param examples Batches of examples without IDs, splits and spans.
 */
export async function writeNewDataset(
  tx: Db,
  datasetId: number,
  {
    examples,
    userId,
  }: Authored & { readonly examples: AsyncIterable<readonly NewExample[]> | Iterable<readonly NewExample[]> },
): Promise<UploadResult> {
  const versionId = await insertVersion(tx, datasetId, 0, { userId });
  const written = { count: 0 };
  const columns = `dataset_id, dataset_version_id, revision_kind, ${CONTENT_COLUMNS}`;
  // The row id of a new example is the default of `dataset_example_id`.
  await copyRows(
    tx,
    `dataset_example_revisions (${columns})`,
    toLines(examples, `${datasetId}\t${versionId}\tCREATE`, written),
  );
  await sql`
    insert into dataset_examples (id, dataset_id) overriding system value
    select dataset_example_id, dataset_id from dataset_example_revisions
    where dataset_id = ${datasetId} and dataset_version_id = ${versionId}
  `.execute(tx);
  await sql`update dataset_versions set example_count = ${written.count} where id = ${versionId}`.execute(tx);
  await setExampleRange(tx, datasetId, versionId);
  return {
    datasetRowId: datasetId,
    versionRowId: versionId,
    createdCount: written.count,
    updatedCount: 0,
    deletedCount: 0,
  };
}

async function* toLines(
  batches: Parameters<typeof writeNewDataset>[2]['examples'],
  start: string,
  written: { count: number },
): AsyncGenerator<string> {
  for await (const batch of batches) {
    let lines = '';
    for (const example of batch) lines += `${start}\t${toContentFields(example)}\n`;
    written.count += batch.length;
    yield lines;
  }
}
