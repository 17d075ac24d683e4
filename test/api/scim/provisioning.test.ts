import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { silentLog } from '../../../src/base/log.ts';
import { credentialRepository } from '../../../src/metadata-store/access/credentials.ts';
import { projectMemberRepository } from '../../../src/metadata-store/projects/project-members.ts';
import { cleanUpAfter, openTestStore, until } from '../../metadata-store/fixtures.ts';
import { type Credentials, openCredentials } from '../../../src/domain/access/credentials.ts';
import { hashToken } from '../../../src/domain/access/tokens.ts';
import { ProjectDirectory } from '../../../src/domain/project-access/project-directory.ts';
import { openCredentialSync } from '../../../src/jobs/credential-sync.ts';
import { toClient } from '../access/signed-in-server.ts';
import { assertScimError, GROUP, openScimServer, PATCH, rowIdOf, shareScimServer, USER } from './scim-server.ts';

const shared = shareScimServer();
const cleanUp = cleanUpAfter(after);

/** The cache of credentials of another server on the same database, which is notified of changes. */
async function openOtherServer(databaseUrl: string): Promise<Credentials> {
  const store = await openTestStore(cleanUp, { url: databaseUrl, migrate: false });
  const repository = credentialRepository(store.db);
  const credentials = await openCredentials({
    repository,
    projects: new ProjectDirectory(projectMemberRepository(store.db)),
    log: silentLog,
  });
  const options = { credentials, repository, listen: store.listen, isReadOnly: true, log: silentLog };
  const sync = openCredentialSync(options);
  cleanUp(() => sync.close());
  return credentials;
}

test('Microsoft Entra creates, finds, changes, deactivates and deletes a user', async () => {
  const { scim } = await shared();
  const userName = 'Test_User_dfeef4c5-5681-4387-b016-bdf221e82081';
  const found = await scim('GET', `/Users?filter=userName+eq+%22${userName}%22`);
  assert.deepEqual([found.status, found.json.totalResults, found.json.Resources], [200, 0, []]);

  const created = await scim('POST', '/Users', {
    schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName,
    active: true,
    emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@TestUser.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  });
  assert.equal(created.status, 201);
  const { id } = created.json;
  assert.equal(created.headers.get('location'), created.json.meta.location);
  assert.ok(created.json.meta.location.endsWith(`/scim/v2/Users/${id}`));
  assert.deepEqual(created.json.emails, [{ value: 'test_user_fd0ea19b@testuser.com', type: 'work', primary: true }]);
  assert.deepEqual(created.json.roles, [{ value: 'VIEWER' }]);
  assert.deepEqual((await scim('GET', `/Users/${id}`)).json, created.json);
  const again = await scim('GET', `/Users?filter=userName+eq+%22${userName.toUpperCase()}%22`);
  assert.deepEqual(again.json.Resources, [created.json]);

  const patched = await scim('PATCH', `/Users/${id}`, {
    schemas: [PATCH],
    Operations: [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Member' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Redmond' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Sales' },
    ],
  });
  assert.equal(patched.status, 200);
  assert.equal(patched.json.emails[0].value, 'updatedemail@microsoft.com');
  assert.deepEqual(patched.json.name, {
    formatted: 'givenName updatedFamilyName',
    familyName: 'updatedFamilyName',
    givenName: 'givenName',
  });
  assert.deepEqual(patched.json.roles, [{ value: 'MEMBER' }]);

  const flattened = await scim('PATCH', `/Users/${id}`, {
    schemas: [PATCH],
    Operations: [
      {
        op: 'replace',
        value: { displayName: 'Ada', 'name.givenName': 'Ada', 'emails[type eq "work"].value': 'ada@contoso.com' },
      },
    ],
  });
  assert.equal(flattened.json.displayName, 'Ada');
  assert.equal(flattened.json.name.givenName, 'Ada');
  assert.equal(flattened.json.emails[0].value, 'ada@contoso.com');

  const disabled = await scim('PATCH', `/Users/${id}`, {
    schemas: [PATCH],
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
  });
  assert.equal(disabled.json.active, false);
  assert.equal((await scim('DELETE', `/Users/${id}`)).status, 204);
  assertScimError(await scim('GET', `/Users/${id}`), 404);
  assertScimError(await scim('DELETE', `/Users/${id}`), 404);
});

test('Microsoft Entra creates a group, changes its members, queries one and deletes it', async () => {
  const { scim, newScimUser, membersOf } = await shared();
  const [ada, bob] = [await newScimUser('entra-ada'), await newScimUser('entra-bob')];
  const created = await scim('POST', '/Groups', {
    schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'Entra group',
    meta: { resourceType: 'Group' },
  });
  assert.equal(created.status, 201);
  const { id } = created.json;
  const path = `/Groups/${id}`;
  const add = (value: string) =>
    scim('PATCH', path, {
      schemas: [PATCH],
      Operations: [{ op: 'Add', path: 'members', value: [{ $ref: null, value }] }],
    });
  assert.equal((await add(ada)).status, 204);
  assert.equal((await add(bob)).status, 204);
  assert.deepEqual(await membersOf(id), [ada, bob]);
  const query = (member: string) =>
    scim(
      'GET',
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`id eq "${id}" and members eq "${member}"`)}`,
    );
  const member = await query(bob);
  assert.equal(member.json.totalResults, 1);
  assert.equal('members' in member.json.Resources[0], false);
  assert.equal((await query('999999')).json.totalResults, 0);
  await scim('PATCH', path, {
    schemas: [PATCH],
    Operations: [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: ada }] }],
  });
  assert.deepEqual(await membersOf(id), [bob]);
  const renamed = await scim('PATCH', `${path}?attributes=displayName`, {
    schemas: [PATCH],
    Operations: [{ op: 'Replace', path: 'displayName', value: 'Entra group 2' }],
  });
  assert.equal(renamed.json.displayName, 'Entra group 2');
  assert.deepEqual(
    (await scim('GET', `/Users/${bob}`)).json.groups.map(({ display }: { display: string }) => display),
    ['Entra group 2'],
  );
  assert.equal((await scim('DELETE', path)).status, 204);
  assertScimError(await scim('GET', path), 404);
  assert.equal((await scim('GET', `/Users/${bob}`)).json.groups, undefined);
});

test('Okta tests the connection, creates and replaces a user, and pushes a group', async () => {
  const { scim, membersOf } = await shared();
  assert.equal((await scim('GET', '/ServiceProviderConfig')).json.patch.supported, true);
  assert.equal((await scim('GET', '/Users?startIndex=1&count=1')).json.itemsPerPage, 1);
  const profile = {
    schemas: [USER],
    userName: 'test.user@okta.local',
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  };
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const created = await scim('POST', '/Users', profile, json);
  assert.equal(created.status, 201);
  assert.equal('password' in created.json, false);
  const { id } = created.json;
  assertScimError(await scim('POST', '/Users', profile), 409, 'uniqueness');
  const replaced = await scim('PUT', `/Users/${id}`, {
    ...profile,
    ...{ id, name: { givenName: 'Another', familyName: 'User' }, meta: created.json.meta },
  });
  assert.deepEqual(
    [replaced.status, replaced.json.name.givenName, replaced.json.roles[0].value],
    [200, 'Another', 'VIEWER'],
  );
  const deactivated = await scim('PATCH', `/Users/${id}`, {
    schemas: [PATCH],
    Operations: [{ op: 'replace', value: { active: false } }],
  });
  assert.equal(deactivated.json.active, false);

  const group = await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'Okta group', members: [] });
  const members = [{ value: id, display: 'test.user@okta.local' }];
  const path = `/Groups/${group.json.id}`;
  const pushed = await scim('PATCH', path, {
    schemas: [PATCH],
    Operations: [
      { op: 'replace', value: { id: group.json.id, displayName: 'Okta group renamed' } },
      { op: 'add', path: 'members', value: members },
    ],
  });
  assert.equal(pushed.status, 204);
  assert.equal((await scim('GET', path)).json.displayName, 'Okta group renamed');
  assert.deepEqual(await membersOf(group.json.id), [id]);
  await scim('PATCH', path, {
    schemas: [PATCH],
    Operations: [{ op: 'remove', path: `members[value eq "${id}"]` }],
  });
  assert.deepEqual(await membersOf(group.json.id), []);
  const put = await scim('PUT', path, { schemas: [GROUP], displayName: 'Okta group renamed', members });
  assert.equal(put.json.members.length, 1);
});

test('a deactivated user loses sessions, streams and keys at once, and gets none back but the keys', async () => {
  const server = await shared();
  const { access, refresh, id: globalId } = await server.newUser('leaver', 'MEMBER');
  const id = await server.handOver(globalId);
  const session = server.as({ bearer: access });
  const { json } = await session.call('POST', '/v1/user/api_keys', { data: { name: 'k' } });
  const key = toClient(server.address, { bearer: (json as { data: { key: string } }).data.key });
  const stream = await fetch(`${server.address}/events`, { headers: { authorization: `Bearer ${access}` } });
  const ended = stream.text();
  assert.equal((await key.call('GET', '/v1/projects')).status, 200);

  assert.equal((await server.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status, 200);
  await ended;
  for (const client of [session, key]) assert.equal((await client.call('GET', '/v1/projects')).status, 401);
  const refreshed = await fetch(`${server.address}/auth/refresh`, {
    method: 'POST',
    headers: { cookie: `phoenix-refresh-token=${refresh}` },
  });
  assert.equal(refreshed.status, 401);
  const login = () =>
    fetch(`${server.address}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'leaver@example.com', password: 'word-1' }),
    });
  assert.equal((await login()).status, 401);

  await server.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
  assert.equal((await key.call('GET', '/v1/projects')).status, 200);
  assert.equal((await session.call('GET', '/v1/projects')).status, 401);
  assert.equal((await login()).status, 204);
});

test('the groups of a caller are those of the sign-in and of SCIM, and follow every change', async () => {
  const server = await shared();
  const { newGroup, patch, scim } = server;
  const { access, id: globalId } = await server.newUser('grouped', 'VIEWER');
  const id = rowIdOf(globalId);
  const other = await openOtherServer(server.databaseUrl);
  const groups = async (expected: readonly string[]) => {
    let now: readonly string[] = [];
    await until(`the groups are ${expected}`, async () => {
      const caller = await other.find(hashToken(access));
      assert.ok(typeof caller === 'object');
      now = caller.user.groups;
      return isDeepStrictEqual(now, expected);
    }).catch(() => assert.deepEqual(now, expected));
  };
  await groups([]);
  const one = await newGroup('one', [id]);
  await groups(['one']);
  const two = await newGroup('two');
  await patch(`/Groups/${two}`, { op: 'add', path: 'members', value: { value: id } });
  await groups(['one', 'two']);
  await server.sql(`update users set user_groups = '{one,three}' where id = ${id}`);
  await groups(['one', 'three', 'two']);
  await patch(`/Groups/${two}`, { op: 'replace', path: 'displayName', value: 'TWO' });
  await groups(['TWO', 'one', 'three']);
  await patch(`/Groups/${two}`, { op: 'remove', path: 'members' });
  await groups(['one', 'three']);
  await server.sql("update users set user_groups = '{three}'");
  await scim('DELETE', `/Groups/${one}`);
  await groups(['three']);
});

test('concurrent changes of one group lose nothing', async () => {
  const { newScimUser, newGroup, patch, membersOf } = await shared();
  const users = await Promise.all(Array.from({ length: 12 }, (_, index) => newScimUser(`crowd-${index}`)));
  const id = await newGroup('crowd', users.slice(0, 4));
  await Promise.all([
    ...users.slice(4).map((value) => patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value }] })),
    ...users.slice(0, 2).map((value) => patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${value}"]` })),
  ]);
  const members = (await membersOf(id)).map(Number);
  assert.deepEqual(
    members,
    users
      .slice(2)
      .map(Number)
      .sort((one, other) => one - other),
  );
});

test('the default administrator and the last administrator stay', async () => {
  const { scim, patch, newUser, handOver, admin, as } = await shared();
  const { json } = await scim('GET', `/Users?filter=${encodeURIComponent('userName eq "admin"')}`);
  const path = `/Users/${json.Resources[0].id}`;
  assertScimError(await scim('DELETE', path), 403);
  assertScimError(await patch(path, { op: 'replace', path: 'active', value: false }), 403);
  assertScimError(await patch(path, { op: 'replace', path: 'roles', value: [{ value: 'VIEWER' }] }), 403);
  assertScimError(await patch(path, { op: 'replace', path: 'emails', value: [{ value: 'me@example.com' }] }), 403);
  const { json: page } = await scim('GET', '/Users?filter=active+eq+false+and+userName+eq+%22admin%22');
  assert.equal(page.totalResults, 0);
  // With the default administrator gone, another one is the last.
  const last = await newUser('last-admin', 'ADMIN');
  const { data } = await as({ bearer: last.access }).graphql('{viewer {id}}');
  assert.ok(data);
  const id = await handOver(last.id);
  const server = await shared();
  await server.sql("update users set is_active = false where email = 'admin@localhost'");
  assertScimError(await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }), 403);
  assertScimError(await scim('DELETE', `/Users/${id}`), 403);
  await server.sql("update users set is_active = true where email = 'admin@localhost'");
  assert.equal((await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status, 200);
  assert.equal((await admin.call('GET', '/v1/users')).status, 200);
});

test('the internal account is not there', async () => {
  const { scim, domain } = await shared();
  const system = await domain.users.findSystemUser();
  assertScimError(await scim('GET', `/Users/${system?.rowId}`), 404);
  assertScimError(await scim('DELETE', `/Users/${system?.rowId}`), 404);
  assert.equal((await scim('GET', '/Users?filter=userName+eq+%22system%22')).json.totalResults, 0);
  assertScimError(
    await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'g', members: [{ value: String(system?.rowId) }] }),
    400,
    'invalidValue',
  );
});

test('an email of an account with a password cannot be changed, because its owner can reset the password', async () => {
  const { patch, newUser, handOver } = await shared();
  const { id: globalId } = await newUser('local', 'MEMBER');
  const id = await handOver(globalId);
  const change = { op: 'replace', path: 'emails[type eq "work"].value', value: 'thief@example.com' };
  assertScimError(await patch(`/Users/${id}`, change), 403);
});

test('a key changes and deletes no user that SCIM did not create, until an administrator hands the user over', async () => {
  const { scim, patch, newUser, handOver } = await shared();
  const { id: globalId } = await newUser('by-hand', 'ADMIN');
  const id = rowIdOf(globalId);
  const path = `/Users/${id}`;
  const before = (await scim('GET', path)).json;
  const denials = [
    await patch(path, { op: 'replace', path: 'active', value: false }),
    await patch(path, { op: 'replace', path: 'active', value: true }),
    await scim('PUT', path, { schemas: [USER], userName: 'by-hand', displayName: 'x' }),
    await scim('DELETE', path),
  ];
  for (const denial of denials) {
    assertScimError(denial, 403);
    assert.match(denial.json.detail, /SCIM did not create this user.*SERVICE_SCIM_MANAGES_ALL_USERS/);
  }
  assert.deepEqual((await scim('GET', path)).json, before);
  await handOver(globalId);
  assert.equal((await patch(path, { op: 'replace', path: 'active', value: false })).json.active, false);
  assert.equal((await scim('DELETE', path)).status, 204);
});

test('a key makes no administrator and does not change the email of one', async () => {
  const { scim, patch, newScimUser, admin } = await shared();
  const body = {
    schemas: [USER],
    userName: 'boss',
    emails: [{ value: 'boss@example.com' }],
    roles: [{ value: 'ADMIN' }],
  };
  assertScimError(await scim('POST', '/Users', body), 403);
  const id = await newScimUser('promoted');
  const path = `/Users/${id}`;
  const promote = { op: 'replace', path: 'roles', value: [{ value: 'ADMIN' }] };
  assertScimError(await patch(path, promote), 403);
  assertScimError(await scim('PUT', path, { schemas: [USER], userName: 'promoted', roles: [{ value: 'ADMIN' }] }), 403);
  assert.deepEqual((await scim('GET', path)).json.roles, [{ value: 'VIEWER' }]);
  const userId = Buffer.from(`User:${id}`).toString('base64');
  const { errors } = await admin.graphql(
    `mutation {patchUser(input: {userId: "${userId}", newRole: ADMIN}) {user {id}}}`,
  );
  assert.deepEqual(errors, []);
  const change = { op: 'replace', path: 'emails[type eq "work"].value', value: 'thief@example.com' };
  assertScimError(await patch(path, change), 403);
  assert.equal((await patch(path, { op: 'replace', path: 'active', value: false })).json.active, false);
  assert.equal((await patch(path, { op: 'replace', path: 'roles', value: [{ value: 'MEMBER' }] })).status, 200);
});

test('with SCIM_MANAGES_ALL_USERS, a key changes every user and makes administrators', async () => {
  const { scim, patch, newUser, newScimUser } = await openScimServer(
    { after: cleanUp },
    { settings: { SCIM_MANAGES_ALL_USERS: 'true' } },
  );
  const path = `/Users/${rowIdOf((await newUser('by-hand', 'ADMIN')).id)}`;
  assert.equal((await patch(path, { op: 'replace', path: 'active', value: false })).json.active, false);
  assert.equal((await scim('DELETE', path)).status, 204);
  const id = await newScimUser('boss', { roles: [{ value: 'ADMIN' }] });
  assert.deepEqual((await scim('GET', `/Users/${id}`)).json.roles, [{ value: 'ADMIN' }]);
});

test('changes are in the audit log, with the key as their author', async () => {
  const { newScimUser, newGroup, patch, scim, admin } = await shared();
  const id = await newScimUser('audited', { externalId: 'ext-audited' });
  const group = await newGroup('audited', [id]);
  await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
  await scim('DELETE', `/Groups/${group}`);
  await scim('DELETE', `/Users/${id}`);
  const { json } = await admin.call('GET', '/v1/audit_log?text=audited');
  const { data } = json as { data: { action: string; credential: string; before: object; after: object }[] };
  assert.deepEqual(data.map(({ action }) => action).reverse(), [
    'user.create',
    'group.create',
    'user.update',
    'group.delete',
    'user.delete',
  ]);
  assert.ok(data.every(({ credential }) => credential === 'systemKey'));
  const update = data.find(({ action }) => action === 'user.update');
  assert.deepEqual(
    [update?.before, update?.after].map((fields) => (fields as { isActive: boolean }).isActive),
    [true, false],
  );
});
