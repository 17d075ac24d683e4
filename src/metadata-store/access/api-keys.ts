import { type Selectable, sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import { groupBy } from '../../base/group-by.ts';
import type { ApiKey, KeyScope } from '../../model/access/api-key.ts';
import type { Page } from '../../model/page.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { toMicros, toTime } from '../database/microseconds.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { ApiKeyTable } from './access-tables.ts';

// Table: api_keys.

export async function allocateApiKeyRowId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('api_keys', 'id')) as id`.execute(
    db,
  );
  return expectPresent(rows[0], 'a select without a table returns a row').id;
}

export async function createApiKey(
  db: Db,
  key: {
    readonly rowId: number;
    readonly userRowId: number;
    readonly hash: Buffer;
    readonly name: string;
    readonly description: string | null;
    readonly lastCharacters: string;
    readonly scope: KeyScope;
    readonly projects: readonly string[] | null;
    readonly expiresAtUnixNano: bigint | null;
  },
): Promise<ApiKey> {
  const row = await db
    .insertInto('api_keys')
    .values({
      id: key.rowId,
      user_id: key.userRowId,
      hash: key.hash,
      name: toPostgresText(key.name),
      description: key.description && toPostgresText(key.description),
      last_characters: key.lastCharacters,
      scope: key.scope,
      projects: key.projects?.map(toPostgresText),
      expires_at:
        key.expiresAtUnixNano === null ? null : toTime(sql`${String(floorToMicros(key.expiresAtUnixNano))}::bigint`),
    })
    .returningAll()
    .returning(EXPIRY)
    .executeTakeFirstOrThrow();
  return toApiKey(row);
}

/** Highest row id first. `fromRowId` is the first row of the page. */
export async function listApiKeys(
  db: Db,
  owners: { readonly userRowId: number } | 'system' | 'users',
  { limit, fromRowId = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly fromRowId?: number },
): Promise<Page<ApiKey>> {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select(EXPIRY)
    .where('api_keys.id', '<=', fromRowId)
    .$if(owners === 'system', (query) => query.where('users.role', '=', 'SYSTEM'))
    .$if(owners === 'users', (query) => query.where('users.role', '<>', 'SYSTEM'))
    .$if(typeof owners === 'object', (query) =>
      query.where('api_keys.user_id', '=', typeof owners === 'object' ? owners.userRowId : 0),
    )
    .orderBy('api_keys.id', 'desc')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(toApiKey);
  const next = rows[limit];
  return next ? { items, nextRowId: next.id } : { items };
}

export async function findApiKeys(db: Db, rowIds: readonly number[]): Promise<Map<number, ApiKey>> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .select(EXPIRY)
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, toApiKey(row)]));
}

/** All keys by the row id of their user, newest first. */
export async function findApiKeysOfUsers(db: Db, userRowIds: readonly number[]): Promise<Map<number, ApiKey[]>> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .select(EXPIRY)
    .where('user_id', '=', sql<number>`any(${userRowIds}::bigint[])`)
    .orderBy('id', 'desc')
    .execute();
  return groupBy(rows, (row) => row.user_id, toApiKey);
}

export async function deleteApiKey(db: Db, rowId: number): Promise<void> {
  await db.deleteFrom('api_keys').where('id', '=', rowId).execute();
}

/** Functions of keys, bound to a database. */
export const apiKeyRepository = (db: Db) =>
  bindToDatabase(db, {
    allocateRowId: allocateApiKeyRowId,
    create: createApiKey,
    list: listApiKeys,
    findByRowIds: findApiKeys,
    findOfUsers: findApiKeysOfUsers,
    delete: deleteApiKey,
  });

const EXPIRY = toMicros(sql.ref('api_keys.expires_at')).$castTo<string | null>().as('expiry_micros');

const floorToMicros = (unixNano: bigint): bigint => (unixNano - (((unixNano % 1_000n) + 1_000n) % 1_000n)) / 1_000n;

type ApiKeyRow = Selectable<ApiKeyTable> & { readonly expiry_micros: string | null };

const toApiKey = (row: ApiKeyRow): ApiKey => ({
  rowId: row.id,
  userRowId: row.user_id,
  name: row.name,
  description: row.description,
  lastCharacters: row.last_characters,
  scope: row.scope,
  projects: row.projects,
  createdAt: row.created_at,
  expiresAtUnixNano: row.expiry_micros === null ? null : BigInt(row.expiry_micros) * 1_000n,
  lastUsedAt: row.last_used_at,
});
