import { baseUrlOf } from '../../server/guards/base-url.ts';
import { RESOURCE_METADATA } from '../../server/guards/gate.ts';
import { type HttpRequest, type HttpResponse, type Route, textResponse } from '../../server/route.ts';
import type { AuthorizationOptions } from './authorization-options.ts';

/**
 * Documents from which applications learn where they get access (RFC 8414, RFC 9728). Under a path prefix, the standards put
 * the prefix at the end of the path, and a proxy that serves only the prefix needs it at the start. Both work.
 */
export function metadataRoutes(options: AuthorizationOptions): Route[] {
  const { rootPath } = options;
  const get = (path: string, describe: (baseUrl: string) => unknown): Route => ({
    ...{ method: 'GET', path, access: 'open', bodyBytesMax: 0 },
    handle: (request) => metadataResponse(describe(baseUrlOf(options, request))),
  });
  const server = (baseUrl: string) => serverMetadata(baseUrl, options);
  const paths = (path: string) => (rootPath === '' ? [path] : [path, path + rootPath]);
  return [
    ...paths('/.well-known/oauth-authorization-server').map((path) => get(path, server)),
    ...paths('/.well-known/openid-configuration').map((path) => get(path, server)),
    ...paths(RESOURCE_METADATA).flatMap((path) => [
      get(path, (baseUrl) => resourceMetadata(baseUrl, baseUrl)),
      get(`${path}/mcp`, (baseUrl) => resourceMetadata(`${baseUrl}/mcp`, baseUrl)),
    ]),
    {
      ...{ method: 'GET', path: '/auth.md', access: 'open', bodyBytesMax: 0 },
      handle: (request) => instructions(options, request),
    },
  ];
}

const metadataResponse = (body: unknown): HttpResponse => ({
  status: 200,
  // Short, because the registration can be switched off.
  headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' },
  body: JSON.stringify(body),
});

const serverMetadata = (baseUrl: string, { allowsRegistration }: AuthorizationOptions) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth2/authorize`,
  token_endpoint: `${baseUrl}/oauth2/token`,
  revocation_endpoint: `${baseUrl}/oauth2/revoke`,
  ...(allowsRegistration && { registration_endpoint: `${baseUrl}/oauth2/register` }),
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${baseUrl}/auth.md`,
});

const resourceMetadata = (resource: string, baseUrl: string) => ({
  resource,
  authorization_servers: [baseUrl],
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}/auth.md`,
});

/** For people and programs that read the address of the documentation. */
function instructions(options: AuthorizationOptions, request: HttpRequest): HttpResponse {
  const base = baseUrlOf(options, request);
  const register = options.allowsRegistration
    ? `Register your application once: \`POST ${base}/oauth2/register\` with the JSON object \`{"client_name": "…", "redirect_uris": ["http://127.0.0.1/callback"]}\`. The response contains its \`client_id\`. There is no secret.`
    : 'Applications cannot register themselves on this server. The command-line client is known as `phoenix-cli`.';
  return textResponse(
    200,
    `# Signing in to Spandrel at ${base}

Every request needs \`Authorization: Bearer <token>\`. A token is an API key, which users create on their profile page, or an
access token, which an application receives as follows (OAuth 2.1, authorization code with PKCE).

1. ${register}
2. Open \`${base}/oauth2/authorize\` in the browser of the user with the parameters \`response_type=code\`, \`client_id\`,
   \`redirect_uri\`, \`state\` (at least 22 random characters), \`code_challenge\`, \`code_challenge_method=S256\` and, for \`/mcp\`,
   \`resource=${base}/mcp\`. The user signs in and decides.
3. Redeem the \`code\` of the redirect within five minutes: \`POST ${base}/oauth2/token\` with the form fields
   \`grant_type=authorization_code\`, \`client_id\`, \`code\`, \`redirect_uri\` and \`code_verifier\`.
4. When the access token expires, send \`grant_type=refresh_token\`, \`client_id\` and \`refresh_token\`. Each refresh token works
   once; the response contains the next one.
5. To sign out: \`POST ${base}/oauth2/revoke\` with \`client_id\` and \`token\`.

All addresses are also at \`${base}/.well-known/oauth-authorization-server\`.
`,
    { 'content-type': 'text/markdown; charset=utf-8' },
  );
}
