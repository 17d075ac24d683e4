import { randomBytes, randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
  ExternalIdentity,
  LdapIdentity,
  OidcIdentity,
  SignInFailure,
} from '../../../model/access/external-identity.ts';
import type { User } from '../../../model/access/user.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { LinkedIdentityRepository } from '../../../metadata-store/access/linked-identities.ts';
import type { ExternalUserChanges, NewExternalUser, UserDirectory } from '../user-directory.ts';

/** Rules of the provider or the directory about accounts. */
export interface LinkPolicy {
  readonly allowsSignUp: boolean;
  /** Applies the role of the identity to a known user too. The directory always does. */
  readonly updatesRole: boolean;
}

export interface LinkedUser {
  readonly user: User;
  /** `linked`: an account that an administrator had made now has this identity. */
  readonly change: 'none' | 'created' | 'linked' | 'updated';
  /** The account before a link or update, for the audit log. */
  readonly before: User | undefined;
}

/** Identities that users have linked to their accounts. */
type LinkedIdentities = Pick<LinkedIdentityRepository, 'findUser'>;

/** Names to try before giving up. Each has a random suffix, so another collision is rare. */
const ATTEMPT_COUNT_MAX = 10;

/**
 * The account of a proven identity, which is created, linked or updated as needed. Accounts are found by what the issuer or
 * directory never gives to another person; an email links only an account that has no identity yet, of the same method.
 */
export async function findOrCreateUser(
  ports: { readonly userDirectory: UserDirectory; readonly linkedIdentities: LinkedIdentities },
  identity: ExternalIdentity,
  policy: LinkPolicy,
): Promise<LinkedUser | SignInFailure> {
  try {
    for (let attempt = 0; attempt < ATTEMPT_COUNT_MAX; attempt++) {
      const found = await findAccount(ports, identity, policy);
      if ('error' in found) return found;
      // The account has its own email, role and groups, which another provider does not change.
      if ('isByLink' in found) return { user: found.user, change: 'none', before: undefined };
      if ('user' in found) return await applyIdentity(ports.userDirectory, identity, policy, found);
      const user = await ports.userDirectory.create(toNewUser(identity, attempt > 0));
      // Undefined: the name is taken, or another sign-in of the same person was faster, which the next attempt finds.
      if (user) return { user, change: 'created', before: undefined };
    }
  } catch (error) {
    if (error instanceof SpandrelError && error.code === 'EMAIL_TAKEN') return EMAIL_IN_USE;
    throw error;
  }
  return notAllowed('No free name was found for the new account');
}

const EMAIL_IN_USE: SignInFailure = { error: 'email_in_use', reason: 'The email belongs to another account' };
const notAllowed = (reason: string): SignInFailure => ({ error: 'sign_in_not_allowed', reason });

type Found = { readonly user: User; readonly isLink: boolean } | FoundByLink;
/** An account to which its user has linked the identity. */
type FoundByLink = { readonly user: User; readonly isByLink: true };
type Missing = { readonly isMissing: true };

async function findAccount(
  { userDirectory: directory, linkedIdentities }: Parameters<typeof findOrCreateUser>[0],
  identity: ExternalIdentity,
  policy: LinkPolicy,
): Promise<Found | Missing | SignInFailure> {
  const found = await (identity.kind === 'oidc'
    ? findOidcAccount(directory, linkedIdentities, identity, policy)
    : findLdapAccount(directory, identity));
  if ('user' in found && !found.user.isActive) return notAllowed('The account is switched off');
  if ('isMissing' in found && !policy.allowsSignUp) return notAllowed('There is no account, and sign-up is off');
  return found;
}

async function findOidcAccount(
  directory: UserDirectory,
  linkedIdentities: LinkedIdentities,
  identity: OidcIdentity,
  { allowsSignUp }: LinkPolicy,
): Promise<Found | Missing | SignInFailure> {
  const known = await directory.findByOidc(identity);
  if (known) return { user: known, isLink: known.oidcIssuer === null };
  const owner = await linkedIdentities.findUser(identity);
  if (owner) return { user: owner, isByLink: true };
  const user = await directory.findByEmail(identity.email);
  if (user === undefined) return { isMissing: true };
  // Another sign-in of the same person may have created the account since the first query.
  if (user.oidcIssuer === identity.issuer && user.oauth2UserId === identity.subject) return { user, isLink: false };
  if (allowsSignUp && !user.isProvisioned) return EMAIL_IN_USE;
  if (user.authMethod !== 'OAUTH2') return notAllowed('The email belongs to an account with another sign-in method');
  if (identity.isEmailUnverified) return notAllowed('The provider marks the email as not verified');
  if (isFreeFor(user, identity)) return { user, isLink: true };
  return notAllowed('The account with this email has another identity');
}

/** Any provider can assert an email, so it must not replace the identity of another one. */
const isFreeFor = (user: User, { issuer, clientId }: OidcIdentity): boolean =>
  user.authMethod === 'OAUTH2' &&
  user.oauth2UserId === null &&
  (user.oidcIssuer ?? issuer) === issuer &&
  (user.oauth2ClientId ?? clientId) === clientId;

async function findLdapAccount(
  directory: UserDirectory,
  identity: LdapIdentity,
): Promise<Found | Missing | SignInFailure> {
  const { uniqueId, email } = identity;
  const known = uniqueId === undefined ? undefined : await directory.findByLdapId(uniqueId);
  if (known) return { user: known, isLink: false };
  const user = email === null ? undefined : await directory.findByEmail(email);
  if (user === undefined) return { isMissing: true };
  if (user.authMethod !== 'LDAP') return EMAIL_IN_USE;
  if (uniqueId !== undefined && user.ldapUniqueId !== null)
    return notAllowed('The account with this email has another id');
  return { user, isLink: uniqueId !== undefined };
}

async function applyIdentity(
  directory: UserDirectory,
  identity: ExternalIdentity,
  policy: LinkPolicy,
  { user, isLink }: Exclude<Found, FoundByLink>,
): Promise<LinkedUser | SignInFailure> {
  const fields = identity.kind === 'oidc' ? oidcFields(identity, policy) : ldapFields(identity);
  // Only what differs: a write of the role invalidates cached credentials.
  const changed = Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(user[name as keyof User], value));
  if (changed.length === 0) return { user, change: 'none', before: undefined };
  const changes = Object.fromEntries(changed) as ExternalUserChanges;
  if (changes.email) {
    const owner = await directory.findByEmail(changes.email);
    if (owner && owner.rowId !== user.rowId) return EMAIL_IN_USE;
  }
  const updated = await directory.update(user.rowId, changes);
  if (updated === undefined) return notAllowed('The account was deleted during the sign-in');
  return { user: updated, change: isLink ? 'linked' : 'updated', before: user };
}

const oidcFields = (identity: OidcIdentity, { updatesRole }: LinkPolicy): ExternalUserChanges => ({
  oidcIssuer: identity.issuer,
  oauth2ClientId: identity.clientId,
  oauth2UserId: identity.subject,
  // An email that the provider does not vouch for replaces none.
  ...(!identity.isEmailUnverified && { email: identity.email }),
  profilePictureUrl: identity.pictureUrl ?? null,
  groups: identity.groups,
  ...(updatesRole && identity.role !== undefined && { role: identity.role }),
});

const ldapFields = (identity: LdapIdentity): ExternalUserChanges => ({
  ...(identity.uniqueId !== undefined && { ldapUniqueId: identity.uniqueId }),
  // Without emails in the settings, a stored one stays.
  ...(identity.email !== null && { email: identity.email }),
  groups: identity.groups,
  role: identity.role,
});

function toNewUser(identity: ExternalIdentity, isNameTaken: boolean): NewExternalUser {
  const localPart = identity.email?.split('@', 1)[0];
  if (identity.kind === 'oidc') {
    const name = identity.displayName ?? localPart ?? identity.subject;
    return {
      authMethod: 'OAUTH2',
      role: identity.role ?? 'VIEWER',
      username: isNameTaken ? `${name}-${String(randomInt(100_000)).padStart(5, '0')}` : name,
      email: identity.email,
      profilePictureUrl: identity.pictureUrl ?? null,
      oidcIssuer: identity.issuer,
      oauth2ClientId: identity.clientId,
      oauth2UserId: identity.subject,
      ldapUniqueId: null,
      groups: identity.groups,
    };
  }
  const name = identity.displayName ?? localPart ?? identity.uniqueId ?? identity.dn;
  return {
    authMethod: 'LDAP',
    role: identity.role,
    username: isNameTaken ? `${name} (${randomBytes(3).toString('hex')})` : name,
    email: identity.email,
    profilePictureUrl: null,
    oidcIssuer: null,
    oauth2ClientId: null,
    oauth2UserId: null,
    ldapUniqueId: identity.uniqueId ?? null,
    groups: identity.groups,
  };
}
