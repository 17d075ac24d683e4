import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { SpandrelError } from '../../model/errors.ts';
import { CREATE_CHANGE_TABLES, CREATE_TABLES, SCHEMA_VERSION, UPGRADES } from './schema.ts';
import { Parameters, queryRows } from './sql.ts';

export interface DatabaseOptions {
  readonly dir: string;
  readonly memoryBytesMax: number;
  /** Bytes that sorts and joins larger than memory may put on disk. */
  readonly tempBytesMax: number;
  readonly threadCount: number;
  /** Where a store that must begin anew is reported. */
  readonly onSetAside: (report: SetAside) => void;
}

/** A database file that would not open. */
export interface SetAside {
  /** Its new name. */
  readonly path: string;
  readonly reason: string;
  readonly isFromBackup: boolean;
}

export interface Database {
  readonly instance: DuckDBInstance;
  /** The connection that writes. */
  readonly writer: DuckDBConnection;
}

export const DATABASE_FILE = 'spans.duckdb';
export const BACKUP_FILE = 'spans.backup.duckdb';
export const ROW_IDS_FILE = 'spans.row-ids.json';

/**
 * Rows of a row group, what DuckDB prunes, compresses and rewrites by; as many as a large commit has. At each checkpoint
 * DuckDB rewrites adjacent row groups that fit into fewer, up to three; with its default size (122,880) that made a
 * checkpoint of 16,000 new rows write 145 MB. With this size it is 20 MB at most, and scans cost the same.
 */
const ROW_GROUP_ROW_COUNT = 16_384;

/** Row ids left out when a store begins anew: more than are given between two checkpoints, where they are noted. */
const ROW_ID_GAP = 2 ** 26;

/**
 * Opens the database in `dir`, or makes it, and gives it to `prepare`. The instance itself is in memory with the file
 * attached, because only ATTACH takes the recovery mode: DuckDB writes no log of its own, a commit lives in memory until
 * the next checkpoint, and after a crash the file is as of the last one. What came since is replayed from the journal.
 *
 * A file that cannot be read, by this or by `prepare`, is renamed, never deleted, and replaced by the backup or an empty
 * one.
 *
 * @throws {SpandrelError} `STORE_UNAVAILABLE` when another process has the file open, or this one may not.
 */
export async function openDatabase<Prepared>(
  options: DatabaseOptions,
  prepare: (database: Database) => Promise<Prepared>,
): Promise<Prepared> {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const path = join(options.dir, DATABASE_FILE);
  // The file as it is, then its backup, then an empty one.
  for (const isBackupTried of [false, true]) {
    try {
      return await attach(options, path, prepare);
    } catch (error) {
      await setAside(options, path, error, isBackupTried);
    }
  }
  return attach(options, path, prepare);
}

/** Reasons that say nothing about what is in the file. */
const NOT_THE_FILE =
  /lock on file|permission denied|no space left|out of memory|too many open files|read-only file system/i;

async function attach<Prepared>(
  options: DatabaseOptions,
  path: string,
  prepare: (database: Database) => Promise<Prepared>,
): Promise<Prepared> {
  const { dir, memoryBytesMax, tempBytesMax, threadCount } = options;
  const isNew = !existsSync(path);
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    memory_limit: `${Math.floor(memoryBytesMax / 2 ** 20)}MiB`,
    threads: String(threadCount),
    // Pages are read in two phases by statements of ours; as one by DuckDB a short page takes twice its time.
    late_materialization_max_rows: '0',
    temp_directory: join(dir, 'temp'),
    max_temp_directory_size: `${Math.floor(tempBytesMax / 2 ** 20)}MiB`,
  });
  try {
    const writer = await instance.connect();
    await writer.run(
      `ATTACH ${quotedPath(path)} AS store (STORAGE_VERSION 'latest', ROW_GROUP_SIZE ${ROW_GROUP_ROW_COUNT}, RECOVERY_MODE 'no_wal_writes')`,
    );
    // A database that goes away writes nothing: only checkpoints of ours decide what is in the file.
    await writer.run('PRAGMA disable_checkpoint_on_shutdown');
    await writer.run("SET wal_autocheckpoint = '1TB'");
    if (isNew) await createTables(writer, dir);
    else await checkTables(writer);
    for (const sql of CREATE_CHANGE_TABLES) await writer.run(sql);
    await writer.run(`SET allowed_directories = [${quotedPath(emptyExportsDir(dir))}]`);
    // From here on no statement reaches another file, nor changes this.
    await writer.run('SET enable_external_access = false');
    await writer.run('SET lock_configuration = true');
    return await prepare({ instance, writer });
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** Opens a database file that no server has open. Data larger than memory is written to `scratchDir`. */
export async function openReadOnly(path: string, scratchDir: string): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', { temp_directory: scratchDir });
  try {
    const connection = await instance.connect();
    await connection.run(`ATTACH ${quotedPath(path)} AS store (READ_ONLY)`);
    connection.closeSync();
    return instance;
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** Without what a crash left there. */
function emptyExportsDir(dir: string): string {
  const path = join(resolve(dir), EXPORTS_DIR);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { mode: 0o700 });
  return `${path}/`;
}

/** A path as SQL text: ATTACH takes no parameter. */
export const quotedPath = (path: string): string => `'${path.replaceAll("'", "''")}'`;

async function createTables(writer: DuckDBConnection, dir: string): Promise<void> {
  for (const sql of CREATE_TABLES) await writer.run(sql);
  const next = rowIdsOfFormerStore(dir);
  const parameters = new Parameters();
  const values = [SCHEMA_VERSION, 0, next.span, next.trace, next.session, next.annotation].map((value) =>
    parameters.bigint(value),
  );
  await queryRows(writer, `INSERT INTO store.position VALUES (${values.join(', ')})`, parameters);
  await writer.run('CHECKPOINT store');
}

async function checkTables(writer: DuckDBConnection): Promise<void> {
  const [[version] = []] = await queryRows(writer, 'SELECT schema_version FROM store.position');
  if (version === undefined) throw new Error('it has no position');
  await upgrade(writer, Number(version));
  for (const table of [
    'spans',
    'traces',
    'sessions',
    'annotations',
    'pending_annotations',
    'cost_details',
    'prices',
    'deleted_traces',
    'block_filters',
  ])
    await writer.run(`SELECT * FROM store.${table} LIMIT 0`);
}

/** In memory, as every change until the next checkpoint: a crash before it leaves the file as it was. */
async function upgrade(writer: DuckDBConnection, from: number): Promise<void> {
  let version = from;
  for (let steps = UPGRADES[version]; steps; steps = UPGRADES[++version]) {
    for (const sql of steps) await writer.run(sql);
  }
  if (version !== SCHEMA_VERSION) throw new Error(`its tables have version ${from}, not ${SCHEMA_VERSION}`);
}

/** Makes room for another file, unless the reason lies outside of this one. */
async function setAside(
  { dir, onSetAside }: DatabaseOptions,
  path: string,
  error: unknown,
  isBackupTried: boolean,
): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  if (!existsSync(path) || NOT_THE_FILE.test(reason)) {
    throw new SpandrelError('STORE_UNAVAILABLE', `the span store in ${dir} does not open: ${reason}`, { cause: error });
  }
  const aside = `${path}.set-aside-${new Date().toISOString().replaceAll(':', '-')}`;
  renameSync(path, aside);
  // A crash during a checkpoint leaves a mark of it there, which fits this file alone.
  if (existsSync(`${path}.wal`)) renameSync(`${path}.wal`, `${aside}.wal`);
  const backup = join(dir, BACKUP_FILE);
  const isFromBackup = !isBackupTried && existsSync(backup);
  // Copied, so that it is there another time.
  if (isFromBackup) await copyFile(backup, path);
  onSetAside({ path: aside, reason, isFromBackup });
}

/** Notes the row ids given so far beside the database, for a store that must begin anew. */
export function noteRowIds(dir: string, next: NextRowIds): void {
  const path = join(dir, ROW_IDS_FILE);
  writeFileSync(`${path}.new`, JSON.stringify(next), { flush: true });
  renameSync(`${path}.new`, path);
}

/**
 * Where a new store begins to count. After one that was lost it begins beyond every row id that was ever given: the
 * journal may hold deletions by those, and they must not meet other rows.
 */
function rowIdsOfFormerStore(dir: string): NextRowIds {
  const path = join(dir, ROW_IDS_FILE);
  if (!existsSync(path)) return { span: 1, trace: 1, session: 1, annotation: 1 };
  const noted = JSON.parse(readFileSync(path, 'utf8')) as Partial<NextRowIds>;
  const beyond = (next = 1) => next + ROW_ID_GAP;
  return {
    span: beyond(noted.span),
    trace: beyond(noted.trace),
    session: beyond(noted.session),
    annotation: beyond(noted.annotation),
  };
}

/** Files on their way out, or in: the one directory beside the database that its statements may use. */
export const EXPORTS_DIR = 'exports';

/** Row ids that the next rows get. */
export interface NextRowIds {
  readonly span: number;
  readonly trace: number;
  readonly session: number;
  readonly annotation: number;
}
