import { SIGN_IN_BODY_BYTES_MAX } from '../../model/limits/access.ts';
import { readParameter } from '../../domain/authorization/authorization-request.ts';
import type { AppTokens } from '../../domain/authorization/issue-tokens.ts';
import { OAuthError } from '../../domain/authorization/oauth-error.ts';
import { baseUrlOf } from '../../server/guards/base-url.ts';
import { networkOf } from '../../server/guards/rate-limit.ts';
import type { HttpRequest, HttpResponse, Route } from '../../server/route.ts';
import { readFields } from './auth-routes.ts';
import type { AuthorizationOptions } from './authorization-options.ts';
import { privateJson, respondWithErrors } from './oauth-responses.ts';

/** Routes that applications call themselves. They read no cookie, so that pages of any site may call them. */
export function tokenRoutes(options: AuthorizationOptions): Route[] {
  const post = (
    path: string,
    rateLimit: Route['rateLimit'],
    handle: (request: HttpRequest) => Promise<HttpResponse>,
  ): Route => ({
    ...{ method: 'POST', path, access: 'open', ...(rateLimit && { rateLimit }), bodyBytesMax: SIGN_IN_BODY_BYTES_MAX },
    handle: (request) => respondWithErrors(request, () => handle(request)),
  });
  return [
    post('/oauth2/token', 'oauth2Token', (request) => issueTokens(options, request)),
    post('/oauth2/revoke', 'oauth2Token', (request) => revoke(options, request)),
    ...(options.allowsRegistration
      ? [post('/oauth2/register', 'oauth2Registration', (request) => register(options, request))]
      : []),
  ];
}

async function issueTokens(options: AuthorizationOptions, request: HttpRequest): Promise<HttpResponse> {
  const form = readForm(request);
  const clientId = needed(form, 'client_id');
  const authorization = options.authorizationFor(request.clientAddress);
  const common = { clientId, resources: form.getAll('resource'), baseUrl: baseUrlOf(options, request) };
  const grantType = needed(form, 'grant_type');
  switch (grantType) {
    case 'authorization_code':
      return tokenResponse(
        await authorization.exchangeCode({
          ...common,
          code: needed(form, 'code'),
          redirectUri: needed(form, 'redirect_uri'),
          codeVerifier: needed(form, 'code_verifier'),
          userAgent: request.header('user-agent')?.slice(0, 500) ?? null,
        }),
      );
    case 'refresh_token':
      return tokenResponse(await authorization.refresh({ ...common, refreshToken: needed(form, 'refresh_token') }));
    default:
      throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
}

const tokenResponse = ({ access, refresh, accessExpiresAt, scopes }: AppTokens): HttpResponse =>
  privateJson(200, {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.max(1, Math.floor((accessExpiresAt.getTime() - Date.now()) / 1_000)),
    refresh_token: refresh,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  });

async function revoke(options: AuthorizationOptions, request: HttpRequest): Promise<HttpResponse> {
  const form = readForm(request);
  const token = needed(form, 'token');
  const clientId = readParameter(form, 'client_id');
  await options.authorizationFor(request.clientAddress).revokeToken({ token, clientId });
  return { status: 200, headers: { 'cache-control': 'no-store' } };
}

async function register(options: AuthorizationOptions, request: HttpRequest): Promise<HttpResponse> {
  const metadata = readFields(request);
  const network = request.clientAddress === '' ? null : networkOf(request.clientAddress);
  const client = await options.authorizationFor(request.clientAddress).registerClient(metadata, network);
  return privateJson(201, {
    client_id: client.clientId,
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1_000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
}

/** @throws {OAuthError} for another type, and for a secret, because applications have none here */
function readForm({ body, header }: HttpRequest): URLSearchParams {
  const type = header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'The content type must be application/x-www-form-urlencoded');
  }
  const form = new URLSearchParams(Buffer.from(body).toString('utf8'));
  if (header('authorization') !== undefined || ['client_secret', 'client_assertion'].some((name) => form.has(name))) {
    throw new OAuthError('invalid_client', 'Applications have no secret here: send client_id alone');
  }
  return form;
}

function needed(form: URLSearchParams, name: string): string {
  const value = readParameter(form, name);
  if (!value) throw new OAuthError('invalid_request', `${name} is required`);
  return value;
}
