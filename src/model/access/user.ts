/** What a user may do. `SYSTEM` is the internal account that owns system keys. It cannot sign in. */
export type Role = 'SYSTEM' | 'ADMIN' | 'MEMBER' | 'VIEWER';

/** Roles that an account of a person can have. */
export const ASSIGNABLE_ROLES = ['ADMIN', 'MEMBER', 'VIEWER'] as const;
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number];

/** Row ids of the roles in global ids. They are not stored. */
export const ROLE_ROW_IDS: Readonly<Record<Role, number>> = { SYSTEM: 1, ADMIN: 2, MEMBER: 3, VIEWER: 4 };

export type AuthMethod = 'LOCAL' | 'OAUTH2' | 'LDAP';

/** An account, without its password. */
export interface User {
  readonly rowId: number;
  readonly role: Role;
  readonly username: string;
  /** Lower case. Null only for users of a directory. */
  readonly email: string | null;
  readonly profilePictureUrl: string | null;
  readonly authMethod: AuthMethod;
  readonly passwordNeedsReset: boolean;
  readonly oidcIssuer: string | null;
  readonly oauth2ClientId: string | null;
  readonly oauth2UserId: string | null;
  readonly ldapUniqueId: string | null;
  /** Identifier and names that the identity provider sent over SCIM. */
  readonly scimExternalId: string | null;
  readonly displayName: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  /** True once SCIM has created or changed the account. */
  readonly isProvisioned: boolean;
  /** False for an account that the identity provider has switched off. It cannot sign in. */
  readonly isActive: boolean;
  /** Groups that the identity provider named at the last sign-in. */
  readonly groups: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Email and name of the first administrator and of the internal account. */
export const DEFAULT_ADMIN = { username: 'admin', email: 'admin@localhost' } as const;
export const SYSTEM_USER = { username: 'system', email: 'system@localhost' } as const;

/** An email as it is stored and compared. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** Whether a text has the form of an email address. Lists of addresses and texts with blanks have not. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^@\s\p{C}]+@[^@\s\p{C}]+[.][^@\s\p{C}]+$/u.test(text);
