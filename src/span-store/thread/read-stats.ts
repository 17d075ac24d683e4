import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { SpanStoreStats } from '../contract/span-store.ts';
import { type Connection, queryRows } from '../duckdb/sql.ts';
import { DATABASE_FILE } from '../duckdb/store-files.ts';

/** @param dir directory of the database */
export async function readStats(
  connection: Connection,
  dir: string,
): Promise<Omit<SpanStoreStats, 'unindexedBlockCount'>> {
  const [[spanCount, traceCount, sessionCount, memoryBytes] = []] = await queryRows(
    connection,
    `SELECT (SELECT count(*) FROM store.spans), (SELECT count(*) FROM store.traces),
       (SELECT count(*) FROM store.sessions), (SELECT sum(memory_usage_bytes)::BIGINT FROM duckdb_memory())`,
  );
  const { freeBytes } = await readBlockBytes(connection);
  return {
    spanCount: Number(spanCount),
    traceCount: Number(traceCount),
    sessionCount: Number(sessionCount),
    diskBytes: statSync(join(dir, DATABASE_FILE)).size,
    freeBytes,
    memoryBytes: Number(memoryBytes),
  };
}

/** Bytes of the blocks of the database file. */
export async function readBlockBytes(connection: Connection): Promise<{ usedBytes: number; freeBytes: number }> {
  const [[blockBytes, usedCount, freeCount] = []] = await queryRows(
    connection,
    "SELECT block_size, used_blocks, free_blocks FROM pragma_database_size() WHERE database_name = 'store'",
  );
  return { usedBytes: Number(blockBytes) * Number(usedCount), freeBytes: Number(blockBytes) * Number(freeCount) };
}
