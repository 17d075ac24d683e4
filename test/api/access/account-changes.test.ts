import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { PATCH, rowIdOf, USER } from '../scim/scim-server.ts';
import { createEveryCredential } from './every-credential.ts';
import { openSignedInServer, type SignedInServer } from './signed-in-server.ts';

let server: SignedInServer;
let tokens: ReadonlyMap<string, string | undefined>;
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openSignedInServer({ after: cleanUp });
  tokens = await createEveryCredential(server);
});

const as = (name: string) => server.as({ bearer: tokens.get(name) ?? assert.fail(name) });
const fields = (username: string) => ({
  ...{ auth_method: 'LOCAL', email: `${username}@example.com`, username, role: 'ADMIN', password: 'word-1' },
});
const roles = async () => {
  const { json } = await server.admin.call('GET', '/v1/users');
  return (json as { data: { username: string; role: string }[] }).data.map(({ username, role }) => [username, role]);
};

describe('accounts, roles and passwords', () => {
  test('are changed by no key and no application of an administrator', async () => {
    const { id } = await server.newUser('target', 'MEMBER');
    const user = rowIdOf(id);
    const before = await roles();
    for (const name of ['adminKey', 'app', 'systemKey', 'readKey', 'scimKey']) {
      const client = as(name);
      for (const [method, path, body] of [
        ['POST', '/v1/users', { user: fields('made'), send_welcome_email: false }],
        ['DELETE', `/v1/users/${id}`, undefined],
        ['POST', '/scim/v2/Users', { schemas: [USER], userName: 'made@example.com', roles: [{ value: 'ADMIN' }] }],
        ['PUT', `/scim/v2/Users/${user}`, { schemas: [USER], userName: 'target', roles: [{ value: 'ADMIN' }] }],
        [
          'PATCH',
          `/scim/v2/Users/${user}`,
          { schemas: [PATCH], Operations: [{ op: 'add', path: 'displayName', value: 'x' }] },
        ],
        ['DELETE', `/scim/v2/Users/${user}`, undefined],
      ] as const) {
        const { status, text } = await client.call(method, path, body);
        assert.equal(status, 403, `${method} ${path} as ${name}: ${text}`);
      }
      // The endpoint itself rejects a SCIM key.
      if (name === 'scimKey') continue;
      for (const mutation of [
        `createUser(input: {email: "made@example.com", username: "made", role: ADMIN, password: "word-1"}) {user {id}}`,
        `patchUser(input: {userId: "${id}", newRole: ADMIN}) {user {id}}`,
        `patchUser(input: {userId: "${id}", newPassword: "word-2"}) {user {id}}`,
        `deleteUsers(input: {userIds: ["${id}"]}) {userIds}`,
        `patchViewer(input: {newUsername: "renamed"}) {user {id}}`,
        `patchViewer(input: {newPassword: "word-2", currentPassword: "word-1"}) {user {id}}`,
      ]) {
        const { errors } = await client.graphql(`mutation {${mutation}}`);
        assert.match(errors.join(), /not auth|Only admin|scope of this API key/, `${mutation} as ${name}`);
      }
    }
    assert.deepEqual(await roles(), before);
    assert.ok((await server.signIn('target@example.com', 'word-1')).access);
  });

  test('are changed in the session of an administrator and with the admin secret', async () => {
    for (const name of ['admin', 'adminSecret']) {
      const client = as(name);
      const created = await client.call('POST', '/v1/users', { user: fields(`by-${name}`), send_welcome_email: false });
      assert.equal(created.status, 201, created.text);
      const { id } = (created.json as { data: { id: string } }).data;
      const patched = await client.graphql(
        `mutation {patchUser(input: {userId: "${id}", newRole: VIEWER, newPassword: "word-2"}) {user {role {name}}}}`,
      );
      assert.deepEqual(patched, {
        status: 200,
        errors: [],
        data: { patchUser: { user: { role: { name: 'VIEWER' } } } },
      });
      const deleted = await client.call('DELETE', `/scim/v2/Users/${rowIdOf(id)}`);
      assert.equal(deleted.status, 204, deleted.text);
    }
  });

  test('of the internal account are changed by no one', async () => {
    const { errors } = await server.admin.graphql(
      'mutation {patchViewer(input: {newUsername: "renamed"}) {user {id}}}',
    );
    assert.match(errors.join(), /not auth/);
    assert.ok((await roles()).some(([username]) => username === 'system'));
  });
});
