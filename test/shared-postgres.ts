import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import { silentLog } from '../src/base/log.ts';
import { chooseAccount } from '../src/metadata-store/embedded/embedded-account.ts';
import { findBinaries } from '../src/metadata-store/embedded/embedded-binaries.ts';
import {
  dataOwnerUid,
  EMBEDDED_USER,
  makeHome,
  makeSocketDirectory,
  openCluster,
} from '../src/metadata-store/embedded/embedded-cluster.ts';
import { startPostgres } from '../src/metadata-store/embedded/embedded-process.ts';
import { openMetadataStore } from '../src/metadata-store/metadata-store.ts';

/** Postgres that every test of a run uses. */
export interface SharedPostgres {
  /** Names a database in which nobody creates tables. */
  readonly url: string;
  close(): Promise<void>;
}

/** Contents of a new database: none, the tables, or what a server stored in the template directory. */
export type DatabaseContent = 'empty' | 'migrated' | 'server';

const ADMIN = 'admin';
const TEMPLATES: Readonly<Record<DatabaseContent, string>> = {
  empty: 'template0',
  migrated: 'migrated',
  server: 'postgres',
};

/** No test needs its data after a crash, and each database is used by one test file. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  // A process of tests may have dozens of servers open, with some connections each.
  max_connections: 1_000,
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  // scripts/test.mjs does not read the log while tests run.
  log_min_messages: 'panic',
};

/**
 * Starts Postgres on a copy of the cluster in a template data directory, or on a new cluster without one, in a folder below
 * `parent`.
 */
export async function startSharedPostgres(
  templateDir: string | undefined,
  parent: string = tmpdir(),
): Promise<SharedPostgres> {
  const dir = await mkdtemp(join(parent, 'spandrel-postgres-'));
  await chmod(dir, 0o755);
  if (templateDir !== undefined) await promisify(execFile)('cp', ['-a', `${templateDir}/postgres/.`, dir]);
  await makeHome(dir);
  const account = chooseAccount(await dataOwnerUid(dir));
  const binaries = await findBinaries({ home: dir, account, log: silentLog });
  const cluster = await openCluster({ home: dir, account, binaries, log: silentLog });
  const socketDirectory = await makeSocketDirectory(cluster);
  const postgres = await startPostgres({ cluster, binaries, socketDirectory, log: silentLog, settings: SETTINGS });
  const { password } = cluster;
  const urlOf = (database: string) => `postgresql://${EMBEDDED_USER}:${password}@/${database}?host=${socketDirectory}`;
  // The usual number of iterations costs some milliseconds of each connection.
  await execute(urlOf('template1'), `set scram_iterations = 1; alter role ${EMBEDDED_USER} password '${password}'`);
  await execute(urlOf('template1'), `create database ${ADMIN} template template0`);
  await execute(urlOf(ADMIN), `create database ${TEMPLATES.migrated} template template0`);
  const migrated = await openMetadataStore({
    dataDir: dir,
    url: urlOf(TEMPLATES.migrated),
    log: silentLog,
    registry: new Registry(),
    migrate: true,
  });
  await migrated.close();
  return {
    url: urlOf(ADMIN),
    async close() {
      await postgres.stop();
      await rm(dir, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Creates a database. Nobody may be connected to its template, so no test connects to one. */
export async function createDatabase(
  { url }: Pick<SharedPostgres, 'url'>,
  content: DatabaseContent,
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await execute(url, `create database ${name} template ${TEMPLATES[content]} strategy file_copy`);
  return {
    url: url.replace(`/${ADMIN}?`, `/${name}?`),
    drop: () => execute(url, `drop database if exists ${name} with (force)`),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
