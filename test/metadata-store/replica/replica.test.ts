import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { METADATA_CONNECTION_COUNT_MAX } from '../../../src/model/limits/metadata-store.ts';
import { type MetadataStore, openMetadataStore } from '../../../src/metadata-store/metadata-store.ts';
import { createProject, findProject } from '../../../src/metadata-store/projects/projects.ts';
import type { Replica } from '../../../src/metadata-store/replica/replica.ts';
import type { Writer } from '../../../src/metadata-store/replica/shared-writes.ts';
import { hasDebianPostgres, openDebianPostgres, openDebianStandby } from '../debian-postgres.ts';
import { type CleanUp, cleanUpAfter, openTestStore, storeOptions, until } from '../fixtures.ts';
import { openReplication, type Replication } from './standby.ts';

const TIMES = { checkMs: 50, lagMsMax: 60_000 };
/** Less than the 5 s that a query waits for a connection. */
const CLOSE_MS_MAX = 4_000;

describe('a read replica', () => {
  const cleanUp = cleanUpAfter(after);
  let replication: Replication;
  let lastName = 0;
  const newName = () => `project ${++lastName}`;

  before(async () => {
    replication = await openReplication(cleanUp, { max_standby_streaming_delay: '50ms' });
  });

  /** A store on both servers, whose replica serves reads, with its warnings. */
  async function open(
    t: { after(work: () => Promise<void>): void },
    { times = TIMES, url = replication.primaryUrl, replicaUrl = replication.standbyUrl, isNotified = true } = {},
  ): Promise<{
    store: MetadataStore;
    replica: Replica;
    warnings: string[];
    metric: (name: string) => Promise<number>;
  }> {
    const warnings: string[] = [];
    const log: Log = { ...silentLogMethods, warn: (_fields, message) => void warnings.push(message) };
    const registry = new Registry();
    const store = await openTestStore(
      cleanUpAfter((work) => t.after(work)),
      { url, readReplicaUrl: replicaUrl, replicaTimes: times, log, registry },
    );
    const { replica } = store;
    assert.ok(replica);
    const metric = async (name: string) => {
      const values = (await registry.getSingleMetric(name)?.get())?.values ?? [];
      return values.reduce((sum, { value }) => sum + value, 0);
    };
    if (isNotified) {
      await until('it is notified', async () => (await metric('spandrel_replica_notified')) === 1);
    }
    return { store, replica, warnings, metric };
  }

  const untilServes = (replica: Replica, caller: Writer = 'user 3') =>
    until(`the replica serves ${caller}`, () => replica.mayServe(caller));
  const isStandby = async (replica: Replica) => {
    const { rows } = await sql<{ on: boolean }>`select pg_is_in_recovery() as on`.execute(replica.db);
    return rows[0]?.on;
  };

  test('serves reads, and a caller whose last write it lacks reads from the primary', async (t) => {
    const { store, replica } = await open(t);
    await untilServes(replica);
    await replication.standby.pause();
    t.after(() => replication.standby.resume());
    const name = newName();

    await createProject(store.db, { name, description: null });
    await replica.recordWrite('user 1');

    assert.equal(await replica.mayServe('user 1'), false);
    assert.equal(await replica.mayServe('user 2'), true);
    assert.equal(await isStandby(replica), true);
    assert.equal(await findProject(replica.db, { name }), undefined);
    await replication.standby.resume();
    await untilServes(replica, 'user 1');
    assert.ok(await findProject(replica.db, { name }));
  });

  test('keeps the write of a caller on another server from being missed', async (t) => {
    const [one, two] = [await open(t), await open(t)];
    for (const { replica } of [one, two]) await untilServes(replica);
    await replication.standby.pause();
    t.after(() => replication.standby.resume());

    for (let round = 0; round < 50; round++) {
      await createProject(one.store.db, { name: newName(), description: null });
      const writer = `user ${round}` as const;
      await one.replica.recordWrite(writer);
      assert.equal(await two.replica.mayServe(writer), false, `round ${round}`);
    }

    assert.equal(await two.replica.mayServe('user null'), true);
    await one.replica.recordWriteForAll();
    assert.equal(await two.replica.mayServe('user null'), false);
    await replication.standby.resume();
    await untilServes(two.replica, 'user 49');
  });

  test('learns the writes of other servers before it was notified, and serves no reads until then', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const [listening, beginToListen] = deferred();
    cleanUp(async () => beginToListen());
    const url = await openPooler(cleanUp, replication.primaryUrl, { listening });
    const [one, two] = [await open(t), await open(t, { url, isNotified: false })];
    for (const { replica } of [one, two]) await untilServes(replica);
    await replication.standby.pause();
    cleanUp(() => replication.standby.resume());
    await createProject(one.store.db, { name: newName(), description: null });
    await one.replica.recordWrite('user 1');

    const release = await holdConnections(cleanUp, two.store, replication.primaryUrl);
    beginToListen();
    await until('it is notified', async () => (await two.metric('spandrel_replica_notified')) === 1);
    const answer = two.replica.mayServe('user 1');
    await release();

    assert.equal(await answer, false);
    await replication.standby.resume();
    await untilServes(two.replica, 'user 1');
  });

  test('queries the primary for the writes of other servers while it is not notified', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await openPooler(cleanUp, replication.primaryUrl, { isSilent: true });
    const [one, two] = [await open(t), await open(t, { url, isNotified: false })];
    for (const { replica } of [one, two]) await untilServes(replica);
    await replication.standby.pause();
    t.after(() => replication.standby.resume());

    await createProject(one.store.db, { name: newName(), description: null });
    await one.replica.recordWrite('user 1');

    assert.equal(await two.metric('spandrel_replica_notified'), 0);
    assert.equal(await two.replica.mayServe('user 1'), false);
    await replication.standby.resume();
    await untilServes(two.replica, 'user 1');
  });

  test('is closed at once, and the other servers hear of it', async () => {
    const other = new Client(replication.primaryUrl);
    await other.connect();
    cleanUp(() => other.end());
    const messages: string[] = [];
    other.on('notification', ({ payload }) => void messages.push(payload ?? ''));
    await other.query('listen spandrel_writes');
    const store = await openMetadataStore(
      storeOptions({ url: replication.primaryUrl, readReplicaUrl: replication.standbyUrl, replicaTimes: TIMES }),
    );
    await until('it has greeted the others', () => messages.some((message) => message.startsWith('hello ')));
    const [, id] = messages.find((message) => message.startsWith('hello '))!.split(' ');

    const startedAt = performance.now();
    await store.close();

    assert(performance.now() - startedAt < CLOSE_MS_MAX, 'no query waits for a pool that has ended');
    await until('they hear of it', () => messages.includes(`bye ${id}`));
  });

  test('serves no caller before it has a write that concerns all of them', async (t) => {
    const { store, replica } = await open(t);
    await untilServes(replica);
    await replication.standby.pause();
    t.after(() => replication.standby.resume());

    await createProject(store.db, { name: newName(), description: null });
    await replica.recordWriteForAll();

    assert.equal(await replica.mayServe('user 2'), false);
    await replication.standby.resume();
    await untilServes(replica, 'user 2');
  });

  test('that is far behind serves no reads, with one warning, and serves them again', async (t) => {
    const { store, replica, warnings, metric } = await open(t, { times: { checkMs: 20, lagMsMax: 100 } });
    await untilServes(replica);
    await replication.standby.pause();
    t.after(() => replication.standby.resume());
    await createProject(store.db, { name: newName(), description: null });

    // A caller may have to wait for a write before that, too.
    await until('it is behind', async () => (await metric('spandrel_replica_available')) === 0);

    assert.equal(await replica.mayServe('user 3'), false);
    assert.ok((await metric('spandrel_replica_lag_seconds')) > 0.1);
    await replication.standby.resume();
    await untilServes(replica);
    assert.equal(await metric('spandrel_replica_available'), 1);
    assert.deepEqual(warnings, ['The read replica is not usable; the primary serves its reads until it is']);
  });

  test('that is killed loses no read, with one warning, and serves reads again once it runs', async (t) => {
    const { replica, warnings, metric } = await open(t);
    await untilServes(replica);
    const slow = sql<{ on: boolean }>`select pg_is_in_recovery() as on, pg_sleep(1)`.execute(replica.db);
    await until('the statement runs', async () => {
      const rows = await replication.standby.query(
        `select from pg_stat_activity where query like '%pg_sleep(1)' and pid <> pg_backend_pid()`,
      );
      return rows.length > 0;
    });

    await replication.standby.kill();
    t.after(() => replication.standby.start());

    assert.equal((await slow).rows[0]?.on, false, 'the primary repeats the statement');
    for (let count = 0; count < 20; count++) assert.equal(await isStandby(replica), false);
    await until('it is lost', async () => !(await replica.mayServe('user 3')));
    assert.ok((await metric('spandrel_replica_fallbacks_total')) > 0);
    await replication.standby.start();
    await untilServes(replica);
    assert.equal(await isStandby(replica), true);
    assert.equal(warnings.length, 1, warnings.join('; '));
  });

  test('that is frozen counts as lost, and its running reads are repeated on the primary', async (t) => {
    const { replica, warnings } = await open(t);
    await untilServes(replica);
    assert.equal(await isStandby(replica), true);
    await replication.standby.freeze();
    t.after(() => replication.standby.thaw());

    const stuck = isStandby(replica);
    await until('it is lost', async () => !(await replica.mayServe('user 3')));

    assert.equal(await stuck, false);
    await replication.standby.thaw();
    await untilServes(replica);
    assert.equal(warnings.length, 1, warnings.join('; '));
  });

  test('that is away at the start is used once it runs', async (t) => {
    await replication.standby.kill();
    const { replica, warnings } = await open(t);

    assert.equal(await replica.mayServe('user 3'), false);
    assert.equal(await isStandby(replica), false);
    assert.equal(warnings.length, 1);
    await replication.standby.start();
    await untilServes(replica);
    assert.equal(await isStandby(replica), true);
  });

  test('that is no standby of the primary serves no reads', async (t) => {
    const { replica, warnings } = await open(t, { replicaUrl: replication.primaryUrl });

    assert.equal(await replica.mayServe('user 3'), false);
    assert.equal(warnings.length, 1);
  });

  test('whose name leads to another server takes no reads there', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    let target = replication.standbyUrl;
    const balancer = createServer((socket) => {
      const server = connect(socketPathOf(target));
      for (const [one, other] of [
        [socket, server],
        [server, socket],
      ] as const) {
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    balancer.listen(0, '127.0.0.1');
    await once(balancer, 'listening');
    cleanUp(async () => void balancer.close());
    const { port } = balancer.address() as AddressInfo;
    const replicaUrl = tcpUrlOf(replication.standbyUrl, port);
    const { replica, metric } = await open({ after: (work) => cleanUp(work) }, { replicaUrl });
    await untilServes(replica);

    target = replication.primaryUrl;
    assert.equal(await isStandby(replica), false);
    assert.equal(await metric('spandrel_replica_fallbacks_total'), 1);
    target = replication.standbyUrl;

    assert.equal(await isStandby(replica), true);
  });

  test('passes a write on to the primary, and a statement that the standby cancels', async (t) => {
    const { store, replica } = await open(t);
    await untilServes(replica);
    const name = newName();

    await createProject(replica.db, { name, description: null });

    assert.ok(await findProject(store.db, { name }));
    await replication.onPrimary('create table if not exists cancelled (id int)');
    await until('the standby has the table', () =>
      replication.standby.query('select from cancelled').then(
        () => true,
        () => false,
      ),
    );
    const reading = sql<{
      on: boolean;
    }>`select pg_is_in_recovery() as on, pg_sleep(2) from (select count(*) from cancelled) c`.execute(replica.db);
    await until('the statement runs', async () => {
      const rows = await replication.standby.query(
        `select from pg_stat_activity where query like '%pg_sleep(2)%' and pid <> pg_backend_pid()`,
      );
      return rows.length > 0;
    });
    await replication.onPrimary('truncate cancelled');
    assert.equal((await reading).rows[0]?.on, false);
  });
});

test('a standby that pg_basebackup made serves reads over TCP', { skip: !hasDebianPostgres }, async (t) => {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const primary = await openDebianPostgres(cleanUp);
  const standby = await openDebianStandby(cleanUp, primary);
  const urlOf = (port: number) => `postgresql://postgres:secret@localhost:${port}/postgres`;

  const { db, replica } = await openTestStore(cleanUp, {
    url: urlOf(primary.port),
    readReplicaUrl: urlOf(standby.port),
    replicaTimes: TIMES,
  });

  assert.ok(replica);
  const { rowId } = await createProject(db, { name: 'new', description: null });
  await replica.recordWrite('user 1');
  await until('the standby has the write', () => replica.mayServe('user 1'));
  assert.equal((await findProject(replica.db, { name: 'new' }))?.rowId, rowId);
  const { rows } = await sql<{ on: boolean }>`select pg_is_in_recovery() as on`.execute(replica.db);
  assert.equal(rows[0]?.on, true);
});

/** Keeps all connections of a store busy until the returned function is called. */
async function holdConnections(cleanUp: CleanUp, { db }: MetadataStore, url: string): Promise<() => Promise<void>> {
  const holder = new Client(url);
  await holder.connect();
  await holder.query('select pg_advisory_lock(1)');
  const held = Array.from({ length: METADATA_CONNECTION_COUNT_MAX }, () =>
    sql`select pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1)`.execute(db),
  );
  let released: Promise<void> | undefined;
  const release = () => {
    released ??= holder.end().then(async () => void (await Promise.all(held)));
    return released;
  };
  cleanUp(release);
  await until('all of them wait', async () => {
    const { rows } = await holder.query(`select from pg_locks where locktype = 'advisory' and not granted`);
    return rows.length === METADATA_CONNECTION_COUNT_MAX;
  });
  return release;
}

interface PoolerOptions {
  /** It passes no notification on, as some poolers do. */
  readonly isSilent?: boolean;
  /** Requests to listen wait for this. */
  readonly listening?: Promise<void>;
}

/** Passes connections to Postgres on. Returns its URL. */
async function openPooler(cleanUp: CleanUp, url: string, { isSilent, listening }: PoolerOptions): Promise<string> {
  const pooler = createServer((socket) => {
    const server = connect(socketPathOf(url));
    const messages = createMessageFilter((type) => !(isSilent && type === NOTIFICATION_RESPONSE));
    socket.on('data', async (data) => {
      if (data.includes('listen "')) await listening;
      server.write(data);
    });
    socket.on('end', () => server.end());
    server.on('data', (data) => socket.write(messages(data)));
    for (const [one, other] of [
      [socket, server],
      [server, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  cleanUp(async () => void pooler.close());
  return tcpUrlOf(url, (pooler.address() as AddressInfo).port);
}

function deferred(): [promise: Promise<void>, resolve: () => void] {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return [promise, resolve];
}

const NOTIFICATION_RESPONSE = 'A';

/** Passes on the messages of a server whose type is wanted. A message has a type of one byte and its length. */
function createMessageFilter(isWanted: (type: string) => boolean): (data: Buffer) => Buffer {
  let rest = Buffer.alloc(0);
  return (data) => {
    rest = Buffer.concat([rest, data]);
    const wanted: Buffer[] = [];
    while (rest.length >= 5) {
      const size = 1 + rest.readUInt32BE(1);
      if (rest.length < size) break;
      if (isWanted(rest.toString('latin1', 0, 1))) wanted.push(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    return Buffer.concat(wanted);
  };
}

const socketPathOf = (url: string): string => `${url.replace(/.*[?]host=/, '')}/.s.PGSQL.5432`;
/** Without TLS, because the reply to the request for it is no message. */
const tcpUrlOf = (url: string, port: number): string =>
  url.replace('@/', `@127.0.0.1:${port}/`).replace(/[?].*/, '?sslmode=disable');

const silentLogMethods: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};
