import type { Selectable } from 'kysely';
import type { LinkedIdentity } from '../../model/access/linked-identity.ts';
import type { User } from '../../model/access/user.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { UserIdentityTable } from './access-tables.ts';
import { toUser } from './users.ts';

// Table: user_identities.

interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

/** The account to which a user has linked an identity. */
export async function findUserByLink(db: Db, { issuer, subject }: IdentityKey): Promise<User | undefined> {
  const row = await db
    .selectFrom('users')
    .innerJoin('user_identities', 'user_identities.user_id', 'users.id')
    .selectAll('users')
    .where('user_identities.issuer', '=', toPostgresText(issuer))
    .where('user_identities.subject', '=', toPostgresText(subject))
    .executeTakeFirst();
  return row && toUser(row);
}

/** Oldest first. */
export async function listLinkedIdentities(db: Db, userRowId: number): Promise<LinkedIdentity[]> {
  const rows = await db
    .selectFrom('user_identities')
    .selectAll()
    .where('user_id', '=', userRowId)
    .orderBy('id')
    .execute();
  return rows.map(toLinkedIdentity);
}

/** The caller has checked in the same transaction that no account has the identity. */
export async function linkIdentity(
  db: Db,
  userRowId: number,
  { provider, issuer, subject, email }: IdentityKey & Pick<LinkedIdentity, 'provider'> & { readonly email: string },
): Promise<LinkedIdentity> {
  const row = await db
    .insertInto('user_identities')
    .values({
      user_id: userRowId,
      provider,
      issuer: toPostgresText(issuer),
      subject: toPostgresText(subject),
      email: toPostgresText(email),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toLinkedIdentity(row);
}

export async function unlinkIdentity(db: Db, rowId: number): Promise<void> {
  await db.deleteFrom('user_identities').where('id', '=', rowId).execute();
}

/** Functions of linked identities, bound to a database. */
export const linkedIdentityRepository = (db: Db) =>
  bindToDatabase(db, {
    findUser: findUserByLink,
    list: listLinkedIdentities,
    link: linkIdentity,
    unlink: unlinkIdentity,
  });

export type LinkedIdentityRepository = ReturnType<typeof linkedIdentityRepository>;

const toLinkedIdentity = (row: Selectable<UserIdentityTable>): LinkedIdentity => ({
  rowId: row.id,
  userRowId: row.user_id,
  provider: row.provider,
  issuer: row.issuer,
  email: row.email,
  createdAt: row.created_at,
});
