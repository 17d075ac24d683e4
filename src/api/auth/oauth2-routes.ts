import { randomBytes } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import { ownValue } from '../../base/own-value.ts';
import type { OidcIdentity, SignInErrorCode, SignInFailure } from '../../model/access/external-identity.ts';
import { OAUTH2_COOKIE_SECONDS, SIGN_IN_BODY_BYTES_MAX } from '../../model/limits.ts';
import type { SignInOperations } from '../../domain/access/sign-in-operations.ts';
import { errorTextResponse } from '../../server/error-response.ts';
import { baseUrlOf, type PublicAddress } from '../../server/guards/base-url.ts';
import { readCookie } from '../../server/guards/presented-credential.ts';
import type { HttpRequest, HttpResponse, Route } from '../../server/route.ts';
import { originOf } from './auth-routes.ts';
import { type CookieOptions, sessionCookies, setCookie } from './session-cookies.ts';

const STATE_COOKIE = 'phoenix-oauth2-state';
const NONCE_COOKIE = 'phoenix-oauth2-nonce';
const VERIFIER_COOKIE = 'phoenix-oauth2-code-verifier';

/** A provider as these routes use it. */
export interface SignInProvider {
  readonly name: string;
  readonly policy: { readonly allowsSignUp: boolean; readonly updatesRole: boolean };
  start(request: {
    readonly redirectUri: string;
    readonly state: string;
  }): Promise<
    { readonly url: string; readonly nonce: string; readonly codeVerifier: string | undefined } | SignInFailure
  >;
  finish(callback: {
    readonly parameters: URLSearchParams;
    readonly redirectUri: string;
    readonly state: string;
    readonly nonce: string;
    readonly codeVerifier: string | undefined;
  }): Promise<OidcIdentity | SignInFailure>;
}

export interface OAuth2Options extends PublicAddress {
  readonly providers: ReadonlyMap<string, SignInProvider>;
  readonly signInFor: (remoteAddress: string) => SignInOperations;
  readonly cookies: CookieOptions;
  readonly log: Log;
}

/** Sign-in at identity providers: the way there, and the callback. */
export function oauth2Routes(options: OAuth2Options): Route[] {
  const start = {
    path: '/oauth2/:idp/login',
    access: 'open',
    rateLimit: 'identityProviderStart',
    handle: (request: HttpRequest) => begin(options, request),
  } as const;
  return [
    { ...start, method: 'GET', bodyBytesMax: 0 },
    { ...start, method: 'POST', bodyBytesMax: SIGN_IN_BODY_BYTES_MAX },
    {
      method: 'GET',
      path: '/oauth2/:idp/tokens',
      access: 'open',
      rateLimit: 'identityProviderCallback',
      bodyBytesMax: 0,
      handle: (request) => finish(options, request),
    },
  ];
}

/** A local path, so that a sign-in never ends at another host. */
const isSafeReturnUrl = (url: string): boolean => /^\/($|\w)/.test(url) && !/[\\\r\n]/.test(url);

async function begin(options: OAuth2Options, request: HttpRequest): Promise<HttpResponse> {
  const provider = findProvider(options, request);
  if (provider === undefined) return failed(options, { error: 'unknown_idp', reason: 'There is no such provider' });
  const given = new URLSearchParams(request.query).get('returnUrl') ?? '';
  if (given !== '' && !isSafeReturnUrl(given)) {
    return failed(options, { error: 'unsafe_return_url', reason: 'The return URL is not a local path' });
  }
  const state = signState(options, request, { idp: provider.name, returnUrl: given });
  const started = await provider.start({ redirectUri: redirectUriOf(options, request, provider), state });
  if ('error' in started) return failed(options, started);
  const keep = (name: string, value: string) => setCookie(name, value, OAUTH2_COOKIE_SECONDS, cookieOptions(options));
  const { nonce, codeVerifier } = started;
  return {
    status: 302,
    headers: { location: started.url, 'cache-control': 'no-store' },
    cookies: [
      keep(STATE_COOKIE, state),
      keep(NONCE_COOKIE, nonce),
      ...(codeVerifier === undefined ? [] : [keep(VERIFIER_COOKIE, codeVerifier)]),
    ],
  };
}

async function finish(options: OAuth2Options, request: HttpRequest): Promise<HttpResponse> {
  const provider = findProvider(options, request);
  if (provider === undefined) return failed(options, { error: 'unknown_idp', reason: 'There is no such provider' });
  const cookies = request.header('cookie');
  const [state, nonce] = [readCookie(cookies, STATE_COOKIE), readCookie(cookies, NONCE_COOKIE)];
  const parameters = new URLSearchParams(request.query);
  if (state === undefined || nonce === undefined || !parameters.has('state')) return missing(state, nonce);
  const returned = parameters.get('state') === state ? readState(options, request, state) : undefined;
  if (returned?.idp !== provider.name) {
    return failed(options, {
      error: 'invalid_state',
      reason: 'The state does not belong to this browser and provider',
    });
  }
  const identity = await provider.finish({
    parameters,
    redirectUri: redirectUriOf(options, request, provider),
    state,
    nonce,
    codeVerifier: readCookie(cookies, VERIFIER_COOKIE),
  });
  if ('error' in identity) return failed(options, identity);
  const signIn = options.signInFor(request.clientAddress);
  const issued = await signIn.signInWithIdentity(identity, provider.policy, originOf(request));
  if ('error' in issued) return failed(options, issued);
  return {
    status: 302,
    headers: { location: options.rootPath + (returned.returnUrl || '/'), 'cache-control': 'no-store' },
    cookies: [...sessionCookies(issued, options.cookies), ...expiredCookies(options)],
  };
}

const findProvider = ({ providers }: OAuth2Options, { params }: HttpRequest): SignInProvider | undefined =>
  providers.get(params.idp ?? '');

const redirectUriOf = (options: OAuth2Options, request: HttpRequest, { name }: SignInProvider): string =>
  `${baseUrlOf(options, request)}/oauth2/${name}/tokens`;

interface State {
  readonly idp: string;
  readonly returnUrl: string;
}

/** The state is signed, and bound to the browser by its cookie. */
function signState({ signInFor }: OAuth2Options, { clientAddress }: HttpRequest, state: State): string {
  const payload = JSON.stringify({ ...state, rnd: randomBytes(16).toString('base64url') });
  const text = Buffer.from(payload).toString('base64url');
  return `${text}.${signInFor(clientAddress).sign(text)}`;
}

function readState({ signInFor }: OAuth2Options, { clientAddress }: HttpRequest, state: string): State | undefined {
  const [text = '', signature = ''] = state.split('.');
  if (!signInFor(clientAddress).isSigned(text, signature)) return undefined;
  const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Record<string, unknown>;
  const [idp, returnUrl] = [ownValue(value, 'idp'), ownValue(value, 'returnUrl')];
  return typeof idp === 'string' && typeof returnUrl === 'string' ? { idp, returnUrl } : undefined;
}

/** The page of sign-in chooses the text by the code, so that no link can show a text of its author. */
function failed(
  options: OAuth2Options,
  { error, reason }: { readonly error: SignInErrorCode; readonly reason: string },
): HttpResponse {
  options.log.warn({ code: error, reason }, 'A sign-in at an identity provider failed');
  const page = options.signInFor('').policy.allowsPasswords ? '/login' : '/logout';
  const location = `${options.rootPath}${page}?error=${error}`;
  return { status: 307, headers: { location, 'cache-control': 'no-store' }, cookies: expiredCookies(options) };
}

function missing(state: string | undefined, nonce: string | undefined): HttpResponse {
  const absent = [
    ...(state === undefined ? [['cookie', STATE_COOKIE]] : []),
    ...(nonce === undefined ? [['cookie', NONCE_COOKIE]] : []),
    ...(state !== undefined && nonce !== undefined ? [['query', 'state']] : []),
  ];
  const detail = absent.map((loc) => ({ type: 'missing', loc, msg: 'Field required', input: null }));
  return errorTextResponse('REQUEST_INVALID', JSON.stringify({ detail }), { 'content-type': 'application/json' });
}

const expiredCookies = (options: OAuth2Options): string[] =>
  [STATE_COOKIE, NONCE_COOKIE, VERIFIER_COOKIE].map((name) => setCookie(name, '', 0, cookieOptions(options)));

/** Browsers send `Lax` cookies with the redirect from another site. */
const cookieOptions = ({ cookies }: OAuth2Options) => ({ ...cookies, sameSite: 'Lax' }) as const;
