import { chmod, constants, copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { silentLog } from '../../base/log.ts';
import { EMBEDDED_STOP_MS_MAX } from '../../model/limits/metadata-store.ts';
import { openEmbeddedPostgres } from '../embedded/embedded-postgres.ts';
import { isRunning, readPostmaster } from '../embedded/postmaster-file.ts';
import { type CloudIdentity, openTokenSource } from './cloud-identity.ts';
import { type Db, openDb } from './database.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { type Endpoint, openPool } from './pool.ts';
import { reachDatabase } from './reach-database.ts';

const CLIENT_NAME = 'spandrel check';

/** The files are so damaged that Postgres does not start. The message is its reason. */
export class DamagedCluster extends Error {}

/**
 * Runs work on a copy of an embedded Postgres, after crash recovery of the copy. The original is only read.
 *
 * @throws {DamagedCluster} when Postgres does not start on it
 * @throws {Error} when it cannot be copied, or a Postgres still runs on it
 */
export async function withCopyOfEmbedded<Result>(
  options: { readonly dataDir: string; readonly scratchDir: string; readonly schema: string | undefined },
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { dataDir, scratchDir, schema } = options;
  const data = join(dataDir, 'data');
  await waitUntilEnded(data);
  await readFile(join(data, 'PG_VERSION')).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new DamagedCluster('it has no PG_VERSION') : error;
  });
  const copy = join(scratchDir, 'data');
  await copyCluster(data, copy);
  const postgres = await openEmbeddedPostgres({
    dataDir: scratchDir,
    log: silentLog,
    registry: new Registry(),
  }).catch((error: Error) => {
    if (/cannot run|is not installed/.test(error.message)) throw error;
    throw new DamagedCluster(`it does not start: ${error.message.replaceAll(scratchDir, dataDir)}`);
  });
  try {
    return await withDb(postgres.endpoint, schema, work);
  } finally {
    await postgres.close();
  }
}

/** Files of a running Postgres. */
const NOT_COPIED = /^(postmaster\.(pid|opts)|\.s\.PGSQL\..*)$/;

/**
 * Copies a cluster of some thousand small files. The copy can be written, as Postgres requires, while a backup may be protected from
 * writes. The `cp` of Node takes several times the processor time, because it compares the paths of each file and of its folders.
 */
async function copyCluster(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (NOT_COPIED.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    // Postgres must not write to what a link refers to, so its content is copied.
    const found = entry.isSymbolicLink() ? await stat(source) : entry;
    if (found.isDirectory()) await copyCluster(source, target);
    else if (found.isFile()) {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, 0o600);
    }
  }
}

/** Runs work on an external Postgres. @throws {Error} when it cannot be reached */
export async function withDatabaseAt<Result>(
  {
    url,
    schema,
    identity,
  }: { readonly url: string; readonly schema: string | undefined; readonly identity?: CloudIdentity | undefined },
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const session = { log: silentLog, clientName: CLIENT_NAME };
  const tokens = identity && (await openTokenSource(identity));
  return withDb(await reachDatabase(parseDatabaseUrl(url, tokens), session), schema, work);
}

/** Uses one connection without a statement timeout. */
async function withDb<Result>(
  endpoint: Endpoint,
  schema: string | undefined,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const options = { clientName: CLIENT_NAME, schema, log: silentLog, connectionCountMax: 1, statementMsMax: 0 };
  const pool = openPool(endpoint, options);
  try {
    return await work(openDb(pool, options));
  } finally {
    await pool.end();
  }
}

/** Waits for Postgres, which ends shortly after its server was killed. */
async function waitUntilEnded(data: string): Promise<void> {
  const cluster = { data };
  const giveUpAt = Date.now() + EMBEDDED_STOP_MS_MAX;
  for (;;) {
    const postmaster = await readPostmaster(cluster);
    if (!postmaster || !(await isRunning(cluster, postmaster.pid))) return;
    if (Date.now() > giveUpAt)
      throw new Error(`A Postgres (process ${postmaster.pid}) runs on ${data}. Stop it first.`);
    await sleep(100);
  }
}
