import { type Insertable, sql } from 'kysely';
import type { AssignableRole, User } from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { constraintOf, isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { UserTable } from './access-tables.ts';
import { findUserByEmail, toUser } from './users.ts';

// Table: users, by identity at a provider or the directory.

interface OidcKey {
  readonly issuer: string;
  readonly clientId: string;
  readonly subject: string;
}

interface ExternalFields {
  readonly role: AssignableRole;
  readonly email: string | null;
  readonly profilePictureUrl: string | null;
  readonly oidcIssuer: string | null;
  readonly oauth2ClientId: string | null;
  readonly oauth2UserId: string | null;
  readonly ldapUniqueId: string | null;
  readonly groups: readonly string[];
}

/** The issuer decides; a row without one must have the client. Among several, one with the issuer and the client is first. */
export async function findUserByOidc(db: Db, { issuer, clientId, subject }: OidcKey): Promise<User | undefined> {
  const [issuerText, clientText] = [toPostgresText(issuer), toPostgresText(clientId)];
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('auth_method', '=', 'OAUTH2')
    .where('oauth2_user_id', '=', toPostgresText(subject))
    .where((where) =>
      where.or([
        where('oidc_issuer', '=', issuerText),
        where.and([where('oidc_issuer', 'is', null), where('oauth2_client_id', '=', clientText)]),
      ]),
    )
    .orderBy(sql`oidc_issuer is null`)
    .orderBy(sql`oauth2_client_id is distinct from ${clientText}`)
    .orderBy('id')
    .executeTakeFirst();
  return row && toUser(row);
}

export async function findUserByLdapId(db: Db, uniqueId: string): Promise<User | undefined> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('auth_method', '=', 'LDAP')
    .where(sql`lower(ldap_unique_id)`, '=', sql`lower(${toPostgresText(uniqueId)})`)
    .executeTakeFirst();
  return row && toUser(row);
}

/** Undefined when a unique value is taken. A conflict is no error, because an error would end the transaction. */
export async function createExternalUser(
  db: Db,
  {
    authMethod,
    username,
    ...fields
  }: ExternalFields & { readonly authMethod: 'OAUTH2' | 'LDAP'; readonly username: string },
): Promise<User | undefined> {
  const row = await db
    .insertInto('users')
    .values({
      ...(toColumns(fields) as Pick<Insertable<UserTable>, 'role' | 'email'>),
      auth_method: authMethod,
      username: toPostgresText(username),
      password_hash: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && toUser(row);
}

/** @throws {SpandrelError} `EMAIL_TAKEN` */
export async function updateExternalUser(
  db: Db,
  rowId: number,
  changes: Partial<ExternalFields>,
): Promise<User | undefined> {
  try {
    const row = await db
      .updateTable('users')
      .set({ ...toColumns(changes), updated_at: sql`now()` })
      .where('id', '=', rowId)
      .returningAll()
      .executeTakeFirst();
    return row && toUser(row);
  } catch (error) {
    if (!isTaken(error) || !constraintOf(error)?.includes('email')) throw error;
    throw new SpandrelError('EMAIL_TAKEN', 'Email already exists');
  }
}

/** Absent fields have no column, so that triggers of a column run only when it may have changed. */
function toColumns(fields: Partial<ExternalFields>) {
  const textOf = (value: string | null) => (value === null ? null : toPostgresText(value));
  const { role, email, profilePictureUrl, oidcIssuer, oauth2ClientId, oauth2UserId, ldapUniqueId, groups } = fields;
  return {
    ...(role !== undefined && { role }),
    ...(email !== undefined && { email: textOf(email) }),
    ...(profilePictureUrl !== undefined && { profile_picture_url: textOf(profilePictureUrl) }),
    ...(oidcIssuer !== undefined && { oidc_issuer: textOf(oidcIssuer) }),
    ...(oauth2ClientId !== undefined && { oauth2_client_id: textOf(oauth2ClientId) }),
    ...(oauth2UserId !== undefined && { oauth2_user_id: textOf(oauth2UserId) }),
    ...(ldapUniqueId !== undefined && { ldap_unique_id: textOf(ldapUniqueId) }),
    ...(groups !== undefined && { user_groups: groups.map(toPostgresText) }),
  };
}

/** Functions of identities, bound to a database. */
export const userDirectory = (db: Db) =>
  bindToDatabase(db, {
    findByOidc: findUserByOidc,
    findByLdapId: findUserByLdapId,
    findByEmail: findUserByEmail,
    create: createExternalUser,
    update: updateExternalUser,
  });
