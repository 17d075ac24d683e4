import type { SignedInCaller } from '../../model/access/caller.ts';
import type { OAuth2Client } from '../../model/access/oauth2.ts';
import { SpandrelError } from '../../model/errors.ts';
import { OAUTH2_CODE_SECONDS } from '../../model/limits/access.ts';
import { recorded } from '../access/audit.ts';
import { signInPorts } from '../access/sign-in/sign-in.ts';
import { hashToken } from '../access/tokens.ts';
import { policyOf } from './authorization-policy.ts';
import type { AuthorizationParts } from './authorization-ports.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { invalid, readConsentRequest } from './consent-request.ts';
import { isRegistered, withParameters } from './redirect-uris.ts';

/** What the page of consent shows. */
export interface ConsentDetails {
  readonly client: OAuth2Client;
  readonly request: AuthorizationRequest;
  readonly user: SignedInCaller['user'];
  /** Life of the grant. */
  readonly grantMs: number;
}

/** @throws {SpandrelError} `AUTHORIZATION_REQUEST_INVALID`, `ACCESS_DENIED` */
export async function readConsent(ports: AuthorizationParts, text: string): Promise<ConsentDetails> {
  const { user } = browserCaller(ports);
  const request = readConsentRequest(signInPorts(ports).tokens, text, user.rowId);
  const client = await ports.oauth2Clients.findByRowId(request.clientRowId);
  // The application may have been deleted since.
  if (client === undefined || !isRegistered(request.redirectUri, client.redirectUris)) throw invalid();
  return { client, request, user, grantMs: policyOf(ports).grantMs };
}

/**
 * Stores the decision of a user about an application.
 *
 * @param issuer URL of the server, which the response names so that an application with several servers knows which one sent it
 * @returns the URL to which the browser returns
 * @throws {SpandrelError} `AUTHORIZATION_REQUEST_INVALID`, `ACCESS_DENIED`
 */
export async function decideAuthorization(
  ports: AuthorizationParts,
  { text, isApproved, issuer }: { readonly text: string; readonly isApproved: boolean; readonly issuer: string },
): Promise<string> {
  const { client, request, user } = await readConsent(ports, text);
  const { redirectUri, state, codeChallenge, scopes, resource } = request;
  if (!isApproved) {
    const error_description = 'The user has denied access';
    return withParameters(redirectUri, { error: 'access_denied', error_description, state, iss: issuer });
  }
  // From the request, so that a second consent to it has the same code, which is not stored twice.
  const code = signInPorts(ports).tokens.sign(`authorization-code.${text}`);
  const expiresAt = new Date(Date.now() + OAUTH2_CODE_SECONDS * 1_000);
  await recorded(ports, async ({ authorizationCodes }) => {
    const isFirst = await authorizationCodes.create({
      ...{ hash: hashToken(code), userRowId: user.rowId, clientRowId: client.rowId },
      ...{ redirectUri, codeChallenge, scopes, resource, expiresAt },
    });
    if (!isFirst) throw invalid();
    const target = { kind: 'OAuth2Client', id: client.clientId, name: client.name };
    const after = { redirectUri, scopes, resource };
    return { result: undefined, entry: { action: 'oauth2-grant.approve', outcome: 'DONE', target, after } };
  });
  return withParameters(redirectUri, { code, state, iss: issuer });
}

/** An application or key must not give itself, or another one, access. */
function browserCaller({ caller }: AuthorizationParts): SignedInCaller {
  if (caller.kind === 'signedIn' && caller.credential === 'session') return caller;
  throw new SpandrelError(
    'ACCESS_DENIED',
    'Only a user who is signed in with a browser can decide about an application.',
  );
}
