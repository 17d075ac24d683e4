import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { silentLog } from '../../src/base/log.ts';
import { parseDatabaseUrl } from '../../src/metadata-store/database/database-url.ts';
import { reachDatabase } from '../../src/metadata-store/database/reach-database.ts';
import { openMetadataStore } from '../../src/metadata-store/metadata-store.ts';
import { moveDatabase } from '../../src/metadata-store/move-database.ts';
import { createProject, findProject, listProjects } from '../../src/metadata-store/projects/projects.ts';
import { type DebianPostgres, hasDebianPostgres, openDebianPostgres } from './debian-postgres.ts';
import { cleanUpAfter, openTestStore, query, storeOptions, temporaryDirectory } from './fixtures.ts';

describe('Postgres 15 with TLS', { skip: !hasDebianPostgres && 'needs Debian’s Postgres 15 and openssl' }, () => {
  let server: DebianPostgres;
  const cleanUpAll = cleanUpAfter(after);
  before(async () => {
    server = await openDebianPostgres(cleanUpAll);
  });

  const urlOf = (parameters = '', host = 'localhost') =>
    `postgresql://postgres:secret@${host}:${server.port}/postgres${parameters}`;
  const usesTls = async (url: string) => {
    const store = await openMetadataStore(storeOptions({ url, schema: 'tls' }));
    try {
      const { rows } = await sql<{ ssl: boolean }>`
        select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(store.db);
      return rows[0]!.ssl;
    } finally {
      await store.close();
    }
  };

  test('keeps projects', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const { db } = await openTestStore(cleanUp, { url: urlOf(), schema: 'projects' });

    const project = await createProject(db, { name: 'ÄB%', description: null });

    assert.deepEqual(await findProject(db, { rowId: project.rowId }), project);
    assert.equal((await listProjects(db, { limit: 10, nameContains: 'b%' })).items.length, 1);
  });

  for (const [mode, expected] of [
    ['', true],
    ['?sslmode=disable', false],
    ['?sslmode=allow', false],
    ['?sslmode=prefer', true],
    ['?sslmode=require', true],
  ] as const) {
    test(`is reached ${expected ? 'over' : 'without'} TLS with ${mode || 'no sslmode'}`, async () => {
      assert.equal(await usesTls(urlOf(mode)), expected);
    });
  }

  test('is verified by its certificate and name according to sslmode', async () => {
    const root = `&sslrootcert=${server.certificate}`;
    const refused = (parameters: string, host?: string) =>
      assert.rejects(reachDatabase(parseDatabaseUrl(urlOf(parameters, host)), { log: silentLog, clientName: 'test' }));

    assert.equal(await usesTls(urlOf(`?sslmode=verify-full${root}`)), true);
    assert.equal(await usesTls(urlOf(`?sslmode=verify-ca${root}`, '127.0.0.1')), true);
    await refused(`?sslmode=verify-full${root}`, '127.0.0.1');
    await refused('?sslmode=verify-full');
    await refused('?sslmode=verify-ca');
  });

  test('takes over the metadata of the embedded Postgres', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await temporaryDirectory(cleanUp);
    const source = await openMetadataStore(storeOptions({ dataDir }));
    const project = await createProject(source.db, { name: 'moved', description: 'x' });
    await source.close();

    await moveDatabase(dataDir, urlOf(), { log: silentLog, onProgress() {} });

    const target = await openTestStore(cleanUp, { url: urlOf() });
    assert.deepEqual(await findProject(target.db, { name: 'moved' }), project);
  });

  test('rejects clients above its limit with a clear error', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    await query(urlOf(), 'create role few login password $$few$$ connection limit 1');
    await query(urlOf(), 'create database few owner few');
    const url = `postgresql://few:few@localhost:${server.port}/few`;
    const { db } = await openTestStore(cleanUp, { url });
    // The connection that migrated is gone here before it is gone in Postgres; the next one stays in the pool.
    for (let attempt = 0; attempt < 100; attempt++) {
      const [{ status }] = await Promise.allSettled([sql`select 1`.execute(db)]);
      if (status === 'fulfilled') break;
      await delay(50);
    }

    const [first, second] = await Promise.allSettled([
      sql`select pg_sleep(0.3)`.execute(db),
      sql`select 1`.execute(db),
    ]);

    assert.deepEqual([first.status, second.status].toSorted(), ['fulfilled', 'rejected']);
    const { reason } = [first, second].find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    assert.equal(reason.code, 'STORE_UNAVAILABLE');
  });
});
