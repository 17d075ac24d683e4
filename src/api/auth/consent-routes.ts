import { SpandrelError } from '../../model/errors.ts';
import { SIGN_IN_BODY_BYTES_MAX } from '../../model/limits/access.ts';
import { classifyRedirectUri } from '../../domain/authorization/redirect-uris.ts';
import { errorTextResponse } from '../../server/error-response.ts';
import { baseUrlOf } from '../../server/guards/base-url.ts';
import { ACCESS_COOKIE, readCookie } from '../../server/guards/presented-credential.ts';
import type { HttpRequest, HttpResponse, Route } from '../../server/route.ts';
import { readFields, textOf } from './auth-routes.ts';
import type { AuthorizationOptions } from './authorization-options.ts';
import { privateJson } from './oauth-responses.ts';

/** Routes that the browser of a user calls: the request of an application, and the decision about it. */
export const consentRoutes = (options: AuthorizationOptions): Route[] => [
  {
    method: 'GET',
    path: '/oauth2/authorize',
    // The session is read here, because without one the user signs in.
    access: 'open',
    bodyBytesMax: 0,
    handle: (request) => authorize(options, request),
  },
  {
    method: 'GET',
    path: '/oauth2/consent/data',
    access: 'person',
    bodyBytesMax: 0,
    handle: (request) => describeRequest(options, request),
  },
  {
    method: 'POST',
    path: '/oauth2/authorize/decision',
    access: 'person',
    bodyBytesMax: SIGN_IN_BODY_BYTES_MAX,
    handle: (request) => decide(options, request),
  },
];

async function authorize(options: AuthorizationOptions, request: HttpRequest): Promise<HttpResponse> {
  const { rootPath } = options;
  const start = await options.authorizationFor(request.clientAddress).begin({
    parameters: new URLSearchParams(request.query),
    accessToken: readCookie(request.header('cookie'), ACCESS_COOKIE),
    baseUrl: baseUrlOf(options, request),
  });
  switch (start.kind) {
    case 'signIn':
      return redirect(`${rootPath}/login?returnUrl=${encodeURIComponent(`/oauth2/authorize?${request.query}`)}`);
    case 'consent':
      return redirect(`${rootPath}/oauth2/consent?request=${start.request}`);
    case 'problem':
      return redirect(`${rootPath}/oauth2/consent?error=${start.code}`);
    case 'redirect':
      return redirect(start.url);
  }
}

const redirect = (location: string): HttpResponse => ({
  status: 302,
  headers: { location, 'cache-control': 'no-store' },
});

async function describeRequest(options: AuthorizationOptions, request: HttpRequest): Promise<HttpResponse> {
  const text = new URLSearchParams(request.query).get('request') ?? '';
  const consent = await options.authorizationFor(request.clientAddress, request.caller).readConsent(text);
  const { client, user, grantMs } = consent;
  const { redirectUri, scopes, resource } = consent.request;
  const kind = classifyRedirectUri(redirectUri);
  return privateJson(200, {
    client: { id: client.clientId, name: client.name, isFirstParty: client.isFirstParty, createdAt: client.createdAt },
    // What the user is sent back to, which an application cannot invent.
    target: { kind, host: kind === 'scheme' ? redirectUri.split(':', 1)[0] : new URL(redirectUri).host },
    user: { username: user.username, email: user.email, role: user.role },
    scopes,
    resource,
    days: grantMs / 86_400_000,
  });
}

async function decide(options: AuthorizationOptions, request: HttpRequest): Promise<HttpResponse> {
  if (options.checksOrigin && !isOwnOrigin(options, request)) {
    return errorTextResponse('ACCESS_DENIED', 'Invalid Origin header');
  }
  const body = readFields(request);
  const decision = textOf(body, 'decision');
  if (decision !== 'approve' && decision !== 'deny') {
    throw new SpandrelError('REQUEST_INVALID', 'decision must be approve or deny');
  }
  const redirectTo = await options.authorizationFor(request.clientAddress, request.caller).decide({
    text: textOf(body, 'request'),
    isApproved: decision === 'approve',
    issuer: baseUrlOf(options, request),
  });
  return privateJson(200, { redirect_to: redirectTo });
}

/** Whether a page of this server sends the request: by the address of the settings, or by that of the request. */
function isOwnOrigin({ rootUrl }: AuthorizationOptions, { header }: HttpRequest): boolean {
  const origin = header('origin');
  if (origin === undefined || !URL.canParse(origin)) return false;
  if (rootUrl !== undefined && new URL(rootUrl).origin === origin) return true;
  const { protocol, host } = new URL(origin);
  const own = `${protocol}//${header('host')}`;
  return /^https?:$/.test(protocol) && URL.canParse(own) && new URL(own).host === host;
}
