import { SpandrelError } from '../../../model/errors.ts';
import { PARQUET_PAGE_BYTES_MAX } from '../../../model/limits/datasets.ts';
import { mapTextAttributes } from '../../../columns/text-attributes.ts';
import type { SpanFilePage, SpanFileRow, SpanFileText } from '../../contract/span-files.ts';
import { toBigintOrNull, toTextOrNull } from '../../duckdb/select-list.ts';
import { type Cell, type ColumnType, Parameters, queryRows, type SqlValue } from '../../duckdb/sql.ts';
import { quotedPath } from '../../duckdb/store-files.ts';
import type { ReadContext } from '../read-context.ts';
import { checkParquetText, limitParquet } from './parquet-limits.ts';

// Reads files of `write-parquet.ts`. A file may come from any client, so its content is untrusted.

export interface ParquetRows {
  readonly path: string;
  /** Counted from 0. */
  readonly firstRow: number;
  readonly rowCount: number;
  readonly rowBytesMax: number;
  /** Bytes of the texts of the largest row of the file. */
  readonly rowBytes: number;
}

const TEXT_COLUMNS = {
  traceId: 'trace_id',
  spanId: 'span_id',
  parentId: 'parent_id',
  name: 'name',
  spanKind: 'span_kind',
  statusCode: 'status_code',
  statusMessage: 'status_message',
  ...mapTextAttributes(({ column }) => column),
  input: 'input_value',
  output: 'output_value',
  metadata: 'metadata',
  attributes: 'attributes',
  longAttributes: 'long_attributes',
  events: 'events',
  annotations: 'annotations',
} as const satisfies Record<SpanFileText, string>;

/** Bytes of the texts of a row. */
const SIZE = Object.values(TEXT_COLUMNS)
  .map((name) => `coalesce(strlen(${name}), 0)`)
  .join(' + ');

const TYPES: ReadonlyMap<string, string> = new Map([
  ...Object.values(TEXT_COLUMNS).map((name) => [name, 'VARCHAR'] as const),
  ['start_time', 'TIMESTAMP_NS'],
  ['end_time', 'TIMESTAMP_NS'],
]);

export interface ParquetSize {
  readonly rowCount: number;
  /** Bytes of the texts of the largest row. */
  readonly rowBytes: number;
}

/** @throws {SpandrelError} `QUERY_INVALID` when it is not a Parquet file of spans, or has too many rows or bytes of text */
export async function openParquet(context: ReadContext, path: string): Promise<ParquetSize> {
  const columns = await read(context, `DESCRIBE SELECT * FROM read_parquet(${quotedPath(path)})`);
  const found = new Map(columns.map(([name, type]) => [String(name), String(type)]));
  for (const [name, type] of TYPES) {
    const other = found.get(name);
    if (other === type) continue;
    const what = other === undefined ? 'it has none' : `it is ${other.slice(0, 100)}`;
    reject(`The Parquet file is not an export of spans: column ${name} must be ${type}, ${what}`);
  }
  const [row] = await read(context, `SELECT count(*) FROM read_parquet(${quotedPath(path)})`);
  const rowCount = Number(row?.[0]);
  const textBytesMax = await limitParquet(path, rowCount);
  // Before the first row is stored, because stored spans stay when a later page is rejected.
  const [sizes] = await read(
    context,
    `SELECT CAST(sum(size) AS DOUBLE), max(size) FROM (SELECT ${SIZE} AS size FROM read_parquet(${quotedPath(path)}))`,
  );
  checkParquetText(Number(sizes?.[0] ?? 0), textBytesMax);
  return { rowCount, rowBytes: Number(sizes?.[1] ?? 0) };
}

/** Number of the first rows of a range whose texts fit into one page, or 1. */
async function fittingRows(context: ReadContext, { path, firstRow, rowCount, rowBytes }: ParquetRows): Promise<number> {
  if (rowCount * rowBytes <= PARQUET_PAGE_BYTES_MAX) return rowCount;
  const parameters = new Parameters();
  const first = parameters.bigint(firstRow);
  const rows = await read(
    context,
    `SELECT ${SIZE} FROM read_parquet(${quotedPath(path)}, file_row_number = true)
     WHERE file_row_number >= ${first} AND file_row_number < ${first} + ${parameters.bigint(rowCount)}
     ORDER BY file_row_number`,
    parameters,
  );
  let bytes = 0;
  const fitting = rows.findIndex(([size]) => {
    bytes += Number(size);
    return bytes > PARQUET_PAGE_BYTES_MAX;
  });
  return fitting === -1 ? rowCount : Math.max(1, fitting);
}

/** @throws {SpandrelError} `QUERY_INVALID` when the file is damaged */
export async function readParquet(context: ReadContext, place: ParquetRows): Promise<SpanFilePage> {
  const parameters = new Parameters();
  const rowCount = await fittingRows(context, place);
  const names = Object.values(TEXT_COLUMNS);
  const isShort = `size <= ${parameters.bigint(place.rowBytesMax)}`;
  const first = parameters.bigint(place.firstRow);
  const rows = await read(
    context,
    `SELECT size, ${isShort}, epoch_ns(start_time), epoch_ns(end_time),
       ${names.map((name) => `CASE WHEN ${isShort} THEN ${name} END`).join(', ')}
     FROM (
       SELECT *, ${SIZE} AS size FROM read_parquet(${quotedPath(place.path)}, file_row_number = true)
       WHERE file_row_number >= ${first} AND file_row_number < ${first} + ${parameters.bigint(rowCount)}
     ) ORDER BY file_row_number`,
    parameters,
  );
  let bytes = 0;
  for (const [size, isShown] of rows) if (isShown) bytes += Number(size);
  return {
    rows: rows.map(([, isShown, start, end, ...texts]) => (isShown ? toRow(start, end, texts) : undefined)),
    bytes,
  };
}

function toRow(start: Cell, end: Cell, texts: readonly SqlValue[]): SpanFileRow {
  const named = Object.fromEntries(Object.keys(TEXT_COLUMNS).map((name, at) => [name, toTextOrNull(texts[at])]));
  return {
    ...(named as Record<SpanFileText, string | null>),
    startTimeUnixNano: toBigintOrNull(start),
    endTimeUnixNano: toBigintOrNull(end),
  };
}

/** Not prepared, because no other statement contains this path. */
export const read = (context: ReadContext, sql: string, parameters?: Parameters): Promise<SqlValue[][]> =>
  orUnreadable(context.read((connection) => queryRows(connection, sql, parameters)));

/** Types of the columns of a result. */
export const readTypes = async (context: ReadContext, sql: string): Promise<readonly ColumnType[]> =>
  (await orUnreadable(context.read((connection) => connection.run(sql)))).columnTypes();

async function orUnreadable<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof SpandrelError) throw error;
    if (error instanceof Error && error.message.startsWith('Out of Memory Error')) {
      const message = 'Reading the Parquet file needs too much memory; write it with smaller row groups';
      throw new SpandrelError('QUERY_INVALID', message, { cause: error });
    }
    // DuckDB's message would contain the path of the file.
    throw new SpandrelError('QUERY_INVALID', 'The file is not a readable Parquet file', { cause: error });
  }
}

function reject(reason: string): never {
  throw new SpandrelError('QUERY_INVALID', reason);
}
