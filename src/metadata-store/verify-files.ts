import { sql } from 'kysely';
import { expectPresent } from '../base/expect-present.ts';
import type { Db } from './database/database.ts';

/**
 * Checks that the tables and indexes of an embedded database contain the same rows, those of Postgres' own catalogs included.
 * It installs the extension `amcheck`, so it must run on a copy.
 *
 * @returns one line per problem
 */
export async function verifyFiles(db: Db): Promise<string[]> {
  // First, because a new row in a truncated catalog would take the place of a lost one.
  const ofCounts = await compareCounts(db).catch(toLines);
  const ofRows = await sql`create extension if not exists amcheck`
    .execute(db)
    .then(async () => [...(await verifyTables(db)), ...(await verifyIndexes(db))])
    .catch(toLines);
  return [...ofRows, ...ofCounts];
}

/** Names of tables and indexes by the paths of their files in the data directory. */
export async function namesOfFiles(db: Db): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ path: string; name: string }>`
    select pg_relation_filepath(oid) as path, oid::regclass::text as name from pg_class
    where pg_relation_filepath(oid) is not null`.execute(db);
  return new Map(rows.map(({ path, name }) => [path, name]));
}

async function verifyTables(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ oid: number; name: string }>`
    select oid, oid::regclass::text as name from pg_class
    where relkind in ('r', 't', 'm') and relpersistence = 'p' order by oid`.execute(db);
  const problems: string[] = [];
  for (const { oid, name } of tables) {
    const found = await sql<{ count: number; first: string | null }>`
      select count(*) as count, min(msg) as first from verify_heapam(${oid}::oid::regclass)`
      .execute(db)
      .then(({ rows }) => expectPresent(rows[0], 'an aggregate returns one row'))
      .catch(toProblem);
    if (found.count > 0) problems.push(`${name}: ${found.first}`);
  }
  return problems;
}

async function verifyIndexes(db: Db): Promise<string[]> {
  const { rows: indexes } = await sql<{ oid: number; name: string }>`
    select pg_class.oid, pg_class.oid::regclass::text as name
    from pg_class join pg_am on pg_am.oid = relam join pg_index on indexrelid = pg_class.oid
    where relkind = 'i' and amname = 'btree' and relpersistence = 'p' and indisvalid order by pg_class.oid`.execute(db);
  const problems: string[] = [];
  for (const { oid, name } of indexes) {
    const found = await sql`select bt_index_check(${oid}::oid::regclass, true, true)`
      .execute(db)
      .then(() => undefined)
      .catch(toProblem);
    if (found) problems.push(`${name}: ${found.first}`);
  }
  return problems;
}

/** Compares row counts, because only an index still refers to rows of a truncated table. */
async function compareCounts(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string; column: string }>`
    select indrelid::regclass::text as name, attname::text as column
    from pg_index join pg_class on pg_class.oid = indrelid
      join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indisprimary and relpersistence = 'p'`.execute(db);
  const problems: string[] = [];
  for (const { name, column } of tables) {
    const count = (isByIndex: boolean) =>
      db.transaction().execute(async (transaction) => {
        await sql`set local enable_seqscan = ${sql.lit(isByIndex ? 'off' : 'on')}`.execute(transaction);
        await sql`set local enable_indexscan = ${sql.lit(isByIndex ? 'on' : 'off')}`.execute(transaction);
        await sql`set local enable_indexonlyscan = ${sql.lit(isByIndex ? 'on' : 'off')}`.execute(transaction);
        await sql`set local enable_bitmapscan = off`.execute(transaction);
        const { rows } = await sql<{ count: number }>`
          select count(${sql.ref(column)}) as count from ${sql.raw(name)}`.execute(transaction);
        return expectPresent(rows[0], 'an aggregate returns one row').count;
      });
    try {
      const [rows, indexed] = [await count(false), await count(true)];
      if (rows !== indexed) problems.push(`${name}: it has ${rows} rows, and its primary key has ${indexed}`);
    } catch (error) {
      problems.push(`${name}: ${toProblem(error as Error).first}`);
    }
  }
  return problems;
}

const toLines = (error: Error): string[] => [toProblem(error).first];

const toProblem = ({ message }: Error) => ({ count: 1, first: message.split('\n', 1)[0] ?? '' });
