import { createSign, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider';
import type { OidcProviderConfig } from '../../../src/config/identity/oidc-providers.ts';
import type { IdentityProvider, SignInCallback, StartedSignIn } from '../../../src/identity/oidc/identity-provider.ts';
import { isFailure } from '../../../src/identity/oidc/identity-provider.ts';

export const CLIENT_SECRET = 'a-secret-of-the-client-at-the-provider';
export const REDIRECT_URI = 'http://127.0.0.1:6006/oauth2/idp/tokens';

/** A real provider on a free port of loopback. */
export interface OidcServer {
  readonly configUrl: string;
  readonly issuer: string;
  /** Claims by account. */
  readonly accounts: Map<string, Record<string, unknown>>;
  /** Paths of requests that the server under test sent. */
  readonly calls: string[];
  /** `Authorization` headers of those requests. */
  readonly authorizations: string[];
  /** Changes the body of a response, as a hostile or broken provider would. */
  tamper: ((path: string, body: Record<string, unknown>) => unknown) | undefined;
  readonly key: SigningKey;
  rotateKeys(): void;
  /** Replaces the addresses to which the provider leads back. */
  allowRedirects(...uris: readonly string[]): void;
  stop(): Promise<void>;
}

export interface OidcServerOptions {
  /** Claims are only in the userinfo. */
  readonly hidesClaims?: boolean;
  readonly client?: Partial<ClientMetadata>;
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export async function startOidcServer({
  hidesClaims = false,
  client = {},
}: OidcServerOptions = {}): Promise<OidcServer> {
  let handle: RequestListener = (_request, response) => response.writeHead(503).end();
  const http = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  let key = newKey();
  let redirects: readonly string[] = [REDIRECT_URI];
  const server: OidcServer = {
    configUrl: `${issuer}/.well-known/openid-configuration`,
    issuer,
    accounts: new Map(),
    calls: [],
    authorizations: [],
    tamper: undefined,
    get key() {
      return key;
    },
    rotateKeys() {
      key = newKey();
      open();
    },
    allowRedirects(...uris) {
      redirects = uris;
      open();
    },
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  const open = () => {
    const provider = new Provider(
      issuer,
      configure({ server, key, hidesClaims, client: { redirect_uris: [...redirects], ...client } }),
    );
    // The provider prints notices about test settings.
    provider.use(async (ctx, next) => {
      server.calls.push(ctx.path);
      if (ctx.headers.authorization !== undefined) server.authorizations.push(ctx.headers.authorization);
      await next();
      if (server.tamper && typeof ctx.body === 'object' && ctx.body !== null) {
        ctx.body = server.tamper(ctx.path, ctx.body as Record<string, unknown>);
      }
    });
    handle = provider.callback();
  };
  open();
  return server;
}

function configure({
  server,
  key,
  hidesClaims,
  client,
}: {
  readonly server: OidcServer;
  readonly key: SigningKey;
  readonly hidesClaims: boolean;
  readonly client: Partial<ClientMetadata>;
}): Configuration {
  return {
    clients: [
      {
        client_id: 'spandrel',
        client_secret: CLIENT_SECRET,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        ...client,
      },
    ],
    jwks: { keys: [{ ...(key.privateKey.export({ format: 'jwk' }) as object), kid: key.kid, use: 'sig' } as never] },
    cookies: { keys: ['a key of the cookies of the test'] },
    conformIdTokenClaims: hidesClaims,
    pkce: { required: () => false },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'picture', 'groups', 'roles', 'realm_access', 'resource_access', 'hd'],
      groups: ['teams'],
    },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...server.accounts.get(id) }) as { sub: string },
    }),
    clientBasedCORS: () => false,
    renderError: (ctx, out) => {
      ctx.type = 'text';
      ctx.body = JSON.stringify(out);
    },
  };
}

function newKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid: Math.random().toString(36).slice(2), privateKey, publicKey };
}

export const publicJwk = ({ kid, publicKey }: SigningKey): JsonWebKey => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
});

/** Settings of a provider, for the server of a test. */
export const configOf = (
  { configUrl }: Pick<OidcServer, 'configUrl'>,
  changes: Partial<OidcProviderConfig> = {},
): OidcProviderConfig => ({
  name: 'idp',
  displayName: 'Idp',
  clientId: 'spandrel',
  clientSecret: CLIENT_SECRET,
  configUrl,
  clientAuthMethod: undefined,
  clientAssertionFile: undefined,
  allowsSignUp: true,
  signsInAutomatically: false,
  usesPkce: true,
  extraScopes: [],
  emailPath: undefined,
  groupsPath: undefined,
  rolePath: undefined,
  allowedGroups: [],
  roleMapping: undefined,
  isRoleRequired: false,
  updatesRole: true,
  ...changes,
});

/** Starts a sign-in and answers the forms of the provider as a browser would. Returns what the callback receives. */
export async function signInAt(provider: IdentityProvider, account: string): Promise<SignInCallback> {
  const started = await provider.start({ redirectUri: REDIRECT_URI });
  if (isFailure(started)) throw new Error(started.reason);
  return { ...toCallback(started), parameters: (await answerForms(started.url, account)).searchParams };
}

const toCallback = ({ state, nonce, codeVerifier }: StartedSignIn) => ({
  redirectUri: REDIRECT_URI,
  state,
  nonce,
  codeVerifier,
});

/** Follows redirects and sends the forms of sign-in and consent. Returns the address of the callback. */
export async function answerForms(address: string, account: string, redirectUri = REDIRECT_URI): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  let body: URLSearchParams | undefined;
  for (let step = 0; step < 12; step++) {
    if (url.href.startsWith(redirectUri)) return url;
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { method: 'POST', body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name) cookies.set(name, value ?? '');
    }
    const text = await response.text();
    const location = response.headers.get('location');
    body = undefined;
    if (location) url = new URL(location, url);
    else {
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
      const action = /action="([^"]+)"/.exec(text)?.[1];
      if (!prompt || !action) throw new Error(`The provider answers ${response.status}: ${text.slice(0, 500)}`);
      url = new URL(action, url);
      body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: account, password: 'any' }) });
    }
  }
  throw new Error('The provider asks without end');
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Claims of a JWT, not verified. */
export const claimsOf = (jwt: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString());

/** A JWT with the given header and claims; `sign` makes the signature of its text. */
export function writeJwt(header: object, claims: object, sign: (text: string) => Buffer): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${sign(text).toString('base64url')}`;
}

export const signRs256 = (key: KeyObject) => (text: string) => createSign('RSA-SHA256').update(text).sign(key);
