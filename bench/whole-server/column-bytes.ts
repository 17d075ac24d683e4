import { DuckDBInstance } from '@duckdb/node-api';

/** Bytes of one column over all rows: on disk, and without compression. */
export interface ColumnBytes {
  readonly table: string;
  readonly column: string;
  readonly compression: string;
  readonly diskBytes: number;
  readonly valueBytes: number;
}

const TYPE_BYTES: Readonly<Record<string, number>> = {
  BOOLEAN: 1,
  UTINYINT: 1,
  SMALLINT: 2,
  USMALLINT: 2,
  INTEGER: 4,
  UINTEGER: 4,
  BIGINT: 8,
  UBIGINT: 8,
  DOUBLE: 8,
};

/**
 * Columns of a closed span store, without empty ones. The bytes on disk follow from the offsets of segments in their
 * blocks; the rest of a last block counts to its last segment.
 */
export async function readColumnBytes(path: string): Promise<ColumnBytes[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
  await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS store (READ_ONLY)`);
  const found: ColumnBytes[] = [];
  for (const [table] of await rows(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = 'store' ORDER BY ALL`,
  )) {
    const types = new Map(
      (await rows(`SELECT name, type FROM pragma_table_info('store.${table}')`)) as [string, string][],
    );
    const columns = await rows(`
      WITH placed AS (SELECT column_name, column_id, compression, block_id, additional_block_ids,
          coalesce(lead(block_offset) OVER (PARTITION BY block_id ORDER BY block_offset), 262144) - block_offset AS bytes
        FROM pragma_storage_info('store.${table}') WHERE block_id >= 0)
      SELECT column_name, string_agg(DISTINCT compression, ', ' ORDER BY compression),
        (sum(bytes) + 262144 * sum(len(additional_block_ids)))::DOUBLE
      FROM placed GROUP BY column_name, column_id ORDER BY column_id`);
    for (const [column, compression, bytes] of columns) {
      const width = TYPE_BYTES[types.get(String(column)) ?? ''];
      const [[valueBytes] = []] = await rows(
        `SELECT ${width === undefined ? `sum(strlen("${column}"::VARCHAR))` : `${width} * count("${column}")`}::DOUBLE FROM store.${table}`,
      );
      found.push({
        table: String(table),
        column: String(column),
        compression: String(compression),
        diskBytes: Number(bytes),
        valueBytes: Number(valueBytes),
      });
    }
  }
  connection.closeSync();
  instance.closeSync();
  return found;
}
