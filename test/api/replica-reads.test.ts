import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, temporaryDirectory, until } from '../metadata-store/fixtures.ts';
import { openReplication, type Replication } from '../metadata-store/replica/standby.ts';
import { openTestServer, type TestServer } from './test-server.ts';

const ADMIN_SECRET = 'an0ther-secret-of-the-administrators';
const DATASETS = '{ datasets(first: 100) { edges { node { name } } } }';

describe('a server with a read replica', () => {
  const cleanUp = cleanUpAfter(after);
  let replication: Replication;
  let server: TestServer;
  /** Another server on the same databases, with a copy of the data directory. */
  let second: TestServer;
  /** Headers of the admin secret and of the signed-in administrator: two users. */
  let system: Record<string, string>;
  let person: Record<string, string>;

  before(async () => {
    replication = await openReplication(cleanUp);
    const settings = {
      SQL_DATABASE_URL: replication.primaryUrl,
      SQL_DATABASE_READ_REPLICA_URL: replication.standbyUrl,
      ENABLE_AUTH: 'true',
      SECRET: 'a-secret-for-t3sts-of-the-replica',
      ADMIN_SECRET,
    };
    server = await openTestServer({ after: cleanUp }, { settings });
    const copyDir = await temporaryDirectory(cleanUp);
    await copyFile(join(server.dataDir, 'installation-id'), join(copyDir, 'installation-id'));
    second = await openTestServer({ after: cleanUp }, { settings: { ...settings, WORKING_DIR: copyDir } });
    for (const each of [server, second]) {
      await until('it is notified', async () =>
        (await each.call('GET', '/metrics')).text.includes('spandrel_replica_notified 1'),
      );
    }
    system = { authorization: `Bearer ${ADMIN_SECRET}` };
    const response = await fetch(`${server.address}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@localhost', password: 'admin' }),
    });
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    person = { cookie: cookies.join('; ') };
  });

  const call = async (
    headers: Record<string, string>,
    method: string,
    path: string,
    body?: unknown,
    { address } = server,
  ) => {
    const response = await fetch(address + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text;
  };
  const ask = (headers: Record<string, string>, query: string, variables?: object) =>
    call(headers, 'POST', '/graphql', { query, variables });
  const untilRead = (headers: Record<string, string>, what: string) =>
    until(`the standby has ${what}`, async () => (await call(headers, 'GET', '/v1/datasets')).includes(what));
  async function pause(t: { after(work: () => Promise<void>): void }) {
    await untilRead(system, '"data"');
    await replication.standby.pause();
    t.after(() => replication.standby.resume());
  }
  const insert = (name: string) => replication.onPrimary(`insert into datasets (name) values ('${name}')`);

  test('reads over REST and GraphQL from it', async (t) => {
    await insert('first');
    await untilRead(person, 'first');
    await pause(t);

    await insert('second');

    assert.doesNotMatch(await call(person, 'GET', '/v1/datasets'), /second/);
    assert.match(await call(person, 'GET', '/v1/datasets'), /first/);
    assert.doesNotMatch(await ask(person, DATASETS), /second/);
    await replication.standby.resume();
    await untilRead(person, 'second');
    assert.match(await ask(person, DATASETS), /second/);
  });

  test('shows a caller the own last write at once, and others what the replica has', async (t) => {
    await pause(t);

    await call(system, 'POST', '/v1/annotation_configs', { name: 'over_rest', type: 'FREEFORM' });

    assert.match(await call(system, 'GET', '/v1/annotation_configs'), /over_rest/);
    assert.doesNotMatch(await call(person, 'GET', '/v1/annotation_configs'), /over_rest/);
    const created = await ask(person, 'mutation { createDataset(input: {name: "over_graphql"}) { dataset { name } } }');
    assert.match(created, /over_graphql/);
    assert.match(await ask(person, DATASETS), /over_graphql/);
    assert.match(await call(person, 'GET', '/v1/datasets'), /over_graphql/);
    await replication.standby.resume();
    await until('the replica serves both', async () =>
      /over_rest/.test(await call(person, 'GET', '/v1/annotation_configs')),
    );
  });

  test('shows a caller on each server what the caller has just written on the other one', async (t) => {
    await pause(t);
    const read = (headers: Record<string, string>, from: TestServer) =>
      call(headers, 'GET', '/v1/annotation_configs?limit=1000', undefined, from);

    for (let round = 0; round < 10; round++) {
      const [from, to] = round % 2 === 0 ? [server, second] : [second, server];
      const config = { name: `on_another_server_${round}`, type: 'FREEFORM' };
      await call(system, 'POST', '/v1/annotation_configs', config, from);
      assert.ok((await read(system, to)).includes(config.name), `round ${round}`);
      assert.ok(!(await read(person, to)).includes(config.name), 'others read from the replica');
    }
  });

  test('shows the project of new spans at once', async (t) => {
    await pause(t);

    await server.append({ project: 'new project', name: 'span', traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) });

    assert.match(await call(person, 'GET', '/v1/projects'), /new project/);
    assert.match(await call(system, 'GET', '/v1/projects/new%20project'), /new project/);
  });

  test('serves every read while the replica is killed and restarted', async (t) => {
    t.after(() => replication.standby.start());
    let isOver = false;
    const reading = Promise.all(
      [system, person].map(async (headers) => {
        for (let count = 0; !isOver || count < 10; count++) {
          await call(headers, 'GET', '/v1/datasets');
          const text = await ask(headers, DATASETS);
          assert.doesNotMatch(text, /"errors"/);
        }
      }),
    );

    await replication.standby.kill();
    await call(system, 'POST', '/v1/annotation_configs', { name: 'meanwhile', type: 'FREEFORM' });
    await replication.standby.start();
    await until('it serves reads again', async () => {
      const { text } = await server.call('GET', '/metrics');
      return text.includes('spandrel_replica_available 1');
    });
    isOver = true;
    await reading;

    assert.match(await call(person, 'GET', '/v1/annotation_configs'), /meanwhile/);
  });
});
