import type { Data, DataType, Schema } from 'apache-arrow';
import { ExactNumber } from '../../../base/exact-json.ts';
import type { Cell } from '../../../domain/spans/tables/span-table.ts';
import type { ColumnType } from './table-column-type.ts';
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

/** Values of a column in a record batch. */
export function toData(lib: Arrow, arrowType: DataType, type: ColumnType, cells: readonly Cell[]): Data {
  const builder = lib.makeBuilder({ type: type === 'time' ? new lib.Int64() : arrowType, nullValues: [null] });
  for (const cell of cells) builder.append(cell === null ? null : toArrowValue(cell, type));
  const data = builder.finish().flush();
  // The library's builder of times converts to milliseconds.
  return type === 'time' ? data.clone(arrowType) : data;
}

function toArrowValue(cell: NonNullable<Cell>, type: ColumnType): unknown {
  if (type === 'integer') return BigInt(cell instanceof ExactNumber ? cell.text : (cell as number));
  if (type === 'number') return Number(cell);
  return type === 'json' ? toCellText(cell) : cell;
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
