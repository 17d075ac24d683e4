import { sql } from 'kysely';
import { groupBy } from '../../base/group-by.ts';
import { SpandrelError } from '../../model/errors.ts';
import {
  type NewSandboxConfig,
  SANDBOX_BACKENDS,
  type SandboxBackend,
  type SandboxConfig,
  type SandboxConfigChanges,
  type SandboxDeployment,
  type SandboxProvider,
  type SandboxResources,
} from '../../model/evaluators/sandbox-config.ts';
import { SANDBOX_CONFIG_COUNT_MAX } from '../../model/limits/sandbox.ts';
import { authorColumn } from '../access/author.ts';
import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { jsonText, writeJson } from '../database/json-column.ts';
import { codeOf, FOREIGN_KEY_VIOLATION, isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Tables: sandbox_providers, sandbox_configs.

/** All backends in the order of `SANDBOX_BACKENDS`. */
async function listProviders(db: Db): Promise<SandboxProvider[]> {
  const rows = await db
    .selectFrom('sandbox_providers')
    .select(['backend_type', 'enabled', 'user_id', 'updated_at', jsonText('config').as('config')])
    .execute();
  const providers = rows.map(
    (row): SandboxProvider => ({
      backend: row.backend_type,
      isEnabled: row.enabled,
      deployment: JSON.parse(row.config),
      userId: row.user_id,
      updatedAt: row.updated_at,
    }),
  );
  return providers.sort((a, b) => SANDBOX_BACKENDS.indexOf(a.backend) - SANDBOX_BACKENDS.indexOf(b.backend));
}

async function updateProvider(
  db: Db,
  backend: SandboxBackend,
  { isEnabled, deployment }: { readonly isEnabled?: boolean; readonly deployment?: SandboxDeployment },
  userId: number | null,
): Promise<void> {
  await db
    .updateTable('sandbox_providers')
    .set({
      ...(isEnabled !== undefined && { enabled: isEnabled }),
      ...(deployment !== undefined && { config: writeJson(deployment) }),
      user_id: authorColumn(userId),
      updated_at: sql`now()`,
    })
    .where('backend_type', '=', backend)
    .execute();
}

/** A row id that no config has is absent. */
async function findConfigs(db: Db, rowIds: readonly number[]): Promise<Map<number, SandboxConfig>> {
  const rows = await db
    .selectFrom('sandbox_configs')
    .select(COLUMNS)
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, toConfig(row)]));
}

/** Configs of each backend by name. A backend without any is absent. */
async function findConfigsOf(
  db: Db,
  backends: readonly SandboxBackend[],
): Promise<Map<SandboxBackend, SandboxConfig[]>> {
  const rows = await db
    .selectFrom('sandbox_configs')
    .select(COLUMNS)
    .where('backend_type', 'in', backends)
    .orderBy(sql`name collate "C"`)
    .limit(SANDBOX_CONFIG_COUNT_MAX)
    .execute();
  return groupBy(rows, (row) => row.backend_type, toConfig);
}

/** Undefined when there are too many. @throws {SpandrelError} `SANDBOX_CONFIG_NAME_TAKEN` */
async function createConfig(db: Db, config: NewSandboxConfig): Promise<SandboxConfig | undefined> {
  const { count } = await db
    .selectFrom('sandbox_configs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= SANDBOX_CONFIG_COUNT_MAX) return undefined;
  try {
    const row = await db
      .insertInto('sandbox_configs')
      .values({
        backend_type: config.backend,
        language: config.language,
        name: config.name,
        description: config.description && toPostgresText(config.description),
        config: writeJson(config.resources),
        timeout: config.timeoutSeconds,
        enabled: config.isEnabled,
        user_id: authorColumn(config.userId),
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    return toConfig(row);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const message = `Sandbox config with name '${config.name}' already exists for backend ${config.backend}`;
    throw new SpandrelError('SANDBOX_CONFIG_NAME_TAKEN', message, { cause: error });
  }
}

/** Undefined when there is no such config. */
async function updateConfig(
  db: Db,
  rowId: number,
  { description, resources, timeoutSeconds, isEnabled }: SandboxConfigChanges,
): Promise<SandboxConfig | undefined> {
  const row = await db
    .updateTable('sandbox_configs')
    .set({
      ...(description !== undefined && { description: description && toPostgresText(description) }),
      ...(resources !== undefined && { config: writeJson(resources) }),
      ...(timeoutSeconds !== undefined && { timeout: timeoutSeconds }),
      ...(isEnabled !== undefined && { enabled: isEnabled }),
      updated_at: sql`now()`,
    })
    .where('id', '=', rowId)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row && toConfig(row);
}

/** False when there is no such config. @throws {SpandrelError} `SANDBOX_CONFIG_IN_USE` */
async function deleteConfig(db: Db, rowId: number): Promise<boolean> {
  try {
    const row = await db.deleteFrom('sandbox_configs').where('id', '=', rowId).returning('id').executeTakeFirst();
    return row !== undefined;
  } catch (error) {
    if (codeOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    const message = 'The sandbox config is used by a code evaluator and cannot be deleted';
    throw new SpandrelError('SANDBOX_CONFIG_IN_USE', message, { cause: error });
  }
}

const COLUMNS = [
  'id',
  'backend_type',
  'language',
  'name',
  'description',
  'timeout',
  'enabled',
  'created_at',
  'updated_at',
  'user_id',
  jsonText('config').as('config'),
] as const;

interface ConfigRow {
  readonly id: number;
  readonly backend_type: SandboxBackend;
  readonly language: SandboxConfig['language'];
  readonly name: string;
  readonly description: string | null;
  readonly config: string;
  readonly timeout: number;
  readonly enabled: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly user_id: number | null;
}

function toConfig(row: ConfigRow): SandboxConfig {
  const { envVars = [], internetAccess = null, packages = null }: Partial<SandboxResources> = JSON.parse(row.config);
  return {
    rowId: row.id,
    backend: row.backend_type,
    language: row.language,
    name: row.name,
    description: row.description,
    resources: { envVars, internetAccess, packages },
    timeoutSeconds: row.timeout,
    isEnabled: row.enabled,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    userId: row.user_id,
  };
}

const FUNCTIONS = {
  listProviders,
  updateProvider,
  findConfigs,
  findConfigsOf,
  createConfig,
  updateConfig,
  deleteConfig,
};

/** The repository of sandboxes, each function with its database bound. */
export type SandboxRepository = BoundToDatabase<typeof FUNCTIONS>;
export const sandboxRepository = (db: Db): SandboxRepository => bindToDatabase(db, FUNCTIONS);
