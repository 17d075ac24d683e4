import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { silentLog } from '../../src/base/log.ts';
import { TABLE_NAMES } from '../../src/metadata-store/database/database.ts';
import { MIGRATION_NAMES, MIGRATION_TABLE_NAMES } from '../../src/metadata-store/database/migrate.ts';
import { openMetadataStore } from '../../src/metadata-store/metadata-store.ts';
import { createProject, findProject, listProjects } from '../../src/metadata-store/projects/projects.ts';
import { cleanUpAfter, openTestPostgres, openTestStore, query, storeOptions, type TestPostgres } from './fixtures.ts';
import { runStoreProcess } from './run-store-process.ts';

describe('migrations', () => {
  let server: TestPostgres;
  const cleanUpAll = cleanUpAfter(after);
  before(async () => {
    server = await openTestPostgres(cleanUpAll);
  });

  const tablesOf = (url: string) =>
    query<{ name: string }>(
      url,
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') order by 1`,
    ).then((rows) => rows.map(({ name }) => name));

  test('run once when several servers start at once', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await server.newDatabase('empty');

    const servers = await Promise.all(
      [1, 2, 3].map(() => runStoreProcess(cleanUp, { dataDir: '/nowhere', url, projectNames: ['made', 'default'] })),
    );

    for (const { reply } of servers) assert.deepEqual(reply, { ...servers[0]!.reply, opened: true });
    const rows = await query(url, 'select name from spandrel_migrations order by name');
    assert.deepEqual(
      rows,
      MIGRATION_NAMES.map((name) => ({ name })),
    );
  });

  test('run once in a schema that several servers create concurrently', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const options = { dataDir: '/nowhere', url: await server.newDatabase('empty'), schema: 'made "at" once' };

    const servers = await Promise.all([1, 2, 3].map(() => runStoreProcess(cleanUp, options)));

    for (const { reply } of servers) assert.equal(reply.opened, true, JSON.stringify(reply));
  });

  test('do nothing when the tables are up to date', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await server.newDatabase('empty');
    const first = await openTestStore(cleanUp, { url });
    await createProject(first.db, { name: 'kept', description: null });

    const second = await openTestStore(cleanUp, { url });

    assert.ok(await findProject(second.db, { name: 'kept' }));
  });

  test('create the configured schema with any name, and do not change others', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await server.newDatabase('empty');
    const schema = 'Odd "schema"; drop table x';

    const { db } = await openTestStore(cleanUp, { url, schema });
    await createProject(db, { name: 'here', description: null });
    const elsewhere = await openTestStore(cleanUp, { url, schema: 'other' });

    const made = [...TABLE_NAMES, ...MIGRATION_TABLE_NAMES];
    assert.deepEqual(
      new Set(await tablesOf(url)),
      new Set([schema, 'other'].flatMap((name) => made.map((table) => `${name}.${table}`))),
    );
    assert.equal((await listProjects(db, { limit: 10 })).items.length, 2);
    assert.equal((await listProjects(elsewhere.db, { limit: 10 })).items.length, 1);
  });

  test('stop the start when the tables are newer than the program', async () => {
    const url = await server.newDatabase('empty');
    await (await openMetadataStore(storeOptions({ url }))).close();
    await query(url, "insert into spandrel_migrations values ('0999-future', now()::text)");

    for (const migrate of [true, false]) {
      await assert.rejects(openMetadataStore(storeOptions({ url, migrate })), {
        message: /newer than this program: .* 0999-future\. Start the newer program, or restore a backup/,
      });
    }
  });

  test('that are disabled stop the start when the tables are older than the program', async () => {
    const url = await server.newDatabase('empty');

    await assert.rejects(openMetadataStore(storeOptions({ url, migrate: false })), {
      message: /lack the migrations 0001-projects, .*\. Run 'spandrel db migrate'/,
    });
    assert.deepEqual(await tablesOf(url), []);
  });

  test('that are disabled have no effect when the tables are up to date', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await server.newDatabase('empty');
    await (await openMetadataStore(storeOptions({ url }))).close();

    const { db } = await openTestStore(cleanUp, { url, migrate: false });

    assert.ok(await findProject(db, { name: 'default' }));
  });

  test('do not change the tables of another program', async () => {
    const url = await server.newDatabase('empty');
    await query(url, 'create table projects (id serial, name text)');

    await assert.rejects(openMetadataStore(storeOptions({ url })), {
      message: /public contains the tables of another program \(projects\)\..*SERVICE_SQL_DATABASE_SCHEMA/,
    });
    assert.deepEqual(await tablesOf(url), ['public.projects']);
  });

  test('are logged when they ran', async () => {
    const lines: unknown[] = [];
    const log = { ...silentLog, warn() {}, debug() {}, info: (fields: object) => void lines.push(fields) };

    await (await openMetadataStore(storeOptions({ url: await server.newDatabase('empty'), log }))).close();

    assert.deepEqual(lines, [
      { migrationCount: MIGRATION_NAMES.length, newest: MIGRATION_NAMES.at(-1), schema: 'public' },
    ]);
  });
});
