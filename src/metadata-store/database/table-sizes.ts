import { sql } from 'kysely';
import { type Db, TABLE_NAMES } from './database.ts';

/** Bytes on disk of each table with its indexes, by name. */
export async function tableSizes(db: Db): Promise<{ readonly tableName: string; readonly numBytes: number }[]> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select name, pg_total_relation_size(to_regclass(quote_ident(name))) as bytes
    from unnest(${[...TABLE_NAMES]}::text[]) as name order by name
  `.execute(db);
  return rows.map(({ name, bytes }) => ({ tableName: name, numBytes: bytes }));
}
