import { sql } from 'kysely';
import { SpandrelError } from '../../model/errors.ts';
import { RowError } from '../../model/row-error.ts';
import type { Db } from '../database/database.ts';
import { current, type LockedDataset } from './dataset-versions.ts';

// Table: upload_pairs, which is temporary.

/**
 * Fills `upload_pairs` with the incoming rows that have an example in the latest version.
 *
 * @throws {SpandrelError} `DATASET_EXAMPLES_UNKNOWN`, `DATASET_UPLOAD_INVALID`
 */
export async function pairUpload(tx: Db, dataset: LockedDataset): Promise<void> {
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
