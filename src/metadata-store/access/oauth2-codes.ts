import { sql } from 'kysely';
import type { ProtectedResource } from '../../model/access/oauth2.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';

// Table: oauth2_authorization_codes.

interface Code {
  readonly hash: Buffer;
  readonly userRowId: number;
  readonly clientRowId: number;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly string[];
  readonly resource: ProtectedResource;
  readonly expiresAt: Date;
}

/** Returns false, and stores nothing, if there was such a code. */
export async function createCode(db: Db, code: Code): Promise<boolean> {
  const created = await db
    .insertInto('oauth2_authorization_codes')
    .values({
      hash: code.hash,
      user_id: code.userRowId,
      oauth2_client_id: code.clientRowId,
      redirect_uri: code.redirectUri,
      code_challenge: code.codeChallenge,
      scopes: [...code.scopes],
      resource: code.resource,
      expires_at: code.expiresAt,
    })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst();
  return created !== undefined;
}

/** In a transaction, the code is locked until its end, so that of two exchanges one sees the grant of the other. */
export async function findCode(
  db: Db,
  hash: Buffer,
): Promise<(Code & { readonly grantRowId: number | null }) | undefined> {
  const row = await db
    .selectFrom('oauth2_authorization_codes')
    .selectAll()
    .where('hash', '=', hash)
    .$if(db.isTransaction, (query) => query.forUpdate())
    .executeTakeFirst();
  return (
    row && {
      hash: row.hash,
      userRowId: row.user_id,
      clientRowId: row.oauth2_client_id,
      redirectUri: row.redirect_uri,
      codeChallenge: row.code_challenge,
      scopes: row.scopes,
      resource: row.resource,
      expiresAt: row.expires_at,
      grantRowId: row.grant_id,
    }
  );
}

/** Marks a code as exchanged. */
export async function setGrantOfCode(db: Db, hash: Buffer, grantRowId: number): Promise<void> {
  await db.updateTable('oauth2_authorization_codes').set({ grant_id: grantRowId }).where('hash', '=', hash).execute();
}

export async function expireCode(db: Db, hash: Buffer): Promise<void> {
  await db.updateTable('oauth2_authorization_codes').set({ expires_at: sql`now()` }).where('hash', '=', hash).execute();
}

/** Functions of authorization codes, bound to a database. */
export const authorizationCodeRepository = (db: Db) =>
  bindToDatabase(db, { create: createCode, find: findCode, setGrant: setGrantOfCode, expire: expireCode });
