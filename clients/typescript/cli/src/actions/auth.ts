import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpError } from '@spandrel/client';
import { type Action, CommandError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { toFacts } from '../output/table.ts';
import { CLIENT_ID, findAuthorizationServer, requestTokens } from '../settings/oauth.ts';
import { openClient } from '../settings/open-client.ts';
import { findProfile, readProfiles, saveProfile, writeProfiles } from '../settings/profiles.ts';
import { openBrowser } from './browser.ts';
import { dataOf } from './pages.ts';

const SIGN_IN_MS_MAX = 5 * 60_000;

interface User {
  readonly auth_method: string;
  readonly username?: string;
  readonly email?: string;
  readonly role?: string;
}

/** Says who the server takes the caller for. */
export const showStatus: Action = async ({ settings, out, signal }) => {
  const opened = await openClient(settings, {}, (message) => out.note(message));
  const { client, credentialSource, endpointSource, profileName } = opened;
  const tokens = profileName && credentialSource === 'profile' ? findProfile(profileName)?.profile.tokens : undefined;
  let user: User | undefined;
  let status = 'authenticated';
  try {
    user = dataOf<unknown>(await client.GET('/v1/user', { signal })) as User;
    if (user.auth_method === 'ANONYMOUS') status = 'anonymous';
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 401) status = 'rejected';
    // A system key belongs to nobody, and an older server has no such route.
    else status = 'unverified';
  }
  const document = {
    endpoint: client.config.baseUrl,
    endpointSource,
    ...(profileName && { profile: profileName }),
    credentialSource,
    ...(tokens && { expiresAt: tokens.expiresAt }),
    ...(user && { user }),
    status,
  };
  await out.item(document, () =>
    toFacts([
      ['Address', `${document.endpoint} (from ${endpointSource})`],
      ['Profile', profileName],
      ['Credential', credentialSource],
      ['User', user?.username ? `${user.username} <${user.email ?? ''}> ${user.role ?? ''}` : undefined],
      ['Status', statusText(status)],
    ]),
  );
  return status === 'rejected' ? EXIT.authentication : EXIT.ok;
};

function statusText(status: string): string {
  if (status === 'anonymous') return 'sign-in is off: everyone may read and write';
  if (status === 'rejected') return 'the server wants a valid key: spandrel auth login, or SPANDREL_API_KEY';
  return status === 'unverified' ? 'the credential is accepted, and is no person’s' : 'signed in';
}

/** Signs in with the browser, and stores the tokens in a profile. */
export const login: Action = async (invocation) => {
  const { settings, isSet, text, out, signal } = invocation;
  const name = text('profile') ?? readProfiles().activeProfile ?? 'default';
  const existing = readProfiles().profiles.get(name);
  const opened = await openClient({ ...settings, profile: existing ? name : undefined }, {}, () => undefined);
  const endpoint = opened.client.config.baseUrl;
  const server = await findAuthorizationServer(endpoint, signal);
  const { url: redirectUri, code, close } = await listen(signal);
  const verifier = randomBytes(48).toString('base64url');
  const state = randomBytes(24).toString('base64url');
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: CLIENT_ID, redirect_uri: redirectUri, state, code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  try {
    const address = `${server.authorize}?${query}`;
    const isOpened = !isSet('no-browser') && !isSet('no-input') && (await openBrowser(address));
    out.note(
      isOpened
        ? `Sign in in the browser. If it did not open:\n${address}`
        : `Open this address and sign in:\n${address}`,
    );
    const form = { grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: verifier };
    const tokens = await requestTokens(server.token, { ...form, code: await code(state) });
    const { apiKey: _replaced, ...kept } = existing ?? {};
    saveProfile(name, { ...kept, endpoint, tokens });
  } finally {
    close();
  }
  const { activeProfile, profiles } = readProfiles();
  if (activeProfile === undefined) writeProfiles({ activeProfile: name, profiles });
  const { client } = await openClient(
    { ...settings, endpoint: undefined, apiKey: undefined, profile: name },
    {},
    () => undefined,
  );
  const user = (await client.GET('/v1/user', { signal })).data?.data as User | undefined;
  await out.item(
    { profile: name, endpoint, user, status: 'authenticated' },
    () => `Signed in to ${endpoint} as ${user?.username}. The sign-in is in profile ${name}.`,
  );
};

interface Listener {
  readonly url: string;
  /** Resolves with the code of the redirect. @throws {CommandError} when the user denies, or after five minutes */
  code(state: string): Promise<string>;
  close(): void;
}

/** Listens on a free port of this machine for the redirect. */
async function listen(signal: AbortSignal): Promise<Listener> {
  let settle: (answer: URLSearchParams) => void = () => undefined;
  const answer = new Promise<URLSearchParams>((resolve) => {
    settle = resolve;
  });
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isRedirect = request.method === 'GET' && url.pathname === '/callback';
    response.writeHead(isRedirect ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(
      isRedirect
        ? `${toPage(url.searchParams)} You can close this window and return to the terminal.\n`
        : 'Not found\n',
    );
    if (isRedirect) settle(url.searchParams);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    async code(state) {
      const parameters = await Promise.race([answer, endOf(signal)]);
      if (parameters.get('state') !== state) {
        throw new CommandError('The answer of the browser belongs to another sign-in. Try again.', EXIT.authentication);
      }
      const code = parameters.get('code');
      if (code) return code;
      if (parameters.get('error') === DENIED) {
        throw new CommandError(
          'The sign-in was denied in the browser: expected access to your account, received none. Run spandrel auth login again and choose "Allow access", or set SPANDREL_API_KEY.',
          EXIT.authentication,
        );
      }
      const reason = parameters.get('error_description') ?? parameters.get('error') ?? 'no code came';
      throw new CommandError(`The sign-in did not succeed: ${reason}`, EXIT.authentication);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Error of OAuth for a user who has denied access (RFC 6749, 4.1.2.1). */
const DENIED = 'access_denied';

/** What the browser shows at the end: the terminal says the rest. */
function toPage(parameters: URLSearchParams): string {
  if (parameters.has('code')) return 'Done.';
  return parameters.get('error') === DENIED
    ? 'Access was denied, so the command line is not signed in. To sign in, run spandrel auth login again.'
    : 'No access was given.';
}

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(
      () => reject(new CommandError('Nobody signed in within five minutes.', EXIT.cancelled)),
      SIGN_IN_MS_MAX,
    );
    timer.unref();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Ends the access on the server, and deletes the tokens. */
export const logout: Action = async ({ text, out, signal }) => {
  const found = findProfile(text('profile'));
  const tokens = found?.profile.tokens;
  if (!found || !tokens) {
    return out.item(
      { status: 'anonymous' },
      () => 'Nobody is signed in. A key of a profile stays: spandrel profile delete.',
    );
  }
  const { tokens: _ended, ...kept } = found.profile;
  saveProfile(found.name, kept);
  const isRevoked = await revoke(found.profile.endpoint ?? '', tokens.refreshToken, signal);
  if (!isRevoked)
    out.note('The server could not be reached. Revoke the access in the profile page of the web interface.');
  await out.item(
    { profile: found.name, isRevoked, status: 'anonymous' },
    () => `Signed out of ${found.profile.endpoint}.`,
  );
};

async function revoke(endpoint: string, token: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { revoke: url } = await findAuthorizationServer(endpoint, signal);
    const body = new URLSearchParams({ client_id: CLIENT_ID, token });
    return url !== undefined && (await fetch(url, { method: 'POST', body, signal, redirect: 'error' })).ok;
  } catch {
    return false;
  }
}
