import type { OpenTable, TablePage } from '../../contract/span-files.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { quotedPath } from '../../duckdb/store-files.ts';
import type { ReadContext } from '../read-context.ts';
import { limitParquet } from './parquet-limits.ts';
import { read } from './read-parquet.ts';

// Reads Parquet files with any columns, for examples of datasets. A file comes from a client, so its content is untrusted.

export interface TableRows {
  readonly path: string;
  /** Counted from 0. */
  readonly firstRow: number;
  readonly rowCount: number;
  readonly columns: readonly string[];
  readonly rowBytesMax: number;
}

/** A table without what reads it. */
export type TableHead = Pick<OpenTable, 'columns' | 'rowCount'> & { readonly textBytesMax: number };

/** @throws {SpandrelError} `QUERY_INVALID` when it is not a Parquet file, or has too many rows */
export async function openTable(context: ReadContext, path: string): Promise<TableHead> {
  const columns = await read(context, `DESCRIBE SELECT * FROM read_parquet(${quotedPath(path)})`);
  const [row] = await read(context, `SELECT count(*) FROM read_parquet(${quotedPath(path)})`);
  const rowCount = Number(row?.[0]);
  return {
    columns: columns.map(([name, type]) => ({ name: String(name), type: String(type) })),
    rowCount,
    textBytesMax: await limitParquet(path, rowCount),
  };
}

/** @throws {SpandrelError} `QUERY_INVALID` when the file is damaged */
export async function readTable(context: ReadContext, place: TableRows): Promise<TablePage> {
  const parameters = new Parameters();
  const first = parameters.bigint(place.firstRow);
  const fields = place.columns.map(packed).join(', ');
  const object = fields === '' ? `'{}'` : `CAST(to_json(struct_pack(${fields})) AS VARCHAR)`;
  const rows = await read(
    context,
    `SELECT strlen(object), CASE WHEN strlen(object) <= ${parameters.bigint(place.rowBytesMax)} THEN object END
     FROM (
       SELECT file_row_number, ${object} AS object
       FROM read_parquet(${quotedPath(place.path)}, file_row_number = true)
       WHERE file_row_number >= ${first} AND file_row_number < ${first} + ${parameters.bigint(place.rowCount)}
     ) ORDER BY file_row_number`,
    parameters,
  );
  let bytes = 0;
  for (const [size, text] of rows) if (text !== null) bytes += Number(size);
  return { rows: rows.map(([, text]) => (text === null ? undefined : String(text))), bytes };
}

const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const packed = (name: string): string => `${quotedName(name)} := ${quotedName(name)}`;
