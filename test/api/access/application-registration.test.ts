import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, query } from '../../metadata-store/fixtures.ts';
import { discover, giveAccess, newRequest, REDIRECT } from './application.ts';
import { openSignedInServer, postJson, type SignedInServer } from './signed-in-server.ts';

const cleanUp = cleanUpAfter(after);
const open = (settings: Readonly<Record<string, string>>) => openSignedInServer({ after: cleanUp }, { settings });

async function register({ address }: SignedInServer, metadata: unknown) {
  const response = await postJson(`${address}/oauth2/register`, metadata);
  const text = await response.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, json, text };
}

describe('the registration of an application', () => {
  let server: SignedInServer;
  before(async () => {
    server = await open({ OAUTH2_ALLOWED_REDIRECT_HOSTS: 'app.example,*.trusted.example' });
  });

  test('rejects addresses that could hand a code to someone else', async () => {
    for (const uri of [
      ...['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vbscript:x'],
      ...[
        'http://app.example/cb',
        'http://127.0.0.1.evil.example/',
        'http://127.0.0.1@evil.example/',
        'ftp://app.example/',
      ],
      ...[
        'https://app.example/cb#x',
        'https://user@app.example/cb',
        'https://user:pass@app.example/',
        'https:app.example/',
      ],
      ...[
        'https://app.example\\@evil.example/',
        'https://app.example /cb',
        'https://app.example/\n',
        '//app.example/cb',
      ],
      ...['https://*.app.example/cb', '/cb', '', ':', 'a:', 'intent://x', 'about:blank', 'x'.repeat(3_000)],
      `https://app.example/${'x'.repeat(1_000)}`,
      'https://аpp.example/cb',
      // Not on the list of allowed hosts.
      ...[
        'https://evil.example/cb',
        'https://trusted.example/',
        'https://evil-app.example/',
        'https://app.example.evil/',
      ],
    ]) {
      const { status, json } = await register(server, { redirect_uris: ['http://127.0.0.1/', uri] });
      assert.deepEqual([status, json.error], [400, 'invalid_redirect_uri'], uri);
    }
    for (const redirect_uris of [undefined, [], 'https://app.example/', [1], [null], Array(11).fill(REDIRECT)]) {
      assert.equal((await register(server, { redirect_uris })).json.error, 'invalid_redirect_uri');
    }
    for (const uri of ['https://app.example/cb', 'https://x.trusted.example/', 'cursor://a.b/cb', 'http://[::1]/cb']) {
      assert.equal((await register(server, { redirect_uris: [uri] })).status, 201, uri);
    }
  });

  test('rejects hostile metadata', async () => {
    const valid = { redirect_uris: [REDIRECT] };
    for (const [field, value] of [
      ['client_uri', 'javascript:alert(1)'],
      ['logo_uri', 'data:image/svg+xml,<svg onload=alert(1)>'],
      ['tos_uri', 'x'],
      ['policy_uri', ['https://app.example/']],
      ['client_name', 'x'.repeat(101)],
      ['client_name', 'line\nbreak'],
      ['client_name', 'safe\u202Eexe.fdp'],
      ['client_name', '\u200B'],
      ['client_name', '   '],
      ['client_name', { toString: 'x' }],
      ['client_name', '\0'],
      ['token_endpoint_auth_method', 'client_secret_basic'],
      ['grant_types', ['client_credentials']],
      ['grant_types', 'authorization_code'],
      ['response_types', ['token']],
    ] as const) {
      const { status, json } = await register(server, { ...valid, [field]: value });
      assert.deepEqual([status, json.error], [400, 'invalid_client_metadata'], `${field}: ${JSON.stringify(value)}`);
    }
    for (const body of [[], null, 'x', 1]) {
      assert.deepEqual((await register(server, body)).json.error, 'invalid_request');
    }
    const huge = await register(server, { ...valid, software_statement: 'x'.repeat(100_000) });
    assert.equal(huge.status, 413);
    const polluted = await fetch(`${server.address}/oauth2/register`, {
      method: 'POST',
      body: '{"__proto__": {"client_name": "x"}, "redirect_uris": ["http://127.0.0.1/"], "isFirstParty": true, "is_first_party": true, "client_id": "phoenix-cli"}',
    });
    const client = (await polluted.json()) as { client_id: string; client_name: string };
    assert.match(client.client_id, /^px_dcr_/);
    assert.equal(client.client_name, client.client_id);
    const [row] = await query<{ is_first_party: boolean }>(
      server.databaseUrl,
      `select is_first_party from oauth2_clients where client_id = '${client.client_id}'`,
    );
    assert.equal(row?.is_first_party, false);
  });

  test('is limited to applications that users accept, per address and day', async () => {
    await query(server.databaseUrl, 'delete from oauth2_clients where not is_first_party');
    let status = 201;
    let count = 0;
    for (; status === 201 && count < 60; count++) ({ status } = await register(server, { redirect_uris: [REDIRECT] }));
    assert.deepEqual([count, status], [51, 429]);
    const user = await server.newUser('accepts', 'VIEWER');
    const [row] = await query<{ client_id: string }>(
      server.databaseUrl,
      'select client_id from oauth2_clients where not is_first_party limit 1',
    );
    await giveAccess(server, user, { clientId: row!.client_id });
    assert.equal((await register(server, { redirect_uris: [REDIRECT] })).status, 201, 'one is in use now');
    await query(server.databaseUrl, "update oauth2_clients set created_at = now() - interval '25 hours'");
    assert.equal((await register(server, { redirect_uris: [REDIRECT] })).status, 201, 'a day later');
  });

  test('leaves an entry in the audit log, as does each step of a grant', async () => {
    const user = await server.newUser('audited', 'VIEWER');
    const { access_token: token } = await giveAccess(server, user);
    const me = server.as({ bearer: user.access });
    const { data } = await me.graphql('{viewer {oauth2Grants {id}}}');
    const [grant] = (data as { viewer: { oauth2Grants: { id: string }[] } }).viewer.oauth2Grants;
    await server
      .as({ bearer: token })
      .graphql('mutation ($id: ID!) {revokeOAuth2Grant(input: {id: $id}) {grantId}}', { id: grant!.id });
    const { json } = await server.admin.call('GET', '/v1/audit_log?limit=20');
    const { data: entries } = json as { data: { action: string; username: string; credential: string }[] };
    const steps = entries.filter(({ action }) => action.startsWith('oauth2-')).slice(0, 3);
    assert.deepEqual(
      steps.map(({ action, username, credential }) => [action, username, credential]),
      [
        ['oauth2-grant.revoke', 'audited', 'app'],
        ['oauth2-grant.create', 'audited', 'app'],
        ['oauth2-grant.approve', 'audited', 'session'],
      ],
    );
    const registered = await server.admin.call('GET', '/v1/audit_log?action=oauth2-client.register&limit=1');
    assert.match(JSON.stringify(registered.json), /"credential":"none"/);
    assert.ok(!JSON.stringify([json, registered.json]).includes(token.split('.')[2]!));
  });
});

describe('settings', () => {
  test('limit registrations per hour, or to applications on the machine of the user', async () => {
    const server = await open({
      DISABLE_RATE_LIMIT: 'false',
      OAUTH2_DCR_RATE_LIMIT_PER_HOUR: '2',
      OAUTH2_DYNAMIC_CLIENT_REGISTRATION: 'local_only',
    });
    const site = await register(server, { redirect_uris: ['https://app.example/cb'] });
    assert.equal(site.json.error, 'invalid_redirect_uri');
    assert.equal((await register(server, { redirect_uris: [REDIRECT] })).status, 201);
    const third = await register(server, { redirect_uris: [REDIRECT] });
    assert.deepEqual([third.status, third.text], [429, 'Too Many Requests']);
  });

  test('end registration, the check of the origin, and give the address under a prefix', async () => {
    const server = await open({
      OAUTH2_DYNAMIC_CLIENT_REGISTRATION: 'disabled',
      OAUTH2_CONSENT_ORIGIN_CHECK: 'off',
      ROOT_URL: 'https://traces.example.com/prefix',
      HOST_ROOT_PATH: '/prefix',
    });
    assert.notEqual((await register(server, { redirect_uris: [REDIRECT] })).status, 201);
    const issuer = 'https://traces.example.com/prefix';
    for (const path of [
      '/.well-known/oauth-authorization-server/prefix',
      '/.well-known/openid-configuration/prefix',
      '/prefix/.well-known/openid-configuration',
      '/prefix/.well-known/oauth-authorization-server',
    ]) {
      const metadata = (await (await fetch(server.address + path)).json()) as Record<string, unknown>;
      assert.equal(metadata.issuer, issuer, path);
      assert.equal(metadata.token_endpoint, `${issuer}/oauth2/token`);
      assert.equal(metadata.registration_endpoint, undefined);
    }
    for (const [path, resource] of [
      ['/.well-known/oauth-protected-resource/prefix', issuer],
      ['/.well-known/oauth-protected-resource/prefix/mcp', `${issuer}/mcp`],
      ['/prefix/.well-known/oauth-protected-resource/mcp', `${issuer}/mcp`],
    ]) {
      const metadata = (await (await fetch(server.address + path)).json()) as Record<string, unknown>;
      assert.equal(metadata.resource, resource, path);
    }
    const rejected = await fetch(`${server.address}/prefix/v1/projects`);
    const challenge = `Bearer realm="Spandrel", resource_metadata="${issuer}/.well-known/oauth-protected-resource"`;
    assert.equal(rejected.headers.get('www-authenticate'), challenge);
    const user = await server.newUser('prefixed', 'VIEWER');
    const response = await fetch(`${server.address}/prefix/oauth2/authorize/decision`, {
      method: 'POST',
      headers: { cookie: `phoenix-access-token=${user.access}`, origin: 'https://elsewhere.example' },
      body: '{"decision": "approve"}',
    });
    assert.equal(response.status, 400, 'the origin is not checked');
  });

  test('close the server to applications', async () => {
    const server = await open({ ENABLE_OAUTH2_AUTHORIZATION_SERVER: 'false' });
    const metadata = await fetch(`${server.address}/.well-known/oauth-authorization-server`);
    assert.equal(metadata.status, 404);
    for (const path of ['/oauth2/authorize', '/oauth2/consent/data']) {
      assert.equal((await fetch(server.address + path)).status, 404, path);
    }
    const rejected = await fetch(`${server.address}/v1/projects`);
    assert.equal(rejected.headers.get('www-authenticate'), 'Bearer realm="Spandrel"');
    await assert.rejects(discover(server).then((config) => newRequest(config)));
  });
});
