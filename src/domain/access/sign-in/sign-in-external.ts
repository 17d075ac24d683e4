import type { AuditFields } from '../../../model/access/audit-entry.ts';
import type { ExternalIdentity, LdapIdentity, SignInErrorCode } from '../../../model/access/external-identity.ts';
import type { User } from '../../../model/access/user.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { AccessPorts } from '../access-ports.ts';
import { type AuditParts, record, signingIn, userFields } from '../audit.ts';
import { findOrCreateUser, type LinkPolicy } from './link-identity.ts';
import { beginAttempt, type IssuedTokens, type SignInOrigin, startSession } from './sign-in.ts';

type Parts = AccessPorts & AuditParts;

/**
 * Starts a session for a person whom an identity provider or the directory vouches for. The account is created, linked or
 * updated first, with its entry in the audit log.
 *
 * @returns the tokens, or the code of the reason for the page of sign-in
 */
export async function signInWithIdentity(
  ports: Parts,
  identity: ExternalIdentity,
  policy: LinkPolicy,
  origin: SignInOrigin,
): Promise<IssuedTokens | { readonly error: SignInErrorCode; readonly reason: string }> {
  const label = identity.email ?? (identity.kind === 'ldap' ? identity.dn : identity.subject);
  const linked = await ports.audit.inTransaction(
    signingIn({ username: label }, origin.remoteAddress),
    async (repositories) => {
      const result = await findOrCreateUser(repositories, identity, policy);
      if ('error' in result || result.change === 'none') return { result, entry: undefined };
      const { user, before, change } = result;
      const target = { kind: 'User', id: String(user.rowId), name: user.username };
      const action = change === 'created' ? 'user.create' : 'user.update';
      const after: AuditFields = { ...userFields(user), isLinked: change === 'linked' };
      return {
        result,
        entry: { action, outcome: 'DONE', target, ...(before && { before: userFields(before) }), after },
      };
    },
  );
  if ('error' in linked) {
    await recordDenial(ports, label, origin, linked.reason);
    return linked;
  }
  const { user } = linked;
  if (!user.isActive) {
    await recordDenial(ports, user.username, origin, 'The account is switched off');
    return { error: 'sign_in_not_allowed', reason: 'The account is switched off' };
  }
  // A new role or group holds at once for the keys of the user.
  await ports.signIn?.credentials.sync();
  return startSession(ports, user, origin, signingIn(user, origin.remoteAddress));
}

const recordDenial = (ports: Parts, name: string, { remoteAddress }: SignInOrigin, reason: string): Promise<void> =>
  record(
    ports,
    { action: 'sign-in', outcome: 'DENIED', target: { kind: 'User', name }, after: { reason } },
    signingIn({ username: name }, remoteAddress),
  );

/** Verifies a name and password at the directory. Nothing throws. */
export type DirectorySignIn = (
  username: string,
  password: string,
) => Promise<
  | { readonly outcome: 'signedIn'; readonly identity: LdapIdentity }
  | { readonly outcome: 'notAllowed' | 'denied' | 'unavailable'; readonly reason: string }
>;

/**
 * Signs in at the directory. All failures have one text, so that it does not reveal which names exist. Only a wrong name or
 * password counts for the lock.
 *
 * @throws {SpandrelError} `SIGN_IN_FAILED`, `SIGN_IN_LOCKED`, `SIGN_IN_UNAVAILABLE`
 */
export async function signInAtDirectory(
  ports: Parts,
  directory: { readonly signIn: DirectorySignIn; readonly policy: { readonly allowsSignUp: boolean } },
  { username, password }: { readonly username: string; readonly password: string },
  origin: SignInOrigin,
): Promise<{ readonly issued: IssuedTokens; readonly user: Pick<User, 'rowId'> }> {
  const account = username.trim().toLowerCase();
  if (account === '' || password === '') throw new SpandrelError('SIGN_IN_FAILED', 'Username and password required');
  const identity = await ports.attemptQueue.run(account, async () => {
    await beginAttempt(ports, account);
    return await queryDirectory(ports, directory, account, { username: username.trim(), password }, origin);
  });
  const policy = { allowsSignUp: directory.policy.allowsSignUp, updatesRole: true };
  const issued = await signInWithIdentity(ports, identity, policy, origin);
  if ('error' in issued) throw invalid(issued.reason);
  return { issued, user: issued.user };
}

async function queryDirectory(
  ports: Parts,
  directory: { readonly signIn: DirectorySignIn },
  account: string,
  { username, password }: { readonly username: string; readonly password: string },
  origin: SignInOrigin,
): Promise<LdapIdentity> {
  const found = await directory.signIn(username, password);
  if (found.outcome !== 'signedIn') {
    if (found.outcome !== 'denied') await ports.signInFailures.undoAttempt(account);
    await recordDenial(ports, account, origin, found.outcome);
    if (found.outcome === 'unavailable') {
      throw new SpandrelError('SIGN_IN_UNAVAILABLE', 'The directory does not respond. Try again later.', {
        cause: new Error(found.reason),
      });
    }
    throw invalid(found.reason);
  }
  await ports.signInFailures.clear([account]);
  return found.identity;
}

/** The reason is for the log only. */
const invalid = (reason: string): SpandrelError =>
  new SpandrelError('SIGN_IN_FAILED', 'Invalid username and/or password', { cause: new Error(reason) });
