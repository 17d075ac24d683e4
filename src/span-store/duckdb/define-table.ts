import { expectPresent } from '../../base/expect-present.ts';
import type { NullableTextColumn } from '../../columns/span-columns.ts';
import { type ChunkWriter, type Column, setInt64, VECTOR_ROW_COUNT } from './chunk-writer.ts';
import {
  columnsOf,
  decodeRows,
  emptyRowOf,
  type RowOfList,
  type Selected,
  toBigint,
  toBigintOrNull,
  toNumberOrNull,
  toText,
  toTextOrNull,
} from './select-list.ts';
import type { Parameters, Statements } from './sql.ts';

/** A column and how values of a row's field are stored in it. */
export interface Field<Value> extends Column, Selected<Value> {
  /** Sets the column of a chunk, one value per row. */
  append(writer: ChunkWriter, values: readonly Value[]): void;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** A table whose rows are objects. Select, decode, append and update derive from its fields. */
export interface Table<F extends Fields> {
  readonly name: string;
  readonly fields: F;
  /** In stored order. */
  readonly columns: readonly Column[];
  /** Result of `emptyRowOf`. */
  readonly emptyRow: Readonly<Record<keyof F, null>>;
}

export type RowOf<T> = T extends Table<infer F> ? RowOfList<F> : never;

/** @param fields In the order of the stored columns, by which chunks are appended. */
export const defineTable = <F extends Fields>(name: string, fields: F): Table<F> => ({
  name,
  fields,
  columns: Object.values(fields),
  emptyRow: emptyRowOf(fields),
});

/** Rows of a table that meet a condition. `tail` is SQL after the condition, such as an order. */
export async function selectRows<F extends Fields>(
  statements: Statements,
  { name, fields, emptyRow }: Table<F>,
  condition: string,
  parameters: Parameters,
  tail = '',
): Promise<RowOfList<F>[]> {
  const sql = `SELECT ${columnsOf(fields)} FROM store.${name} WHERE ${condition} ${tail}`;
  return decodeRows(fields, await statements.rows(sql, parameters), emptyRow);
}

/** Appends rows to a table, or to a table of changes with the same columns. */
export async function appendRows<F extends Fields>(
  writer: ChunkWriter,
  { fields }: Table<F>,
  rows: readonly Readonly<RowOfList<F>>[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += VECTOR_ROW_COUNT) {
    const chunk = rows.slice(from, from + VECTOR_ROW_COUNT);
    await writer.begin(chunk.length);
    for (const [key, field] of Object.entries(fields)) {
      field.append(
        writer,
        chunk.map((row) => row[key]),
      );
    }
    writer.append();
  }
  writer.flush();
}

/** SQL text of assignments of these fields from a source with columns of the same names. */
export const assignments = <F extends Fields>(fields: F, keys: readonly (keyof F)[], source: string): string =>
  keys
    .map((key) => expectPresent<Column>(fields[key], 'a declaration has a field for each key').name)
    .map((name) => `${name} = ${source}.${name}`)
    .join(', ');

/**
 * SQL text that updates rows from a temporary table of changes. The parameters are the least and the greatest row id, which
 * prune row groups.
 *
 * @param fixed Fields that never change.
 */
export function updateSql<F extends Fields>(
  { name, fields }: Table<F>,
  changes: string,
  fixed: readonly (keyof F)[],
): string {
  const changing = (Object.keys(fields) as (keyof F)[]).filter((key) => !fixed.includes(key));
  return `UPDATE store.${name} r SET ${assignments(fields, changing, 'c')}
    FROM temp.${changes} c WHERE r.row_id = c.row_id AND r.row_id BETWEEN $1 AND $2`;
}

/** Whole numbers up to 2⁵³ in a column of 64 bits. */
export const int64 = (name: string): Field<number> => ({
  name,
  type: 'BIGINT',
  decode: Number,
  append: (writer, values) => writer.numbers(name, toWords(values)),
});

export const int64OrNull = (name: string): Field<number | null> => ({
  name,
  type: 'BIGINT',
  decode: toNumberOrNull,
  append: (writer, values) => writer.numbers(name, toWords(values.map((value) => value ?? 0)), toPresence(values)),
});

export const bigint64 = (name: string): Field<bigint> => ({
  name,
  type: 'BIGINT',
  decode: toBigint,
  append: (writer, values) => writer.numbers(name, BigInt64Array.from(values)),
});

export const bigint64OrNull = (name: string): Field<bigint | null> => ({
  name,
  type: 'BIGINT',
  decode: toBigintOrNull,
  append: (writer, values) =>
    writer.numbers(
      name,
      BigInt64Array.from(values, (value) => value ?? 0n),
      toPresence(values),
    ),
});

export const ubigint64 = (name: string): Field<bigint> => ({
  name,
  type: 'UBIGINT',
  decode: toBigint,
  append: (writer, values) => writer.numbers(name, BigUint64Array.from(values)),
});

export const int32 = (name: string): Field<number> => ({
  name,
  type: 'INTEGER',
  decode: Number,
  append: (writer, values) => writer.numbers(name, Int32Array.from(values)),
});

/** Values of a short list, stored as their index in it. The list may only grow at its end. */
export const indexIn = <Value>(name: string, list: readonly Value[]): Field<Value> => ({
  name,
  type: 'UTINYINT',
  decode: (value) => expectPresent(list[Number(value)], 'a stored index is one of its list'),
  append: (writer, values) =>
    writer.numbers(
      name,
      Uint8Array.from(values, (value) => list.indexOf(value)),
    ),
});

export const doubleOrNull = (name: string): Field<number | null> => ({
  name,
  type: 'DOUBLE',
  decode: toNumberOrNull,
  append: (writer, values) =>
    writer.numbers(
      name,
      Float64Array.from(values, (value) => value ?? 0),
      toPresence(values),
    ),
});

type TextOptions = Pick<Column, 'compression'>;

export const text = (name: string, options: TextOptions = {}): Field<string> => ({
  name,
  type: 'VARCHAR',
  ...options,
  decode: toText,
  append: (writer, values) => appendTexts(writer, name, values),
});

export const textOrNull = (name: string, options: TextOptions = {}): Field<string | null> => ({
  name,
  type: 'VARCHAR',
  ...options,
  decode: toTextOrNull,
  append: (writer, values) => appendTexts(writer, name, values),
});

function toWords(values: readonly number[]): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(2 * values.length);
  values.forEach((value, index) => {
    setInt64(words, index, value);
  });
  return words;
}

const toPresence = (values: readonly unknown[]): Uint8Array =>
  Uint8Array.from(values, (value) => (value === null ? 0 : 1));

const appendTexts = (writer: ChunkWriter, name: string, texts: readonly (string | null)[]): void =>
  writer.texts(name, toTextColumn(texts), { rows: null, from: 0, to: texts.length });

/** Concatenates texts. */
function toTextColumn(texts: readonly (string | null)[]): NullableTextColumn {
  const utf8s = texts.map((value) => Buffer.from(value ?? ''));
  const offset = new Uint32Array(texts.length + 1);
  let end = 0;
  utf8s.forEach((utf8, row) => {
    end += utf8.length;
    offset[row + 1] = end;
  });
  return { utf8: new Uint8Array(Buffer.concat(utf8s)), offset, present: toPresence(texts) };
}
