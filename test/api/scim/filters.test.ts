import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertScimError, type Json, shareScimServer } from './scim-server.ts';

const shared = shareScimServer();

/** Names of users that fit a filter, out of those that this test has created. */
async function namesThatFit(filter: string): Promise<string[]> {
  const { scim } = await shared();
  const { status, json } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`);
  assert.equal(status, 200, `${filter}: ${JSON.stringify(json)}`);
  const names = json.Resources.map(({ userName }: Json) => userName as string);
  assert.equal(json.totalResults, names.length);
  return names.filter((name: string) => name.startsWith('f-'));
}

const CASES: readonly (readonly [filter: string, names: readonly string[]])[] = [
  ['userName eq "F-ADA"', ['f-ada']],
  ['userName ne "f-ada" and userName sw "f-"', ['f-bob', 'f-Çelik', 'f-100%_']],
  ['userName co "-B"', ['f-bob']],
  ['userName ew "da"', ['f-ada']],
  ['userName sw "f-a" or userName sw "f-b"', ['f-ada', 'f-bob']],
  ['userName eq "f-ÇELIK"', ['f-Çelik']],
  ['userName co "%"', ['f-100%_']],
  ['userName co "f_"', []],
  ['not (userName eq "f-ada") and userName sw "f-"', ['f-bob', 'f-Çelik', 'f-100%_']],
  ['not(displayName co "x") and userName sw "f-"', ['f-ada', 'f-bob', 'f-Çelik', 'f-100%_']],
  ['externalId eq "Ext-1"', ['f-ada']],
  ['externalId eq "ext-1"', []],
  ['externalId pr and userName sw "f-"', ['f-ada', 'f-bob']],
  ['externalId eq null and userName sw "f-"', ['f-Çelik', 'f-100%_']],
  ['displayName pr and userName sw "f-"', ['f-ada']],
  ['emails.value eq "F-ADA@example.com"', ['f-ada']],
  ['emails eq "f-ada@example.com"', ['f-ada']],
  ['emails[type eq "work" and value co "@EXAMPLE.com"] and userName sw "f-a"', ['f-ada']],
  ['emails[type eq "work"].value eq "f-bob@example.com"', ['f-bob']],
  ['emails[type eq "home"] and userName sw "f-"', []],
  ['emails[primary eq true and value sw "f-b"]', ['f-bob']],
  ['active eq false and userName sw "f-"', ['f-bob']],
  ['active eq "True" and userName eq "f-ada"', ['f-ada']],
  ['ACTIVE NE TRUE AND USERNAME SW "f-"', ['f-bob']],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "f-ada"', ['f-ada']],
  ['name.familyName co "Love"', ['f-ada']],
  ['roles eq "member" and userName sw "f-"', ['f-bob']],
  ['roles[value eq "MEMBER"] and userName sw "f-"', ['f-bob']],
  ['meta.lastModified gt "2020-05-13T04:42:34Z" and userName eq "f-ada"', ['f-ada']],
  ['meta.created lt "2020-05-13T04:42:34Z" and userName sw "f-"', []],
  ['userName ge "f-b" and userName lt "f-c"', ['f-bob']],
  ['userName eq "f-ada" or userName eq "f-bob" and userName eq "none"', ['f-ada']],
  ['(userName eq "f-ada" or userName eq "f-bob") and active eq true', ['f-ada']],
  ['id eq "1 or 1=1"', []],
  ['userName eq "f-ada\\" or 1=1 --"', []],
  [`userName eq "'; drop table users; --"`, []],
  ['userName eq "f-\\u0061da"', ['f-ada']],
  ['userName co "\\u0000"', []],
];

test('filters of users select as RFC 7644 specifies', async () => {
  const { newScimUser } = await shared();
  const email = (value: string) => ({ emails: [{ value: `${value}@example.com` }] });
  await newScimUser('f-ada', {
    ...{ externalId: 'Ext-1', displayName: 'Ada', name: { familyName: 'Lovelace' }, ...email('f-ada') },
  });
  await newScimUser('f-bob', { externalId: 'Ext-2', active: false, roles: ['member'], ...email('f-bob') });
  await newScimUser('f-Çelik', email('celik'));
  await newScimUser('f-100%_', email('hundred'));
  for (const [filter, names] of CASES) assert.deepEqual(await namesThatFit(filter), names, filter);
});

test('a filter that is not supported is rejected', async () => {
  const { scim } = await shared();
  const nested = (depth: number) => `${'('.repeat(depth)}userName pr${')'.repeat(depth)}`;
  for (const filter of [
    ...['userName', 'userName eq', 'userName xx "a"', 'eq "a"', '(userName pr', 'userName pr)', 'userName eq a'],
    ...[
      'userName eq "a',
      'title eq "a"',
      'password eq "a"',
      'password_hash pr',
      'meta.location eq "a"',
      'emails[',
      '""',
    ],
    ...[
      'emails[title eq "x"]',
      'emails[emails[value pr]]',
      'active gt true',
      'active eq "maybe"',
      'id gt "1"',
      'not userName',
    ],
    ...['meta.created gt "yesterday"', 'meta.created co "2"', 'userName eq true', '__proto__ eq "a"', 'constructor pr'],
    ...['userName gt null', 'userName eq {"a":1}', 'urn:x:y:userName eq "a"', 'userName pr userName pr', '"a" eq "a"'],
    ...[nested(25), nested(900), `userName eq "${'x'.repeat(3_000)}"`, Array(60).fill('userName pr').join(' or ')],
    ...['meta.created gt "+275760-09-13T00:00:00Z"', 'not ('.repeat(300)],
  ]) {
    const reply = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    assertScimError(reply, 400, 'invalidFilter');
  }
  assert.equal((await scim('GET', `/Users?filter=${encodeURIComponent(nested(10))}`)).status, 200);
});

test('filters of groups select by name, member and identifiers', async () => {
  const { scim, newGroup, newScimUser } = await shared();
  const user = await newScimUser('g-user');
  const [red, blue] = [await newGroup('G Red', [user]), await newGroup('G Blue')];
  for (const [filter, ids] of [
    ['displayName eq "g red"', [red]],
    ['displayName sw "G "', [red, blue]],
    [`members eq "${user}"`, [red]],
    [`members[value eq "${user}"] and displayName sw "G"`, [red]],
    [`members.value ne "${user}" and displayName sw "G "`, [blue]],
    ['members pr and displayName sw "G "', [red]],
    [`id eq "${blue}"`, [blue]],
    ['id eq "0x1"', []],
    ['externalId pr', []],
  ] as const) {
    const { json } = await scim('GET', `/Groups?filter=${encodeURIComponent(filter)}`);
    assert.deepEqual(
      json.Resources?.map(({ id }: Json) => id),
      ids,
      `${filter}: ${JSON.stringify(json)}`,
    );
  }
  assertScimError(await scim('GET', '/Groups?filter=userName+pr'), 400, 'invalidFilter');
});

test('pages cover the list once, in the requested order, and end at its ends', async () => {
  const { scim } = await shared();
  const all = (await scim('GET', '/Users?count=200')).json;
  const ids = all.Resources.map(({ id }: Json) => id);
  assert.equal(all.totalResults, ids.length);
  const paged: string[] = [];
  for (let startIndex = 1; startIndex <= all.totalResults; startIndex += 2) {
    const { json } = await scim('GET', `/Users?startIndex=${startIndex}&count=2`);
    assert.equal(json.startIndex, startIndex);
    assert.equal(json.itemsPerPage, json.Resources.length);
    paged.push(...json.Resources.map(({ id }: Json) => id));
  }
  assert.deepEqual(paged, ids);
  for (const [query, expected] of [
    ['count=0', [all.totalResults, 1, 0]],
    ['count=-3', [all.totalResults, 1, 0]],
    ['startIndex=-5&count=1', [all.totalResults, 1, 1]],
    [`startIndex=${all.totalResults}&count=9`, [all.totalResults, all.totalResults, 1]],
    [`startIndex=${all.totalResults + 1}`, [all.totalResults, all.totalResults + 1, 0]],
    ['startIndex=999999999999999', [all.totalResults, 999999999999999, 0]],
    ['count=999999', [all.totalResults, 1, ids.length]],
  ] as const) {
    const { json } = await scim('GET', `/Users?${query}`);
    assert.deepEqual([json.totalResults, json.startIndex, json.itemsPerPage], expected, query);
  }
  for (const query of ['startIndex=x', 'count=1.5', 'count=1e9', 'count=9999999999999999999']) {
    assertScimError(await scim('GET', `/Users?${query}`), 400, 'invalidValue');
  }
  const names = async (query: string) =>
    (await scim('GET', `/Users?${query}&attributes=userName`)).json.Resources.map(({ userName }: Json) => userName);
  const up = await names('sortBy=userName');
  assert.deepEqual(await names('sortBy=userName&sortOrder=descending'), [...up].reverse());
  assert.deepEqual(
    up,
    [...up].sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)),
  );
  assertScimError(await scim('GET', '/Users?sortBy=password'), 400, 'invalidPath');
});

test('a response has the requested attributes', async () => {
  const { scim } = await shared();
  const keys = async (query: string) =>
    Object.keys((await scim('GET', `/Users?count=1&${query}`)).json.Resources[0]).sort();
  assert.deepEqual(await keys('attributes=userName,emails.value'), ['emails', 'id', 'schemas', 'userName']);
  assert.deepEqual(await keys('attributes=__proto__,constructor'), ['id', 'schemas']);
  const without = await keys('excludedAttributes=emails,ROLES,id');
  assert.ok(!without.includes('emails') && !without.includes('roles') && without.includes('id'));
});
