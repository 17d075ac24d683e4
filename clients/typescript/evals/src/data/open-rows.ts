import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { ArgumentError, describeType } from '../errors.ts';
import type { EvalRecord } from '../evaluators/input-mapping.ts';
import type { BadRow } from './bad-row.ts';
import { parseCsv } from './parse-csv.ts';
import { parseJsonLines } from './parse-json-lines.ts';

/** Rows: a list, any iterable, or the path of a file with the ending `.csv`, `.jsonl` or `.ndjson`. */
export type RowSource<RecordType = EvalRecord> = Iterable<RecordType> | AsyncIterable<RecordType> | string | URL;

export interface OpenedRows<RecordType> {
  readonly rows: AsyncIterable<RecordType | BadRow> | Iterable<RecordType | BadRow>;
  /** Undefined when it is not known before the end. */
  readonly count: number | undefined;
}

/** @throws {ArgumentError} for something else */
export function openRows<RecordType>(data: RowSource<RecordType>): OpenedRows<RecordType> {
  if (typeof data === 'string' || data instanceof URL) {
    return { rows: readFileRows(data) as AsyncIterable<RecordType | BadRow>, count: undefined };
  }
  if (Array.isArray(data)) return { rows: data as readonly RecordType[], count: data.length };
  const isIterable =
    typeof data === 'object' && data !== null && (Symbol.asyncIterator in data || Symbol.iterator in data);
  if (!isIterable) {
    throw new ArgumentError(
      `data is a list of rows, an iterable or the path of a .csv or .jsonl file, and not ${describeType(data)}.`,
    );
  }
  return { rows: data, count: undefined };
}

function readFileRows(path: string | URL): AsyncIterable<EvalRecord | BadRow> {
  const ending = extname(String(path)).toLowerCase();
  const read = () => createReadStream(path, { highWaterMark: 256 * 1024 });
  if (ending === '.csv') return parseCsv(read());
  if (ending === '.jsonl' || ending === '.ndjson') return parseJsonLines(read());
  throw new ArgumentError(
    `A file of rows ends with .csv, .jsonl or .ndjson, and not as ${JSON.stringify(String(path))}.`,
  );
}
