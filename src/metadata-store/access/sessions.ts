import { sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { Session } from '../../model/access/session.ts';
import { REFRESH_REPLAY_SECONDS_MAX } from '../../model/limits/access.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Tables: sessions, access_tokens, refresh_tokens, password_reset_tokens.

interface Token {
  readonly rowId: number;
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

export interface TokenPair {
  readonly access: Token;
  readonly refresh: Token;
}

export async function allocateTokenRowIds(db: Db): Promise<{ readonly access: number; readonly refresh: number }> {
  const { rows } = await sql<{ access: number; refresh: number }>`
    select nextval(pg_get_serial_sequence('access_tokens', 'id')) as access,
      nextval(pg_get_serial_sequence('refresh_tokens', 'id')) as refresh`.execute(db);
  return expectPresent(rows[0], 'a select without a table returns a row');
}

/** @returns the row id of the session */
export async function createSession(
  db: Db,
  session: {
    readonly userRowId: number;
    readonly expiresAt: Date;
    readonly remoteAddress: string | null;
    readonly userAgent: string | null;
    /** For the tokens of an application. */
    readonly grantRowId?: number;
  },
  pair: TokenPair,
): Promise<number> {
  return await inTransaction(db, async (transaction) => {
    const { id } = await transaction
      .insertInto('sessions')
      .values({
        user_id: session.userRowId,
        oauth2_grant_id: session.grantRowId ?? null,
        expires_at: session.expiresAt,
        remote_address: session.remoteAddress,
        user_agent: session.userAgent && toPostgresText(session.userAgent),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertPair(transaction, id, pair);
    return id;
  });
}

async function insertPair(db: Db, sessionRowId: number, { access, refresh }: TokenPair): Promise<void> {
  for (const [table, token] of [
    ['access_tokens', access],
    ['refresh_tokens', refresh],
  ] as const) {
    await db
      .insertInto(table)
      .values({ id: token.rowId, session_id: sessionRowId, hash: token.hash, expires_at: token.expiresAt })
      .execute();
  }
}

/** Replaces a refresh token and the access tokens of its session in one transaction. */
export async function refreshSession(
  db: Db,
  hash: Buffer,
  makePair: (sessionExpiresAt: Date) => TokenPair,
  remoteAddress: string | null,
) {
  return await inTransaction(db, async (transaction) => {
    const { rows } = await sql<{
      id: number;
      sessionId: number;
      userRowId: number;
      isExpired: boolean;
      isUsed: boolean;
      isJustUsed: boolean;
      sessionExpiresAt: Date;
    }>`
      select refresh_tokens.id, session_id as "sessionId", user_id as "userRowId",
        least(refresh_tokens.expires_at, sessions.expires_at) <= now() as "isExpired",
        consumed_at is not null as "isUsed",
        coalesce(consumed_at > clock_timestamp() - make_interval(secs => ${REFRESH_REPLAY_SECONDS_MAX}), false) as "isJustUsed",
        sessions.expires_at as "sessionExpiresAt"
      from refresh_tokens join sessions on sessions.id = session_id
      where hash = ${hash} and oauth2_grant_id is null
      for update`.execute(transaction);
    const token = rows[0];
    if (token === undefined) return { kind: 'unknown' } as const;
    if (token.isJustUsed) return { kind: 'replayed' } as const;
    if (token.isUsed) {
      await transaction.deleteFrom('sessions').where('id', '=', token.sessionId).execute();
      return { kind: 'stolen', userRowId: token.userRowId } as const;
    }
    if (token.isExpired) return { kind: 'expired' } as const;
    await replaceTokens(transaction, token, makePair(token.sessionExpiresAt), remoteAddress);
    return { kind: 'exchanged', userRowId: token.userRowId, sessionExpiresAt: token.sessionExpiresAt } as const;
  });
}

/** Marks a refresh token as used, and replaces the access token of its session. */
export async function replaceTokens(
  transaction: Db,
  { id, sessionId }: { readonly id: number; readonly sessionId: number },
  pair: TokenPair,
  remoteAddress: string | null,
): Promise<void> {
  await transaction.deleteFrom('access_tokens').where('session_id', '=', sessionId).execute();
  await transaction
    .updateTable('refresh_tokens')
    .set({ consumed_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
  await insertPair(transaction, sessionId, pair);
  await transaction
    .updateTable('sessions')
    .set({ last_used_at: sql`now()`, remote_address: remoteAddress })
    .where('id', '=', sessionId)
    .execute();
}

/** The owner of a browser session. */
export async function findUserByRefreshToken(db: Db, hash: Buffer): Promise<number | undefined> {
  const row = await db
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .select('sessions.user_id')
    .where('refresh_tokens.hash', '=', hash)
    .where('sessions.oauth2_grant_id', 'is', null)
    .executeTakeFirst();
  return row?.user_id;
}

/** Sessions of a user that can still be used, latest use first. */
export async function listSessions(db: Db, userRowId: number): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userRowId)
    .where('oauth2_grant_id', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_used_at', 'desc')
    .execute();
  return rows.map((row) => ({
    rowId: row.id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    remoteAddress: row.remote_address,
    userAgent: row.user_agent,
  }));
}

/** False when the user has no such session. */
export async function endSession(db: Db, userRowId: number, sessionRowId: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionRowId)
    .where('user_id', '=', userRowId)
    .where('oauth2_grant_id', 'is', null)
    .returning('id')
    .execute();
  return deleted.length > 0;
}

/** Ends all browser sessions of users. Their applications go on. */
export async function endSessions(db: Db, userRowIds: readonly number[]): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', sql<number>`any(${userRowIds}::bigint[])`)
    .where('oauth2_grant_id', 'is', null)
    .execute();
}

export async function allocateResetTokenRowId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('password_reset_tokens', 'id')) as id`.execute(db);
  return expectPresent(rows[0], 'a select without a table returns a row').id;
}

/** Replaces the former token of the user. */
export async function createResetToken(db: Db, userRowId: number, { rowId, hash, expiresAt }: Token): Promise<void> {
  await db
    .insertInto('password_reset_tokens')
    .values({ id: rowId, user_id: userRowId, hash, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ id: rowId, hash, expires_at: expiresAt, created_at: sql`now()` }),
    )
    .execute();
}

/** Deletes the token and returns the row id of its user. Undefined when it is unknown or has expired. */
export async function takeResetToken(db: Db, hash: Buffer, now: Date): Promise<number | undefined> {
  const row = await db
    .deleteFrom('password_reset_tokens')
    .where('hash', '=', hash)
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst();
  return row !== undefined && row.expires_at > now ? row.user_id : undefined;
}

/** Functions of sessions, bound to a database. */
export const sessionRepository = (db: Db) =>
  bindToDatabase(db, {
    allocateTokenRowIds,
    create: createSession,
    refresh: refreshSession,
    findUserByRefreshToken,
    list: listSessions,
    end: endSession,
    endAll: endSessions,
    allocateResetTokenRowId,
    createResetToken,
    takeResetToken,
  });
