import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { SpandrelError } from '../../model/errors.ts';
import { ROW_ID_GAP } from '../../model/limits/span-store.ts';
import type { NextRowIds } from './position.ts';
import { CREATE_CHANGE_TABLES, CREATE_TABLES, SCHEMA_VERSION, UPGRADES } from './schema.ts';
import { Parameters, queryRows } from './sql.ts';
import { BACKUP_FILE, DATABASE_FILE, EXPORTS_DIR, quotedPath, ROW_IDS_FILE } from './store-files.ts';

export interface DatabaseOptions {
  readonly dir: string;
  readonly memoryBytesMax: number;
  /** Maximum bytes on disk for sorts and joins that exceed the memory. */
  readonly tempBytesMax: number;
  readonly threadCount: number;
  /** Called when a database file is quarantined and the store is recreated. */
  readonly onQuarantine: (report: QuarantinedDatabase) => void;
}

/** A database file that could not be opened. */
export interface QuarantinedDatabase {
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

/**
 * Rows of a row group, the unit that DuckDB prunes, compresses and rewrites; equal to a large commit. At each checkpoint,
 * DuckDB merges up to three adjacent row groups. With its default size (122,880), a checkpoint of 16,000 new rows wrote
 * 145 MB. With this size it writes at most 20 MB, and scans cost the same.
 */
const ROW_GROUP_ROW_COUNT = 16_384;

/**
 * Opens or creates the database in `dir`, and passes it to `prepare`. The instance is in memory with the file attached, because
 * only ATTACH accepts the recovery mode: DuckDB writes no log, a commit is in memory until the next checkpoint, and after a
 * crash the file contains the last checkpoint. Later data is replayed from the journal.
 *
 * A file that this function or `prepare` cannot read is renamed, never deleted, and replaced by the backup or an empty file.
 *
 * @throws {SpandrelError} `STORE_UNAVAILABLE` when another process has the file open, or this process lacks the permission.
 */
export async function openDatabase<Prepared>(
  options: DatabaseOptions,
  prepare: (database: Database) => Promise<Prepared>,
): Promise<Prepared> {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const path = join(options.dir, DATABASE_FILE);
  // Tries the file, then its backup, then an empty file.
  for (const isBackupTried of [false, true]) {
    try {
      return await attach(options, path, prepare);
    } catch (error) {
      await quarantine(options, path, error, isBackupTried);
    }
  }
  return attach(options, path, prepare);
}

/** Errors that do not depend on the content of the file. */
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
    // Reads select row ids and then rows in two statements. DuckDB's own late materialization doubles the time of a short page.
    late_materialization_max_rows: '0',
    temp_directory: join(dir, 'temp'),
    max_temp_directory_size: `${Math.floor(tempBytesMax / 2 ** 20)}MiB`,
  });
  try {
    const writer = await instance.connect();
    await writer.run(
      `ATTACH ${quotedPath(path)} AS store (STORAGE_VERSION 'latest', ROW_GROUP_SIZE ${ROW_GROUP_ROW_COUNT}, RECOVERY_MODE 'no_wal_writes')`,
    );
    // Closing the database must not write. Only explicit checkpoints change the file.
    await writer.run('PRAGMA disable_checkpoint_on_shutdown');
    await writer.run("SET wal_autocheckpoint = '1TB'");
    if (isNew) await createTables(writer, dir);
    else await checkTables(writer);
    for (const sql of CREATE_CHANGE_TABLES) await writer.run(sql);
    await writer.run(`SET allowed_directories = [${quotedPath(emptyExportsDir(dir))}]`);
    // From here on, no statement can access another file or change this setting.
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

/** Clears the directory, which may contain files from before a crash. */
function emptyExportsDir(dir: string): string {
  const path = join(resolve(dir), EXPORTS_DIR);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { mode: 0o700 });
  return `${path}/`;
}

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

/** Upgrades the tables in memory. A crash before the next checkpoint leaves the file unchanged. */
async function upgrade(writer: DuckDBConnection, from: number): Promise<void> {
  let version = from;
  for (let steps = UPGRADES[version]; steps; steps = UPGRADES[++version]) {
    for (const sql of steps) await writer.run(sql);
  }
  if (version !== SCHEMA_VERSION) throw new Error(`its tables have version ${from}, not ${SCHEMA_VERSION}`);
}

/** Renames the file, unless the error does not depend on its content. */
async function quarantine(
  { dir, onQuarantine }: DatabaseOptions,
  path: string,
  error: unknown,
  isBackupTried: boolean,
): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  if (!existsSync(path) || NOT_THE_FILE.test(reason)) {
    throw new SpandrelError('STORE_UNAVAILABLE', `could not open the span store in ${dir}: ${reason}`, {
      cause: error,
    });
  }
  const aside = `${path}.set-aside-${new Date().toISOString().replaceAll(':', '-')}`;
  renameSync(path, aside);
  // A crash during a checkpoint leaves a log that belongs to this file.
  if (existsSync(`${path}.wal`)) renameSync(`${path}.wal`, `${aside}.wal`);
  const backup = join(dir, BACKUP_FILE);
  const isFromBackup = !isBackupTried && existsSync(backup);
  // Copied, so that the backup can be used again.
  if (isFromBackup) await copyFile(backup, path);
  onQuarantine({ path: aside, reason, isFromBackup });
}

/** Records the allocated row ids next to the database, for a recreated store. */
export function recordRowIds(dir: string, next: NextRowIds): void {
  const path = join(dir, ROW_IDS_FILE);
  writeFileSync(`${path}.new`, JSON.stringify(next), { flush: true });
  renameSync(`${path}.new`, path);
}

/**
 * First row ids of a new store. A recreated store starts after every row id that was ever allocated: the journal may contain
 * deletions by those row ids, which must not delete other rows.
 */
function rowIdsOfFormerStore(dir: string): NextRowIds {
  const path = join(dir, ROW_IDS_FILE);
  if (!existsSync(path)) return { span: 1, trace: 1, session: 1, annotation: 1 };
  const recorded = JSON.parse(readFileSync(path, 'utf8')) as Partial<NextRowIds>;
  const afterGap = (next = 1) => next + ROW_ID_GAP;
  return {
    span: afterGap(recorded.span),
    trace: afterGap(recorded.trace),
    session: afterGap(recorded.session),
    annotation: afterGap(recorded.annotation),
  };
}
