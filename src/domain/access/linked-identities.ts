import type { AuditFields } from '../../model/access/audit-entry.ts';
import type { SignedInCaller } from '../../model/access/caller.ts';
import type { OidcIdentity } from '../../model/access/external-identity.ts';
import type { LinkErrorCode, LinkedIdentity } from '../../model/access/linked-identity.ts';
import type { User } from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import { LINKED_IDENTITY_COUNT_MAX } from '../../model/limits/access.ts';
import type { AccessPolicy, AccessPorts } from './access-ports.ts';
import { type AuditParts, recorded } from './audit.ts';

type Parts = Pick<AccessPorts, 'accessPolicy'> & AuditParts;

export interface LinkFailure {
  readonly error: LinkErrorCode;
  readonly reason: string;
}

/**
 * Links an identity that a provider has proven to the account of the caller, who can then sign in by it. The account keeps its
 * password, email, role and groups. An identity that the account has already stays as it is.
 *
 * @throws {SpandrelError} `ACCESS_DENIED` without a session
 */
export async function linkIdentity(ports: Parts, identity: OidcIdentity): Promise<LinkedIdentity | LinkFailure> {
  const { user } = sessionOf(ports);
  return recorded<LinkedIdentity | LinkFailure>(ports, async ({ userDirectory, linkedIdentities }) => {
    const owner = (await userDirectory.findByOidc(identity)) ?? (await linkedIdentities.findUser(identity));
    const own = await linkedIdentities.list(user.rowId);
    const failure =
      owner && owner.rowId !== user.rowId
        ? fail('identity_in_use', 'The identity belongs to another account')
        : own.length >= LINKED_IDENTITY_COUNT_MAX
          ? fail('too_many_identities', `An account can have ${LINKED_IDENTITY_COUNT_MAX} linked identities`)
          : undefined;
    const target = { kind: 'User', id: String(user.rowId), name: user.username };
    if (failure) {
      const after = { ...fieldsOf(identity), reason: failure.reason };
      return { result: failure, entry: { action: 'identity.link', outcome: 'DENIED', target, after } };
    }
    if (owner) {
      const known = own.find(({ issuer, provider }) => issuer === identity.issuer && provider === identity.provider);
      return { result: known ?? toOwn(user, identity), entry: undefined };
    }
    const linked = await linkedIdentities.link(user.rowId, identity);
    const after = fieldsOf(linked);
    return { result: linked, entry: { action: 'identity.link', outcome: 'DONE', target, after } };
  });
}

/**
 * Removes a linked identity of the caller.
 *
 * @throws {SpandrelError} `IDENTITY_NOT_FOUND`, also for one of another user; `IDENTITY_NEEDED` when the caller could not sign in
 * without it; `ACCESS_DENIED` without a session
 */
export async function unlinkIdentity(ports: Parts, rowId: number): Promise<void> {
  const { user } = sessionOf(ports);
  await recorded(ports, async ({ users, linkedIdentities }) => {
    const own = await linkedIdentities.list(user.rowId);
    const identity = own.find((each) => each.rowId === rowId);
    const account = (await users.findByRowIds([user.rowId])).get(user.rowId);
    if (identity === undefined || account === undefined) {
      throw new SpandrelError('IDENTITY_NOT_FOUND', 'Linked identity not found');
    }
    const others = own.filter((each) => each !== identity);
    if (!hasWayToSignIn(account, others, ports.accessPolicy)) {
      throw new SpandrelError(
        'IDENTITY_NEEDED',
        'You could not sign in without this identity. Link another one before you unlink it.',
      );
    }
    await linkedIdentities.unlink(rowId);
    const target = { kind: 'User', id: String(user.rowId), name: user.username };
    const entry = { action: 'identity.unlink', outcome: 'DONE', target, before: fieldsOf(identity) } as const;
    return { result: undefined, entry };
  });
}

/** Whether the settings still have a way by which the account or one of the identities signs in. */
export function hasWayToSignIn(
  { authMethod, oauth2ClientId }: Pick<User, 'authMethod' | 'oauth2ClientId'>,
  identities: readonly Pick<LinkedIdentity, 'provider'>[],
  { allowsPasswords, hasDirectory, identityProviders }: WaysToSignIn,
): boolean {
  if (authMethod === 'LOCAL' && allowsPasswords) return true;
  if (authMethod === 'LDAP' && hasDirectory) return true;
  if (authMethod === 'OAUTH2' && identityProviders.some(({ clientId }) => clientId === oauth2ClientId)) return true;
  return identities.some(({ provider }) => identityProviders.some(({ name }) => name === provider));
}

export type WaysToSignIn = Pick<AccessPolicy, 'allowsPasswords' | 'hasDirectory' | 'identityProviders'>;

/** A stolen key must not add a way to sign in, so only a session does. */
function sessionOf({ caller }: Parts): SignedInCaller {
  if (caller.kind === 'signedIn' && caller.credential === 'session') return caller;
  throw new SpandrelError('ACCESS_DENIED', 'Only a signed-in person can link identities');
}

const fail = (error: LinkErrorCode, reason: string): LinkFailure => ({ error, reason });

/** The identity by which the account was created, which needs no link. */
const toOwn = ({ rowId }: Pick<User, 'rowId'>, { provider, issuer, email }: OidcIdentity): LinkedIdentity => ({
  rowId: 0,
  userRowId: rowId,
  provider,
  issuer,
  email,
  createdAt: new Date(),
});

const fieldsOf = ({ provider, issuer, email }: Pick<LinkedIdentity, 'provider' | 'issuer' | 'email'>): AuditFields => ({
  provider,
  issuer,
  email,
});
