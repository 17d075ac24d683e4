import type { Data, DataType, Schema } from 'apache-arrow';
import { ExactNumber } from '../../../base/exact-json.ts';
import type { ColumnType } from '../../../domain/spans/tables/column-type.ts';
import type { PackedColumn, PackedTexts } from '../../../domain/spans/tables/packed-column.ts';
import type { Cell } from '../../../domain/spans/tables/table.ts';
import { toCellText } from './table-json.ts';

export type Arrow = typeof import('apache-arrow');
let arrow: Promise<Arrow> | undefined;

/** The library, loaded on first use, because it takes 40 MB. */
export const loadArrow = (): Promise<Arrow> => (arrow ??= import('apache-arrow'));

/** A column of a stream. Its name is that of the field; `title` is the one that readers show. */
export interface ArrowColumn {
  readonly name: string;
  readonly title: string;
  readonly type: ColumnType;
}

/** Name of the field of an index column, which may be among the other columns too. */
export const indexFieldName = (position: number): string => `__index_level_${position}__`;

/**
 * Schema of a stream, with the metadata by which pandas finds its index. Times are nanoseconds in UTC. A column of mixed or
 * structured values is JSON text, marked by the extension `arrow.json`.
 */
export function toSchema(lib: Arrow, columns: readonly ArrowColumn[], indexCount: number): Schema {
  const fields = columns.map(({ name, type }) => new lib.Field(name, toArrowType(lib, type), true, metadataOf(type)));
  return new lib.Schema(fields, new Map([['pandas', pandasMetadata(columns, indexCount)]]));
}

const metadataOf = (type: ColumnType) =>
  type === 'json'
    ? new Map([
        ['ARROW:extension:name', 'arrow.json'],
        ['ARROW:extension:metadata', ''],
      ])
    : null;

function toArrowType(lib: Arrow, type: ColumnType): DataType {
  if (type === 'time') return new lib.TimestampNanosecond('UTC');
  if (type === 'integer') return new lib.Int64();
  if (type === 'number') return new lib.Float64();
  return type === 'boolean' ? new lib.Bool() : new lib.Utf8();
}

/** Values of a column in a record batch. The builders of the library take several times as long. */
export function toData(lib: Arrow, type: ColumnType, cells: readonly Cell[]): Data {
  const { bits: nullBitmap, clearCount: nullCount } = toBits(cells, (cell) => cell !== null);
  const common = { length: cells.length, nullBitmap, nullCount };
  switch (type) {
    case 'boolean':
      return lib.makeData({ ...common, type: new lib.Bool(), data: toBits(cells, (cell) => cell === true).bits });
    case 'number':
      return lib.makeData({ ...common, type: new lib.Float64(), data: Float64Array.from(cells, Number) });
    case 'integer':
      return lib.makeData({ ...common, type: new lib.Int64(), data: BigInt64Array.from(cells, toBigInt) });
    case 'time': {
      const integers = lib.makeData({ ...common, type: new lib.Int64(), data: BigInt64Array.from(cells, toBigInt) });
      return integers.clone(toArrowType(lib, type));
    }
    default: {
      const texts = cells.map((cell) => (cell === null ? '' : type === 'json' ? toCellText(cell) : String(cell)));
      return lib.makeData({ ...common, type: new lib.Utf8(), ...encodeTexts(texts) });
    }
  }
}

/** Values of a packed column, which have the layout of Arrow. */
export function toPackedData(lib: Arrow, { type, rowCount, validity, nullCount, values }: PackedColumn): Data {
  const common = { length: rowCount, nullBitmap: validity, nullCount };
  switch (type) {
    case 'boolean':
      return lib.makeData({ ...common, type: new lib.Bool(), data: values as Uint8Array });
    case 'number':
      return lib.makeData({ ...common, type: new lib.Float64(), data: values as Float64Array });
    case 'integer':
      return lib.makeData({ ...common, type: new lib.Int64(), data: values as BigInt64Array });
    case 'time':
      return lib
        .makeData({ ...common, type: new lib.Int64(), data: values as BigInt64Array })
        .clone(toArrowType(lib, type));
    default: {
      const { offsets, utf8 } = values as PackedTexts;
      return lib.makeData({ ...common, type: new lib.Utf8(), valueOffsets: offsets, data: utf8 });
    }
  }
}

/** Values of a column that a page lacks. */
export const toNulls = (lib: Arrow, type: ColumnType, length: number): Data =>
  toData(lib, type, new Array<null>(length).fill(null));

const toBigInt = (cell: Cell): bigint =>
  typeof cell === 'bigint' ? cell : BigInt(cell instanceof ExactNumber ? cell.text : ((cell ?? 0) as number));

/** A bit for each cell, in whole groups of 64. */
function toBits(cells: readonly Cell[], isSet: (cell: Cell) => boolean) {
  const bits = new Uint8Array(Math.ceil(cells.length / 64) * 8);
  let clearCount = 0;
  for (let index = 0; index < cells.length; index++) {
    if (isSet(cells[index] ?? null)) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
    else clearCount++;
  }
  return { bits, clearCount };
}

/** UTF-8 of all texts, and where each begins and ends. */
function encodeTexts(texts: readonly string[]): { readonly valueOffsets: Int32Array; readonly data: Uint8Array } {
  const valueOffsets = new Int32Array(texts.length + 1);
  const joined = texts.join('');
  const isAscii = Buffer.byteLength(joined) === joined.length;
  let byteCount = 0;
  for (const [index, text] of texts.entries()) {
    byteCount += isAscii ? text.length : Buffer.byteLength(text);
    valueOffsets[index + 1] = byteCount;
  }
  if (isAscii) return { valueOffsets, data: Buffer.from(joined, 'latin1') };
  // One by one, because halves of a surrogate pair in two texts are no character.
  const data = Buffer.allocUnsafe(byteCount);
  let at = 0;
  for (const text of texts) at += data.write(text, at);
  return { valueOffsets, data };
}

const PANDAS_TYPES: Readonly<Record<ColumnType, { readonly pandas_type: string; readonly numpy_type: string }>> = {
  empty: { pandas_type: 'unicode', numpy_type: 'object' },
  text: { pandas_type: 'unicode', numpy_type: 'object' },
  json: { pandas_type: 'unicode', numpy_type: 'object' },
  number: { pandas_type: 'float64', numpy_type: 'float64' },
  integer: { pandas_type: 'int64', numpy_type: 'int64' },
  boolean: { pandas_type: 'bool', numpy_type: 'bool' },
  time: { pandas_type: 'datetimetz', numpy_type: 'datetime64[ns]' },
};

function pandasMetadata(columns: readonly ArrowColumn[], indexCount: number): string {
  return JSON.stringify({
    index_columns: columns.slice(0, indexCount).map(({ name }) => name),
    column_indexes: [{ name: null, field_name: null, pandas_type: 'unicode', numpy_type: 'object', metadata: null }],
    columns: columns.map(({ name, title, type }) => ({
      name: title,
      field_name: name,
      ...PANDAS_TYPES[type],
      metadata: type === 'time' ? { timezone: 'UTC' } : null,
    })),
    pandas_version: '2.0.0',
  });
}
