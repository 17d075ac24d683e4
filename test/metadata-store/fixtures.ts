import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import { silentLog } from '../../src/base/log.ts';
import type { Endpoint } from '../../src/metadata-store/database/pool.ts';
import type { Account } from '../../src/metadata-store/embedded/embedded-account.ts';
import { openEmbeddedPostgres } from '../../src/metadata-store/embedded/embedded-postgres.ts';
import {
  type MetadataStore,
  type MetadataStoreOptions,
  openMetadataStore,
} from '../../src/metadata-store/metadata-store.ts';
import { TEST_FOLDER } from '../fixtures/test-folder.ts';
import { createDatabase, type DatabaseContent, startSharedPostgres } from '../shared-postgres.ts';

/** Takes work for later. */
export type CleanUp = (work: () => Promise<void>) => void;

/** Hands over work that is done after a test, or after a suite: the last first, so that what was opened later is closed before. */
export function cleanUpAfter(after: (work: () => Promise<void>) => void): CleanUp {
  const stack: (() => Promise<void>)[] = [];
  after(async () => {
    for (const work of stack.reverse()) await work();
  });
  return (work) => stack.push(work);
}

/** A directory that every user may enter, as a data directory under `/var` would be. */
export async function temporaryDirectory(cleanUp: CleanUp): Promise<string> {
  const path = await mkdtemp(join(TEST_FOLDER, 'spandrel-test-'));
  await chmod(path, 0o777);
  cleanUp(() => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return path;
}

/**
 * Copies of a directory in which an embedded Postgres was made and closed: copying is quicker than making. A copy belongs to
 * `account`, or to the account that root chooses for Postgres.
 */
export function directoriesWithPostgres(cleanUpAll: CleanUp) {
  let template: Promise<string> | undefined;
  const makeTemplate = async () => {
    const made = process.env.TEST_TEMPLATE_DIR;
    if (made !== undefined) return join(made, 'postgres');
    const dataDir = await temporaryDirectory(cleanUpAll);
    await (await openEmbeddedPostgres({ dataDir, log: silentLog, registry: new Registry() })).close();
    return dataDir;
  };
  return async (cleanUp: CleanUp, account?: Account): Promise<string> => {
    template ??= makeTemplate();
    const directory = await temporaryDirectory(cleanUp);
    await run('cp', ['-a', join(await template, 'data'), directory]);
    if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, directory]);
    return directory;
  };
}

const run = promisify(execFile);

/** Postgres with any number of databases, reached by URLs as an external one is. */
export interface TestPostgres {
  /** Directory of its socket. */
  readonly socketDirectory: string;
  /** Creates a database, which is dropped at the end, and returns its URL. Its content is `migrated` by default. */
  newDatabase(content?: DatabaseContent): Promise<string>;
}

/** Opens the Postgres that `scripts/test.mjs` started for the run, or a new one when a test file runs by itself. */
export async function openTestPostgres(cleanUp: CleanUp): Promise<TestPostgres> {
  let url = process.env.TEST_POSTGRES_URL;
  if (url === undefined) {
    const postgres = await startSharedPostgres(process.env.TEST_TEMPLATE_DIR);
    cleanUp(() => postgres.close());
    url = postgres.url;
  }
  const shared = { url };
  return {
    socketDirectory: url.replace(/.*[?]host=/, ''),
    async newDatabase(content = 'migrated') {
      const database = await createDatabase(shared, content);
      cleanUp(() => database.drop());
      return database.url;
    },
  };
}

export const storeOptions = (options: Partial<MetadataStoreOptions>): MetadataStoreOptions => ({
  dataDir: '/nowhere',
  log: silentLog,
  registry: new Registry(),
  migrate: true,
  ...options,
});

export async function openTestStore(cleanUp: CleanUp, options: Partial<MetadataStoreOptions>): Promise<MetadataStore> {
  const store = await openMetadataStore(storeOptions(options));
  cleanUp(() => store.close());
  return store;
}

/** Rows of one statement, on a connection of its own. */
export async function query<Row extends object>(target: Endpoint | string, text: string): Promise<Row[]> {
  const client = new Client(target);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Pid of the embedded Postgres of a data directory, as it stands in its pid file; undefined when there is none. */
export async function postgresPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'data/postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.split('\n')[0]);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves when the condition holds; fails after 20 s. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`Waited in vain until ${what}`);
    await sleep(20);
  }
}
