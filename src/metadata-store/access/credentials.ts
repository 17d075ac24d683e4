import { sql } from 'kysely';
import type { ProtectedResource } from '../../model/access/oauth2.ts';
import {
  CREDENTIAL_BATCH_ROW_COUNT,
  CREDENTIAL_CHANGE_SECONDS_MAX,
  OAUTH2_DEAD_GRANT_DAYS_MAX,
  OAUTH2_UNUSED_CLIENT_DAYS_MAX,
} from '../../model/limits/access.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { deleteUnusedClients } from './oauth2-clients.ts';
import { deleteDeadGrants } from './oauth2-grants.ts';

// Tables: access_tokens, api_keys, users, credential_changes, as the cache of credentials reads them.

interface CredentialRow {
  readonly kind: 'access' | 'key';
  readonly rowId: number;
  readonly hash: Buffer;
  readonly userRowId: number;
  readonly sessionRowId: number | null;
  readonly scope: 'ALL' | 'READ' | 'SEND' | 'SCIM';
  readonly projects: readonly string[] | null;
  readonly expiresAt: Date | null;
  readonly resource: ProtectedResource | null;
  readonly isFirstParty: boolean | null;
}

interface AccountRow {
  readonly rowId: number;
  readonly role: 'SYSTEM' | 'ADMIN' | 'MEMBER' | 'VIEWER';
  readonly username: string;
  readonly email: string | null;
  readonly groups: string[];
  readonly isActive: boolean;
}

const ACCESS_TOKENS = sql`
  select 'access' as kind, access_tokens.id as "rowId", hash, sessions.user_id as "userRowId", session_id as "sessionRowId",
    'ALL' as scope, null::text[] as projects, access_tokens.expires_at as "expiresAt", resource, is_first_party as "isFirstParty"
  from access_tokens join sessions on sessions.id = session_id
  left join oauth2_grants on oauth2_grants.id = oauth2_grant_id
  left join oauth2_clients on oauth2_clients.id = oauth2_client_id`;
const API_KEYS = sql`
  select 'key' as kind, id as "rowId", hash, user_id as "userRowId", null::bigint as "sessionRowId",
    scope, projects, expires_at as "expiresAt", null as resource, null::boolean as "isFirstParty"
  from api_keys`;

/** Yields every credential that has not expired, in batches. */
export async function* listCredentials(db: Db): AsyncGenerator<readonly CredentialRow[]> {
  const sources = [
    { select: ACCESS_TOKENS, id: sql.ref('access_tokens.id'), expiresAt: sql.ref('access_tokens.expires_at') },
    { select: API_KEYS, id: sql.ref('api_keys.id'), expiresAt: sql.ref('api_keys.expires_at') },
  ];
  for (const { select, id, expiresAt } of sources) {
    for (let afterRowId = 0; ; ) {
      const { rows } = await sql<CredentialRow>`${select}
        where ${id} > ${afterRowId} and (${expiresAt} is null or ${expiresAt} > now())
        order by ${id} limit ${CREDENTIAL_BATCH_ROW_COUNT}`.execute(db);
      const last = rows.at(-1);
      if (last === undefined) break;
      yield rows;
      afterRowId = last.rowId;
    }
  }
}

export async function findCredential(db: Db, hash: Buffer): Promise<CredentialRow | undefined> {
  const { rows } = await sql<CredentialRow>`
    ${ACCESS_TOKENS} where hash = ${hash} union all ${API_KEYS} where hash = ${hash}`.execute(db);
  return rows[0];
}

/**
 * Groups of a user: those that the identity provider named at the last sign-in, and those that it has sent over SCIM. All
 * rights of groups are decided with these.
 */
const EFFECTIVE_GROUPS = sql`array(
  select unnest(user_groups) union
  select display_name from scim_groups join scim_group_members on group_id = scim_groups.id where user_id = users.id
  order by 1)`;
const ACCOUNTS = sql`
  select id as "rowId", role, username, email, ${EFFECTIVE_GROUPS} as groups, is_active as "isActive" from users`;

export async function* listAccounts(db: Db): AsyncGenerator<readonly AccountRow[]> {
  for (let afterRowId = 0; ; ) {
    const { rows } = await sql<AccountRow>`
      ${ACCOUNTS} where id > ${afterRowId} order by id limit ${CREDENTIAL_BATCH_ROW_COUNT}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    afterRowId = last.rowId;
  }
}

export async function findAccounts(db: Db, rowIds: readonly number[]): Promise<AccountRow[]> {
  return (await sql<AccountRow>`${ACCOUNTS} where id = any(${rowIds}::bigint[])`.execute(db)).rows;
}

/**
 * Changes since a position, which is the oldest transaction that was running then: what it or a later one wrote may not
 * have been visible. So a change can be returned again.
 */
export async function readChanges(db: Db, position: string | undefined) {
  const { rows } = await sql<{ position: string; kind: string | null; rowId: number | null }>`
    select current.position, kind, row_id as "rowId"
    from (select pg_snapshot_xmin(pg_current_snapshot())::text as position) as current
    left join credential_changes on transaction_id >= ${position ?? null}::xid8`.execute(db);
  const of = (wanted: string) => rows.flatMap(({ kind, rowId }) => (kind === wanted && rowId !== null ? [rowId] : []));
  const next = rows[0]?.position;
  if (next === undefined) throw new Error('The query for credential changes returned no row');
  return {
    position: next,
    userRowIds: of('user'),
    accessRowIds: of('access'),
    keyRowIds: of('key'),
    projectRowIds: of('project'),
  };
}

/** Stores when keys were last used. */
export async function recordUse(db: Db, uses: ReadonlyMap<number, Date>): Promise<void> {
  await sql`
    update api_keys set last_used_at = used.at
    from unnest(${[...uses.keys()]}::bigint[], ${[...uses.values()]}::timestamptz[]) as used (id, at)
    where api_keys.id = used.id and (last_used_at is null or last_used_at < used.at)`.execute(db);
}

/**
 * Deletes expired tokens and sessions, forgotten failures, old changes, and applications and grants out of use. Expired tokens
 * stay for an hour, so that they are reported as expired.
 */
export async function sweepCredentials(db: Db, now: Date): Promise<void> {
  const hourAgo = new Date(now.getTime() - 3_600_000);
  await db.deleteFrom('sessions').where('expires_at', '<', hourAgo).execute();
  await db.deleteFrom('refresh_tokens').where('expires_at', '<', hourAgo).execute();
  await db.deleteFrom('access_tokens').where('expires_at', '<', hourAgo).execute();
  await db.deleteFrom('password_reset_tokens').where('expires_at', '<', hourAgo).execute();
  await db.deleteFrom('oauth2_authorization_codes').where('expires_at', '<', hourAgo).execute();
  await db.deleteFrom('sign_in_failures').where('updated_at', '<', hourAgo).execute();
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  await deleteDeadGrants(db, daysAgo(OAUTH2_DEAD_GRANT_DAYS_MAX));
  await deleteUnusedClients(db, daysAgo(OAUTH2_UNUSED_CLIENT_DAYS_MAX));
  const changesFrom = new Date(now.getTime() - CREDENTIAL_CHANGE_SECONDS_MAX * 1_000);
  await db.deleteFrom('credential_changes').where('changed_at', '<', changesFrom).execute();
}

/** Functions of credentials, bound to a database. */
export const credentialRepository = (db: Db) =>
  bindToDatabase(db, {
    listCredentials,
    findCredential,
    listAccounts,
    findAccounts,
    readChanges,
    recordUse,
    sweep: sweepCredentials,
  });
