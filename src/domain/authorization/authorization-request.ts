import type { OAuth2Client, ProtectedResource } from '../../model/access/oauth2.ts';
import {
  OAUTH2_SCOPE_COUNT_MAX,
  OAUTH2_SCOPE_LENGTH_MAX,
  OAUTH2_STATE_LENGTH_MAX,
  OAUTH2_STATE_LENGTH_MIN,
} from '../../model/limits/access.ts';
import { OAuthError } from './oauth-error.ts';
import { isRegistered } from './redirect-uris.ts';

/** A valid request of an application for access. */
export interface AuthorizationRequest {
  readonly clientRowId: number;
  readonly redirectUri: string;
  readonly state: string;
  readonly codeChallenge: string;
  readonly scopes: readonly string[];
  readonly resource: ProtectedResource;
}

/** Returns a parameter. Undefined if it is absent. @throws {OAuthError} if it is given twice */
export function readParameter(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name);
  if (values.length > 1) throw new OAuthError('invalid_request', `${name} is given more than once`);
  return values[0];
}

/** The redirect URI of a request, if it belongs to the application. Without one, no response may leave this server. */
export function readRedirectUri(parameters: URLSearchParams, { redirectUris }: OAuth2Client): string | undefined {
  const given = parameters.getAll('redirect_uri');
  const [uri] = given;
  return given.length === 1 && uri !== undefined && isRegistered(uri, redirectUris) ? uri : undefined;
}

/** @throws {OAuthError} */
export function parseAuthorizationRequest(
  parameters: URLSearchParams,
  client: OAuth2Client,
  redirectUri: string,
  baseUrl: string,
): AuthorizationRequest {
  const read = (name: string) => readParameter(parameters, name);
  for (const name of ['request', 'request_uri']) {
    if (parameters.has(name)) throw new OAuthError('invalid_request', `${name} is not supported`);
  }
  const state = read('state') ?? '';
  if (!isState(state)) {
    throw new OAuthError(
      'invalid_request',
      `state must have ${OAUTH2_STATE_LENGTH_MIN} to ${OAUTH2_STATE_LENGTH_MAX} characters, which the application chooses at random`,
    );
  }
  if (read('response_type') !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code');
  if ((read('response_mode') ?? 'query') !== 'query') {
    throw new OAuthError('invalid_request', 'response_mode must be query');
  }
  const codeChallenge = read('code_challenge') ?? '';
  if (read('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(codeChallenge)) {
    throw new OAuthError('invalid_request', 'code_challenge with the code_challenge_method S256 is required');
  }
  return {
    clientRowId: client.rowId,
    redirectUri,
    state,
    codeChallenge,
    scopes: parseScopes(read('scope')),
    resource: parseResource(parameters.getAll('resource'), baseUrl) ?? 'SERVER',
  };
}

export const isState = (state: string): boolean =>
  state.length >= OAUTH2_STATE_LENGTH_MIN && state.length <= OAUTH2_STATE_LENGTH_MAX && /^[\x20-\x7e]+$/.test(state);

function parseScopes(text = ''): string[] {
  const scopes = [...new Set(text.split(' ').filter((scope) => scope !== ''))];
  const isValid = (scope: string) =>
    scope.length <= OAUTH2_SCOPE_LENGTH_MAX && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope);
  if (scopes.length <= OAUTH2_SCOPE_COUNT_MAX && scopes.every(isValid)) return scopes;
  throw new OAuthError('invalid_scope', 'scope must be a short list of names with blanks between them');
}

/**
 * What the tokens are for (RFC 8707). Undefined if the application names nothing.
 *
 * @throws {OAuthError} `invalid_target`
 */
export function parseResource(given: readonly string[], baseUrl: string): ProtectedResource | undefined {
  if (given.length === 0) return undefined;
  const requested = new Set(given.map(toComparable));
  const [one] = requested;
  if (requested.size === 1 && one === toComparable(baseUrl)) return 'SERVER';
  if (requested.size === 1 && one === toComparable(`${baseUrl}/mcp`)) return 'MCP';
  throw new OAuthError('invalid_target', `resource must be ${baseUrl} or ${baseUrl}/mcp`);
}

/** Without a slash at the end, and with the host in lower case. */
const toComparable = (url: string): string | undefined =>
  URL.canParse(url) && !/[?#]/.test(url) ? new URL(url).href.replace(/\/+$/, '') : undefined;
