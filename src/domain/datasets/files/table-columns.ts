import { type ExactJson, type ExactJsonObject, isJsonObject, newJsonObject } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import { KEY_DEPTH_MAX } from '../../../model/limits/spans.ts';
import { type IncomingExample, toSplitNames } from '../incoming-example.ts';
import { showSet, typeName, uploadInvalid } from '../upload-invalid.ts';

export const BUCKETS = ['input', 'output', 'metadata'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Assigns the columns of a file to their uses; a column may have several. */
export interface TableColumns extends Readonly<Record<Bucket, readonly string[]>> {
  /** Columns whose value is the name of a split. */
  readonly splitNames: readonly string[];
  /** A column with a name, or a JSON list of names. */
  readonly splitList: string | undefined;
  readonly spanId: string | undefined;
  readonly exampleId: string | undefined;
  /** Columns whose objects are replaced by their entries in the bucket. */
  readonly flattened: readonly string[];
}

/** Whether no column has IDs, splits or spans. */
export const hasContentOnly = ({ splitNames, splitList, spanId, exampleId }: TableColumns): boolean =>
  splitNames.length === 0 && splitList === undefined && spanId === undefined && exampleId === undefined;

/** A row: its value of a column, undefined if it has none. */
export type Row = (column: string) => ExactJson | undefined;
export type ReadRow = (row: Row) => IncomingExample;

/** What a table that knows its headers must have. @throws {SpandrelError} `DATASET_UPLOAD_INVALID` */
export function checkHeaders(columns: TableColumns, headers: ReadonlySet<string>): void {
  const lists = [
    ...BUCKETS.map((bucket) => [bucket, columns[bucket]] as const),
    ['split', columns.splitNames] as const,
  ];
  for (const [what, keys] of lists) {
    const absent = keys.filter((key) => !headers.has(key));
    if (absent.length > 0) throw uploadInvalid(`${what} keys not found in column headers: ${showSet(absent)}`);
  }
  const single = [
    ['span_id_key', columns.spanId],
    ['example_id_key', columns.exampleId],
    ['split_key', columns.splitList],
  ] as const;
  for (const [what, key] of single) {
    if (key !== undefined && !headers.has(key)) throw uploadInvalid(`${what} '${key}' not found in column headers`);
  }
}

/** Reads rows whose cells are texts: empty and blank ones count as absent. */
export function csvRowReader(columns: TableColumns): ReadRow {
  const isDotted =
    columns.flattened.length === 0 &&
    BUCKETS.some((bucket) => columns[bucket].some((key) => BUCKETS.some((prefix) => key.startsWith(`${prefix}.`))));
  const readBucket = isDotted ? readDotted : readListed;
  return rowReader(columns, (bucket, row) => readBucket(columns, bucket, row, 'csv'));
}

/** Reads rows of JSON values: of each row the listed keys that it has. */
export const jsonRowReader = (columns: TableColumns): ReadRow =>
  rowReader(columns, (bucket, row) => readListed(columns, bucket, row, 'json'));

function rowReader(columns: TableColumns, readBucket: (bucket: Bucket, row: Row) => ExactJsonObject): ReadRow {
  return (row) => ({
    input: readBucket('input', row),
    output: readBucket('output', row),
    metadata: readBucket('metadata', row),
    id: readId(columns.exampleId, row),
    spanId: readId(columns.spanId, row),
    splits: readSplits(columns, row),
  });
}

function readListed(columns: TableColumns, bucket: Bucket, row: Row, form: 'csv' | 'json'): ExactJsonObject {
  const object = newJsonObject();
  const flattened = newJsonObject();
  for (const key of columns[bucket]) {
    const value = row(key);
    if (value === undefined) continue;
    if (columns.flattened.includes(key)) spread(key, value, flattened, form);
    else object[key] = value;
  }
  if (columns.flattened.length === 0) return object;
  const twice = Object.keys(flattened).filter((key) => key in object);
  if (twice.length > 0) throw uploadInvalid(`Keys ${showSet(twice)} conflict with flattened children`);
  for (const [key, value] of Object.entries(flattened)) object[key] = value;
  return object;
}

function spread(column: string, value: ExactJson, into: ExactJsonObject, form: 'csv' | 'json'): void {
  if (value === null) return;
  const object = form === 'csv' ? parseCell(value) : value;
  if (!isJsonObject(object)) {
    throw uploadInvalid(`Cannot flatten '${column}': expected object${form === 'csv' ? '' : ' values'}`);
  }
  const twice = Object.keys(object).filter((key) => key in into);
  if (twice.length > 0) throw uploadInvalid(`Cannot flatten '${column}': keys ${showSet(twice)} already emitted`);
  for (const [key, value] of Object.entries(object)) into[key] = value;
}

/** A column `input.a.b` of the bucket `input` is `{"a":{"b":…}}` there: the inverse of the CSV export. */
function readDotted(columns: TableColumns, bucket: Bucket, row: Row): ExactJsonObject {
  const object = newJsonObject();
  const prefix = `${bucket}.`;
  for (const key of columns[bucket]) {
    const cell = row(key);
    if (cell === undefined) continue;
    const value = looksLikeJson(cell) ? parseCell(cell) : cell;
    if (key.startsWith(prefix)) putAt(object, key, key.slice(prefix.length).split('.'), value);
    else object[key] = value;
  }
  return object;
}

function putAt(object: ExactJsonObject, column: string, path: readonly string[], value: ExactJson): void {
  let at = object;
  const parents = path.slice(0, Math.min(path.length - 1, KEY_DEPTH_MAX));
  for (const key of parents) {
    at[key] ??= newJsonObject();
    const next = at[key];
    if (!isJsonObject(next)) throw uploadInvalid(`Column '${column}' conflicts with a column above it`);
    at = next;
  }
  at[path.slice(parents.length).join('.')] = value;
}

const looksLikeJson = (cell: ExactJson): boolean =>
  typeof cell === 'string' && /^\s*(?:\[[\s\S]*\]|\{[\s\S]*\})\s*$/.test(cell);

/** The JSON value of a cell, or its text when it is not JSON. */
function parseCell(cell: ExactJson): ExactJson {
  if (typeof cell !== 'string') return cell;
  try {
    return parseExactJson(cell, { depthMax: BODY_JSON_DEPTH_MAX, takesNonFinite: true });
  } catch {
    return cell;
  }
}

/** Data frames write an absent ID as `nan`. */
function readId(column: string | undefined, row: Row): string | null {
  const value = column === undefined ? undefined : row(column);
  if (value === undefined || value === null) return null;
  if (isJsonObject(value) || Array.isArray(value)) {
    throw uploadInvalid(`Column '${column}' must contain only strings, received ${typeName(value)}`);
  }
  const text = String(value);
  return text.trim() === '' || text === 'nan' ? null : text;
}

function readSplits(columns: TableColumns, row: Row): readonly string[] {
  if (columns.splitNames.length === 0 && columns.splitList === undefined) return NO_SPLITS;
  const values = columns.splitNames.map((column) => row(column) ?? null);
  const list = columns.splitList === undefined ? undefined : row(columns.splitList);
  if (list !== undefined) {
    const parsed = looksLikeJson(list) ? parseCell(list) : list;
    if (Array.isArray(parsed)) values.push(...parsed);
    else values.push(parsed);
  }
  return toSplitNames(values);
}

const NO_SPLITS: readonly string[] = [];
