import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hash } from '@node-rs/argon2';
import { cleanUpAfter, query } from '../../metadata-store/fixtures.ts';
import { openSignedInServer, postJson, type SignedInServer, sessionOf } from './signed-in-server.ts';

const WEAK = 'Abcdefghijk1';
const STRONG = 'Abcdefghij1!';
const PROBLEM = 'Password must contain at least one special character of !@#$%^&*()_+';

describe('passwords with the strong policy and a lock after two failures', () => {
  let server: SignedInServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const settings = { ENABLE_STRONG_PASSWORD_POLICY: 'true', BRUTE_FORCE_LOGIN_PROTECTION_MAX_ATTEMPTS: '2' };
    server = await openSignedInServer({ after: cleanUp }, { settings });
  });

  const create = (username: string, password: string) => {
    const user = { auth_method: 'LOCAL', email: `${username}@example.com`, username, role: 'MEMBER', password };
    return server.admin.call('POST', '/v1/users', { user });
  };
  const login = (username: string, password: string) =>
    postJson(`${server.address}/auth/login`, { email: `${username}@example.com`, password });

  test('are checked when an administrator sets them and when their owner changes them', async () => {
    const denied = await create('ann', WEAK);
    assert.deepEqual([denied.status, denied.text], [422, PROBLEM]);
    const created = await create('ann', STRONG);
    assert.equal(created.status, 201);
    const { id } = (created.json as { data: { id: string } }).data;
    const patch = `mutation {patchUser(input: {userId: "${id}", newPassword: "${WEAK}"}) {user {id}}}`;
    assert.deepEqual((await server.admin.graphql(patch)).errors, [PROBLEM]);
    const ann = server.as({ bearer: sessionOf(await login('ann', STRONG)).access });
    const own = (next: string) =>
      ann.graphql(`mutation {patchViewer(input: {currentPassword: "${STRONG}", newPassword: "${next}"}) {__typename}}`);
    assert.deepEqual((await own(WEAK)).errors, [PROBLEM]);
    assert.deepEqual((await own(`${STRONG}2`)).errors, []);
    assert.equal((await login('ann', `${STRONG}2`)).status, 204);
  });

  test('lock the account after as many failures as the settings allow', async () => {
    assert.equal((await create('bob', STRONG)).status, 201);
    const statuses: number[] = [];
    for (const password of ['bad', 'bad', STRONG]) statuses.push((await login('bob', password)).status);
    assert.deepEqual(statuses, [401, 401, 429]);
  });

  test('get a hash of the present parameters at the next sign-in', async () => {
    assert.equal((await create('cid', STRONG)).status, 201);
    const former = await hash(STRONG, { algorithm: 2, memoryCost: 8 * 1024, timeCost: 1, parallelism: 1 });
    await query(server.databaseUrl, `update users set password_hash = '${former}' where username = 'cid'`);
    const stored = async () => {
      const rows = await query<{ text: string }>(
        server.databaseUrl,
        "select password_hash as text from users where username = 'cid'",
      );
      return rows[0]?.text ?? '';
    };

    assert.equal((await login('cid', 'wrong')).status, 401);
    assert.equal(await stored(), former);
    assert.equal((await login('cid', STRONG)).status, 204);
    assert.match(await stored(), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.equal((await login('cid', STRONG)).status, 204);
  });
});

test('without passwords, their routes are closed, and signing out leads to another page', async (t) => {
  const server = await openSignedInServer(t, {
    settings: {
      DISABLE_BASIC_AUTH: 'true',
      OAUTH2_IDP_CLIENT_ID: 'spandrel',
      OAUTH2_IDP_CLIENT_SECRET: 'secret',
      OAUTH2_IDP_OIDC_CONFIG_URL: 'http://127.0.0.1:1/.well-known/openid-configuration',
    },
  });
  for (const [path, body] of [
    ['login', { email: 'admin@localhost', password: 'admin' }],
    ['password-reset-email', { email: 'admin@localhost' }],
    ['password-reset', { token: 'x.y.z', password: STRONG }],
  ] as const) {
    assert.equal((await postJson(`${server.address}/auth/${path}`, body)).status, 403, path);
  }
  const logout = await fetch(`${server.address}/auth/logout`, { redirect: 'manual' });
  assert.equal(logout.headers.get('location'), '/logout');
  const away = await fetch(`${server.address}/oauth2/idp/login`, { redirect: 'manual' });
  assert.match(away.headers.get('location') ?? '', /^\/logout\?error=/);
});

test('without the lock, failures have no end', async (t) => {
  const server = await openSignedInServer(t, { settings: { DISABLE_BRUTE_FORCE_LOGIN_PROTECTION: 'true' } });
  for (let attempt = 0; attempt < 7; attempt++) {
    const response = await postJson(`${server.address}/auth/login`, { email: 'admin@localhost', password: 'bad' });
    assert.equal(response.status, 401);
  }
});
