import { isAdmin } from '../../model/access/caller.ts';
import type { OAuth2Grant } from '../../model/access/oauth2.ts';
import { SpandrelError } from '../../model/errors.ts';
import { recorded } from '../access/audit.ts';
import { signInPorts } from '../access/sign-in/sign-in.ts';
import type { AuthorizationParts } from './authorization-ports.ts';
import { actorOfApp } from './issue-tokens.ts';
import { OAuthError } from './oauth-error.ts';

/**
 * Ends the access of an application: of the caller's own, or of any user as an administrator.
 *
 * @throws {SpandrelError} `OAUTH2_GRANT_NOT_FOUND`, also for a grant of another user
 */
export async function revokeGrant(ports: AuthorizationParts, rowId: number): Promise<void> {
  const { caller, oauth2Grants, signIn } = ports;
  const grant = (await oauth2Grants.findByRowIds([rowId])).get(rowId);
  const mayRevoke = caller.kind === 'signedIn' && (caller.user.rowId === grant?.userRowId || isAdmin(caller));
  if (grant === undefined || !mayRevoke) throw new SpandrelError('OAUTH2_GRANT_NOT_FOUND', 'OAuth2 grant not found');
  await recorded(ports, async (changed) => {
    await changed.oauth2Grants.revoke([rowId]);
    return { result: undefined, entry: revocationOf(grant) };
  });
  await signIn?.credentials.sync();
}

/**
 * Ends the grant of an access or refresh token that an application returns (RFC 7009). Any other text has no effect, also a
 * token of a browser session.
 *
 * @throws {OAuthError} `unauthorized_client` for a token of another application
 */
export async function revokeToken(
  ports: AuthorizationParts,
  { token: text, clientId }: { readonly token: string; readonly clientId: string | undefined },
): Promise<void> {
  const { tokens, credentials } = signInPorts(ports);
  const token = tokens.read(text);
  const grant = token && (await ports.oauth2Grants.findByToken(token.hash));
  if (grant === undefined) return;
  if (clientId !== undefined && clientId !== grant.clientId) {
    throw new OAuthError('unauthorized_client', 'The token belongs to another application');
  }
  const user = (await ports.users.findByRowIds([grant.userRowId])).get(grant.userRowId);
  await ports.audit.inTransaction(actorOfApp(user, ports.remoteAddress), async ({ oauth2Grants }) => {
    await oauth2Grants.revoke([grant.rowId]);
    return { result: undefined, entry: revocationOf(grant) };
  });
  await credentials.sync();
}

const revocationOf = ({ rowId, clientName, clientId, scopes, resource }: OAuth2Grant) =>
  ({
    action: 'oauth2-grant.revoke',
    outcome: 'DONE',
    target: { kind: 'OAuth2Grant', id: String(rowId), name: clientName },
    before: { clientId, scopes, resource },
  }) as const;
