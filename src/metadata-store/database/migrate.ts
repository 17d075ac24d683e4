import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import type { Log } from '../../base/log.ts';
import { TABLE_NAMES } from './database.ts';
import { migration0001 } from './migrations/0001-projects.ts';
import { migration0002 } from './migrations/0002-annotation-configs.ts';
import { migration0003 } from './migrations/0003-models.ts';
import { migration0004 } from './migrations/0004-retention.ts';
import { migration0005 } from './migrations/0005-datasets.ts';
import { migration0006 } from './migrations/0006-experiments.ts';
import { migration0007 } from './migrations/0007-prompts.ts';
import { migration0008 } from './migrations/0008-ephemeral-experiments.ts';
import { migration0009 } from './migrations/0009-examples-by-span.ts';
import { migration0010 } from './migrations/0010-saved-views.ts';
import { migration0012 } from './migrations/0012-custom-providers.ts';
import { migration0013 } from './migrations/0013-installation.ts';
import { migration0014 } from './migrations/0014-access.ts';
import { migration0015 } from './migrations/0015-dataset-sources.ts';
import { migration0016 } from './migrations/0016-example-revisions-by-version.ts';
import { migration0017 } from './migrations/0017-experiment-summaries.ts';
import { migration0018 } from './migrations/0018-run-annotations.ts';
import { migration0019 } from './migrations/0019-prompt-tag-moves.ts';
import { migration0020 } from './migrations/0020-dashboards.ts';
import { migration0021 } from './migrations/0021-experiment-jobs.ts';
import { migration0025 } from './migrations/0025-cached-responses.ts';
import { migration0026 } from './migrations/0026-idempotency-keys.ts';
import { migration0027 } from './migrations/0027-bulk-examples.ts';
import { migration0029 } from './migrations/0029-checkpoints.ts';
import { migration0011 } from './migrations/evaluators/0011-evaluators.ts';
import { migration0022 } from './migrations/evaluators/0022-code-evaluators.ts';
import { migration0023 } from './migrations/evaluators/0023-online-evaluators.ts';
import { migration0024 } from './migrations/evaluators/0024-calibrations.ts';
import { migration0028 } from './migrations/evaluators/0028-backfill-progress.ts';

/** All migrations by name. A released migration never changes. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-projects': migration0001,
  '0002-annotation-configs': migration0002,
  '0003-models': migration0003,
  '0004-retention': migration0004,
  '0005-datasets': migration0005,
  '0006-experiments': migration0006,
  '0007-prompts': migration0007,
  '0008-ephemeral-experiments': migration0008,
  '0009-examples-by-span': migration0009,
  '0010-saved-views': migration0010,
  '0011-evaluators': migration0011,
  '0012-custom-providers': migration0012,
  '0013-installation': migration0013,
  '0014-access': migration0014,
  '0015-dataset-sources': migration0015,
  '0016-example-revisions-by-version': migration0016,
  '0017-experiment-summaries': migration0017,
  '0018-run-annotations': migration0018,
  '0019-prompt-tag-moves': migration0019,
  '0020-dashboards': migration0020,
  '0021-experiment-jobs': migration0021,
  '0022-code-evaluators': migration0022,
  '0023-online-evaluators': migration0023,
  '0024-calibrations': migration0024,
  '0025-cached-responses': migration0025,
  '0026-idempotency-keys': migration0026,
  '0027-bulk-examples': migration0027,
  '0028-backfill-progress': migration0028,
  '0029-checkpoints': migration0029,
};

export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

export const MIGRATION_TABLE_NAMES = ['spandrel_migrations', 'spandrel_migrations_lock'] as const;

/**
 * Migrates the tables in one transaction and creates a missing schema. Servers that start concurrently wait for each
 * other on an advisory lock, and one of them migrates.
 *
 * @param db A database without a statement timeout.
 * @param schema Schema of the tables. Default: that of the database.
 * @returns Names of the migrations that ran; `isFirst`: there were no tables before.
 * @throws {Error} when the tables are newer than this program, or belong to another program.
 */
export async function migrateToLatest(
  db: Kysely<unknown>,
  { schema, log }: { readonly schema: string | undefined; readonly log: Log },
): Promise<{ readonly names: readonly string[]; readonly isFirst: boolean }> {
  const state = await readMigrationState(db, schema);
  rejectNewer(state.done);
  if (state.done.length === 0) await rejectForeignTables(db, state.schema);
  const { results = [], error } = await new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: MIGRATION_TABLE_NAMES[0],
    migrationLockTableName: MIGRATION_TABLE_NAMES[1],
    migrationTableSchema: state.schema,
  }).migrateToLatest();
  if (error !== undefined) throw migrationFailed(error);
  const names = results.map(({ migrationName }) => migrationName);
  if (names.length > 0) {
    log.info(
      { migrationCount: names.length, newest: names.at(-1), schema: state.schema },
      'Migrated the metadata tables',
    );
  }
  return { names, isFirst: state.done.length === 0 };
}

/**
 * Checks the tables for a start without migrations.
 *
 * @throws {Error} when the tables are newer or older than this program.
 */
export async function checkMigrated(db: Kysely<unknown>, schema: string | undefined): Promise<void> {
  const { done } = await readMigrationState(db, schema);
  rejectNewer(done);
  const pending = MIGRATION_NAMES.filter((name) => !done.includes(name));
  if (pending.length > 0) {
    throw new Error(
      `The metadata tables lack the migrations ${pending.join(', ')}. Run 'spandrel db migrate', or start with migrations enabled.`,
    );
  }
}

export interface MigrationState {
  /** Schema of the tables, which may not exist yet. */
  readonly schema: string;
  readonly done: readonly string[];
}

export async function readMigrationState(db: Kysely<unknown>, wanted: string | undefined): Promise<MigrationState> {
  const schema = wanted ?? (await currentSchema(db));
  const table = sql.table(`${schema}.${MIGRATION_TABLE_NAMES[0]}`);
  const tables = await tablesOf(db, schema);
  if (!tables.includes(MIGRATION_TABLE_NAMES[0])) return { schema, done: [] };
  const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db);
  return { schema, done: rows.map(({ name }) => name) };
}

async function currentSchema(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db);
  const schema = rows[0]?.schema;
  if (schema) return schema;
  throw new Error('The database user has no schema for tables. Set SERVICE_SQL_DATABASE_SCHEMA.');
}

export async function tablesOf(db: Kysely<unknown>, schema: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = ${schema}) and relkind in ('r', 'p', 'v')
  `.execute(db);
  return rows.map(({ name }) => name);
}

function rejectNewer(done: readonly string[]): void {
  const unknown = done.filter((name) => !MIGRATION_NAMES.includes(name));
  if (unknown.length === 0) return;
  throw new Error(
    `The metadata tables are newer than this program: it does not know the migrations ${unknown.join(', ')}. Start the newer program, or restore a backup from before it.`,
  );
}

/** The tables of another program may have the same names and must not be changed. */
async function rejectForeignTables(db: Kysely<unknown>, schema: string): Promise<void> {
  const tables = await tablesOf(db, schema);
  const foreign = TABLE_NAMES.filter((name) => tables.includes(name));
  if (foreign.length === 0) return;
  // Another server may have created them since the state was read: tables and migration names are one commit.
  if ((await readMigrationState(db, schema)).done.length > 0) return;
  throw new Error(
    `The schema ${schema} contains the tables of another program (${foreign.join(', ')}). Use a separate database, or a separate schema with SERVICE_SQL_DATABASE_SCHEMA.`,
  );
}

function migrationFailed(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(`Could not migrate the metadata tables; nothing was changed: ${message}`, { cause: error });
}
