import { expectPresent } from '../../../base/expect-present.ts';
import { PARQUET_PAGE_BYTES_MAX } from '../../../model/limits/datasets.ts';
import type { OpenTable, TablePage } from '../../contract/span-files.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { quotedPath } from '../../duckdb/store-files.ts';
import type { ReadContext } from '../read-context.ts';
import { jsonSize } from './json-size.ts';
import { limitParquet } from './parquet-limits.ts';
import { read, readTypes } from './read-parquet.ts';

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
  const sizes = await readSizes(context, place);
  const rowCount = countFitting(sizes, place.rowBytesMax);
  const parameters = new Parameters();
  const fields = place.columns.map(packed).join(', ');
  const object = fields === '' ? `'{}'` : `CAST(to_json(struct_pack(${fields})) AS VARCHAR)`;
  const long = sizes.slice(0, rowCount).flatMap((size, at) => (size > place.rowBytesMax ? place.firstRow + at : []));
  const isShort = long.length === 0 ? 'true' : `NOT ${parameters.bigintIn('file_row_number', long)}`;
  const rows = await read(
    context,
    `SELECT strlen(object), object
     FROM (
       SELECT file_row_number, CASE WHEN ${isShort} THEN ${object} END AS object FROM ${rangeOf(place, rowCount, parameters)}
     ) ORDER BY file_row_number`,
    parameters,
  );
  const texts = rows.map(([bytes, text]) =>
    text === null || Number(bytes) > place.rowBytesMax ? undefined : String(text),
  );
  let bytes = 0;
  for (const [at, size] of sizes.slice(0, rowCount).entries()) bytes += Math.max(size, Number(rows[at]?.[0] ?? 0));
  return { rows: texts, bytes };
}

const rangeOf = ({ path, firstRow }: TableRows, rowCount: number, parameters: Parameters): string => {
  const first = parameters.bigint(firstRow);
  return `read_parquet(${quotedPath(path)}, file_row_number = true)
     WHERE file_row_number >= ${first} AND file_row_number < ${first} + ${parameters.bigint(rowCount)}`;
};

/** Bytes of each row of a range, before its text exists. */
async function readSizes(context: ReadContext, place: TableRows): Promise<number[]> {
  if (place.columns.length === 0) return new Array(place.rowCount).fill(0);
  const names = place.columns.map(quotedName);
  const types = await readTypes(
    context,
    `SELECT ${names.join(', ')} FROM read_parquet(${quotedPath(place.path)}) LIMIT 0`,
  );
  const size = types.map((type, at) => jsonSize(expectPresent(names[at], 'each column has a type'), type)).join(' + ');
  const parameters = new Parameters();
  const from = rangeOf(place, place.rowCount, parameters);
  const rows = await read(context, `SELECT CAST(${size} AS DOUBLE) FROM ${from} ORDER BY file_row_number`, parameters);
  return rows.map(([bytes]) => Number(bytes));
}

/** Number of the first rows that fit into one page, at least 1. A row that is too long for itself takes no memory. */
function countFitting(sizes: readonly number[], rowBytesMax: number): number {
  let bytes = 0;
  const fitting = sizes.findIndex((size) => {
    if (size <= rowBytesMax) bytes += size;
    return bytes > PARQUET_PAGE_BYTES_MAX;
  });
  return fitting === -1 ? sizes.length : Math.max(1, fitting);
}

const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const packed = (name: string): string => `${quotedName(name)} := ${quotedName(name)}`;
