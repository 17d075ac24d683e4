import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADMIN_SECRET } from '../access/signed-in-server.ts';
import { assertScimError, GROUP, PATCH, shareScimServer, USER } from './scim-server.ts';

const shared = shareScimServer();

test('bodies that are no user are rejected, and leave nothing behind', async () => {
  const { scim } = await shared();
  const before = (await scim('GET', '/Users')).json.totalResults;
  const user = { schemas: [USER], userName: 'h-new', emails: [{ value: 'h-new@example.com' }] };
  for (const [body, scimType] of [
    ['', 'invalidSyntax'],
    ['{', 'invalidSyntax'],
    ['[]', 'invalidSyntax'],
    ['null', 'invalidSyntax'],
    ['"\ud800"', 'invalidSyntax'],
    [`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 'invalidSyntax'],
    [`{"a":[${'0,'.repeat(400_000)}0]}`, 'invalidSyntax'],
    [JSON.stringify({ ...user, schemas: undefined }), 'invalidSyntax'],
    [JSON.stringify({ ...user, schemas: 'x' }), 'invalidSyntax'],
    [JSON.stringify({ ...user, schemas: ['urn:example:unknown'] }), 'invalidSyntax'],
    [JSON.stringify({ ...user, schemas: [GROUP] }), 'invalidSyntax'],
    [JSON.stringify({ ...user, userName: undefined }), 'invalidValue'],
    [JSON.stringify({ ...user, userName: ' ' }), 'invalidValue'],
    [JSON.stringify({ ...user, userName: 7 }), 'invalidValue'],
    [JSON.stringify({ ...user, userName: 'x'.repeat(300) }), 'invalidValue'],
    [JSON.stringify({ ...user, externalId: 'x'.repeat(2_000) }), 'invalidValue'],
    [JSON.stringify({ ...user, emails: [] }), 'invalidValue'],
    [JSON.stringify({ ...user, emails: [{ value: 'no email' }] }), 'invalidValue'],
    [JSON.stringify({ ...user, emails: [{ value: 'a@example.com\nBcc: b@example.com' }] }), 'invalidValue'],
    [JSON.stringify({ ...user, emails: [{ value: ['a@example.com'] }] }), 'invalidValue'],
    [JSON.stringify({ ...user, active: 'perhaps' }), 'invalidValue'],
    [JSON.stringify({ ...user, roles: ['SYSTEM'] }), 'invalidValue'],
    [JSON.stringify({ ...user, roles: ['constructor'] }), 'invalidValue'],
    [JSON.stringify({ ...user, name: 'Ada' }), 'invalidValue'],
    [JSON.stringify({ ...user, emails: Array(101).fill({ value: 'a@example.com' }) }), 'invalidValue'],
  ] as const) {
    assertScimError(await scim('POST', '/Users', body), 400, scimType);
  }
  assertScimError(await scim('POST', '/Users', user, { 'content-type': 'text/plain' }), 415);
  assertScimError(await scim('POST', '/Users', `{"a":"${'x'.repeat(5_000_000)}"}`), 413);
  assert.equal((await scim('GET', '/Users')).json.totalResults, before);
});

test('no name of an attribute reaches a prototype', async () => {
  const { scim, newScimUser } = await shared();
  const id = await newScimUser('h-proto');
  const raw = `{"schemas":["${PATCH}"],"Operations":[{"op":"add","value":{"__proto__":{"active":false,"polluted":1}}}]}`;
  assertScimError(await scim('PATCH', `/Users/${id}`, raw), 400, 'invalidPath');
  for (const path of [
    'constructor',
    'constructor.prototype',
    'toString',
    'emails.constructor',
    'name.constructor',
    'emails[type eq "work"].constructor',
  ]) {
    const reply = await scim('PATCH', `/Users/${id}`, {
      schemas: [PATCH],
      Operations: [{ op: 'add', path, value: { polluted: 1 } }],
    });
    assert.equal(reply.status, 200, path);
  }
  const body = `{"schemas":["${USER}"],"userName":"h-proto","__proto__":{"active":false},"name":{"__proto__":{"givenName":"x"}},"emails":[{"__proto__":{"value":"evil@example.com"},"value":"h-proto@example.com"}]}`;
  const { json } = await scim('PUT', `/Users/${id}`, body);
  assert.deepEqual([json.active, json.name, json.emails[0].value], [true, undefined, 'h-proto@example.com']);
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

test('operations that make no sense are rejected, and none of a PATCH is done', async () => {
  const { scim, patch, newScimUser, newGroup } = await shared();
  const id = await newScimUser('h-patch');
  const path = `/Users/${id}`;
  for (const [operation, scimType] of [
    [{ op: 'test', path: 'active', value: true }, 'invalidSyntax'],
    [{ op: ['add'], path: 'active', value: true }, 'invalidSyntax'],
    [{ path: 'active', value: true }, 'invalidSyntax'],
    [null, 'invalidSyntax'],
    [{ op: 'remove' }, 'invalidPath'],
    [{ op: 'add', value: 'x' }, 'invalidValue'],
    [{ op: 'add', path: 'active' }, 'invalidValue'],
    [{ op: 'add', path: 7, value: 1 }, 'invalidPath'],
    [{ op: 'add', path: '__proto__', value: 1 }, 'invalidPath'],
    [{ op: 'add', path: 'emails[', value: 1 }, 'invalidPath'],
    [{ op: 'add', path: 'emails[type eq "work"', value: 1 }, 'invalidPath'],
    [{ op: 'add', path: `emails[${'('.repeat(500)}`, value: 1 }, 'invalidPath'],
    [{ op: 'add', path: 'emails[title eq "work"].value', value: 'a@example.com' }, 'invalidFilter'],
    [{ op: 'add', path: 'active[value eq "x"]', value: true }, 'invalidPath'],
    [{ op: 'add', path: 'userName.first', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'id', value: '1' }, 'mutability'],
    [{ op: 'replace', path: 'groups', value: [] }, 'mutability'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
    [{ op: 'replace', path: 'roles', value: 'ROOT' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails', value: [{ value: 'x', primary: true }] }, 'invalidValue'],
  ] as const) {
    const first = { op: 'replace', path: 'displayName', value: 'changed' };
    const reply = await scim('PATCH', path, { schemas: [PATCH], Operations: [first, operation] });
    assertScimError(reply, 400, scimType);
  }
  assertScimError(await scim('PATCH', path, { schemas: [PATCH], Operations: [] }), 400, 'invalidSyntax');
  assertScimError(
    await scim('PATCH', path, { Operations: [{ op: 'add', path: 'active', value: true }] }),
    400,
    'invalidSyntax',
  );
  const many = Array(1_001).fill({ op: 'replace', path: 'active', value: true });
  assertScimError(await patch(path, ...many), 400, 'invalidSyntax');
  assert.equal((await scim('GET', path)).json.displayName, undefined);

  const group = `/Groups/${await newGroup('h group', [id])}`;
  for (const [operation, scimType] of [
    [{ op: 'add', path: 'members', value: [{ value: '999999' }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ value: `${id} or 1=1` }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ value: id, type: 'Group' }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ display: 'x' }] }, 'invalidValue'],
    [{ op: 'replace', path: `members[value eq "${id}"]`, value: [{ value: id }] }, 'invalidPath'],
    [{ op: 'remove', path: 'members[display eq "x"]' }, 'invalidFilter'],
    [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName', value: '  ' }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName', value: 'x'.repeat(2_000) }, 'invalidValue'],
  ] as const) {
    assertScimError(await patch(group, { op: 'remove', path: 'members' }, operation), 400, scimType);
  }
  const members = Array.from({ length: 50_001 }, (_, index) => ({ value: String(index + 1) }));
  assertScimError(await patch(group, { op: 'add', path: 'members', value: members }), 400, 'invalidValue');
  assert.equal((await scim('GET', group)).json.members.length, 1);
  assert.equal((await patch(group, { op: 'remove', path: 'members', value: [{ value: 'x' }] })).status, 204);
  assert.equal((await scim('GET', group)).json.members.length, 1);
});

test('names that differ in case alone, emails and external IDs are taken once', async () => {
  const { scim, patch, newScimUser, newGroup } = await shared();
  const id = await newScimUser('h-Émile', { externalId: 'h-1', emails: ['emile@example.com'] });
  const other = await newScimUser('h-other', { externalId: 'h-2' });
  const post = (userName: string, email: string, externalId: string) =>
    scim('POST', '/Users', { schemas: [USER], userName, externalId, emails: [{ value: email }] });
  assertScimError(await post('H-ÉMILE', 'h-x@example.com', 'h-3'), 409, 'uniqueness');
  assertScimError(await post('h-3', 'EMILE@example.com', 'h-3'), 409, 'uniqueness');
  assertScimError(await post('h-3', 'h-x@example.com', 'h-1'), 409, 'uniqueness');
  for (const [path, value] of [
    ['userName', 'H-émile'],
    ['emails', [{ value: 'emile@example.com', primary: true }]],
    ['externalId', 'h-1'],
  ]) {
    assertScimError(await patch(`/Users/${other}`, { op: 'replace', path, value }), 409, 'uniqueness');
  }
  // One may change the case of one's own name.
  assert.equal(
    (await patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: 'h-émile' })).json.userName,
    'h-émile',
  );
  await newGroup('h Ünique');
  assertScimError(await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'H üNIQUE' }), 409, 'uniqueness');
  const [first, second] = await Promise.all(
    ['h-race', 'H-RACE'].map((name, index) => post(name, `r${index}@example.com`, `r-${index}`)),
  );
  assert.deepEqual([first?.status, second?.status].sort(), [201, 409]);
});

test('texts of all languages are returned as they came', async () => {
  const { scim, newScimUser } = await shared();
  const displayName = '李雷 👩‍🔬 \u202e gnirts " \' \\ <b>';
  const id = await newScimUser('h-李雷', { displayName, emails: ['li@example.com'], name: { givenName: 'a\u0000b' } });
  const { json } = await scim('GET', `/Users/${id}`);
  assert.equal(json.displayName, displayName);
  assert.equal(json.userName, 'h-李雷');
  assert.doesNotMatch(json.name.givenName, /\0/);
});

test('only a key of the scope SCIM, administrators and the admin secret come in, and that key does nothing else', async () => {
  const server = await shared();
  const get = (headers: Record<string, string>) => server.scim('GET', '/Users', undefined, headers);
  assert.equal((await get({ authorization: `Bearer ${ADMIN_SECRET}` })).status, 200);
  assertScimError(await get({ authorization: 'Bearer x' }), 401);
  const member = await server.newUser('h-member', 'MEMBER');
  assertScimError(await get({ authorization: `Bearer ${member.access}` }), 403);
  const client = server.as({ bearer: server.key });
  for (const [method, path] of [
    ['GET', '/v1/projects'],
    ['GET', '/v1/users'],
    ['POST', '/v1/spans'],
    ['GET', '/events'],
  ] as const) {
    assert.equal((await client.call(method, path)).status, 403, path);
  }
  assert.equal((await client.graphql('{viewer {id}}')).status, 403);
  const { status } = await server.as({ bearer: member.access }).call('POST', '/v1/user/api_keys', {
    data: { name: 'k', scope: 'SCIM' },
  });
  assert.equal(status, 422);
});

test('schemas and resource types describe what there is', async () => {
  const { scim } = await shared();
  const { json: schemas } = await scim('GET', '/Schemas');
  assert.deepEqual(
    schemas.Resources.map(({ id }: { id: string }) => id),
    [USER, GROUP],
  );
  assert.equal((await scim('GET', `/Schemas/${USER}`)).json.name, 'User');
  assert.equal((await scim('GET', '/ResourceTypes/Group')).json.endpoint, '/Groups');
  assertScimError(await scim('GET', '/Schemas/urn:example:unknown'), 404);
  for (const id of ['0', '-1', 'x', '01', '9'.repeat(30), '%27', '1.5']) {
    assertScimError(await scim('GET', `/Users/${id}`), 404);
    assertScimError(
      await scim('PATCH', `/Groups/${id}`, { schemas: [PATCH], Operations: [{ op: 'add', path: 'x', value: 1 }] }),
      404,
    );
  }
});
