import { type Selectable, sql } from 'kysely';
import type { User } from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Page } from '../../model/page.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { constraintOf, isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { UserTable } from './access-tables.ts';

// Table: users.

interface NewUserRow {
  readonly role: User['role'];
  readonly username: string;
  readonly email: string | null;
  readonly authMethod: User['authMethod'];
  readonly passwordHash: string | null;
  readonly passwordNeedsReset?: boolean;
  readonly hasDefaultPassword?: boolean;
  readonly oauth2ClientId?: string | null;
  readonly oauth2UserId?: string | null;
}

/** Highest row id first. `fromRowId` is the first row of the page. */
export async function listUsers(
  db: Db,
  { limit, fromRowId = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly fromRowId?: number },
): Promise<Page<User>> {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '<=', fromRowId)
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(toUser);
  const next = rows[limit];
  return next ? { items, nextRowId: next.id } : { items };
}

/** All users but the internal one, by email. */
export async function listUsersByEmail(
  db: Db,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('role', '<>', 'SYSTEM')
    .orderBy('email')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(toUser);
}

export async function findUsers(db: Db, rowIds: readonly number[]): Promise<Map<number, User>> {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, toUser(row)]));
}

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('email', '=', toPostgresText(email)).executeTakeFirst();
  return row && toUser(row);
}

export async function findSystemUser(db: Db): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('role', '=', 'SYSTEM').orderBy('id').executeTakeFirst();
  return row && toUser(row);
}

export async function countAdmins(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(sql<number>`count(*)`.as('count'))
    .where('role', '=', 'ADMIN')
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow();
  return count;
}

/** The local account with this email, with its password. */
export async function findPasswordAccount(db: Db, email: string) {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', toPostgresText(email))
    .where('auth_method', '=', 'LOCAL')
    .where('is_active', '=', true)
    .where('role', '<>', 'SYSTEM')
    .executeTakeFirst();
  if (row === undefined || row.password_hash === null) return undefined;
  return { user: toUser(row), passwordHash: row.password_hash, hasDefaultPassword: row.has_default_password };
}

export async function findPasswordHash(db: Db, rowId: number): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', rowId).executeTakeFirst();
  return row?.password_hash ?? undefined;
}

/** @throws {SpandrelError} `USERNAME_TAKEN`, `EMAIL_TAKEN` */
export async function createUser(db: Db, user: NewUserRow): Promise<User> {
  const row = await rejectTaken(() =>
    db
      .insertInto('users')
      .values({
        role: user.role,
        username: toPostgresText(user.username),
        email: user.email && toPostgresText(user.email),
        auth_method: user.authMethod,
        password_hash: user.passwordHash,
        password_needs_reset: user.passwordNeedsReset ?? false,
        has_default_password: user.hasDefaultPassword ?? false,
        oauth2_client_id: user.oauth2ClientId ? toPostgresText(user.oauth2ClientId) : null,
        oauth2_user_id: user.oauth2UserId ? toPostgresText(user.oauth2UserId) : null,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  return toUser(row);
}

/** @throws {SpandrelError} `USERNAME_TAKEN` */
export async function updateUser(
  db: Db,
  rowId: number,
  { username, role }: { readonly username?: string; readonly role?: User['role'] },
): Promise<User | undefined> {
  const row = await rejectTaken(() =>
    db
      .updateTable('users')
      .set({
        ...(username !== undefined && { username: toPostgresText(username) }),
        ...(role !== undefined && { role }),
        updated_at: sql`now()`,
      })
      .where('id', '=', rowId)
      .returningAll()
      .executeTakeFirst(),
  );
  return row && toUser(row);
}

export async function setPassword(
  db: Db,
  rowId: number,
  { hash, needsReset }: { readonly hash: string; readonly needsReset: boolean },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: hash, password_needs_reset: needsReset, has_default_password: false, updated_at: sql`now()` })
    .where('id', '=', rowId)
    .where('auth_method', '=', 'LOCAL')
    .execute();
}

/** Replaces a hash by one with other parameters, if it is still the same. */
export async function rehash(db: Db, rowId: number, formerHash: string, hash: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', rowId)
    .where('password_hash', '=', formerHash)
    .execute();
}

export async function deleteUsers(db: Db, rowIds: readonly number[]): Promise<void> {
  await db.deleteFrom('users').where('id', '=', sql<number>`any(${rowIds}::bigint[])`).execute();
}

/** Functions of users, bound to a database. */
export const userRepository = (db: Db) =>
  bindToDatabase(db, {
    list: listUsers,
    listByEmail: listUsersByEmail,
    findByRowIds: findUsers,
    findByEmail: findUserByEmail,
    findSystemUser,
    countAdmins,
    findPasswordAccount,
    findPasswordHash,
    create: createUser,
    update: updateUser,
    setPassword,
    rehash,
    delete: deleteUsers,
  });

export const toUser = (row: Selectable<UserTable>): User => ({
  rowId: row.id,
  role: row.role,
  username: row.username,
  email: row.email,
  profilePictureUrl: row.profile_picture_url,
  authMethod: row.auth_method,
  passwordNeedsReset: row.password_needs_reset,
  oidcIssuer: row.oidc_issuer,
  oauth2ClientId: row.oauth2_client_id,
  oauth2UserId: row.oauth2_user_id,
  ldapUniqueId: row.ldap_unique_id,
  isActive: row.is_active,
  groups: row.user_groups,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

async function rejectTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isTaken(error)) throw error;
    if (constraintOf(error)?.includes('email')) throw new SpandrelError('EMAIL_TAKEN', 'Email already exists');
    throw new SpandrelError('USERNAME_TAKEN', 'Username already exists');
  }
}
