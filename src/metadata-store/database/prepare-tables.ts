import { openDb } from './database.ts';
import { checkMigrated, migrateToLatest } from './migrate.ts';
import { type Endpoint, openPool, type PoolOptions } from './pool.ts';
import { logSequences, raiseSequences } from './sequences.ts';

/**
 * Migrates the tables, or checks that they are up to date, on a separate connection, because a migration may take
 * longer than any other statement. Sequences that are behind their tables after a crash or a restore are advanced.
 *
 * @throws {Error} like `migrateToLatest` and `checkMigrated`.
 */
export async function prepareTables(
  endpoint: Endpoint,
  options: PoolOptions & { readonly migrate: boolean; readonly logSql?: boolean },
): Promise<void> {
  const pool = openPool(endpoint, { ...options, connectionCountMax: 1, statementMsMax: 0 });
  const unknown = openDb<unknown>(pool, options);
  const db = openDb(pool, options);
  try {
    if (options.migrate) {
      const { names, isFirst } = await migrateToLatest(unknown, { schema: options.schema, log: options.log });
      if (names.length > 0) await logSequences(db, { skipLoggedAhead: !isFirst });
    } else {
      await checkMigrated(unknown, options.schema);
    }
    const tables = await raiseSequences(db);
    if (tables.length > 0) {
      options.log.warn(
        { tables },
        'Sequences were behind their tables and have been advanced, so no row id is allocated twice',
      );
    }
  } finally {
    await pool.end();
  }
}
