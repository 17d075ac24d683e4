import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

// Table: cached_responses. Times are those of the database.

/** The content under a key, unless it is older than the age. */
export async function findCachedResponse(db: Db, key: Buffer, ageMsMax: number): Promise<string | undefined> {
  const { rows } = await sql<{ content: string }>`
    select content from cached_responses
    where key = ${key} and created_at > now() - ${ageMsMax} * interval '1 millisecond'
  `.execute(db);
  return rows[0]?.content;
}

/** Stores a content, in place of one under the same key. Without effect when the dataset has been deleted. */
export async function addCachedResponse(
  db: Db,
  { key, datasetRowId, content }: { readonly key: Buffer; readonly datasetRowId: number; readonly content: string },
): Promise<void> {
  await sql`
    insert into cached_responses (key, dataset_id, content, byte_count)
    select ${key}, d.id, ${content}, ${Buffer.byteLength(content)} from datasets d where d.id = ${datasetRowId}
    on conflict (key) do update
      set content = excluded.content, byte_count = excluded.byte_count, created_at = excluded.created_at
  `.execute(db);
}

/** Deletes what is older than the age, and the oldest rows above the total size. */
export async function evictCachedResponses(
  db: Db,
  { ageMsMax, bytesMax }: { readonly ageMsMax: number; readonly bytesMax: number },
): Promise<void> {
  await sql`
    delete from cached_responses where key in (
      select key from (
        select key, created_at, sum(byte_count) over (order by created_at desc, key) as bytes from cached_responses
      ) sized
      where bytes > ${bytesMax} or created_at <= now() - ${ageMsMax} * interval '1 millisecond'
    )
  `.execute(db);
}
