import type { SignedInCaller } from '../../model/access/caller.ts';
import type { OAuth2Client } from '../../model/access/oauth2.ts';
import { signInPorts } from '../access/sign-in/sign-in.ts';
import type { AuthorizationParts } from './authorization-ports.ts';
import { isState, parseAuthorizationRequest, readRedirectUri } from './authorization-request.ts';
import { signConsentRequest } from './consent-request.ts';
import { OAuthError, type OAuthErrorCode } from './oauth-error.ts';
import { classifyRedirectUri, withParameters } from './redirect-uris.ts';

/** Where a browser goes with a request for access. */
export type AuthorizationStart =
  | { readonly kind: 'signIn' }
  /** `request` is the text for the page of consent. */
  | { readonly kind: 'consent'; readonly request: string }
  /** The page of consent describes the problem to the user. */
  | { readonly kind: 'problem'; readonly code: OAuthErrorCode }
  | { readonly kind: 'redirect'; readonly url: string };

/**
 * Checks the request of an application that a browser brings. Nothing is sent to an address that the application has not
 * registered. As anyone may register a site, an invalid request goes back only to applications on the user's machine; else
 * a link to this server could lead to any site.
 *
 * @param accessToken of the browser session
 * @param baseUrl URL at which the user reaches the server
 */
export async function beginAuthorization(
  ports: AuthorizationParts,
  {
    parameters,
    accessToken,
    baseUrl,
  }: { readonly parameters: URLSearchParams; readonly accessToken: string | undefined; readonly baseUrl: string },
): Promise<AuthorizationStart> {
  const { tokens } = signInPorts(ports);
  const client = await findClient(ports, parameters);
  if (client === undefined) return { kind: 'problem', code: 'invalid_client' };
  const redirectUri = readRedirectUri(parameters, client);
  if (redirectUri === undefined) return { kind: 'problem', code: 'invalid_redirect_uri' };
  const session = await findSession(ports, accessToken);
  if (session === undefined) return { kind: 'signIn' };
  try {
    const request = parseAuthorizationRequest(parameters, client, redirectUri, baseUrl);
    return { kind: 'consent', request: signConsentRequest(tokens, request, session.user.rowId) };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { oauthCode, message } = error;
    if (classifyRedirectUri(redirectUri) === 'https') return { kind: 'problem', code: oauthCode };
    const state = parameters.get('state') ?? '';
    const url = withParameters(redirectUri, {
      error: oauthCode,
      error_description: message,
      ...(isState(state) && { state }),
      iss: baseUrl,
    });
    return { kind: 'redirect', url };
  }
}

async function findClient(
  { oauth2Clients }: AuthorizationParts,
  parameters: URLSearchParams,
): Promise<OAuth2Client | undefined> {
  const [clientId, ...others] = parameters.getAll('client_id');
  return clientId === undefined || others.length > 0 ? undefined : oauth2Clients.find(clientId);
}

/** The browser session of a user. Tokens of applications and keys give no consent. */
async function findSession(ports: AuthorizationParts, accessToken = ''): Promise<SignedInCaller | undefined> {
  const { tokens, credentials } = signInPorts(ports);
  const read = tokens.read(accessToken);
  const found = read?.kind === 'AccessToken' ? await credentials.find(read.hash) : undefined;
  return typeof found === 'object' && found.credential === 'session' ? found : undefined;
}
