import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { Registry } from 'prom-client';
import type { Log } from './base/log.ts';
import type { Config } from './config/config.ts';
import { type SpanStoreCheck, verifySpanStore } from './span-store/verify-span-store.ts';
import { adopt } from './metadata-store/installation.ts';
import { type MetadataStore, openMetadataStore } from './metadata-store/metadata-store.ts';
import { moveDatabase } from './metadata-store/move-database.ts';
import { lockDataDirectory } from './ingest/data-directory-lock.ts';
import { type JournalCheck, verifyJournal } from './ingest/verify-journal.ts';
import type { CheckReport } from './cli/commands.ts';
import { readInstallationId } from './installation-id.ts';

// What `spandrel` does to data while no server runs.

/** Brings the tables up to date; says where they are. */
export const migrate = (config: Config, log: Log): Promise<string> =>
  withMetadata(config, log, 'spandrel db migrate', async (store) => store.describe());

/** Makes the database belong to the data directory, whichever it belonged to; says where it is. */
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

async function withMetadata<Result>(
  { metadata, paths }: Config,
  log: Log,
  clientName: string,
  work: (store: MetadataStore) => Promise<Result>,
): Promise<Result> {
  const store = await openMetadataStore({
    dataDir: paths.metadataStoreDir,
    url: metadata.databaseUrl,
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
    throw new Error(`There is nothing to move: ${source} does not exist. Is SERVICE_WORKING_DIR the server's?`);
  }
  await moveDatabase(source, targetUrl, { schema: metadata.schema, log, onProgress });
}

/** Reads every record and row of the data directory; no server may run on it meanwhile. */
export async function check({ paths }: Config): Promise<CheckReport> {
  if (!existsSync(paths.dataDir)) throw new Error("There is no such directory. Is SERVICE_WORKING_DIR the server's?");
  const lock = await lockDataDirectory(paths.dataDir);
  try {
    const journal = existsSync(paths.journalDir) ? verifyJournal(paths.journalDir) : undefined;
    const store = await verifyStore(paths.spanStoreDir);
    const reports = [reportJournal(journal), reportStore(store), { facts: [], problems: compare(journal, store) }];
    return { facts: reports.flatMap(({ facts }) => facts), problems: reports.flatMap(({ problems }) => problems) };
  } finally {
    await lock.release();
  }
}

/** What is wrong with the file, when it does not open or a block of it is damaged; undefined when there is none. */
async function verifyStore(dir: string): Promise<SpanStoreCheck | { readonly damage: string } | undefined> {
  if (!existsSync(dir)) return undefined;
  try {
    return await verifySpanStore(dir);
  } catch (error) {
    return { damage: error instanceof Error ? error.message : String(error) };
  }
}

function reportJournal(journal: JournalCheck | undefined): CheckReport {
  if (!journal) return { facts: ['Journal: none yet'], problems: [] };
  const { segmentCount, recordCount, recordBytes, damaged, damagedHeaders, tornBytes } = journal;
  const facts = [`Journal: ${recordCount} records of ${recordBytes} bytes in ${segmentCount} segments`];
  if (tornBytes > 0)
    facts.push(`Journal: ${tornBytes} bytes at its end that a crash tore; the next start cuts them off`);
  return {
    facts,
    problems: [
      ...damaged.map(({ position, bytes }) => `Journal: ${bytes} bytes at position ${position} are damaged`),
      ...damagedHeaders.map((path) => `Journal: the header of ${path} is damaged`),
    ],
  };
}

function reportStore(store: Awaited<ReturnType<typeof verifyStore>>): CheckReport {
  if (!store) return { facts: ['Span store: none yet'], problems: [] };
  if ('damage' in store) return { facts: [], problems: [`Span store: ${store.damage}`] };
  const { spanCount, traceCount, sessionCount, position, problems } = store;
  return {
    facts: [
      `Span store: ${spanCount} spans in ${traceCount} traces, ${sessionCount} sessions, as of journal position ${position}`,
    ],
    problems: problems.map((problem) => `Span store: ${problem}`),
  };
}

/** The journal must reach from where the store stands, or before it, to there or beyond. */
function compare(journal: JournalCheck | undefined, store: Awaited<ReturnType<typeof verifyStore>>): string[] {
  if (!store || 'damage' in store) return [];
  const { position } = store;
  const { firstPosition, endPosition } = journal ?? { firstPosition: 0, endPosition: 0 };
  if (endPosition < position) {
    return [
      `The journal ends at position ${endPosition}, before the span store's ${position}: a part of it is missing`,
    ];
  }
  if (firstPosition > position) {
    return [
      `The journal starts at position ${firstPosition}, after the span store's ${position}: a part of it is missing`,
    ];
  }
  return [];
}
