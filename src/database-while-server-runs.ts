import { existsSync } from 'node:fs';
import type { Log } from './base/log.ts';
import type { Config } from './config/config.ts';
import type { Db } from './metadata-store/database/database.ts';
import { withDatabaseOfServer } from './metadata-store/database/open-beside-server.ts';
import { lockDataDirectory } from './ingest/data-directory/data-directory-lock.ts';
import { withMetadata } from './offline.ts';

/**
 * Runs a command on the database of a server, whether or not the server runs. An embedded Postgres that does not run is
 * started for the time of the command.
 *
 * @throws {Error} when there is no database
 */
export async function withDatabaseWhileServerRuns<Result>(
  config: Config,
  log: Log,
  clientName: string,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { paths, metadata } = config;
  const done = await withDatabaseOfServer(
    {
      url: metadata.databaseUrl,
      identity: metadata.identity,
      dataDir: paths.metadataStoreDir,
      schema: metadata.schema,
      clientName,
      log,
    },
    work,
  );
  if (done) return done.result;
  if (!existsSync(paths.metadataStoreDir)) {
    throw new Error(
      `There is no database: ${paths.metadataStoreDir} does not exist. Set SERVICE_WORKING_DIR to the data directory of the server.`,
    );
  }
  const lock = await lockDataDirectory(paths.dataDir);
  try {
    return await withMetadata(config, log, clientName, ({ db }) => work(db));
  } finally {
    await lock.release();
  }
}
