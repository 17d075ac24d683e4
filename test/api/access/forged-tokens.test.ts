import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { createTokens } from '../../../src/domain/access/tokens.ts';
import { ADMIN_SECRET, openSignedInServer, SECRET, type Session, type SignedInServer } from './signed-in-server.ts';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a forged token', () => {
  let server: SignedInServer;
  let session: Session;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openSignedInServer({ after: cleanUp });
    session = await server.newUser('victim', 'ADMIN');
  });

  const statusOf = async (bearer: string) => (await server.as({ bearer }).call('GET', '/v1/user')).status;
  const isRejected = async (bearer: string, label: string) => assert.equal(await statusOf(bearer), 401, label);

  test('of the secret alone opens nothing: the row ids of others are no tokens', async () => {
    const { mint } = createTokens(SECRET);
    for (let rowId = 0; rowId < 20; rowId++) {
      await isRejected(mint('AccessToken', rowId).text, `access token ${rowId}`);
      await isRejected(mint('ApiKey', rowId).text, `key ${rowId}`);
    }
    await isRejected(SECRET, 'the secret itself');
  });

  test('without a signature, with another algorithm or another signature is rejected', async () => {
    const [header = '', payload = '', signature = ''] = session.access.split('.');
    assert.equal(await statusOf(session.access), 200);
    const sign = (text: string, key: string, algorithm = 'sha256') =>
      createHmac(algorithm, key).update(text).digest('base64url');
    const none = encode({ typ: 'JWT', alg: 'none' });
    const hs512 = encode({ typ: 'JWT', alg: 'HS512' });
    for (const [label, forged] of [
      ['alg none', `${none}.${payload}.`],
      ['alg none with the signature', `${none}.${payload}.${signature}`],
      ['no signature', `${header}.${payload}.`],
      ['two parts', `${header}.${payload}`],
      ['HS512', `${hs512}.${payload}.${sign(`${hs512}.${payload}`, SECRET, 'sha512')}`],
      ['the raw secret as key', `${header}.${payload}.${sign(`${header}.${payload}`, SECRET)}`],
      ['an empty key', `${header}.${payload}.${sign(`${header}.${payload}`, '')}`],
      ['another payload', `${header}.${encode({ jti: 'AccessToken:1', rnd: 'x' })}.${signature}`],
      ['a cut signature', session.access.slice(0, -1)],
      ['a longer signature', `${session.access}A`],
      ['a very long token', `${session.access}${'A'.repeat(10_000)}`],
    ] as const) {
      await isRejected(forged, label);
    }
  });

  test('cannot be the admin secret with a change', async () => {
    assert.equal(await statusOf(ADMIN_SECRET), 200);
    for (const forged of [ADMIN_SECRET.slice(1), `${ADMIN_SECRET}a`, ADMIN_SECRET.toUpperCase(), ` ${ADMIN_SECRET}x`]) {
      await isRejected(forged, forged);
    }
  });

  test('no user becomes an administrator alone, or deletes what belongs to others', async () => {
    const member = await server.newUser('climber', 'MEMBER');
    const client = server.as({ bearer: member.access });
    const promote = `mutation {patchUser(input: {userId: "${member.id}", newRole: ADMIN}) {user {id}}}`;
    assert.deepEqual((await client.graphql(promote)).errors, ['Only admin can perform this action']);
    const admin = await server.newUser('self', 'ADMIN');
    const own = `mutation {patchUser(input: {userId: "${admin.id}", newRole: MEMBER}) {user {id}}}`;
    assert.deepEqual((await server.as({ bearer: admin.access }).graphql(own)).errors, ['Cannot modify own role']);
    const key = await server.as({ bearer: admin.access }).call('POST', '/v1/user/api_keys', { data: { name: 'k' } });
    const { id } = (key.json as { data: { id: string } }).data;
    const foreign = await client.call('DELETE', `/v1/user/api_keys/${id}`);
    assert.deepEqual([foreign.status, foreign.text], [404, 'API key not found']);
    const asSystem = await server.admin.call(
      'DELETE',
      `/v1/system/api_keys/${Buffer.from(`SystemApiKey:${atob(id).split(':')[1]}`).toString('base64')}`,
    );
    assert.deepEqual([asSystem.status, asSystem.text], [404, 'System API key not found']);
    const users = await client.graphql(`{node(id: "${admin.id}") {... on User {email apiKeys {name}}}}`);
    assert.deepEqual(users.errors, ['Only admin can perform this action']);
  });

  test('the first administrator and the internal account cannot be deleted', async () => {
    const { json } = await server.admin.call('GET', '/v1/users?limit=1000');
    for (const { id, username } of (json as { data: { id: string; username: string }[] }).data) {
      if (username !== 'admin' && username !== 'system') continue;
      const deleted = await server.admin.call('DELETE', `/v1/users/${id}`);
      assert.deepEqual([deleted.status, deleted.text], [403, 'Cannot delete the default admin or system user']);
    }
  });
});
