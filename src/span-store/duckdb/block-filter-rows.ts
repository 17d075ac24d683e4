import { BIGINT, BLOB, blobValue } from '@duckdb/node-api';
import { bigint64, int64 } from './define-table.ts';
import { bytes, select } from './select-list.ts';
import { type Connection, statementsOf } from './sql.ts';

/** A row of `block_filters`. */
export interface BlockFilterRow {
  readonly block: number;
  readonly leastStartNs: bigint;
  readonly greatestStartNs: bigint;
  readonly bits: Uint8Array;
}

const STORED = {
  block: int64('block'),
  leastStartNs: bigint64('least_start_ns'),
  greatestStartNs: bigint64('greatest_start_ns'),
  bits: bytes('bits'),
};

/** The filters of all blocks of this many rows, by block; about 4 bytes per span. */
export const readBlockFilterRows = (connection: Connection, rowCount: number): Promise<BlockFilterRow[]> =>
  select(statementsOf(connection), STORED, `FROM store.block_filters WHERE row_count = ${rowCount} ORDER BY block`);

/** Start times of the blocks that have spans and no filter, by block. */
export function readUnfilteredBlocks(
  connection: Connection,
  rowCount: number,
): Promise<Omit<BlockFilterRow, 'bits'>[]> {
  const list = {
    block: int64(`row_id // ${rowCount} AS block`),
    leastStartNs: bigint64('min(start_ns)'),
    greatestStartNs: bigint64('max(start_ns)'),
  };
  return select(
    statementsOf(connection),
    list,
    `FROM store.spans
     ANTI JOIN (SELECT block FROM store.block_filters WHERE row_count = ${rowCount}) f ON f.block = row_id // ${rowCount}
     GROUP BY ALL ORDER BY block`,
  );
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
