import { toColumnNames } from '../../../tabular/column-names.ts';
import { CsvReader, type CsvRecord } from '../../../tabular/csv-reader.ts';
import { guessDelimiter, guessEncoding, type TextEncoding } from '../../../tabular/text-encoding.ts';
import type { Cell, FilePreview, PreviewColumn, PreviewIssue, PreviewRequest } from './file-preview.ts';

/** Rows that the preview shows. */
const ROW_COUNT = 20;
/** Issues that the preview names. The upload lists all of them. */
const ISSUE_COUNT = 20;

/** Parses the start of a CSV or JSONL file. Its last row is left out if it may be incomplete. */
export function parsePreview({ bytes, isWhole, format, encoding, delimiter }: PreviewRequest): FilePreview {
  const used = encoding ?? guessEncoding(new Uint8Array(bytes));
  const text = decode(bytes, used, isWhole);
  return format === 'csv' ? parseCsv(text, isWhole, used, delimiter) : parseLines(text, isWhole, used);
}

function decode(bytes: ArrayBuffer, encoding: TextEncoding, isWhole: boolean): string {
  return new TextDecoder(encoding).decode(bytes, { stream: !isWhole });
}

function parseCsv(
  text: string,
  isWhole: boolean,
  encoding: TextEncoding,
  chosen: PreviewRequest['delimiter'],
): FilePreview {
  const delimiter = chosen ?? guessDelimiter(text);
  const reader = new CsvReader({ delimiter, recordCharsMax: Number.POSITIVE_INFINITY });
  const records: CsvRecord[] = [...reader.read(text)];
  const isUnclosed = reader.isUnclosed;
  const last = [...reader.end()];
  // A record at the end of the first bytes may go on, unless it is the only one that there is.
  if ((isWhole && !isUnclosed) || records.length === 0) records.push(...last);
  const [header, ...rows] = records;
  const headers = header?.cells ?? [];
  const names = toColumnNames(headers);
  const renamed = names.filter((name, place) => name !== headers[place]);
  const issues = rows
    .filter(({ cells }) => cells.length !== names.length)
    .map(({ line, cells }) => ({
      line,
      reason: `The row has ${cells.length} cells, and the header has ${names.length}`,
    }));
  const unclosed =
    isWhole && isUnclosed ? [{ line: last[0]?.line ?? 1, reason: 'A quote in this row does not close' }] : [];
  const good = rows.filter(({ cells }) => cells.length === names.length).map(({ cells }) => cells);
  return {
    format: 'csv',
    encoding,
    delimiter,
    columns: names.map((name, place) => ({ name, ...typeOfTexts(good.map((cells) => cells[place] ?? '')) })),
    rows: good.slice(0, ROW_COUNT).map((cells) => cells.map((cell) => (cell.trim() === '' ? undefined : cell))),
    isWhole,
    ...(isWhole && { rowCount: rows.length }),
    issues: [...issues, ...unclosed].slice(0, ISSUE_COUNT),
    notes: renamed.length > 0 ? [`Repeated or empty headers are named ${renamed.slice(0, 5).join(', ')}.`] : [],
  };
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const JSON_LIKE = /^\s*[[{]/;

/** Type of the texts of a column. They are stored as texts, whatever they look like. */
function typeOfTexts(texts: readonly string[]): Omit<PreviewColumn, 'name'> {
  const filled = texts.filter((text) => text.trim() !== '');
  if (filled.length === 0) return { type: 'empty', isObject: false };
  if (filled.every((text) => NUMBER.test(text.trim()))) return { type: 'number', isObject: false };
  if (filled.every((text) => /^(true|false)$/i.test(text.trim()))) return { type: 'boolean', isObject: false };
  if (!filled.every((text) => JSON_LIKE.test(text))) return { type: 'text', isObject: false };
  const values = filled.map(parseJson);
  if (values.some((value) => value === undefined)) return { type: 'text', isObject: false };
  const isObject = values.every((value) => typeOfJson(value) === 'object');
  return { type: isObject ? 'object' : 'JSON', isObject };
}

function parseLines(text: string, isWhole: boolean, encoding: TextEncoding): FilePreview {
  const lines = text.split('\n');
  if (!isWhole && lines.length > 1) lines.pop();
  const issues: PreviewIssue[] = [];
  const objects: Readonly<Record<string, unknown>>[] = [];
  lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const value = parseJson(line);
    if (typeOfJson(value) === 'object') objects.push(value as Readonly<Record<string, unknown>>);
    else if (issues.length < ISSUE_COUNT) {
      issues.push({
        line: index + 1,
        reason: value === undefined ? 'The line is not JSON' : 'The line is not an object',
      });
    }
  });
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  return {
    format: 'jsonLines',
    encoding,
    columns: names.map((name) => ({
      name,
      ...typeOfValues(objects.flatMap((object) => ownValue(object, name) ?? [])),
    })),
    rows: objects.slice(0, ROW_COUNT).map((object) => names.map((name) => toCell(ownValue(object, name)))),
    isWhole,
    ...(isWhole && { rowCount: objects.length + issues.length }),
    issues,
    notes: [],
  };
}

/** Columns and rows of a Parquet file as the server reads them. */
export function toParquetPreview(
  response: {
    readonly columns: readonly { readonly name: string; readonly type: string }[];
    readonly row_count: number;
    readonly rows: readonly string[] | null;
  },
  isWhole: boolean,
): FilePreview {
  const rows = response.rows?.map((text) => parseJson(text) as Readonly<Record<string, unknown>>);
  return {
    format: 'parquet',
    columns: response.columns.map(({ name, type }) => ({
      name,
      type: type.length > 24 ? `${type.slice(0, 23)}…` : type.toLowerCase(),
      isObject: type.startsWith('STRUCT(') || type.startsWith('MAP('),
    })),
    rows: rows?.map((row) => response.columns.map(({ name }) => toCell(ownValue(row, name)))),
    rowCount: response.row_count,
    isWhole,
    issues: [],
    notes: rows
      ? []
      : [
          'The first rows are not at the start of this file, so only its columns and types are shown before the upload.',
        ],
  };
}

/** The own value of a key, which may be `__proto__`. */
const ownValue = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

function typeOfValues(values: readonly unknown[]): Omit<PreviewColumn, 'name'> {
  const types = new Set(values.map(typeOfJson).filter((type) => type !== 'null'));
  const [type = 'empty'] = types;
  return { type: types.size > 1 ? 'mixed' : type, isObject: types.size === 1 && type === 'object' };
}

function typeOfJson(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'text' : typeof value;
}

const toCell = (value: unknown): Cell =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);

/** Undefined for a text that is not JSON. `JSON.parse` makes `__proto__` an own key. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
