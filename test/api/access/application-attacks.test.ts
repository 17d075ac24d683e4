import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { credentials, Client as GrpcClient, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { authorizationCodeGrant } from 'openid-client';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import {
  approve,
  CLI,
  consentOf,
  decide,
  discover,
  giveAccess,
  locationOf,
  newRequest,
  REDIRECT,
  refresh,
  sendForm,
} from './application.ts';
import { ADMIN_SECRET, openSignedInServer, postJson, type Session, type SignedInServer } from './signed-in-server.ts';

let server: SignedInServer;
let user: Session;
let site: string;
const SITE = 'https://app.example/cb';
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openSignedInServer({ after: cleanUp });
  user = await server.newUser('victim', 'ADMIN');
  const response = await postJson(`${server.address}/oauth2/register`, { client_name: 'Site', redirect_uris: [SITE] });
  site = ((await response.json()) as { client_id: string }).client_id;
});

const statusOf = async (bearer: string) => (await server.as({ bearer }).call('GET', '/v1/user')).status;

/** A code of the command-line client, and the fields that redeem it. */
async function newCode(parameters: Readonly<Record<string, string>> = {}) {
  const { url, verifier, state } = await newRequest(await discover(server), parameters);
  const back = await approve(server, user, url);
  const fields = {
    grant_type: 'authorization_code',
    client_id: CLI,
    code: back.searchParams.get('code')!,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  };
  return { fields, back, verifier, state };
}

describe('a code', () => {
  test('works once: its replay ends the tokens of the first use', async () => {
    const { fields } = await newCode();
    const first = await sendForm(server, 'token', fields);
    assert.equal(first.status, 200);
    const token = String(first.json.access_token);
    assert.equal(await statusOf(token), 200);
    const replay = await sendForm(server, 'token', fields);
    assert.deepEqual([replay.status, replay.json.error], [400, 'invalid_grant']);
    assert.equal(await statusOf(token), 401);
    assert.equal((await refresh(server, String(first.json.refresh_token))).json.error, 'invalid_grant');
    const { json } = await server.admin.call('GET', '/v1/audit_log?action=oauth2-grant.replay');
    assert.match(JSON.stringify(json), /"outcome":"DENIED"/);
  });

  test('sent twice at the same time gives tokens once at most', async () => {
    const { fields } = await newCode();
    const both = await Promise.all([sendForm(server, 'token', fields), sendForm(server, 'token', fields)]);
    const tokens = both.filter((one) => one.status === 200).map(({ json }) => String(json.access_token));
    assert.equal(tokens.length, 1);
    assert.equal(await statusOf(tokens[0]!), 401, 'and the second use has ended them');
  });

  test('is worth nothing without its verifier, its application, its address or its form', async () => {
    const { fields } = await newCode();
    const { code_verifier: _verifier, ...withoutVerifier } = fields;
    for (const [label, changed, error] of [
      ['no verifier', withoutVerifier, 'invalid_request'],
      ['an empty verifier', { ...fields, code_verifier: '' }, 'invalid_request'],
      ['another application', { ...fields, client_id: site }, 'invalid_grant'],
      ['an unknown application', { ...fields, client_id: 'px_dcr_unknown' }, 'invalid_grant'],
      ['another port', { ...fields, redirect_uri: REDIRECT.replace('49152', '49153') }, 'invalid_grant'],
      ['another code', { ...fields, code: `${fields.code}A` }, 'invalid_grant'],
      ['another resource', { ...fields, resource: `${server.address}/mcp` }, 'invalid_target'],
      ['a secret', { ...fields, client_secret: 'x' }, 'invalid_client'],
      ['a grant for passwords', { ...fields, grant_type: 'password' }, 'unsupported_grant_type'],
      ['a name of a prototype', { ...fields, grant_type: 'constructor' }, 'unsupported_grant_type'],
    ] as const) {
      const { json, status: code } = await sendForm(server, 'token', changed as Record<string, string>);
      assert.deepEqual([code, json.error], [400, error], label);
    }
    const twice = `${new URLSearchParams(fields)}&code=x`;
    assert.equal((await sendForm(server, 'token', twice)).json.error, 'invalid_request');
    const asJson = await postJson(`${server.address}/oauth2/token`, fields);
    assert.equal(((await asJson.json()) as { error: string }).error, 'invalid_request');
    const basic = await sendForm(server, 'token', fields, { authorization: 'Basic eDp5' });
    assert.deepEqual([basic.status, basic.json.error], [401, 'invalid_client']);
    assert.equal((await sendForm(server, 'token', fields)).status, 200, 'none of that has used it up');
  });

  test('is worth nothing after a wrong verifier, because only another program than its own has to guess', async () => {
    const { fields } = await newCode();
    for (const code_verifier of ['a'.repeat(43), fields.code_verifier]) {
      const { status: code, json } = await sendForm(server, 'token', { ...fields, code_verifier });
      assert.deepEqual([code, json.error], [400, 'invalid_grant']);
    }
  });
});

describe('a consent', () => {
  test('gives one code, also when it is given twice at the same time or again after its code was used', async () => {
    const { url, verifier } = await newRequest(await discover(server));
    const consent = { request: await consentOf(url, user), decision: 'approve' };
    const both = await Promise.all([decide(server, user, consent), decide(server, user, consent)]);
    assert.deepEqual(both.map((response) => response.status).sort(), [200, 400]);
    const given = both.find((response) => response.ok)!;
    const back = new URL(((await given.json()) as { redirect_to: string }).redirect_to);
    const code = back.searchParams.get('code')!;
    const fields = { grant_type: 'authorization_code', client_id: CLI, redirect_uri: REDIRECT, code };
    assert.equal((await sendForm(server, 'token', { ...fields, code_verifier: verifier })).status, 200);
    assert.equal((await decide(server, user, consent)).status, 400);
  });
});

describe('the name of the server in responses', () => {
  const get = (path: string, host: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; text: string; challenge: string }>((resolve, reject) => {
      const { port } = new URL(server.address);
      request({ host: '127.0.0.1', port, path, headers: { host, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            challenge: response.headers['www-authenticate'] ?? '',
          }),
        );
      })
        .on('error', reject)
        .end();
    });

  test('is never one that the request alone names', async () => {
    const authorization = `Bearer ${ADMIN_SECRET}`;
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/.well-known/oauth-protected-resource/mcp',
      '/auth.md',
      '/scim/v2/Users',
      '/scim/v2/ServiceProviderConfig',
    ]) {
      for (const host of ['evil.example', 'evil.example:6006', '127.0.0.1.evil.example', 'traces.example.com']) {
        const { status: code, text } = await get(path, host, { authorization });
        assert.equal(code, 403, `${path} ${host}: ${text}`);
        assert.match(text, /SERVICE_ROOT_URL/);
      }
      for (const host of ['localhost:6006', 'spandrel', 'traces.internal', '10.0.0.1:80', '[::1]:6006']) {
        assert.equal((await get(path, host, { authorization })).status, 200, `${path} ${host}`);
      }
    }
    const denied = await get('/v1/projects', 'evil.example');
    assert.deepEqual([denied.status, denied.challenge], [401, 'Bearer realm="Spandrel"']);
  });
});

describe('a request for access', () => {
  test('is never sent to an address that is not registered', async () => {
    const config = await discover(server);
    for (const redirect_uri of [
      'https://evil.example/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://evil.example:80/callback',
      'http://127.0.0.1@evil.example/callback',
      'http://127.0.0.1:80@evil.example/callback',
      'http://127.0.0.1:49152\\@evil.example/callback',
      'http://127.0.0.1:49152/callback#fragment',
      'http://127.0.0.1:49152/callback?next=https://evil.example',
      'http://127.0.0.1:49152/callback/../evil',
      'http://127.0.0.1:49152/callbackevil',
      'http://127.0.0.1:49152/Callback',
      'http://127.0.0.1:49152/',
      'http://127.0.0.1:99999/callback',
      'http://localhost:49152/callback',
      'http://0.0.0.0:49152/callback',
      'https://127.0.0.1:49152/callback',
      '//evil.example/callback',
      'javascript:alert(1)',
      '',
    ]) {
      const { url } = await newRequest(config, { redirect_uri });
      for (const session of [user, undefined]) {
        assert.equal(await locationOf(url, session), '/oauth2/consent?error=invalid_redirect_uri', redirect_uri);
      }
    }
    const siteConfig = await discover(server, site);
    for (const redirect_uri of [
      ...[
        'https://app.example/',
        'https://app.example/cb/',
        'https://app.example/cb?x=1',
        'https://app.example:444/cb',
      ],
      ...['https://app.example.evil.example/cb', 'https://app.example@evil.example/cb', 'http://app.example/cb'],
      ...['https://APP.example/cb', 'https://app.example/cb#', 'https://app.example/cb%00', `${SITE}\t`],
    ]) {
      const { url } = await newRequest(siteConfig, { redirect_uri });
      assert.equal(await locationOf(url, user), '/oauth2/consent?error=invalid_redirect_uri', redirect_uri);
    }
    const { url } = await newRequest(siteConfig, { redirect_uri: SITE });
    url.searchParams.append('redirect_uri', 'https://evil.example/');
    assert.equal(await locationOf(url, user), '/oauth2/consent?error=invalid_redirect_uri', 'two addresses');
    url.searchParams.append('client_id', CLI);
    assert.equal(await locationOf(url, user), '/oauth2/consent?error=invalid_client', 'two applications');
    const unknown = await newRequest(config, { client_id: 'px_dcr_0000000000000000000000' });
    assert.equal(await locationOf(unknown.url, user), '/oauth2/consent?error=invalid_client');
  });

  test('needs PKCE with S256, a code, and a state that is hard to guess', async () => {
    const config = await discover(server);
    for (const [label, parameters, error] of [
      ['no challenge', { code_challenge: null }, 'invalid_request'],
      ['no method, which means plain', { code_challenge_method: null }, 'invalid_request'],
      ['plain', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
      ['no state', { state: null }, 'invalid_request'],
      ['a short state', { state: 'a'.repeat(21) }, 'invalid_request'],
      ['a very long state', { state: 'a'.repeat(5_000) }, 'invalid_request'],
      ['a state with a line break', { state: `${'a'.repeat(22)}\r\nset-cookie: x=1` }, 'invalid_request'],
      ['a token in the address', { response_type: 'token' }, 'unsupported_response_type'],
      ['a token and a code', { response_type: 'code token' }, 'unsupported_response_type'],
      ['the fragment', { response_mode: 'fragment' }, 'invalid_request'],
      ['a request object', { request: 'x.y.z' }, 'invalid_request'],
      ['a scope with quotes', { scope: '"' }, 'invalid_scope'],
      [
        'very many scopes',
        { scope: Array.from({ length: 100 }, (_, index) => `s${index}`).join(' ') },
        'invalid_scope',
      ],
      ['another resource', { resource: 'https://elsewhere.example/' }, 'invalid_target'],
    ] as const) {
      const { url } = await newRequest(config, parameters);
      const back = new URL(await locationOf(url, user), server.address);
      assert.deepEqual([back.origin + back.pathname, back.searchParams.get('error')], [REDIRECT, error], label);
    }
  });

  test('that is invalid does not lead to a site, because anyone may register one', async () => {
    const { url } = await newRequest(await discover(server, site), { redirect_uri: SITE, code_challenge: null });
    assert.equal(await locationOf(url, user), '/oauth2/consent?error=invalid_request');
  });

  test('needs the session of a browser: no key and no application gives access', async () => {
    const { access_token: app } = await giveAccess(server, user);
    const created = await server.as({ bearer: user.access }).call('POST', '/v1/user/api_keys', { data: { name: 'k' } });
    const { key } = (created.json as { data: { key: string } }).data;
    const { url } = await newRequest(await discover(server));
    const request = await consentOf(url, user);
    for (const token of [app, key, user.refresh, 'x']) {
      assert.match(await locationOf(url, { access: token }), /^\/login\?/);
      const byCookie = await decide(server, { access: token }, { request, decision: 'approve' });
      assert.ok(byCookie.status === 401 || byCookie.status === 403, String(byCookie.status));
      const authorization = `Bearer ${token}`;
      const byHeader = await decide(server, undefined, { request, decision: 'approve' }, { authorization });
      assert.ok(byHeader.status === 401 || byHeader.status === 403, String(byHeader.status));
    }
  });
});

describe('a decision', () => {
  test('comes from a page of this server only', async () => {
    const request = await consentOf((await newRequest(await discover(server))).url, user);
    const forged: readonly Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: `${server.address}.evil.example` },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of forged) {
      const response = await decide(server, user, { request, decision: 'approve' }, headers);
      assert.deepEqual([response.status, await response.text()], [403, 'Invalid Origin header'], headers.origin);
    }
    const response = await fetch(`${server.address}/oauth2/authorize/decision`, {
      method: 'POST',
      headers: { cookie: `phoenix-access-token=${user.access}` },
      body: JSON.stringify({ request, decision: 'approve' }),
    });
    assert.deepEqual([response.status, await response.text()], [403, 'Invalid Origin header'], 'none');
  });

  test('is made by the user who saw the request, about what that user saw', async () => {
    const other = await server.newUser('accomplice', 'MEMBER');
    const request = await consentOf((await newRequest(await discover(server))).url, user);
    const [payload = '', signature = ''] = request.split('.');
    const value = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const forge = (changes: object) =>
      `${Buffer.from(JSON.stringify({ ...value, ...changes })).toString('base64url')}.${signature}`;
    const sign = (text: string) => server.ports.signIn!.tokens.sign(text);
    for (const [label, session, text] of [
      ['another user', other, request],
      ['another address', user, forge({ redirectUri: 'https://evil.example/' })],
      ['another challenge', user, forge({ codeChallenge: 'A'.repeat(43) })],
      ['no signature', user, payload],
      ['another signature', user, `${payload}.${'A'.repeat(43)}`],
      ['a signature for another purpose', user, `${payload}.${sign(payload)}`],
      ['an access token', user, user.access],
      ['nothing', user, ''],
    ] as const) {
      const response = await decide(server, session, { request: text, decision: 'approve' });
      assert.equal(response.status, 400, label);
      const seen = await server
        .as({ bearer: session.access })
        .call('GET', `/oauth2/consent/data?request=${encodeURIComponent(text)}`);
      assert.equal(seen.status, 400, label);
    }
    assert.equal((await decide(server, user, { request, decision: 'maybe' })).status, 422);
    assert.equal((await decide(server, undefined, { request, decision: 'approve' })).status, 401);
  });

  test('cannot be read from a page in a frame, and no cache keeps it', async () => {
    const page = await fetch(`${server.address}/oauth2/consent`);
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    const request = await consentOf((await newRequest(await discover(server))).url, user);
    const response = await decide(server, user, { request, decision: 'approve' });
    assert.equal(response.headers.get('cache-control'), 'no-store');
  });
});

describe('a refresh token', () => {
  test('works once: its replay ends the grant, at once and for both', async () => {
    const tokens = await giveAccess(server, user);
    const next = await refresh(server, tokens.refresh_token);
    assert.equal(next.status, 200);
    const replay = await refresh(server, tokens.refresh_token);
    assert.deepEqual([replay.status, replay.json.error], [400, 'invalid_grant']);
    assert.equal(await statusOf(String(next.json.access_token)), 401);
    assert.equal((await refresh(server, String(next.json.refresh_token))).json.error, 'invalid_grant');
  });

  test('sent many times at the same time gives one pair at most', async () => {
    const tokens = await giveAccess(server, user);
    const all = await Promise.all(Array.from({ length: 5 }, () => refresh(server, tokens.refresh_token)));
    assert.ok(all.filter((one) => one.status === 200).length <= 1);
    const [pair] = all.filter((one) => one.status === 200);
    if (pair) assert.equal(await statusOf(String(pair.json.access_token)), 401);
  });

  test('belongs to its application and resource, and an access token is none', async () => {
    const tokens = await giveAccess(server, user);
    assert.equal((await refresh(server, tokens.refresh_token, site)).json.error, 'invalid_grant');
    assert.equal((await refresh(server, tokens.access_token)).json.error, 'invalid_grant');
    const elsewhere = await refresh(server, tokens.refresh_token, CLI, { resource: `${server.address}/mcp` });
    assert.equal(elsewhere.json.error, 'invalid_target');
    const other = await sendForm(server, 'revoke', { token: tokens.refresh_token, client_id: site });
    assert.deepEqual([other.status, other.json.error], [400, 'unauthorized_client']);
    assert.equal(await statusOf(tokens.access_token), 200);
    assert.equal((await refresh(server, tokens.refresh_token)).status, 200, 'none of that has used it up');
  });

  test('of a session cannot be revoked by applications, and any other text is none', async () => {
    for (const token of [user.refresh, user.access, 'x', 'x'.repeat(5_000)]) {
      assert.equal((await sendForm(server, 'revoke', { token, client_id: CLI })).status, 200);
    }
    assert.equal(await statusOf(user.access), 200);
    assert.equal((await sendForm(server, 'revoke', { client_id: CLI })).json.error, 'invalid_request');
  });
});

describe('a token for the Model Context Protocol', () => {
  test('is accepted nowhere else, over HTTP and gRPC', async () => {
    const { access_token: token } = await giveAccess(server, user, { resource: `${server.address}/mcp` });
    for (const path of ['/v1/projects', '/v1/user', '/events']) {
      const { status: code, text } = await server.as({ bearer: token }).call('GET', path);
      assert.deepEqual([code, text], [401, 'Token is not valid for this resource'], path);
    }
    assert.equal((await server.as({ bearer: token }).graphql('{projectCount}')).status, 401);
    const client = new GrpcClient(`127.0.0.1:${server.grpcPort}`, credentials.createInsecure());
    cleanUp(async () => client.close());
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${token}`);
    const code = await new Promise<number>((resolve) => {
      client.makeUnaryRequest(
        '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
        (bytes: Buffer) => bytes,
        (bytes: Buffer) => bytes,
        Buffer.alloc(0),
        metadata,
        {},
        (error: ServiceError | null) => resolve(error?.code ?? status.OK),
      );
    });
    assert.equal(code, status.UNAUTHENTICATED);
  });
});

test('a code of another server, mixed up by an application, is noticed by its issuer', async () => {
  const { back, verifier, state } = await newCode();
  back.searchParams.set('iss', 'https://evil.example');
  const exchange = authorizationCodeGrant(await discover(server), back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  await assert.rejects(exchange, ({ cause }: Error) => /"iss"/.test((cause as Error).message));
});
