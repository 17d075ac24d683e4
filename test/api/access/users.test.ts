import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { type Client, openSignedInServer, postJson, type SignedInServer, sessionOf } from './signed-in-server.ts';

interface UserJson {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly role: string;
  readonly auth_method: string;
  readonly password_needs_reset?: boolean;
}

let server: SignedInServer;
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openSignedInServer({ after: cleanUp });
});

const fields = (username: string, more: object = {}) => ({
  ...{ auth_method: 'LOCAL', email: `${username}@example.com`, username, role: 'MEMBER' },
  ...more,
});
const create = (user: object) => server.admin.call('POST', '/v1/users', { user });
const created = async (user: object): Promise<UserJson> => {
  const { status, json, text } = await create(user);
  assert.equal(status, 201, text);
  return (json as { data: UserJson }).data;
};
const login = (email: string, password: string) => postJson(`${server.address}/auth/login`, { email, password });
const patch = (id: string, change: string, by: Client = server.admin) =>
  by.graphql(`mutation {patchUser(input: {userId: "${id}", ${change}}) {user {username role {name}}}}`);

describe('users over REST', () => {
  test('are created for each way to sign in, and none has a password of another way', async () => {
    const local = await created(fields('ann', { email: ' Ann@Example.COM ', password: 'word-1' }));
    assert.deepEqual([local.email, local.auth_method, local.password_needs_reset], ['ann@example.com', 'LOCAL', true]);
    assert.equal((await login('ann@example.com', 'word-1')).status, 204);
    await created(fields('without-password'));
    const ofProvider = await created(
      fields('ida', { auth_method: 'OAUTH2', oauth2_client_id: 'c', oauth2_user_id: 's' }),
    );
    assert.deepEqual([ofProvider.auth_method, ofProvider.password_needs_reset], ['OAUTH2', undefined]);
    const ofDirectory = await created(fields('dora', { auth_method: 'LDAP' }));
    assert.equal(ofDirectory.auth_method, 'LDAP');
    for (const email of ['without-password', 'ida', 'dora'])
      assert.equal((await login(`${email}@example.com`, 'word-1')).status, 401);
  });

  test('that are invalid or not new are rejected in words', async () => {
    await created(fields('taken'));
    for (const [user, status, text] of [
      [fields('sys', { role: 'SYSTEM' }), 400, 'Cannot create users with SYSTEM role'],
      [fields('taken', { email: 'other@example.com' }), 409, 'Username already exists'],
      [fields('other', { email: 'TAKEN@example.com' }), 409, 'Email already exists'],
      [fields('no-email', { email: 'nobody' }), 422, 'Invalid email address'],
      [fields('short', { password: 'abc' }), 422, 'Password must be at least 4 characters long'],
      [fields('  ', { email: 'blank@example.com' }), 400, 'Username must not be empty'],
    ] as const) {
      const reply = await create(user);
      assert.deepEqual([reply.status, reply.text], [status, text]);
    }
    for (const user of [fields('x', { role: 'ROOT' }), fields('x', { auth_method: 'MAGIC' }), {}])
      assert.equal((await create(user)).status, 422);
  });

  test('are listed page by page, newest first, with the internal account', async () => {
    for (let index = 0; index < 3; index++) await created(fields(`listed-${index}`));
    const seen: string[] = [];
    for (let cursor: string | null | undefined = ''; cursor !== null; ) {
      const query: string = cursor ? `?limit=2&cursor=${encodeURIComponent(cursor)}` : '?limit=2';
      const { json } = await server.admin.call('GET', `/v1/users${query}`);
      const page = json as { data: UserJson[]; next_cursor: string | null };
      seen.push(...page.data.map(({ username }) => username));
      cursor = page.next_cursor;
    }
    assert.deepEqual(seen.slice(0, 3), ['listed-2', 'listed-1', 'listed-0']);
    assert.deepEqual(seen.slice(-2).sort(), ['admin', 'system']);
    assert.equal(new Set(seen).size, seen.length);
    const wrong = await server.admin.call('GET', '/v1/users?cursor=x');
    assert.deepEqual([wrong.status, wrong.text], [422, 'Invalid cursor format: x']);
  });

  test('read their own account, and the internal one with the admin secret', async () => {
    const { access } = await server.newUser('reader', 'VIEWER');
    const own = (await server.as({ bearer: access }).call('GET', '/v1/user')).json as { data: UserJson };
    assert.deepEqual([own.data.username, own.data.role, own.data.email], ['reader', 'VIEWER', 'reader@example.com']);
    const system = (await server.admin.call('GET', '/v1/user')).json as { data: UserJson };
    assert.deepEqual([system.data.username, system.data.role], ['system', 'SYSTEM']);
  });

  test('end at once with their sessions and keys', async () => {
    const { access, id } = await server.newUser('leaver', 'MEMBER');
    const key = await server.as({ bearer: access }).call('POST', '/v1/user/api_keys', { data: { name: 'k' } });
    const bearer = (key.json as { data: { key: string } }).data.key;
    assert.equal((await server.admin.call('DELETE', `/v1/users/${id}`)).status, 204);
    for (const token of [access, bearer])
      assert.equal((await server.as({ bearer: token }).call('GET', '/v1/projects')).status, 401);
    const again = await server.admin.call('DELETE', `/v1/users/${id}`);
    assert.deepEqual([again.status, again.text], [404, 'User not found']);
    const wrong = await server.admin.call('DELETE', '/v1/users/x');
    assert.deepEqual([wrong.status, wrong.text], [422, 'Invalid User GlobalID format: x']);
  });
});

describe('users over GraphQL', () => {
  const createUser = (input: string) =>
    server.admin.graphql(`mutation {createUser(input: {${input}}) {user {authMethod passwordNeedsReset}}}`);

  test('are created with the password that their way of signing in needs', async () => {
    const of = (name: string) => `email: "${name}@example.com", username: "${name}", role: VIEWER`;
    assert.deepEqual((await createUser(`${of('g1')}, password: "word-1"`)).data, {
      createUser: { user: { authMethod: 'LOCAL', passwordNeedsReset: true } },
    });
    assert.deepEqual((await createUser(`${of('g2')}, authMethod: OAUTH2`)).errors, []);
    for (const [input, text] of [
      [of('g3'), 'Password is required for local authentication'],
      [`${of('g3')}, authMethod: OAUTH2, password: "word-1"`, 'Password is not allowed for OAuth2 authentication'],
      [`${of('g3')}, authMethod: LDAP, password: "word-1"`, 'Password is not allowed for LDAP authentication'],
      [`${of('g1')}, password: "word-1"`, /already exists/],
    ] as const) {
      const [error = ''] = (await createUser(input)).errors;
      if (typeof text === 'string') assert.equal(error, text);
      else assert.match(error, text);
    }
  });

  test('get a new role, which ends sessions and holds for keys at once', async () => {
    const { access, id } = await server.newUser('promoted', 'MEMBER');
    const made = await server.as({ bearer: access }).call('POST', '/v1/user/api_keys', { data: { name: 'k' } });
    const key = server.as({ bearer: (made.json as { data: { key: string } }).data.key });
    assert.equal((await key.call('GET', '/v1/users')).status, 403);
    assert.deepEqual((await patch(id, 'newRole: ADMIN')).errors, []);
    assert.equal((await server.as({ bearer: access }).call('GET', '/v1/user')).status, 401);
    assert.equal((await key.call('GET', '/v1/users')).status, 200);
    assert.deepEqual((await patch(id, 'newRole: VIEWER')).errors, []);
    assert.equal((await key.call('POST', '/v1/projects', { name: 'p' })).status, 403);
  });

  test('get a new password of an administrator, which signs them out and is to be replaced', async () => {
    const { access, id } = await server.newUser('forgetful', 'MEMBER');
    assert.deepEqual((await patch(id, 'newPassword: "word-2"')).errors, []);
    assert.equal((await server.as({ bearer: access }).call('GET', '/v1/user')).status, 401);
    assert.equal((await login('forgetful@example.com', 'word-1')).status, 401);
    const session = sessionOf(await login('forgetful@example.com', 'word-2'));
    const viewer = '{viewer {passwordNeedsReset}}';
    assert.deepEqual((await server.as({ bearer: session.access }).graphql(viewer)).data, {
      viewer: { passwordNeedsReset: true },
    });
  });

  test('are not changed where the rules protect them', async () => {
    const { id } = await server.newUser('plain', 'MEMBER');
    const { data } = await server.admin.graphql('{users(first: 100) {edges {node {id username}}}}');
    const nodes = (data as { users: { edges: { node: UserJson }[] } }).users.edges.map(({ node }) => node);
    const idOf = (name: string) => nodes.find(({ username }) => username === name)?.id ?? assert.fail(name);
    const provider = await created(fields('of-provider', { auth_method: 'OAUTH2' }));
    for (const [target, change, text] of [
      [id, '', 'At least one field must be set'],
      [id, 'newPassword: "abc"', 'Password must be at least 4 characters long'],
      [id, 'newUsername: "admin"', 'Username already exists'],
      [idOf('admin'), 'newRole: MEMBER', 'Cannot modify role for the default admin user'],
      [idOf('admin'), 'newRole: ADMIN', 'Cannot modify role for the default admin user'],
      [provider.id, 'newPassword: "word-2"', 'Cannot modify password for non-local user'],
      [toGlobalId('User', 999_999), 'newRole: MEMBER', 'User not found'],
    ] as const) {
      assert.deepEqual((await patch(target, change)).errors, [text], `${target} ${change}`);
    }
    assert.ok(!nodes.some(({ username }) => username === 'system'), 'the internal account is not listed');
    const system = ((await server.admin.call('GET', '/v1/user')).json as { data: UserJson }).data.id;
    assert.deepEqual((await patch(system, 'newUsername: "mine"')).errors, ['User not found']);
    for (const [target, text] of [
      [idOf('admin'), 'Cannot delete the default admin user'],
      [system, 'Cannot delete the default admin or system user'],
      [toGlobalId('User', 999_999), 'Some user IDs could not be found'],
    ] as const) {
      const { errors } = await server.admin.graphql(
        `mutation {deleteUsers(input: {userIds: ["${target}"]}) {userIds}}`,
      );
      assert.deepEqual(errors, [text]);
    }
  });

  test('change their own name and password, and never their email', async () => {
    const { access } = await server.newUser('self', 'VIEWER');
    const self = server.as({ bearer: access });
    const change = (input: string) => self.graphql(`mutation {patchViewer(input: {${input}}) {user {username email}}}`);
    assert.deepEqual((await change('newUsername: "Self"')).data, {
      patchViewer: { user: { username: 'Self', email: 'self@example.com' } },
    });
    for (const [input, text] of [
      ['', 'At least one field must be set'],
      ['newPassword: "word-2"', 'current_password is required when modifying password'],
      ['newPassword: "word-2", currentPassword: "bad"', 'Valid current password is required to modify password'],
    ] as const) {
      assert.deepEqual((await change(input)).errors, [text]);
    }
    assert.match((await change('newEmail: "x@example.com"')).errors[0] ?? '', /newEmail/);
    assert.deepEqual((await change('newPassword: "word-2", currentPassword: "word-1"')).errors, []);
    assert.equal((await self.call('GET', '/v1/user')).status, 401, 'all sessions have ended');
    assert.equal((await login('self@example.com', 'word-2')).status, 204);
  });

  test('see other accounts only as administrators, also through a node', async () => {
    const { access, id: own } = await server.newUser('curious', 'MEMBER');
    const { id: other } = await server.newUser('private', 'MEMBER');
    const read = (id: string) =>
      server.as({ bearer: access }).graphql(`{node(id: "${id}") {... on User {username sessions {id}}}}`);
    assert.deepEqual((await read(own)).errors, []);
    assert.deepEqual((await read(other)).errors, ['Only admin can perform this action']);
    assert.deepEqual((await server.admin.graphql(`{node(id: "${other}") {... on User {username}}}`)).data, {
      node: { username: 'private' },
    });
  });
});
