import { openDb } from './database.ts';
import { checkMigrated, migrateToLatest } from './migrate.ts';
import { type Endpoint, openPool, type PoolOptions } from './pool.ts';

/**
 * Brings the tables up to date, or checks that they are, on a connection of its own: a migration may take longer than
 * any other statement.
 *
 * @throws {Error} as `migrateToLatest` and `checkMigrated` do.
 */
export async function prepareTables(
  endpoint: Endpoint,
  options: PoolOptions & { readonly migrate: boolean; readonly logSql?: boolean },
): Promise<void> {
  const pool = openPool(endpoint, { ...options, connectionCountMax: 1, statementMsMax: 0 });
  const db = openDb<unknown>(pool, options);
  try {
    if (options.migrate) await migrateToLatest(db, { schema: options.schema, log: options.log });
    else await checkMigrated(db, options.schema);
  } finally {
    await pool.end();
  }
}
