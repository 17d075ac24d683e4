import { existsSync } from 'node:fs';
import { Registry } from 'prom-client';
import type { Log } from './base/log.ts';
import type { CheckReport } from './cli/commands.ts';
import type { Config } from './config/config.ts';
import { lockDataDirectory } from './ingest/data-directory-lock.ts';
import { verifyJournal } from './ingest/verify-journal.ts';
import { openMetadataStore } from './metadata-store/metadata-store.ts';
import { moveDatabase } from './metadata-store/move-database.ts';

// What `spandrel` does to data while no server runs.

/** Brings the tables up to date; says where they are. */
export async function migrate({ metadata, paths }: Config, log: Log): Promise<string> {
  const store = await openMetadataStore({
    dataDir: paths.metadataStoreDir,
    url: metadata.databaseUrl,
    schema: metadata.schema,
    logSql: metadata.logStatements,
    migrate: true,
    clientName: 'spandrel db migrate',
    log,
    registry: new Registry(),
  });
  try {
    return store.describe();
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
    throw new Error(`There is nothing to move: ${source} does not exist. Is SERVICE_WORKING_DIR the server's?`);
  }
  await moveDatabase(source, targetUrl, { schema: metadata.schema, log, onProgress });
}

/** Reads every record and row of the data directory; no server may run on it meanwhile. */
export async function check({ paths }: Config): Promise<CheckReport> {
  if (!existsSync(paths.dataDir)) throw new Error("There is no such directory. Is SERVICE_WORKING_DIR the server's?");
  const lock = await lockDataDirectory(paths.dataDir);
  try {
    return checkJournal(paths.journalDir);
  } finally {
    await lock.release();
  }
}

function checkJournal(dir: string): CheckReport {
  if (!existsSync(dir)) return { facts: ['Journal: none'], problems: [] };
  const { segmentCount, recordCount, recordBytes, damaged, damagedHeaders, tornBytes } = verifyJournal(dir);
  const facts = [`Journal: ${recordCount} records of ${recordBytes} bytes in ${segmentCount} segments`];
  if (tornBytes > 0)
    facts.push(`Journal: ${tornBytes} bytes at the end that a crash tore; the next start cuts them off`);
  return {
    facts,
    problems: [
      ...damaged.map(({ position, bytes }) => `Journal: ${bytes} bytes at position ${position} are damaged`),
      ...damagedHeaders.map((path) => `Journal: the header of ${path} is damaged`),
    ],
  };
}
