import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { type SpanStoreCheck, verifySpanStore } from './span-store/verify-span-store.ts';
import { verifyAuditLog } from './metadata-store/access/audit-log.ts';
import type { Db } from './metadata-store/database/database.ts';
import { DamagedCluster, withCopyOfEmbedded, withDatabaseAt } from './metadata-store/database/open-for-check.ts';
import { verifyPages } from './metadata-store/embedded/verify-pages.ts';
import { namesOfFiles, verifyFiles } from './metadata-store/verify-files.ts';
import { type KnownElsewhere, verifyMetadata } from './metadata-store/verify-metadata.ts';
import { lockForReading } from './ingest/data-directory/data-directory-lock.ts';
import { readJournalRowIds } from './ingest/journal/journal-row-ids.ts';
import { type JournalCheck, verifyJournal } from './ingest/journal/verify-journal.ts';
import { createSecretBox } from './domain/secrets/secret-box.ts';
import type { CheckReport } from './cli/commands.ts';
import { findEncryptionKeys, KEY_FILE } from './encryption-key.ts';
import { findInstallationId } from './installation-id.ts';
import { describeClosed, findClosed, type ListedText, listTexts } from './undecryptable-secrets.ts';

/**
 * Reads and compares all stores of a data directory while no server uses it. It changes nothing, so the directory may
 * be mounted read-only. An embedded Postgres is copied to the directory for temporary files and started there.
 *
 * @throws {Error} when a store could not be read for an external reason
 */
export async function check(config: Config): Promise<CheckReport> {
  const { paths } = config;
  if (!existsSync(paths.dataDir))
    throw new Error('The directory does not exist. Set SERVICE_WORKING_DIR to the data directory of the server.');
  const lock = await lockForReading(paths.dataDir);
  const scratchDir = await mkdtemp(join(tmpdir(), 'spandrel-check-'));
  try {
    const journal = existsSync(paths.journalDir) ? verifyJournal(paths.journalDir) : undefined;
    const store = await verifyStore(paths.spanStoreDir, scratchDir);
    const metadata = await checkMetadata(config, scratchDir, await knownElsewhere(config, journal, store));
    const reports = [
      reportJournal(journal),
      reportStore(store),
      { facts: [], problems: compare(journal, store) },
      metadata,
      await checkKey(config, metadata.texts),
    ];
    return { facts: reports.flatMap(({ facts }) => facts), problems: reports.flatMap(({ problems }) => problems) };
  } finally {
    await rm(scratchDir, { recursive: true, force: true, maxRetries: 5 });
    await lock.release();
  }
}

type StoreReading = SpanStoreCheck | { readonly damage: string } | undefined;

/** Describes why the file cannot be opened, or that a block of it is damaged. Undefined if there is no problem. */
async function verifyStore(dir: string, scratchDir: string): Promise<StoreReading> {
  if (!existsSync(dir)) return undefined;
  try {
    return await verifySpanStore(dir, scratchDir);
  } catch (error) {
    return { damage: error instanceof Error ? error.message : String(error) };
  }
}

function reportJournal(journal: JournalCheck | undefined): CheckReport {
  if (!journal) return { facts: ['Journal: none yet'], problems: [] };
  const { segmentCount, recordCount, recordBytes, damaged, damagedHeaders, tornBytes } = journal;
  const facts = [`Journal: ${recordCount} records of ${recordBytes} bytes in ${segmentCount} segments`];
  if (tornBytes > 0)
    facts.push(`Journal: a crash left ${tornBytes} incomplete bytes at its end; the next start removes them`);
  return {
    facts,
    problems: [
      ...damaged.map(({ position, bytes }) => `Journal: ${bytes} bytes at position ${position} are damaged`),
      ...damagedHeaders.map((path) => `Journal: the header of ${path} is damaged`),
    ],
  };
}

function reportStore(store: StoreReading): CheckReport {
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

/** The journal must start at the store's position or before it, and end there or after it. */
function compare(journal: JournalCheck | undefined, store: StoreReading): string[] {
  if (!store || 'damage' in store) return [];
  const { position } = store;
  const { firstPosition, endPosition } = journal ?? { firstPosition: 0, endPosition: 0 };
  if (endPosition < position) {
    return [
      `The journal ends at position ${endPosition}, before the span store's ${position}: part of the journal is missing`,
    ];
  }
  if (firstPosition > position) {
    return [
      `The journal starts at position ${firstPosition}, after the span store's ${position}: part of the journal is missing`,
    ];
  }
  return [];
}

interface IdProblem {
  readonly problem: string;
}

/**
 * Row ids and projects that the metadata is compared with. A store that cannot be read is left out of the comparison.
 */
async function knownElsewhere(
  { paths }: Config,
  journal: JournalCheck | undefined,
  store: StoreReading,
): Promise<KnownElsewhere & Partial<IdProblem>> {
  const known = store && !('damage' in store) ? store : undefined;
  const { projectIds, modelIds } = known?.metadata ?? { projectIds: [], modelIds: [] };
  const named = journal
    ? readJournalRowIds(paths.journalDir, known?.position ?? 0)
    : { project: 0, model: 0, unappliedSpanCount: 0 };
  const id = await findInstallationId(paths.dataDir).catch((error: Error): IdProblem => ({ problem: error.message }));
  return {
    projectIds,
    modelIds,
    used: {
      projects: Math.max(named.project, ...projectIds),
      generative_models: Math.max(named.model, ...modelIds),
    },
    newestSpanRowId:
      store && !known ? Number.MAX_SAFE_INTEGER : (known?.newestSpanRowId ?? 0) + named.unappliedSpanCount,
    journalEndPosition: Math.max(journal?.endPosition ?? 0, known?.position ?? 0),
    ...(typeof id === 'object' ? id : { installationId: id }),
  };
}

/** `texts` is undefined when they could not be read. */
async function checkMetadata(
  { paths, metadata }: Config,
  scratchDir: string,
  known: KnownElsewhere & Partial<IdProblem>,
): Promise<CheckReport & { readonly texts: readonly ListedText[] | undefined }> {
  const { databaseUrl: url, schema, identity } = metadata;
  let fileNames: ReadonlyMap<string, string> = new Map();
  const read = async (db: Db, isCopy: boolean) => {
    const { facts, problems } = await verifyMetadata(db, schema, known);
    const log = await verifyAuditLog(db).catch(() => undefined);
    const ofLog =
      log?.brokenAtRowId === undefined
        ? []
        : [`the audit log was changed: entry ${log.brokenAtRowId} does not fit to the one before it`];
    const ofFiles = isCopy ? await verifyFiles(db) : [];
    if (isCopy) fileNames = await namesOfFiles(db).catch(() => fileNames);
    const texts = await listTexts(db).catch(() => undefined);
    const counted = log === undefined ? [] : [`${log.entryCount} entries of the audit log`];
    return {
      facts: [...facts, ...counted],
      problems: [...new Set([...problems, ...ofLog, ...ofFiles])],
      texts,
    };
  };
  const ofPages = () => verifyPages(join(scratchDir, 'data'), (path) => fileNames.get(path));
  const name = (lines: readonly string[]) => lines.map((line) => `Metadata: ${line}`);
  const ofId = known.problem === undefined ? [] : [known.problem];
  if (url === undefined && !existsSync(join(paths.metadataStoreDir, 'data'))) {
    if (known.projectIds.length === 0) return { facts: ['Metadata: none yet'], problems: ofId, texts: [] };
    const problem = `there is no Postgres in ${paths.metadataStoreDir}, and spans belong to ${known.projectIds.length} projects. If you use your own Postgres, set SERVICE_SQL_DATABASE_URL`;
    return { facts: [], problems: [...ofId, ...name([problem])], texts: undefined };
  }
  try {
    const result = await (url === undefined
      ? withCopyOfEmbedded({ dataDir: paths.metadataStoreDir, scratchDir, schema }, (db) => read(db, true))
      : withDatabaseAt({ url, schema, identity }, (db) => read(db, false)));
    const { facts, problems, texts } = result;
    const all = url === undefined ? [...problems, ...ofPages()] : problems;
    return { facts: name(facts), problems: [...ofId, ...name(all)], texts };
  } catch (error) {
    if (!(error instanceof DamagedCluster)) throw error;
    return { facts: [], problems: [...ofId, ...name([error.message, ...ofPages()])], texts: undefined };
  }
}

/** Checks that the encrypted credentials can be decrypted with the keys that the server would use. */
async function checkKey(
  { paths, secret, formerSecrets }: Config,
  texts: readonly ListedText[] | undefined,
): Promise<CheckReport> {
  const problems: string[] = [];
  const keys = await findEncryptionKeys(paths.dataDir, { secret, formerSecrets }).catch(
    (error: Error) => void problems.push(error.message),
  );
  const path = join(paths.dataDir, KEY_FILE);
  if (secret === undefined && existsSync(path) && ((await stat(path)).mode & 0o077) !== 0) {
    problems.push(`${path} is readable by other users; set its mode to 600`);
  }
  if (texts === undefined) return { facts: [], problems };
  const box = keys && createSecretBox(keys.current, keys.former);
  const closed = findClosed(box, texts);
  if (closed.length > 0) {
    const lost = describeClosed(closed, texts);
    problems.push(box ? `Keys: key ${box.keyId} cannot decrypt ${lost}` : `Keys: there is no key to decrypt ${lost}`);
  }
  return { facts: [`Keys: ${texts.length - closed.length} stored credentials can be decrypted`], problems };
}
