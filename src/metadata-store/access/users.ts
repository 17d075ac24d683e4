import { type Selectable, sql } from 'kysely';
import type { DirectoryPage, DirectoryQuery, UserFilterField } from '../../model/access/directory-filter.ts';
import type { User } from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Page } from '../../model/page.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { constraintOf, isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { UserTable } from './access-tables.ts';
import { type FieldSql, toCondition, toOrder } from './directory-filter-sql.ts';

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
  readonly provisioned?: ProvisionedFields | undefined;
}

/** What SCIM sets. */
interface ProvisionedFields {
  readonly isActive?: boolean | undefined;
  readonly email?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly givenName?: string | null | undefined;
  readonly familyName?: string | null | undefined;
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

const FILTER_FIELDS: Readonly<Record<UserFilterField, FieldSql>> = {
  id: { type: 'id', value: sql`id` },
  username: { type: 'text', value: sql`username` },
  externalId: { type: 'exactText', value: sql`scim_external_id` },
  // Stored in lower case.
  email: { type: 'text', value: sql`email` },
  isActive: { type: 'boolean', value: sql`is_active` },
  role: { type: 'text', value: sql`role` },
  displayName: { type: 'text', value: sql`display_name` },
  givenName: { type: 'text', value: sql`given_name` },
  familyName: { type: 'text', value: sql`family_name` },
  createdAt: { type: 'time', value: sql`created_at` },
  updatedAt: { type: 'time', value: sql`updated_at` },
};

/** Users of persons, by position. */
export async function queryUsers(
  db: Db,
  { filter, sort, offset, limit }: DirectoryQuery<UserFilterField>,
): Promise<DirectoryPage<User>> {
  const where = filter ? toCondition(filter, FILTER_FIELDS) : sql<boolean>`true`;
  const { rows: counts } = await sql<{ count: number }>`
    select count(*) as count from users where role <> 'SYSTEM' and (${where})`.execute(db);
  const { rows } = await sql<Selectable<UserTable>>`
    select * from users where role <> 'SYSTEM' and (${where}) ${toOrder(sort, FILTER_FIELDS, sql`id`)}
    limit ${limit} offset ${offset}`.execute(db);
  return { items: rows.map(toUser), totalCount: counts[0]?.count ?? 0 };
}

/** Whether another user has this name, compared without case. */
export async function hasUsername(db: Db, username: string, exceptRowId: number | undefined): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select id from users where lower(username) = lower(${toPostgresText(username)}::text)
      and id is distinct from ${exceptRowId ?? null}::bigint limit 1`.execute(db);
  return rows.length > 0;
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
        ...toProvisionedColumns(user.provisioned),
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  return toUser(row);
}

/** @throws {SpandrelError} `USERNAME_TAKEN`, `EMAIL_TAKEN`, `EXTERNAL_ID_TAKEN` */
export async function updateUser(
  db: Db,
  rowId: number,
  {
    username,
    role,
    provisioned,
  }: {
    readonly username?: string;
    readonly role?: User['role'];
    readonly provisioned?: ProvisionedFields | undefined;
  },
): Promise<User | undefined> {
  const row = await rejectTaken(() =>
    db
      .updateTable('users')
      .set({
        ...(username !== undefined && { username: toPostgresText(username) }),
        ...(role !== undefined && { role }),
        ...toProvisionedColumns(provisioned),
        updated_at: sql`now()`,
      })
      .where('id', '=', rowId)
      .returningAll()
      .executeTakeFirst(),
  );
  return row && toUser(row);
}

/** Absent fields have no column, so that triggers of a column run only when it may have changed. */
function toProvisionedColumns(fields: ProvisionedFields | undefined) {
  if (fields === undefined) return {};
  const { isActive, email, externalId, displayName, givenName, familyName } = fields;
  const textOf = (value: string | null) => (value === null ? null : toPostgresText(value));
  return {
    is_provisioned: true,
    ...(isActive !== undefined && { is_active: isActive }),
    ...(email !== undefined && { email: toPostgresText(email) }),
    ...(externalId !== undefined && { scim_external_id: textOf(externalId) }),
    ...(displayName !== undefined && { display_name: textOf(displayName) }),
    ...(givenName !== undefined && { given_name: textOf(givenName) }),
    ...(familyName !== undefined && { family_name: textOf(familyName) }),
  };
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
    query: queryUsers,
    hasUsername,
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
  scimExternalId: row.scim_external_id,
  displayName: row.display_name,
  givenName: row.given_name,
  familyName: row.family_name,
  isProvisioned: row.is_provisioned,
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
    if (constraintOf(error)?.includes('scim')) {
      throw new SpandrelError('EXTERNAL_ID_TAKEN', 'Another user has this externalId');
    }
    throw new SpandrelError('USERNAME_TAKEN', 'Username already exists');
  }
}
