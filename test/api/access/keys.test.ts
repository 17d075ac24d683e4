import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { credentialRepository } from '../../../src/metadata-store/access/credentials.ts';
import { cleanUpAfter, openTestStore, query } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer } from '../test-server.ts';
import { giveAccess } from './application.ts';
import { type Client, openSignedInServer, type SignedInServer } from './signed-in-server.ts';

interface KeyJson {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly last_characters: string;
  readonly expires_at?: string;
  readonly last_used_at?: string;
  readonly scope: string;
}

let server: SignedInServer;
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openSignedInServer({ after: cleanUp });
});

async function newKey(by: Client, kind: 'user' | 'system' = 'user', data: object = {}): Promise<KeyJson> {
  const reply = await by.call('POST', `/v1/${kind}/api_keys`, { data: { name: 'k', ...data } });
  assert.equal(reply.status, 201, reply.text);
  return (reply.json as { data: KeyJson }).data;
}
const listed = async (by: Client, path: string) => ((await by.call('GET', path)).json as { data: KeyJson[] }).data;
const as = async (name: string, role: 'ADMIN' | 'MEMBER' | 'VIEWER' = 'MEMBER') =>
  server.as({ bearer: (await server.newUser(name, role)).access });

describe('a key', () => {
  test('is shown once, and the database has its hash and last four characters only', async () => {
    const ann = await as('ann', 'VIEWER');
    const made = await newKey(ann, 'user', { name: ' exporter ', description: 'of the shop' });
    assert.equal(made.name, 'exporter');
    assert.equal(made.last_characters, made.key.slice(-4));
    assert.match(Buffer.from(made.key.split('.')[1] ?? '', 'base64url').toString(), /^\{"jti":"ApiKey:\d+","rnd":/);
    const list = await ann.call('GET', '/v1/user/api_keys');
    assert.ok(list.text.includes(`"last_characters":"${made.last_characters}"`) && !list.text.includes(made.key));
    const [row] = await query<{ text: string }>(
      server.databaseUrl,
      "select k::text as text from api_keys k where name = 'exporter'",
    );
    for (const part of made.key.split('.').slice(1)) assert.ok(!row?.text.includes(part));
  });

  test('of an exporter may be the password of Basic or the header x-api-key, only where spans are sent', async () => {
    const { key } = await newKey(await as('exporting'));
    const basic = `Basic ${Buffer.from(`pk-1:${key}`).toString('base64')}`;
    const traces = '/api/public/otel/v1/traces';
    const send = async (path: string, headers: Record<string, string>) =>
      (
        await fetch(server.address + path, {
          method: path === traces ? 'POST' : 'GET',
          headers: { ...(path === traces ? { 'content-type': 'application/x-protobuf' } : {}), ...headers },
        })
      ).status;

    assert.equal(await send(traces, { authorization: basic }), 200);
    assert.equal(await send(traces, { 'x-api-key': key }), 200);
    assert.equal(await send(traces, { 'x-api-key': key, authorization: 'Basic cHJveHk6cGFzcw==' }), 200);
    const rejected: Record<string, string>[] = [
      { authorization: 'Basic cHJveHk6cGFzcw==' },
      { authorization: 'Basic !' },
      { 'x-api-key': `${key}x` },
      { 'x-api-key': ' ' },
      { authorization: `Bearer ${key}x`, 'x-api-key': key },
    ];
    for (const headers of rejected) {
      assert.equal(await send(traces, headers), 401, JSON.stringify(Object.keys(headers)));
    }
    assert.equal(await send('/v1/projects', { authorization: basic }), 401);
    assert.equal(await send('/v1/projects', { 'x-api-key': key }), 401);
  });

  test('makes no key, nor does an application; a session and the admin secret do', async () => {
    const session = await server.newUser('maker', 'ADMIN');
    const maker = server.as({ bearer: session.access });
    const own = server.as({ bearer: (await newKey(maker)).key });
    const system = server.as({ bearer: (await newKey(server.admin, 'system')).key });
    const data = { data: { name: 'k' } };
    for (const [by, kind, text] of [
      [own, 'user', 'API keys cannot create API keys'],
      [own, 'system', 'API keys cannot create API keys'],
      [server.admin, 'user', 'API keys cannot create API keys'],
      [system, 'user', 'System API keys must be managed through the /system/api_keys endpoints.'],
      [system, 'system', 'Only admin or system users can perform this action.'],
    ] as const) {
      const reply = await by.call('POST', `/v1/${kind}/api_keys`, data);
      assert.deepEqual([reply.status, reply.text], [403, text]);
    }
    const { errors } = await own.graphql('mutation {createUserApiKey(input: {name: "k"}) {jwt}}');
    assert.deepEqual(errors, ['API keys cannot create API keys']);
    const deleted = await system.call('DELETE', `/v1/user/api_keys/${toGlobalId('UserApiKey', 1)}`);
    assert.equal(deleted.status, 403);
    // The command-line client may, because it is a part of the product.
    const { access_token: token } = await giveAccess(server, session);
    await newKey(server.as({ bearer: token }));
  });

  test('ends at its expiry, which is in the future over REST', async () => {
    const bob = await as('bob');
    const past = await bob.call('POST', '/v1/user/api_keys', {
      data: { name: 'k', expires_at: '2020-01-01T00:00:00Z' },
    });
    assert.equal(past.status, 422);
    assert.match(past.text, /expires_at must be in the future/);
    const later = await newKey(bob, 'user', { expires_at: '2100-01-01T00:00:00' });
    assert.equal(later.expires_at, '2100-01-01T00:00:00+00:00');
    for (const expiresAt of ['2100-01-01T00:00:00.123456+00:00', '9999-12-31T23:59:59.999999+00:00']) {
      const { id, expires_at } = await newKey(bob, 'user', { expires_at: expiresAt });
      assert.equal(expires_at, expiresAt);
      const stored = await listed(bob, '/v1/user/api_keys');
      assert.equal(stored.find((key) => key.id === id)?.expires_at, expiresAt);
    }
    const exact = await bob.graphql(
      'mutation {createUserApiKey(input: {name: "exact", expiresAt: "2100-01-01T00:00:00.123456Z"}) {apiKey {expiresAt}}}',
    );
    assert.deepEqual(exact.data, { createUserApiKey: { apiKey: { expiresAt: '2100-01-01T00:00:00.123456+00:00' } } });
    const { data } = await bob.graphql(
      'mutation {createUserApiKey(input: {name: "old", expiresAt: "2020-01-01T00:00:00Z"}) {jwt}}',
    );
    const { jwt } = (data as { createUserApiKey: { jwt: string } }).createUserApiKey;
    const reply = await server.as({ bearer: jwt }).call('GET', '/v1/projects');
    assert.deepEqual([reply.status, reply.text], [401, 'Expired token']);
  });

  test('is deleted by its owner and by administrators, and others cannot tell that it exists', async () => {
    const [owner, other, admin] = [await as('owner'), await as('other'), await as('boss', 'ADMIN')];
    const [first, second] = [await newKey(owner), await newKey(owner)];
    const remove = (by: Client, id: string) => by.call('DELETE', `/v1/user/api_keys/${id}`);
    for (const id of [first.id, toGlobalId('UserApiKey', 999_999)]) {
      const reply = await remove(other, id);
      assert.deepEqual([reply.status, reply.text], [404, 'API key not found']);
    }
    for (const id of [first.id, toGlobalId('UserApiKey', 999_999)]) {
      const { errors } = await other.graphql(`mutation {deleteUserApiKey(input: {id: "${id}"}) {apiKeyId}}`);
      assert.deepEqual(errors, ['User not authorized to delete this API key']);
    }
    const wrong = await remove(other, 'x');
    assert.deepEqual([wrong.status, wrong.text], [422, 'Invalid UserApiKey GlobalID format: x']);
    assert.equal((await remove(owner, first.id)).status, 204);
    assert.equal((await remove(admin, second.id)).status, 204);
    for (const { key } of [first, second])
      assert.equal((await server.as({ bearer: key }).call('GET', '/v1/user')).status, 401);
  });

  test('has the time of its last use, which is stored with those of others', async () => {
    const user = await as('user');
    const { key } = await newKey(user, 'user', { name: 'used' });
    const lastUse = async () => (await listed(user, '/v1/user/api_keys'))[0]?.last_used_at;
    assert.equal(await lastUse(), undefined);
    await server.as({ bearer: key }).call('GET', '/v1/projects');
    const { credentials } = server.ports.signIn ?? assert.fail('the server has sign-in');
    const { db } = await openTestStore(cleanUp, { url: server.databaseUrl, migrate: false });
    // What the server does once a minute.
    await credentialRepository(db).recordUse(credentials.takeUses());
    assert.ok(Math.abs(Date.parse((await lastUse()) ?? '') - Date.now()) < 60_000);
  });
});

describe('keys', () => {
  test('of all users and of the system are listed to administrators, apart from each other', async () => {
    const admin = await as('lister', 'ADMIN');
    const own = [await newKey(admin), await newKey(admin), await newKey(admin)];
    const ofSystem = await newKey(server.admin, 'system', { name: 'of the system' });
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = `/v1/users/api_keys?limit=2${cursor && `&cursor=${cursor}`}`;
      const page = (await admin.call('GET', path)).json as { data: KeyJson[]; next_cursor: string | null };
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    assert.deepEqual(ids.slice(0, 3), own.map(({ id }) => id).reverse());
    assert.ok(ids.length > 3 && new Set(ids).size === ids.length);
    const system = await listed(admin, '/v1/system/api_keys');
    assert.ok(system.some(({ id }) => id === ofSystem.id));
    assert.ok(!ids.some((id) => Buffer.from(id, 'base64').toString().startsWith('System')));
    for (const limit of [0, 1_001])
      assert.equal((await admin.call('GET', `/v1/users/api_keys?limit=${limit}`)).status, 422);
    const { data } = await admin.graphql('{userApiKeys {id user {username}} systemApiKeys {id lastCharacters}}');
    const found = data as { userApiKeys: { id: string }[]; systemApiKeys: { id: string; lastCharacters: string }[] };
    assert.deepEqual(
      found.userApiKeys.slice(0, 3).map(({ id }) => id),
      ids.slice(0, 3),
    );
    assert.ok(found.systemApiKeys.some(({ lastCharacters }) => lastCharacters === ofSystem.last_characters));
    const member = await as('no-lister');
    for (const path of ['/v1/users/api_keys', '/v1/system/api_keys'])
      assert.equal((await member.call('GET', path)).status, 403);
  });

  test('of the system are deleted by administrators, and outlive them', async () => {
    const { access, id } = await server.newUser('passing', 'ADMIN');
    const { id: keyId, key } = await newKey(server.as({ bearer: access }), 'system');
    assert.equal((await server.admin.call('DELETE', `/v1/users/${id}`)).status, 204);
    const bearer = server.as({ bearer: key });
    assert.equal((await bearer.call('GET', '/v1/projects')).status, 200);
    assert.deepEqual(await listed(bearer, '/v1/user/api_keys'), []);
    assert.equal((await server.admin.call('DELETE', `/v1/system/api_keys/${keyId}`)).status, 204);
    assert.equal((await bearer.call('GET', '/v1/projects')).status, 401);
    for (const [path, status, text] of [
      [keyId, 404, 'System API key not found'],
      ['x', 422, 'Invalid SystemApiKey GlobalID format: x'],
    ] as const) {
      const reply = await server.admin.call('DELETE', `/v1/system/api_keys/${path}`);
      assert.deepEqual([reply.status, reply.text], [status, text]);
    }
  });

  test('that are invalid are rejected', async () => {
    const user = await as('careless');
    for (const data of [
      {},
      { name: '' },
      { name: '  ' },
      { name: 'k', scope: 'EVERYTHING' },
      { name: 'k', projects: [] },
    ])
      assert.equal((await user.call('POST', '/v1/user/api_keys', { data })).status, 422, JSON.stringify(data));
    const scim = await user.call('POST', '/v1/user/api_keys', { data: { name: 'k', scope: 'SCIM' } });
    assert.match(scim.text, /Only a system key can have the scope SCIM/);
  });
});

test('while sign-in is off, there are no keys, and each route says why', async (t) => {
  const open = await openTestServer(t);
  const text =
    'This action requires authentication to be enabled. Set the SERVICE_ENABLE_AUTH environment variable to true.';
  for (const [method, path] of [
    ['GET', '/v1/user/api_keys'],
    ['POST', '/v1/user/api_keys'],
  ] as const) {
    const reply = await open.call(method, path, method === 'GET' ? {} : { json: { data: { name: 'k' } } });
    assert.deepEqual([reply.status, reply.text], [403, text], `${method} ${path}`);
  }
  const { errors } = await open.post('mutation {createUserApiKey(input: {name: "k"}) {jwt}}');
  assert.deepEqual(errors, ['Authentication must be enabled to manage API keys']);
  assert.deepEqual((await open.post('mutation {createSystemApiKey(input: {name: "k"}) {jwt}}')).errors, [
    'Only admin can perform this action',
  ]);
});
