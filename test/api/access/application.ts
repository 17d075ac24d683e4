import assert from 'node:assert/strict';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  None,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Session } from './signed-in-server.ts';

export const CLI = 'phoenix-cli';
/** An application picks any free port. */
export const REDIRECT = 'http://127.0.0.1:49152/callback';

type Server = { readonly address: string };

/** The server as a public application finds it. */
export const discover = ({ address }: Server, clientId = CLI): Promise<Configuration> =>
  discovery(new URL(address), clientId, {}, None(), { execute: [allowInsecureRequests], algorithm: 'oauth2' });

export interface Request {
  readonly url: URL;
  readonly verifier: string;
  readonly state: string;
}

/** The address to which an application sends the browser. Parameters replace those of a valid request; null removes one. */
export async function newRequest(
  config: Configuration,
  parameters: Readonly<Record<string, string | null>> = {},
): Promise<Request> {
  const [verifier, state] = [randomPKCECodeVerifier(), randomState()];
  const url = buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return { url, verifier, state };
}

const cookieOf = ({ access }: Pick<Session, 'access'>) => `phoenix-access-token=${access}`;

/** Where the browser of a user is sent with a request. */
export async function locationOf(url: URL | string, session?: Pick<Session, 'access'>): Promise<string> {
  const headers = session ? { cookie: cookieOf(session) } : undefined;
  const response = await fetch(url, { redirect: 'manual', ...(headers && { headers }) });
  assert.equal(response.status, 302, await response.text());
  return response.headers.get('location') ?? assert.fail('a redirect has a location');
}

/** The text that the page of consent receives. */
export async function consentOf(url: URL, session: Pick<Session, 'access'>): Promise<string> {
  const location = await locationOf(url, session);
  const [, request] = /\/oauth2\/consent\?request=([\w.-]+)$/.exec(location) ?? assert.fail(location);
  return request!;
}

/** What the page of consent sends. */
export const decide = (
  { address }: Server,
  session: Pick<Session, 'access'> | undefined,
  body: { readonly request: string; readonly decision: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${address}/oauth2/authorize/decision`, {
    method: 'POST',
    headers: {
      origin: address,
      'content-type': 'application/json',
      ...(session && { cookie: cookieOf(session) }),
      ...headers,
    },
    body: JSON.stringify(body),
  });

/** The user agrees. Returns the address to which the browser goes back. */
export async function approve(server: Server, session: Pick<Session, 'access'>, url: URL): Promise<URL> {
  const response = await decide(server, session, { request: await consentOf(url, session), decision: 'approve' });
  assert.equal(response.status, 200, await response.clone().text());
  return new URL(((await response.json()) as { redirect_to: string }).redirect_to);
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope?: string;
}

/** The whole way of an application to its tokens. */
export async function giveAccess(
  server: Server,
  session: Pick<Session, 'access'>,
  { clientId = CLI, ...parameters }: Readonly<Record<string, string>> = {},
): Promise<Tokens> {
  const config = await discover(server, clientId);
  const { url, verifier, state } = await newRequest(config, parameters);
  const back = await approve(server, session, url);
  const tokens = await authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state });
  assert.ok(tokens.refresh_token && tokens.expires_in);
  return tokens as Tokens;
}

/** Sends a form as an application does. */
export async function sendForm(
  { address }: Server,
  path: 'token' | 'revoke',
  fields: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(`${address}/oauth2/${path}`, { method: 'POST', headers: { ...type, ...headers }, body });
  const text = await response.text();
  return { status: response.status, json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

export const refresh = (server: Server, token: string, clientId = CLI, more: Readonly<Record<string, string>> = {}) =>
  sendForm(server, 'token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...more });
