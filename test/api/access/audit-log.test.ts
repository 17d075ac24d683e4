import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { silentLog } from '../../../src/base/log.ts';
import { verifyAuditLog } from '../../../src/metadata-store/access/audit-log.ts';
import { openDb } from '../../../src/metadata-store/database/database.ts';
import { openPool } from '../../../src/metadata-store/database/pool.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { ADMIN_SECRET, openSignedInServer, postJson, SECRET, type SignedInServer } from './signed-in-server.ts';

interface Entry {
  readonly action: string;
  readonly outcome: string;
  readonly username: string | null;
  readonly credential: string;
  readonly remote_address: string | null;
  readonly target: { readonly kind: string; readonly name: string | null };
  readonly before: object | null;
  readonly after: object | null;
}

let server: SignedInServer;
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openSignedInServer({ after: cleanUp });
});

async function entries(query = ''): Promise<Entry[]> {
  const { status, json } = await server.admin.call('GET', `/v1/audit_log${query}`);
  assert.equal(status, 200);
  return (json as { data: Entry[] }).data;
}

async function withDatabase<T>(work: (db: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const verify = () =>
  withDatabase(async (client) => {
    const { host, port, user, password, database } = client as unknown as Record<string, string> & { port: number };
    const pool = openPool(
      { host: host!, port, user: user!, password, database: database!, ssl: false },
      { clientName: 'test', log: silentLog },
    );
    try {
      return await verifyAuditLog(openDb(pool, { log: silentLog }));
    } finally {
      await pool.end();
    }
  });

describe('the audit log', () => {
  test('names who did what, from where, by which credential, with values before and after', async () => {
    const ada = await server.newUser('audited', 'MEMBER');
    await server.admin.graphql(`mutation {patchUser(input: {userId: "${ada.id}", newRole: VIEWER}) {user {id}}}`);
    const [change] = await entries('?action=user.update');
    assert.deepEqual(
      change && { ...change, id: undefined, happened_at: undefined, user_id: undefined, target: change.target.name },
      {
        id: undefined,
        happened_at: undefined,
        user_id: undefined,
        username: 'system',
        credential: 'adminSecret',
        remote_address: '127.0.0.1',
        action: 'user.update',
        outcome: 'DONE',
        target: 'audited',
        before: { username: 'audited', email: 'audited@example.com', role: 'MEMBER', authMethod: 'LOCAL' },
        after: { username: 'audited', email: 'audited@example.com', role: 'VIEWER', authMethod: 'LOCAL' },
      },
    );
    const actions = (await entries('?text=AUDITED')).map(({ action }) => action);
    assert.deepEqual(actions, ['user.update', 'sign-in', 'user.create']);
  });

  test('has denied sign-ins, also of accounts that do not exist', async () => {
    const email = '=cmd()@example.com';
    await postJson(`${server.address}/auth/login`, { email, password: 'bad' });
    const [entry] = await entries('?action=sign-in&outcome=DENIED');
    assert.deepEqual([entry?.username, entry?.credential, entry?.target.name], [email, 'password', email]);
  });

  test('has keys, sessions, providers, policies, deletions and exports', async () => {
    const ada = await server.newUser('busy', 'ADMIN');
    const client = server.as({ bearer: ada.access });
    const key = await client.call('POST', '/v1/user/api_keys', { data: { name: 'exporter', scope: 'SEND' } });
    await client.call('DELETE', `/v1/user/api_keys/${(key.json as { data: { id: string } }).data.id}`);
    await client.call('POST', '/v1/projects', { name: 'doomed' });
    await client.call('GET', '/v1/projects/doomed/spans/export');
    await client.call('DELETE', '/v1/projects/doomed');
    await client.graphql(
      'mutation {createProjectTraceRetentionPolicy(input: {name: "week", cronExpression: "0 0 * * 0", rule: {maxDays: {maxDays: 7}}}) {node {id}}}',
    );
    const actions = (await entries('?limit=10'))
      .filter(({ username }) => username === 'busy')
      .map(({ action }) => action);
    assert.deepEqual(actions, [
      ...['retention.create', 'project.delete', 'export', 'user-key.delete', 'user-key.create', 'sign-in'],
    ]);
  });

  test('is for administrators, over both APIs, and CSV hides formulas from spreadsheets', async () => {
    const member = server.as({ bearer: (await server.newUser('curious', 'MEMBER')).access });
    assert.equal((await member.call('GET', '/v1/audit_log')).status, 403);
    assert.equal((await member.call('GET', '/v1/audit_log/csv')).status, 403);
    const query =
      '{auditLog(first: 2, filter: {action: "sign-in"}) {edges {node {action username after}} pageInfo {hasNextPage}}}';
    assert.deepEqual((await member.graphql(query)).errors, ['Only admin can perform this action']);
    const { data, errors } = await server.admin.graphql(query);
    assert.deepEqual(errors, []);
    assert.equal((data as { auditLog: { edges: unknown[] } }).auditLog.edges.length, 2);
    const csv = await server.admin.call('GET', '/v1/audit_log/csv');
    assert.match(csv.text, /^happened_at,username,/);
    assert.match(csv.text, /,'=cmd\(\)@example\.com,/);
    assert.doesNotMatch(csv.text, /,=cmd/);
  });

  test('contains no password, token, key or secret', async () => {
    const { access, refresh } = await server.newUser('secretive', 'MEMBER');
    const key = await server.as({ bearer: access }).call('POST', '/v1/user/api_keys', { data: { name: 'k' } });
    const rows = await withDatabase(async (client) =>
      JSON.stringify((await client.query('select * from audit_log')).rows),
    );
    const text = (key.json as { data: { key: string } }).data.key;
    for (const secret of ['word-1', access, refresh, text, SECRET, ADMIN_SECRET]) assert.ok(!rows.includes(secret));
  });

  test('is filtered by the user and by the target, apart from each other', async () => {
    await server.newUser('searched', 'MEMBER');
    const actions = async (query: string) => (await entries(query)).map(({ action }) => action);
    assert.deepEqual(await actions('?username=SEARCHED'), ['sign-in']);
    assert.deepEqual(await actions('?target=searched&action=user.create'), ['user.create']);
    assert.deepEqual(await actions('?target=usersess&text=searched'), ['sign-in']);
    assert.deepEqual(await actions(`?target=${encodeURIComponent("' or true --")}`), []);
    const { data } = await server.admin.graphql('{auditLog(filter: {username: "searched"}) {edges {node {action}}}}');
    assert.deepEqual(data, { auditLog: { edges: [{ node: { action: 'sign-in' } }] } });
  });

  test('a page continues where the one before it ended', async () => {
    const first = (await server.admin.call('GET', '/v1/audit_log?limit=3')).json as {
      data: { id: string }[];
      next_cursor: string;
    };
    const second = (await server.admin.call('GET', `/v1/audit_log?limit=3&cursor=${first.next_cursor}`)).json as {
      data: { id: string }[];
    };
    assert.equal(first.data.length, 3);
    assert.equal(second.data[0]!.id, first.next_cursor);
  });

  test('is a chain: an entry that is changed or removed is found', async () => {
    const whole = await verify();
    assert.equal(whole.brokenAtRowId, undefined);
    assert.ok(whole.entryCount > 10);
    const check = async () =>
      (await server.admin.graphql('{auditLogCheck {entryCount brokenAt {username}}}')).data as {
        auditLogCheck: unknown;
      };
    assert.deepEqual(await check(), { auditLogCheck: { entryCount: whole.entryCount, brokenAt: null } });
    await withDatabase(async (client) => {
      await client.query("update audit_log set username = 'mallory' where id = 4");
      assert.equal((await verify()).brokenAtRowId, 4);
      assert.deepEqual(await check(), { auditLogCheck: { entryCount: 3, brokenAt: { username: 'mallory' } } });
      await client.query('delete from audit_log where id = 4');
      assert.equal((await verify()).brokenAtRowId, 5);
      // Old entries may be deleted: the chain begins later then.
      await client.query('delete from audit_log where id <= 4');
      assert.equal((await verify()).brokenAtRowId, undefined);
    });
  });

  test('changes that wait for it leave the connections of the database to reads', async () => {
    await withDatabase(async (client) => {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock(7230114)');
      const changes = Array.from({ length: 20 }, (_, index) =>
        server.admin.call('POST', '/v1/system/api_keys', { data: { name: `waits ${index}` } }),
      );
      for (let read = 0; read < 5; read++) assert.equal((await server.admin.call('GET', '/v1/datasets')).status, 200);
      await client.query('commit');
      assert.deepEqual(new Set((await Promise.all(changes)).map(({ status }) => status)), new Set([201]));
    });
  });

  test('changes at the same time make one chain', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => server.newUser(`crowd${index}`, 'VIEWER')));
    assert.equal((await verify()).brokenAtRowId, undefined);
  });

  test('two administrators cannot remove each other at the same time', async () => {
    const one = await server.newUser('first-admin', 'ADMIN');
    const two = await server.newUser('second-admin', 'ADMIN');
    await withDatabase((client) =>
      client.query("update users set role = 'MEMBER' where email = 'admin@localhost' or username = 'busy'"),
    );
    const remove = (by: { access: string }, id: string) =>
      server.as({ bearer: by.access }).call('DELETE', `/v1/users/${id}`);
    const statuses = (await Promise.all([remove(one, two.id), remove(two, one.id)])).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 204).length, 1, String(statuses));
  });
});
