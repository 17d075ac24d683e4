import type { AssignableRole, User } from '../../model/access/user.ts';

/** Identity at an issuer. */
export interface OidcKey {
  readonly issuer: string;
  readonly clientId: string;
  readonly subject: string;
}

/** An account that a provider or the directory vouches for. It has no password. */
export interface NewExternalUser {
  readonly authMethod: 'OAUTH2' | 'LDAP';
  readonly role: AssignableRole;
  readonly username: string;
  readonly email: string | null;
  readonly profilePictureUrl: string | null;
  readonly oidcIssuer: string | null;
  readonly oauth2ClientId: string | null;
  readonly oauth2UserId: string | null;
  readonly ldapUniqueId: string | null;
  readonly groups: readonly string[];
}

/** Absent fields keep their values. */
export type ExternalUserChanges = Partial<Omit<NewExternalUser, 'authMethod' | 'username'>>;

/** Users by what providers and the directory know of them. All of one sign-in may run in one transaction. */
export interface UserDirectory {
  /**
   * The user with this subject at this issuer, whatever the client was; else one that an administrator made with this client
   * and subject, and whose issuer is not known yet.
   */
  findByOidc(key: OidcKey): Promise<User | undefined>;
  /** Compares without case. */
  findByLdapId(uniqueId: string): Promise<User | undefined>;
  /** Finds accounts of any sign-in method. The email is in lower case. */
  findByEmail(email: string): Promise<User | undefined>;
  /** Undefined when the name, the email or the identity is taken; then nothing is written and a transaction can go on. */
  create(user: NewExternalUser): Promise<User | undefined>;
  /**
   * Undefined when there is no such user.
   *
   * @throws {SpandrelError} `EMAIL_TAKEN`
   */
  update(rowId: number, changes: ExternalUserChanges): Promise<User | undefined>;
}
