import { sql } from 'kysely';
import { groupBy } from '../../base/group-by.ts';
import type { OAuth2Grant, ProtectedResource } from '../../model/access/oauth2.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { createSession, replaceTokens, type TokenPair } from './sessions.ts';

// Tables: oauth2_grants, and sessions and refresh_tokens of grants.

/** Creates a grant with its session and first tokens. Returns the row id of the grant. */
export async function createGrant(
  db: Db,
  grant: {
    readonly userRowId: number;
    readonly clientRowId: number;
    readonly scopes: readonly string[];
    readonly resource: ProtectedResource;
    readonly expiresAt: Date;
    readonly remoteAddress: string | null;
    readonly userAgent: string | null;
  },
  pair: TokenPair,
): Promise<number> {
  return await inTransaction(db, async (transaction) => {
    const { id } = await transaction
      .insertInto('oauth2_grants')
      .values({
        user_id: grant.userRowId,
        oauth2_client_id: grant.clientRowId,
        scopes: [...grant.scopes],
        resource: grant.resource,
        expires_at: grant.expiresAt,
        last_used_at: sql`now()`,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await createSession(transaction, { ...grant, grantRowId: id }, pair);
    return id;
  });
}

interface RefreshableRow {
  readonly id: number;
  readonly sessionId: number;
  readonly grantRowId: number;
  readonly userRowId: number;
  readonly clientId: string;
  readonly resource: ProtectedResource;
  readonly scopes: readonly string[];
  readonly isUsed: boolean;
  readonly isLive: boolean;
  readonly expiresAt: Date;
}

/** Exchanges a refresh token of a grant, in one transaction. One that was exchanged before ends the grant. */
export async function refreshGrant(
  db: Db,
  { hash, clientId }: { readonly hash: Buffer; readonly clientId: string },
  makePair: (grantExpiresAt: Date) => TokenPair,
  remoteAddress: string | null,
) {
  return await inTransaction(db, async (transaction) => {
    // The grant is locked before anything is read, in the order of a revocation: of two exchanges, one sees the other.
    await sql`
      select from oauth2_grants
      where id = (select oauth2_grant_id from sessions join refresh_tokens on session_id = sessions.id where hash = ${hash})
      for update`.execute(transaction);
    const { rows } = await sql<RefreshableRow>`
      select refresh_tokens.id, session_id as "sessionId", oauth2_grants.id as "grantRowId",
        oauth2_grants.user_id as "userRowId", client_id as "clientId", resource, scopes,
        consumed_at is not null as "isUsed",
        least(refresh_tokens.expires_at, oauth2_grants.expires_at) > now() and revoked_at is null and users.is_active as "isLive",
        oauth2_grants.expires_at as "expiresAt"
      from refresh_tokens
      join sessions on sessions.id = session_id
      join oauth2_grants on oauth2_grants.id = oauth2_grant_id
      join oauth2_clients on oauth2_clients.id = oauth2_client_id
      join users on users.id = oauth2_grants.user_id
      where hash = ${hash}`.execute(transaction);
    const token = rows[0];
    // An application that sends the token of another one gets nothing, and cannot end the grant of the other one.
    if (token === undefined || token.clientId !== clientId) return { kind: 'unknown' } as const;
    const { grantRowId, userRowId } = token;
    if (token.isUsed) {
      await revokeGrants(transaction, [grantRowId]);
      return { kind: 'replayed', grantRowId, userRowId } as const;
    }
    if (!token.isLive) return { kind: 'expired' } as const;
    await replaceTokens(transaction, token, makePair(token.expiresAt), remoteAddress);
    await transaction
      .updateTable('oauth2_grants')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', grantRowId)
      .execute();
    return { kind: 'exchanged', resource: token.resource, scopes: token.scopes } as const;
  });
}

/** The grant of an access or refresh token, used or not. Undefined for the token of a browser session. */
export async function findGrantByToken(db: Db, hash: Buffer): Promise<OAuth2Grant | undefined> {
  return (
    await selectGrants(
      db,
      sql`where oauth2_grants.id in (
        select oauth2_grant_id from sessions join refresh_tokens on session_id = sessions.id where hash = ${hash}
        union all select oauth2_grant_id from sessions join access_tokens on session_id = sessions.id where hash = ${hash})`,
    )
  )[0];
}

/** Ends grants with their tokens. They stay in the database for a while. */
export async function revokeGrants(db: Db, rowIds: readonly number[]): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const ids = sql<number>`any(${rowIds}::bigint[])`;
    await transaction
      .updateTable('oauth2_grants')
      .set({ revoked_at: sql`now()` })
      .where('id', '=', ids)
      .where('revoked_at', 'is', null)
      .execute();
    await transaction.deleteFrom('sessions').where('oauth2_grant_id', '=', ids).execute();
  });
}

/** Ends all grants of users, and the codes that could become grants. */
export async function revokeGrantsOfUsers(db: Db, userRowIds: readonly number[]): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const ids = sql<number>`any(${userRowIds}::bigint[])`;
    await transaction.deleteFrom('oauth2_authorization_codes').where('user_id', '=', ids).execute();
    const grants = await transaction
      .selectFrom('oauth2_grants')
      .select('id')
      .where('user_id', '=', ids)
      .where('revoked_at', 'is', null)
      .execute();
    await revokeGrants(
      transaction,
      grants.map(({ id }) => id),
    );
  });
}

/** All live grants, most recently used first. */
export const listGrants = (db: Db): Promise<OAuth2Grant[]> => selectGrants(db, sql`where ${IS_LIVE}`);

export async function findGrants(db: Db, rowIds: readonly number[]): Promise<Map<number, OAuth2Grant>> {
  const grants = await selectGrants(db, sql`where oauth2_grants.id = any(${rowIds}::bigint[]) and ${IS_LIVE}`);
  return new Map(grants.map((grant) => [grant.rowId, grant]));
}

/** Live grants by the row id of their user, most recently used first. */
export async function findGrantsOfUsers(db: Db, userRowIds: readonly number[]): Promise<Map<number, OAuth2Grant[]>> {
  const grants = await selectGrants(db, sql`where user_id = any(${userRowIds}::bigint[]) and ${IS_LIVE}`);
  return groupBy(
    grants,
    (grant) => grant.userRowId,
    (grant) => grant,
  );
}

/** Deletes grants that ended before the time. */
export async function deleteDeadGrants(db: Db, before: Date): Promise<void> {
  await sql`delete from oauth2_grants where least(expires_at, revoked_at) < ${before}`.execute(db);
}

const IS_LIVE = sql`revoked_at is null and expires_at > now()`;

async function selectGrants(db: Db, where: ReturnType<typeof sql>): Promise<OAuth2Grant[]> {
  const { rows } = await sql<OAuth2Grant>`
    select oauth2_grants.id as "rowId", user_id as "userRowId", name as "clientName", client_id as "clientId",
      is_first_party as "isFirstParty", scopes, resource, oauth2_grants.created_at as "createdAt",
      expires_at as "expiresAt", last_used_at as "lastUsedAt"
    from oauth2_grants join oauth2_clients on oauth2_clients.id = oauth2_client_id ${where}
    order by coalesce(last_used_at, oauth2_grants.created_at) desc, oauth2_grants.id desc`.execute(db);
  return rows;
}

/** Functions of grants, bound to a database. */
export const oauth2GrantRepository = (db: Db) =>
  bindToDatabase(db, {
    create: createGrant,
    refresh: refreshGrant,
    findByToken: findGrantByToken,
    revoke: revokeGrants,
    revokeOfUsers: revokeGrantsOfUsers,
    list: listGrants,
    findByRowIds: findGrants,
    findOfUsers: findGrantsOfUsers,
  });
