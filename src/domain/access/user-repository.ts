import type { DirectoryPage, DirectoryQuery, UserFilterField } from '../../model/access/directory-filter.ts';
import type { AssignableRole, AuthMethod, Role, User } from '../../model/access/user.ts';
import type { Page } from '../../model/page.ts';

export interface NewUser {
  readonly role: Role;
  readonly username: string;
  readonly email: string | null;
  readonly authMethod: AuthMethod;
  /** PHC text of argon2id. Null for an account without a password of ours. */
  readonly passwordHash: string | null;
  readonly passwordNeedsReset?: boolean;
  readonly hasDefaultPassword?: boolean;
  readonly oauth2ClientId?: string | null;
  readonly oauth2UserId?: string | null;
  readonly provisioned?: ProvisionedFields | undefined;
}

/** What an identity provider sets over SCIM. Absent fields keep their values. */
export interface ProvisionedFields {
  readonly isActive?: boolean | undefined;
  readonly email?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly givenName?: string | null | undefined;
  readonly familyName?: string | null | undefined;
}

export interface UserChanges {
  readonly username?: string;
  readonly role?: AssignableRole;
  readonly provisioned?: ProvisionedFields | undefined;
}

/** Stored password of an account that signs in with one. */
export interface PasswordAccount {
  readonly user: User;
  readonly passwordHash: string;
  readonly hasDefaultPassword: boolean;
}

export interface UserRepository {
  /** Highest row id first, with the internal account. */
  list(query: { readonly limit: number; readonly fromRowId?: number }): Promise<Page<User>>;
  /** All users but the internal one, by email. */
  listByEmail(query: { readonly limit: number; readonly offset: number }): Promise<User[]>;
  /** A row id that no user has is absent. */
  findByRowIds(rowIds: readonly number[]): Promise<Map<number, User>>;
  /** Users of persons, for SCIM. */
  query(query: DirectoryQuery<UserFilterField>): Promise<DirectoryPage<User>>;
  /** Whether another user has this name, compared without case. */
  hasUsername(username: string, exceptRowId: number | undefined): Promise<boolean>;
  findByEmail(email: string): Promise<User | undefined>;
  findSystemUser(): Promise<User | undefined>;
  countAdmins(): Promise<number>;
  /** The account with this email, if it has a password. */
  findPasswordAccount(email: string): Promise<PasswordAccount | undefined>;
  findPasswordHash(rowId: number): Promise<string | undefined>;
  /** @throws {SpandrelError} `USERNAME_TAKEN`, `EMAIL_TAKEN` */
  create(user: NewUser): Promise<User>;
  /**
   * Undefined when there is no such user.
   *
   * @throws {SpandrelError} `USERNAME_TAKEN`, `EMAIL_TAKEN`, `EXTERNAL_ID_TAKEN`
   */
  update(rowId: number, changes: UserChanges): Promise<User | undefined>;
  /** Replaces the password of a local account. */
  setPassword(rowId: number, password: { readonly hash: string; readonly needsReset: boolean }): Promise<void>;
  /** Replaces a hash by one with other parameters, if it is still the same. */
  rehash(rowId: number, formerHash: string, hash: string): Promise<void>;
  /** What the users wrote stays, without an author. */
  delete(rowIds: readonly number[]): Promise<void>;
}
