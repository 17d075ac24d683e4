import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Data, DataType, Field } from 'apache-arrow';
import { ExactNumber } from '../../../base/exact-json.ts';
import { expectPresent } from '../../../base/expect-present.ts';
import { TABLE_BATCH_CELL_COUNT } from '../../../model/limits/reads.ts';
import type { Cell, Table } from '../../../domain/spans/span-table.ts';
import { type ColumnType, typeOfCells } from './table-column-type.ts';
import { toCellText } from './table-json.ts';

type Arrow = typeof import('apache-arrow');
/** Loaded on first use, because it takes 40 MB and no current client requests it. */
let arrow: Promise<Arrow> | undefined;

/**
 * A table as one stream of Arrow's IPC format, one record batch at a time, with the metadata by which pandas finds its
 * index. Times are nanoseconds in UTC. A column of mixed or structured values is JSON text, marked by the extension
 * `arrow.json`.
 */
export async function* toTableArrow({ index, columns }: Table): AsyncGenerator<Uint8Array> {
  arrow ??= import('apache-arrow');
  const lib = await arrow;
  const all = [...index, ...columns].map(({ name, cells }, position) => {
    const type = typeOfCells(cells);
    // The columns of the index may be among the others too.
    return { name: position < index.length ? `__index_level_${position}__` : name, title: name, cells, type };
  });
  const fields = all.map(({ name, type }) => toField(lib, name, type));
  const indexNames = all.slice(0, index.length).map(({ name }) => name);
  const schema = new lib.Schema(fields, new Map([['pandas', pandasMetadata(all, indexNames)]]));
  const rowCount = all[0]?.cells.length ?? 0;
  const batchRowCount = Math.max(1, Math.floor(TABLE_BATCH_CELL_COUNT / Math.max(1, all.length)));
  async function* batches() {
    for (let start = 0; start === 0 || start < rowCount; start += batchRowCount) {
      const length = Math.min(batchRowCount, rowCount - start);
      const children = all.map(({ cells, type }, column) =>
        toData(
          lib,
          expectPresent(fields[column], 'each column has a field').type,
          type,
          cells.slice(start, start + length),
        ),
      );
      yield new lib.RecordBatch(schema, lib.makeData({ type: new lib.Struct(fields), length, children }));
      await nextTurn();
    }
  }
  yield* await lib.RecordBatchStreamWriter.writeAll(batches());
}

function toField(lib: Arrow, name: string, type: ColumnType): Field {
  const metadata =
    type === 'json' &&
    new Map([
      ['ARROW:extension:name', 'arrow.json'],
      ['ARROW:extension:metadata', ''],
    ]);
  return new lib.Field(name, toArrowType(lib, type), true, metadata || null);
}

function toArrowType(lib: Arrow, type: ColumnType): DataType {
  if (type === 'time') return new lib.TimestampNanosecond('UTC');
  if (type === 'integer') return new lib.Int64();
  if (type === 'number') return new lib.Float64();
  return type === 'boolean' ? new lib.Bool() : new lib.Utf8();
}

function toData(lib: Arrow, arrowType: DataType, type: ColumnType, cells: readonly Cell[]): Data {
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

function pandasMetadata(
  columns: readonly { readonly name: string; readonly title: string; readonly type: ColumnType }[],
  indexNames: readonly string[],
): string {
  return JSON.stringify({
    index_columns: indexNames,
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
