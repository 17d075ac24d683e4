import { type ExactJsonObject, isJsonObject } from '../../../base/exact-json.ts';
import { expectPresent } from '../../../base/expect-present.ts';
import { toColumnNames } from '../../../tabular/column-names.ts';
import type { TextEncoding } from '../../../tabular/text-encoding.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { DATASET_ROW_CHARS_MAX } from '../../../model/limits/datasets.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import type { OpenTable, SpanFileReader } from '../../../span-store/contract/span-files.ts';
import { PageSize } from '../../spans/page-size.ts';
import type { IncomingExample } from '../incoming-example.ts';
import { checkIndexed, uploadInvalid } from '../upload-invalid.ts';
import { readArrow } from './arrow/read-arrow.ts';
import { csvLine } from './csv-text.ts';
import { decodeText } from './decode-file.ts';
import { parseLongJson } from './parse-long-json.ts';
import { readCsv } from './read-csv.ts';
import { readJsonLines } from './read-json-lines.ts';
import type { RejectedRows } from './rejected-rows.ts';
import { BUCKETS, checkHeaders, csvRowReader, jsonRowReader, type Row, type TableColumns } from './table-columns.ts';

/** A file whose rows are examples. */
export interface TableFile {
  readonly form: 'csv' | 'jsonLines' | 'arrow' | 'parquet';
  readonly columns: TableColumns;
  /** Encoding of a text. Default UTF-8. */
  readonly charset?: TextEncoding | undefined;
  /** Delimiter of CSV. Default a comma. */
  readonly delimiter?: string | undefined;
  /** Inflated. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** How a file is read. */
interface ReadRows {
  readonly spans: Pick<SpanFileReader, 'openTable'>;
  readonly signal?: AbortSignal | undefined;
  /** Collects the rows that are no examples. Absent: the first one rejects the whole file. */
  readonly rejected?: RejectedRows | undefined;
}

type Read = (file: TableFile, context: ReadRows) => AsyncGenerator<Iterable<IncomingExample>>;

/** Examples of a file in groups, each with its line. A group is read before the next one. @throws {SpandrelError} `DATASET_UPLOAD_INVALID` */
export const readRows: Read = (file, context) => READERS[file.form](file, context);

async function* readCsvRows(...[{ bytes, columns, charset, delimiter }, context]: Parameters<Read>): ReturnType<Read> {
  const { rejected } = context;
  const readRow = csvRowReader(columns);
  let placeOf: Map<string, number> | undefined;
  let cellCount = 0;
  for await (const { cells, line } of readCsv(decodeText(bytes, charset), { delimiter, rejected })) {
    if (!placeOf) {
      placeOf = placeColumns(rejected ? toColumnNames(cells) : cells, columns);
      cellCount = cells.length;
      continue;
    }
    if (rejected && cells.length !== cellCount) {
      rejected.add(line, `The row has ${cells.length} cells, and the header has ${cellCount}`, csvLine(cells));
      continue;
    }
    const places = placeOf;
    const row: Row = (column) => {
      const cell = cells[expectPresent(places.get(column), 'the header has the column')];
      return cell === undefined || cell.trim() === '' ? undefined : cell;
    };
    const example = tryRow(
      rejected,
      line,
      () => csvLine(cells),
      () => readRow(row),
    );
    if (example) yield [example];
  }
  if (!placeOf) throw uploadInvalid('Missing CSV column header');
}

function placeColumns(headers: readonly string[], columns: TableColumns): Map<string, number> {
  const placeOf = new Map<string, number>();
  for (const [place, header] of headers.entries()) {
    if (placeOf.has(header)) throw uploadInvalid(`Duplicated column header in CSV file: ${header}`);
    placeOf.set(header, place);
  }
  checkHeaders(columns, new Set(placeOf.keys()));
  return placeOf;
}

async function* readJsonRows(...[{ bytes, columns, charset }, { rejected }]: Parameters<Read>): ReturnType<Read> {
  const readRow = jsonRowReader(columns);
  for await (const { object, text, line } of readJsonLines(decodeText(bytes, charset), rejected)) {
    const example = tryRow(
      rejected,
      line,
      () => text,
      () => readRow((column) => object[column]),
    );
    if (example) yield [example];
  }
}

/** Reads all listed columns of each row and flattens none of them. */
async function* readArrowRows(...[{ bytes, columns }, { rejected }]: Parameters<Read>): ReturnType<Read> {
  const readRow = jsonRowReader({ ...columns, flattened: [] });
  let line = 0;
  function* toExamples(rows: Iterable<Row>): Generator<IncomingExample> {
    for (const row of rows) {
      const example = tryRow(
        rejected,
        ++line,
        () => '',
        () => readRow(row),
      );
      if (example) yield example;
    }
  }
  for await (const rows of readArrow(bytes, (names) => checkHeaders(columns, names))) yield toExamples(rows);
}

async function* readParquetRows(...[file, { spans, signal, rejected }]: Parameters<Read>): ReturnType<Read> {
  const table = await openTable(spans, file.bytes, signal);
  try {
    checkHeaders(file.columns, new Set(table.columns.map(({ name }) => name)));
    const names = usedColumns(file.columns);
    const readRow = jsonRowReader(file.columns);
    const pageSize = new PageSize();
    for (let number = 0; number < table.rowCount; ) {
      const { rows, bytes } = await orInvalid(() => table.read(number, pageSize.rowCount, names));
      pageSize.note(rows.length, bytes);
      const examples: IncomingExample[] = [];
      for (const text of rows) {
        // Thrown in `tryRow`, which may collect it.
        const [parsed] = await Promise.allSettled([parseRow(text, ++number)]);
        const example = tryRow(
          rejected,
          number,
          () => text ?? '',
          () => {
            if (parsed.status === 'rejected') throw parsed.reason;
            return readRow((column) => parsed.value[column]);
          },
        );
        if (example) examples.push(example);
      }
      yield examples;
    }
  } finally {
    await table.close();
  }
}

/** @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for a file that is not Parquet */
async function openTable(
  spans: ReadRows['spans'],
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<OpenTable> {
  return orInvalid(() => spans.openTable(bytes, { readClass: 'export', ...(signal && { signal }) }));
}

async function orInvalid<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SpandrelError && error.code === 'QUERY_INVALID') throw uploadInvalid(error.message, error);
    throw error;
  }
}

const usedColumns = (columns: TableColumns): string[] => [
  ...new Set(
    [
      ...BUCKETS.flatMap((bucket) => columns[bucket]),
      ...columns.splitNames,
      columns.splitList,
      columns.spanId,
      columns.exampleId,
    ].filter((name) => name !== undefined),
  ),
];

async function parseRow(text: string | undefined, number: number): Promise<ExactJsonObject> {
  if (text === undefined) throw uploadInvalid(`Row ${number} has more than ${DATASET_ROW_CHARS_MAX} bytes`);
  const value = await parseLongJson(text, { depthMax: BODY_JSON_DEPTH_MAX, takesNonFinite: true });
  if (isJsonObject(value)) return value;
  throw uploadInvalid(`Row ${number} is not an object`);
}

/** Reads a row. With `rejected`, a row that is no example is collected there, and the result is undefined. */
function tryRow(
  rejected: RejectedRows | undefined,
  line: number,
  text: () => string,
  read: () => IncomingExample,
): IncomingExample | undefined {
  try {
    const { input, output, metadata, id, spanId, splits } = read();
    if (id !== null) checkIndexed('an example_id', id);
    return { input, output, metadata, id, spanId, splits, line };
  } catch (error) {
    if (!rejected || !(error instanceof SpandrelError)) throw error;
    rejected.add(line, error.message, text());
    return undefined;
  }
}

const READERS: Readonly<Record<TableFile['form'], Read>> = {
  csv: readCsvRows,
  jsonLines: readJsonRows,
  arrow: readArrowRows,
  parquet: readParquetRows,
};
