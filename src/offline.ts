import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { Registry } from 'prom-client';
import type { Log } from './base/log.ts';
import type { Config } from './config/config.ts';
import { adopt } from './metadata-store/database/installation.ts';
import { type MetadataStore, openMetadataStore } from './metadata-store/metadata-store.ts';
import { moveDatabase } from './metadata-store/move-database.ts';
import { lockDataDirectory } from './ingest/data-directory/data-directory-lock.ts';
import { readInstallationId } from './installation-id.ts';

// What `spandrel` does to data while no server runs.

/** Brings the tables up to date; prints their location. */
export const migrate = (config: Config, log: Log): Promise<string> =>
  withMetadata(config, log, 'spandrel db migrate', async (store) => store.describe());

/** Assigns the database to the data directory, whatever its previous owner. Returns its location. */
export async function adoptDatabase(config: Config, log: Log): Promise<string> {
  const { dataDir } = config.paths;
  await mkdir(dataDir, { recursive: true });
  const lock = await lockDataDirectory(dataDir);
  try {
    const installationId = await readInstallationId(dataDir);
    return await withMetadata(config, log, 'spandrel db adopt', async (store) => {
      await adopt(store.db, installationId);
      return store.describe();
    });
  } finally {
    await lock.release();
  }
}

/** Opens the metadata store, whose tables are then up to date, for the time of some work. */
export async function withMetadata<Result>(
  { metadata, paths }: Config,
  log: Log,
  clientName: string,
  work: (store: MetadataStore) => Promise<Result>,
): Promise<Result> {
  const store = await openMetadataStore({
    dataDir: paths.metadataStoreDir,
    url: metadata.databaseUrl,
    identity: metadata.identity,
    schema: metadata.schema,
    logSql: metadata.logStatements,
    migrate: true,
    clientName,
    log,
    registry: new Registry(),
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export async function move(
  { metadata, paths }: Config,
  targetUrl: string,
  log: Log,
  onProgress: (line: string) => void,
): Promise<void> {
  const source = metadata.databaseUrl ?? paths.metadataStoreDir;
  if (source === paths.metadataStoreDir && !existsSync(source)) {
    throw new Error(
      `There is nothing to move: ${source} does not exist. Set SERVICE_WORKING_DIR to the data directory of the server.`,
    );
  }
  await moveDatabase(source, targetUrl, { schema: metadata.schema, log, onProgress });
}
