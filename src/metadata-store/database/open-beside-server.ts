import type { Log } from '../../base/log.ts';
import { findRunningEmbedded } from '../embedded/running-embedded.ts';
import { type CloudIdentity, openTokenSource } from './cloud-identity.ts';
import { type Db, openDb } from './database.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { openPool } from './pool.ts';
import { reachDatabase } from './reach-database.ts';

/**
 * Runs work on the database of a server, which may be running. Undefined when the database is an embedded one and no
 * server runs on it.
 *
 * @throws {Error} when an external database cannot be reached
 */
export async function withDatabaseOfServer<Result>(
  options: {
    readonly url: string | undefined;
    readonly identity: CloudIdentity | undefined;
    readonly dataDir: string;
    readonly schema: string | undefined;
    readonly clientName: string;
    readonly log: Log;
  },
  work: (db: Db) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const { url, identity, dataDir } = options;
  const tokens = identity && (await openTokenSource(identity));
  const endpoint =
    url === undefined
      ? await findRunningEmbedded(dataDir)
      : await reachDatabase(parseDatabaseUrl(url, tokens), options);
  if (!endpoint) return undefined;
  const pool = openPool(endpoint, { ...options, connectionCountMax: 1 });
  try {
    return { result: await work(openDb(pool, options)) };
  } finally {
    await pool.end();
  }
}
