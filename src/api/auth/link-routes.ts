import type { SignInErrorCode } from '../../model/access/external-identity.ts';
import type { LinkErrorCode } from '../../model/access/linked-identity.ts';
import { SpandrelError } from '../../model/errors.ts';
import { SIGN_IN_BODY_BYTES_MAX } from '../../model/limits/access.ts';
import { readCookie } from '../../server/guards/presented-credential.ts';
import type { HttpRequest, HttpResponse, Route } from '../../server/route.ts';
import { readFields, textOf } from './auth-routes.ts';
import { findProvider, identityOf, type OAuth2Options, readState, startAt } from './oauth2-state.ts';
import { expiredProviderCookies, NONCE_COOKIE, STATE_COOKIE } from './session-cookies.ts';

/**
 * Links of identities to the account of a signed-in person. The way leads over the provider to the callback of sign-in, which
 * passes its query to the profile page; only that page sends the cookies of the session, so it ends the link.
 */
export function linkRoutes(options: OAuth2Options): Route[] {
  const common = {
    method: 'POST',
    access: 'person',
    rateLimit: 'identityProviderStart',
    bodyBytesMax: SIGN_IN_BODY_BYTES_MAX,
  } as const;
  return [
    { ...common, path: '/oauth2/:idp/link', handle: (request) => beginLink(options, request) },
    { ...common, path: '/oauth2/:idp/link/finish', handle: (request) => finishLink(options, request) },
  ];
}

/** Begins to link an identity to the account of the caller. The page goes to the address of the response. */
async function beginLink(options: OAuth2Options, request: HttpRequest): Promise<HttpResponse> {
  const provider = findProvider(options, request);
  if (provider === undefined) return linkFailed(options, { error: 'unknown_idp', reason: 'There is no such provider' });
  const sessionRowId = sessionOf(request);
  const started = await startAt(options, request, provider, { idp: provider.name, returnUrl: '', sessionRowId });
  if ('error' in started) return linkFailed(options, started);
  return { ...jsonResponse({ authorization_url: started.url }), cookies: started.cookies };
}

/**
 * Ends a link with the query of the callback, which the profile page has received. The state must be that of this browser, of
 * this provider and of the session that began.
 */
async function finishLink(options: OAuth2Options, request: HttpRequest): Promise<HttpResponse> {
  const provider = findProvider(options, request);
  if (provider === undefined) return linkFailed(options, { error: 'unknown_idp', reason: 'There is no such provider' });
  const sessionRowId = sessionOf(request);
  const parameters = new URLSearchParams(textOf(readFields(request), 'query'));
  parameters.delete('linking');
  const cookies = request.header('cookie');
  const [state, nonce] = [readCookie(cookies, STATE_COOKIE), readCookie(cookies, NONCE_COOKIE)];
  const isOwn = state !== undefined && nonce !== undefined && parameters.get('state') === state;
  const begun = isOwn ? readState(options, request, state) : undefined;
  if (!isOwn || begun?.idp !== provider.name || begun.sessionRowId === undefined) {
    return linkFailed(options, {
      error: 'invalid_state',
      reason: 'The state does not belong to this browser and provider',
    });
  }
  if (begun.sessionRowId !== sessionRowId) {
    return linkFailed(options, { error: 'session_changed', reason: 'Another session has begun the link' });
  }
  const identity = await identityOf(options, request, provider, { parameters, state, nonce });
  if ('error' in identity) return linkFailed(options, identity);
  const linked = await options.usersFor(request.caller, request.clientAddress).linkIdentity(identity);
  if ('error' in linked) return linkFailed(options, linked);
  return { ...jsonResponse({ linked: provider.name }), cookies: expiredProviderCookies(options.cookies) };
}

/** Row id of the session of the caller. A key or the admin secret belongs to none, and links nothing. */
function sessionOf({ caller }: HttpRequest): number {
  if (caller.kind === 'signedIn' && caller.credential === 'session' && caller.credentialRowId !== null) {
    return caller.credentialRowId;
  }
  throw new SpandrelError('ACCESS_DENIED', 'Only a signed-in person can link identities');
}

/** The profile page chooses the text by the code. */
function linkFailed(
  options: OAuth2Options,
  { error, reason }: { readonly error: SignInErrorCode | LinkErrorCode; readonly reason: string },
): HttpResponse {
  options.log.warn({ code: error, reason }, 'An identity could not be linked');
  return { ...jsonResponse({ error }, 409), cookies: expiredProviderCookies(options.cookies) };
}

const jsonResponse = (body: object, status = 200): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});
