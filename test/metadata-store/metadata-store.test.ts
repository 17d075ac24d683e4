import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { silentLog } from '../../src/base/log.ts';
import { METADATA_CONNECTION_COUNT_MAX } from '../../src/model/limits/metadata-store.ts';
import { parseDatabaseUrl } from '../../src/metadata-store/database/database-url.ts';
import { reachDatabase } from '../../src/metadata-store/database/reach-database.ts';
import { openMetadataStore } from '../../src/metadata-store/metadata-store.ts';
import { findProject } from '../../src/metadata-store/projects/projects.ts';
import {
  type CleanUp,
  cleanUpAfter,
  openTestPostgres,
  openTestStore,
  query,
  storeOptions,
  type TestPostgres,
  until,
} from './fixtures.ts';

describe('the metadata store', () => {
  let server: TestPostgres;
  const cleanUpAll = cleanUpAfter(after);
  before(async () => {
    server = await openTestPostgres(cleanUpAll);
  });

  /** The server behind a TCP port, whose connections can be cut, and which can go away and come back. */
  async function openGate(cleanUp: CleanUp) {
    const sockets = new Set<Socket>();
    const listen = async (port: number): Promise<Server> => {
      const gate = createServer((inside) => {
        const outside = connectSocket(join(server.socketDirectory, '.s.PGSQL.5432'));
        for (const socket of [inside, outside]) {
          sockets.add(socket);
          socket.on('error', () => {}).on('close', () => [inside, outside].map((each) => each.destroy()));
        }
        inside.pipe(outside).pipe(inside);
      });
      gate.listen(port, '127.0.0.1');
      await once(gate, 'listening');
      return gate;
    };
    let gate = await listen(0);
    const { port } = gate.address() as { port: number };
    const cut = () => {
      for (const socket of sockets) socket.destroy();
    };
    const close = async () => {
      gate.close();
      cut();
    };
    cleanUp(close);
    const open = async () => {
      gate = await listen(port);
    };
    return { port, cut, close, open };
  }

  const throughGate = (url: string, port: number) => url.replace('@/', `@127.0.0.1:${port}/`).replace(/\?.*/, '');

  test('opens a URL, and shows it without the password', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await server.newDatabase();

    const store = await openTestStore(cleanUp, { url });

    await store.ping();
    assert.equal(store.kind, 'external');
    assert.equal(store.replica, undefined);
    assert.match(store.describe(), /^postgresql:\/\/spandrel:\*\*\*@\/test_\w+\?host=/);
  });

  test('works again after its connections were closed', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const gate = await openGate(cleanUp);
    const { db } = await openTestStore(cleanUp, { url: throughGate(await server.newDatabase(), gate.port) });
    await Promise.all(Array.from({ length: 5 }, () => findProject(db, { rowId: 1 })));

    gate.cut();

    await until('a query works', () => findProject(db, { rowId: 1 }).then(Boolean, () => false));
  });

  test('rejects queries with a clear error while the database is unavailable, and works again afterwards', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const gate = await openGate(cleanUp);
    const url = await server.newDatabase();
    const store = await openTestStore(cleanUp, { url: throughGate(url, gate.port) });

    const running = assert.rejects(sql`select pg_sleep(60)`.execute(store.db), { code: 'STORE_UNAVAILABLE' });
    await until('it runs', async () => (await sleepers(url)) > 0);
    await gate.close();
    await running;
    await assert.rejects(store.ping(), { code: 'STORE_UNAVAILABLE', message: /not available: .*ECONNREFUSED/ });
    await gate.open();

    await store.ping();
  });

  const sleepers = async (url: string) =>
    (await query(url, "select 1 from pg_stat_activity where query like 'select pg_sleep(60)%'")).length;

  test('waits at start for a database that is not running yet', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await server.newDatabase();
    const gate = await openGate(cleanUp);
    await gate.close();

    const opening = openTestStore(cleanUp, { url: throughGate(url, gate.port) });
    setTimeout(() => void gate.open(), 300);

    await (await opening).ping();
  });

  test('uses the first of several hosts that accepts it', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const gate = await openGate(cleanUp);
    const away = await openGate(cleanUp);
    await away.close();
    const url = throughGate(await server.newDatabase(), gate.port).replace('@', `@127.0.0.1:${away.port},`);

    await (await openTestStore(cleanUp, { url })).ping();
  });

  test('falls back to a connection without TLS unless TLS is required', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const gate = await openGate(cleanUp);
    const url = throughGate(await server.newDatabase(), gate.port);

    await (await openTestStore(cleanUp, { url: `${url}?sslmode=prefer` })).ping();

    await assert.rejects(openMetadataStore(storeOptions({ url: `${url}?sslmode=require` })), {
      message: /^Cannot use the metadata database postgresql:\/\/spandrel:\*\*\*@.*does not support SSL/,
    });
  });

  for (const [what, change, text] of [
    ['a wrong password', [/:[^:@]*@/, ':wrong@'], /password authentication failed for user "spandrel"/],
    ['a database that is not there', [/\/test_\w+/, '/absent'], /database "absent" does not exist/],
  ] as const) {
    test(`does not wait for ${what}`, async () => {
      const url = (await server.newDatabase()).replace(change[0], change[1]);

      await assert.rejects(openMetadataStore(storeOptions({ url })), (error: Error) => {
        assert.match(error.message, /^Cannot use the metadata database postgresql:\/\/spandrel:\*\*\*@/);
        assert.match(error.message, text);
        assert.doesNotMatch(error.message, /wrong/);
        return true;
      });
    });
  }

  test('suggests checks if the database stays unavailable', async () => {
    const address = parseDatabaseUrl('postgresql://u:secret@127.0.0.1:1/d');

    await assert.rejects(reachDatabase(address, { log: silentLog, clientName: 'test', waitMsMax: 0 }), {
      message: /^Cannot use the metadata database postgresql:\/\/u:\*\*\*@.*ECONNREFUSED.*SERVICE_SQL_DATABASE_URL/,
    });
  });

  test('returns row ids as numbers, alone, in arrays and in nested arrays', async (t) => {
    const { db } = await openTestStore(
      cleanUpAfter((work) => t.after(work)),
      { url: await server.newDatabase() },
    );

    const { rows } = await sql`
      select 7::bigint as one, array_agg(id) as many, array[array[1, 2], array[3, null]]::bigint[] as nested,
        '{}'::bigint[] as none, null::bigint[] as absent
      from (values (1::bigint), (9007199254740991), (null)) as given (id)`.execute(db);

    const many = [1, Number.MAX_SAFE_INTEGER, null];
    assert.deepEqual(rows, [
      {
        one: 7,
        many,
        nested: [
          [1, 2],
          [3, null],
        ],
        none: [],
        absent: null,
      },
    ]);
    await assert.rejects(sql`select array[9007199254740993] as many`.execute(db), /9007199254740993 is beyond/);
  });

  test('queues callers when all connections are in use', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const registry = new Registry();
    const { db } = await openTestStore(cleanUp, { url: await server.newDatabase(), registry });

    const reads = Array.from({ length: 5 * METADATA_CONNECTION_COUNT_MAX }, () => findProject(db, { rowId: 1 }));

    for (const project of await Promise.all(reads)) assert.equal(project?.name, 'default');
    const metrics = await registry.metrics();
    assert.match(
      metrics,
      new RegExp(`spandrel_metadata_connections{pool="primary",state="idle"} ${METADATA_CONNECTION_COUNT_MAX}`),
    );
  });

  test('cancels a statement that takes too long', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const { db } = await openTestStore(cleanUp, { url: await server.newDatabase() });

    const slow = db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 50`.execute(tx);
      await sql`select pg_sleep(60)`.execute(tx);
    });

    await assert.rejects(slow, { code: 'QUERY_TIMED_OUT' });
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db);
    assert.deepEqual(rows, [{ statement_timeout: '30s' }]);
  });

  test('logs statements without their values on request', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const lines: string[] = [];
    const log = { ...silentLog, debug() {}, info: (fields: object) => void lines.push(JSON.stringify(fields)) };
    const { db } = await openTestStore(cleanUp, { url: await server.newDatabase(), log, logSql: true });

    await findProject(db, { name: 'confidential' });

    assert.match(lines.at(-1)!, /select \* from .*projects.* where .*name.* = \$1/);
    assert.doesNotMatch(lines.join('\n'), /confidential/);
  });

  test('shows its name in the database', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const { db } = await openTestStore(cleanUp, { url: await server.newDatabase(), clientName: 'node 7' });

    const { rows } = await sql`select current_setting('application_name') as name`.execute(db);

    assert.deepEqual(rows, [{ name: 'node 7' }]);
  });
});
