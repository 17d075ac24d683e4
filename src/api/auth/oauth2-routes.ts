import type { SignInErrorCode } from '../../model/access/external-identity.ts';
import { SIGN_IN_BODY_BYTES_MAX } from '../../model/limits/access.ts';
import { errorTextResponse } from '../../server/error-response.ts';
import { readCookie } from '../../server/guards/presented-credential.ts';
import type { HttpRequest, HttpResponse, Route } from '../../server/route.ts';
import { originOf } from './auth-routes.ts';
import { findProvider, identityOf, type OAuth2Options, readState, startAt } from './oauth2-state.ts';
import { expiredProviderCookies, NONCE_COOKIE, STATE_COOKIE, sessionCookies } from './session-cookies.ts';

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
  const started = await startAt(options, request, provider, { idp: provider.name, returnUrl: given });
  if ('error' in started) return failed(options, started);
  const { url, cookies } = started;
  return { status: 302, headers: { location: url, 'cache-control': 'no-store' }, cookies };
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
  // The browser sends no session with a redirect of another site. The profile page ends the link with the session.
  if (returned.sessionRowId !== undefined) {
    parameters.set('linking', provider.name);
    return redirect(`${options.rootPath}/profile?${parameters}`);
  }
  const identity = await identityOf(options, request, provider, { parameters, state, nonce });
  if ('error' in identity) return failed(options, identity);
  const signIn = options.signInFor(request.clientAddress);
  const issued = await signIn.signInWithIdentity(identity, provider.policy, originOf(request));
  if ('error' in issued) return failed(options, issued);
  return {
    status: 302,
    headers: { location: options.rootPath + (returned.returnUrl || '/'), 'cache-control': 'no-store' },
    cookies: [...sessionCookies(issued, options.cookies), ...expiredProviderCookies(options.cookies)],
  };
}

/** The page of sign-in chooses the text by the code, so that no link can show a text of its author. */
function failed(
  options: OAuth2Options,
  { error, reason }: { readonly error: SignInErrorCode; readonly reason: string },
): HttpResponse {
  options.log.warn({ code: error, reason }, 'A sign-in at an identity provider failed');
  const page = options.signInFor('').policy.allowsPasswords ? '/login' : '/logout';
  const location = `${options.rootPath}${page}?error=${error}`;
  return {
    status: 307,
    headers: { location, 'cache-control': 'no-store' },
    cookies: expiredProviderCookies(options.cookies),
  };
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

const redirect = (location: string): HttpResponse => ({
  status: 302,
  headers: { location, 'cache-control': 'no-store' },
});
