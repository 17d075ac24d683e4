import { BIGINT, BLOB, blobValue, type DuckDBBlobValue } from '@duckdb/node-api';
import { type Connection, queryRows } from './sql.ts';

/** A row of `block_filters`. */
export interface BlockFilterRow {
  readonly block: number;
  readonly leastStartNs: bigint;
  readonly greatestStartNs: bigint;
  readonly bits: Uint8Array;
}

/** The filters of all blocks of this many rows, by block; about 4 bytes per span. */
export async function readBlockFilterRows(connection: Connection, rowCount: number): Promise<BlockFilterRow[]> {
  const rows = await queryRows(
    connection,
    `SELECT block, least_start_ns, greatest_start_ns, bits FROM store.block_filters WHERE row_count = ${rowCount}
     ORDER BY block`,
  );
  return rows.map(([block, least, greatest, bits]) => ({
    block: Number(block),
    leastStartNs: least as bigint,
    greatestStartNs: greatest as bigint,
    bits: (bits as DuckDBBlobValue).bytes,
  }));
}

/** Start times of the blocks that have spans and no filter, by block. */
export async function readUnfilteredBlocks(
  connection: Connection,
  rowCount: number,
): Promise<Omit<BlockFilterRow, 'bits'>[]> {
  const rows = await queryRows(
    connection,
    `SELECT row_id // ${rowCount} AS block, min(start_ns), max(start_ns) FROM store.spans
     ANTI JOIN (SELECT block FROM store.block_filters WHERE row_count = ${rowCount}) f ON f.block = row_id // ${rowCount}
     GROUP BY ALL ORDER BY block`,
  );
  return rows.map(([block, least, greatest]) => ({
    block: Number(block),
    leastStartNs: least as bigint,
    greatestStartNs: greatest as bigint,
  }));
}

export async function insertBlockFilterRow(
  connection: Connection,
  rowCount: number,
  { block, leastStartNs, greatestStartNs, bits }: BlockFilterRow,
): Promise<void> {
  await connection.run(
    'INSERT INTO store.block_filters VALUES ($1, $2, $3, $4, $5)',
    [BigInt(block), BigInt(rowCount), leastStartNs, greatestStartNs, blobValue(bits)],
    [BIGINT, BIGINT, BIGINT, BIGINT, BLOB],
  );
}
