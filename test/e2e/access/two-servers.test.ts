import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { SOCKET_FILE } from '../../../src/metadata-store/embedded/embedded-cluster.ts';
import { cleanUpAfter, openTestPostgres, query, until } from '../../metadata-store/fixtures.ts';
import { ADMIN_SECRET, postJson, SECRET, sessionOf, toClient } from '../../api/access/signed-in-server.ts';
import { encodeTraceRequest } from '../otlp-request.ts';
import { openGrpcSender, openHttpSender } from '../otlp-sender.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../server-process.ts';
import { openWire, type Wire } from './wire.ts';

describe('two servers on one Postgres', () => {
  const cleanUp = cleanUpAfter(after);
  let url: string;
  let one: ServerProcess;
  let two: ServerProcess;
  /** The second server reaches Postgres through it. */
  let wire: Wire;

  const start = async (dataDir: string, databaseUrl: string): Promise<ServerProcess> => {
    const env = {
      SERVICE_ENABLE_AUTH: 'true',
      SERVICE_SECRET: SECRET,
      SERVICE_ADMIN_SECRET: ADMIN_SECRET,
      SERVICE_DISABLE_RATE_LIMIT: 'true',
      SERVICE_SQL_DATABASE_URL: databaseUrl,
    };
    const server = await startServer({ dataDir, env });
    cleanUp(() => server.kill9());
    return server;
  };

  before(async () => {
    const postgres = await openTestPostgres(cleanUp);
    url = await postgres.newDatabase();
    const dataDirs = [await makeDataDir({ isEmpty: true }), await makeDataDir({ isEmpty: true })] as const;
    for (const dataDir of dataDirs) cleanUp(() => removeDataDir(dataDir));
    one = await start(dataDirs[0], url);
    // A directory with the same ID, as a copy of the first one has.
    await copyFile(join(dataDirs[0], 'installation-id'), join(dataDirs[1], 'installation-id'));
    wire = await openWire(join(postgres.socketDirectory, SOCKET_FILE));
    cleanUp(async () => wire.cut());
    const { username, password, pathname } = new URL(url.replace('@/', '@host/'));
    two = await start(dataDirs[1], `postgresql://${username}:${password}@127.0.0.1:${wire.port}${pathname}`);
  });

  const login = (server: ServerProcess, email: string, password: string) =>
    postJson(`${server.url}/auth/login`, { email, password });
  const admin = (server: ServerProcess) => toClient(server.url, { bearer: ADMIN_SECRET });
  const refresh = (server: ServerProcess, token: string) =>
    fetch(`${server.url}/auth/refresh`, { method: 'POST', headers: { cookie: `phoenix-refresh-token=${token}` } });
  const statusOf = async (server: ServerProcess, token: string) =>
    (await toClient(server.url, { bearer: token }).call('GET', '/v1/user')).status;
  const signIn = async (server: ServerProcess, name: string) =>
    sessionOf(await login(server, `${name}@example.com`, 'word-1'));

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  /** One span. */
  const bodyOf = (index: number, project = 'outage') => {
    const id = Buffer.alloc(16, index);
    const now = BigInt(Date.now()) * 1_000_000n;
    const span = { traceId: id, spanId: id.subarray(8), name: 's', startTimeUnixNano: now, endTimeUnixNano: now };
    return encodeTraceRequest({ project, spans: [span] });
  };

  async function newUser(username: string, role = 'MEMBER'): Promise<string> {
    const email = `${username}@example.com`;
    const user = { auth_method: 'LOCAL', email, username, role, password: 'word-1' };
    const { json } = await admin(one).call('POST', '/v1/users', { user });
    return (json as { data: { id: string } }).data.id;
  }
  async function newKey(access: string): Promise<string> {
    const made = await toClient(one.url, { bearer: access }).call('POST', '/v1/user/api_keys', { data: { name: 'k' } });
    const { status: code, json } = made;
    assert.equal(code, 201, made.text);
    return (json as { data: { key: string } }).data.key;
  }

  test('count failed sign-ins together, and the lock outlives a killed server', async () => {
    await newUser('locked');
    for (const server of [one, two, one, two, one])
      assert.equal((await login(server, 'locked@example.com', 'bad')).status, 401);
    for (const server of [one, two]) assert.equal((await login(server, 'locked@example.com', 'word-1')).status, 429);
    await one.kill9();
    one = await start(one.dataDir, url);
    assert.equal((await login(one, 'locked@example.com', 'word-1')).status, 429);
  });

  test('end what the other one has revoked, and streams with it', async () => {
    const id = await newUser('revoked');
    const session = await signIn(one, 'revoked');
    const key = await newKey(session.access);
    assert.deepEqual([await statusOf(two, session.access), await statusOf(two, key)], [200, 200]);
    const stream = await fetch(`${two.url}/events?project=default`, {
      headers: { authorization: `Bearer ${session.access}` },
    });
    assert.equal(stream.status, 200);
    // One connection, which stays open.
    const grpc = openGrpcSender(two.grpcAddress);
    cleanUp(async () => grpc.close());
    const sent = async () => (await grpc.send(bodyOf(9, 'revoked'), bearer(key))).status;
    assert.equal(await sent(), 200);

    await fetch(`${one.url}/auth/logout`, {
      redirect: 'manual',
      headers: { cookie: `phoenix-access-token=${session.access}` },
    });
    await until('the session has ended', async () => (await statusOf(two, session.access)) === 401);
    // The body ends by itself.
    await stream.text().catch(() => {});
    assert.equal((await refresh(two, session.refresh)).status, 401);
    assert.equal(await statusOf(two, key), 200);

    const query = 'mutation ($id: ID!) { patchUser(input: { userId: $id, newRole: VIEWER }) { user { id } } }';
    assert.deepEqual((await admin(one).graphql(query, { id })).errors, []);
    const write = async () =>
      (await toClient(two.url, { bearer: key }).call('POST', '/v1/projects', { name: `of ${Date.now()}` })).status;
    await until('the key has the new role', async () => (await write()) === 403);
    assert.equal(await sent(), 1_000 + status.PERMISSION_DENIED);
    assert.equal((await admin(one).call('DELETE', `/v1/users/${id}`)).status, 204);
    await until('the key of the deleted user has ended', async () => (await statusOf(two, key)) === 401);
    assert.equal(await sent(), 1_000 + status.UNAUTHENTICATED);
  });

  test('a refresh token works once on either, and ends the session when it returns later', async () => {
    await newUser('stolen');
    const stolen = await signIn(one, 'stolen');
    const both = await Promise.all([refresh(one, stolen.refresh), refresh(two, stolen.refresh)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [204, 401]);
    const next = sessionOf(both.find(({ status }) => status === 204)!);
    await until('both know the new token', async () => (await statusOf(two, next.access)) === 200);
    // The owner and the thief have the same token: one of them sends it after the other has used it.
    await query(
      url,
      "update refresh_tokens set consumed_at = consumed_at - interval '11 s' where consumed_at is not null",
    );
    assert.equal((await refresh(two, stolen.refresh)).status, 401);
    assert.equal((await refresh(one, next.refresh)).status, 401);
    for (const server of [one, two])
      await until('the session has ended', async () => (await statusOf(server, next.access)) === 401);
    const entries = await query<{ action: string }>(url, 'select action from audit_log order by id desc limit 3');
    assert.ok(
      entries.some(({ action }) => action === 'session.stolen'),
      JSON.stringify(entries),
    );
  });

  test('a server that is killed while tokens rotate has one state of each session', async () => {
    await newUser('rotates');
    const sessions = await Promise.all(Array.from({ length: 8 }, () => signIn(one, 'rotates')));
    const rotating = sessions.map(async ({ refresh: token }) => {
      const last = [token];
      for (;;) {
        const response = await refresh(one, last.at(-1)!).catch(() => undefined);
        if (response?.status !== 204) return last;
        last.push(sessionOf(response).refresh);
      }
    });
    await until('tokens have rotated', async () => {
      const [row] = await query<{ count: string }>(
        url,
        'select count(*) from refresh_tokens where consumed_at is not null',
      );
      return Number(row?.count) >= 40;
    });
    await one.kill9();
    const chains = await Promise.all(rotating);
    one = await start(one.dataDir, url);
    for (const chain of chains) {
      // Former tokens never work again. The last one that arrived works unless a response was lost on the way.
      assert.equal((await refresh(one, chain.at(-2) ?? 'none')).status, 401);
      assert.ok([204, 401].includes((await refresh(one, chain.at(-1)!)).status));
    }
    const doubled = await query(
      url,
      'select session_id from refresh_tokens where consumed_at is null group by session_id having count(*) > 1',
    );
    assert.deepEqual(doubled, []);
  });

  test('a server without Postgres accepts the keys that it knows, and returns 503 to others', async () => {
    await newUser('exporter');
    const { access } = await signIn(one, 'exporter');
    const key = await newKey(access);
    const unknown = `${key.slice(0, -4)}${key.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    const [http, grpc] = [openHttpSender(two.url, 2), openGrpcSender(two.grpcAddress)];
    cleanUp(async () => {
      http.close();
      grpc.close();
    });
    assert.equal((await http.send(bodyOf(1), bearer(key))).status, 200);

    wire.cut();
    assert.equal((await http.send(bodyOf(2), bearer(key))).status, 200);
    assert.equal((await grpc.send(bodyOf(3), bearer(key))).status, 200);
    // The form of a token is checked before it is looked up; a token that was never signed here is no secret to Postgres.
    assert.equal((await http.send(bodyOf(4), bearer(unknown))).status, 401);
    const other = await newKey((await signIn(one, 'exporter')).access);
    assert.equal((await http.send(bodyOf(4), bearer(other))).status, 503);
    assert.equal((await grpc.send(bodyOf(4), bearer(other))).status, 1_000 + status.UNAVAILABLE);
    assert.equal(await statusOf(two, other), 503);
    assert.equal((await login(two, 'exporter@example.com', 'word-1')).status, 503);
    assert.equal((await refresh(two, 'none')).status, 401);

    wire.mend();
    await until('the other key works', async () => (await http.send(bodyOf(4), bearer(other))).status === 200);
    await until('sign-ins work', async () => (await login(two, 'exporter@example.com', 'word-1')).status === 204);
    await until('every acknowledged span is there', async () => {
      const { json } = await toClient(two.url, { bearer: key }).call('GET', '/v1/projects/outage/spans');
      return (json as { data?: unknown[] } | undefined)?.data?.length === 4;
    });
  });
});
