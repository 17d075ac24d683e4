import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Data, RecordBatch, Schema } from 'apache-arrow';
import { STREAMED_COLUMN_COUNT_MAX, TABLE_BATCH_CELL_COUNT } from '../../../model/limits/reads.ts';
import { type ColumnType, typeOfCells, widen } from '../../../domain/spans/tables/column-type.ts';
import { type PackedColumn, type PackedTable, toCells } from '../../../domain/spans/tables/packed-column.ts';
import type { Cell, Column, Table } from '../../../domain/spans/tables/table.ts';
import {
  type Arrow,
  type ArrowColumn,
  indexFieldName,
  loadArrow,
  toData,
  toNulls,
  toPackedData,
  toSchema,
} from './arrow-columns.ts';

/**
 * The pages of a table as streams of Arrow's IPC format, one after the other. A stream ends, and another one begins, when a page
 * has a column that the stream lacks, or values that do not fit its type: a schema precedes its data, and the columns of later
 * pages are unknown. The columns of a stream include those of the streams before it, each with the same or a wider type, unless
 * there are more than `STREAMED_COLUMN_COUNT_MAX`. A page is taken when the one before has been sent.
 */
export async function* toArrowPages(pages: AsyncIterable<Table | PackedTable>): AsyncGenerator<Uint8Array> {
  const lib = await loadArrow();
  let stream: OpenStream | undefined;
  for await (const { index, columns } of pages) {
    const page = toPageColumns(index, columns);
    if (stream === undefined || !stream.fits(page)) {
      if (stream) yield stream.end;
      stream = new OpenStream(lib, joinColumns(stream?.columns ?? [], page), index.length);
      yield stream.head;
    }
    yield* stream.toBatches(page);
  }
  if (stream) yield stream.end;
}

interface PageColumn extends ArrowColumn {
  readonly values: PageValues;
}

/** Values of a column of a page. `all` returns those of a packed column in one array if it has this type. */
interface PageValues {
  readonly type: ColumnType;
  readonly rowCount: number;
  readonly isPacked: boolean;
  cells(start: number, end: number): readonly Cell[];
  all(lib: Arrow, type: ColumnType): Data | undefined;
}

function toValues(column: Column | PackedColumn): PageValues {
  if ('cells' in column) {
    const { cells } = column;
    const rowCount = cells.length;
    return {
      type: typeOfCells(cells),
      rowCount,
      isPacked: false,
      cells: (...range) => cells.slice(...range),
      all: () => undefined,
    };
  }
  let known: readonly Cell[] | undefined;
  return {
    type: column.type,
    rowCount: column.rowCount,
    isPacked: true,
    cells(...range) {
      known ??= toCells(column);
      return known.slice(...range);
    },
    all: (lib, type) => (type === column.type ? toPackedData(lib, column) : undefined),
  };
}

type Columns = readonly (Column | PackedColumn)[];

function toPageColumns(index: Columns, columns: Columns): Map<string, PageColumn> {
  const page = new Map<string, PageColumn>();
  for (const [position, column] of index.entries()) {
    const values = toValues(column);
    page.set(`index ${position}`, { name: indexFieldName(position), title: column.name, values, type: values.type });
  }
  const counts = new Map<string, number>();
  for (const column of columns) {
    const { name } = column;
    const values = toValues(column);
    // Several columns may have the same name.
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    page.set(`column ${count} ${name}`, { name, title: name, values, type: values.type });
  }
  return page;
}

type KeyedColumn = readonly [key: string, column: ArrowColumn];

/** Columns of both, or of the page alone if these are too many. */
function joinColumns(known: readonly KeyedColumn[], page: ReadonlyMap<string, PageColumn>): KeyedColumn[] {
  const all = new Map<string, ArrowColumn>(known);
  for (const [key, { name, title, type }] of page)
    all.set(key, { name, title, type: widen(all.get(key)?.type ?? 'empty', type) });
  if (all.size <= STREAMED_COLUMN_COUNT_MAX) return [...all];
  return Array.from(page, ([key, { name, title, type }]) => [key, { name, title, type }]);
}

/** Bytes at the end of a stream. */
const END_BYTES = 8;

class OpenStream {
  readonly columns: readonly KeyedColumn[];
  readonly head: Uint8Array;
  readonly end: Uint8Array;
  readonly #lib: Arrow;
  readonly #schema: Schema;
  readonly #types: ReadonlyMap<string, ColumnType>;

  constructor(lib: Arrow, columns: readonly KeyedColumn[], indexCount: number) {
    this.#lib = lib;
    this.columns = columns;
    this.#types = new Map(columns.map(([key, { type }]) => [key, type]));
    this.#schema = toSchema(
      lib,
      columns.map(([, column]) => column),
      indexCount,
    );
    const empty = new lib.RecordBatchStreamWriter();
    empty.reset(undefined, this.#schema);
    const bytes = empty.finish().toUint8Array(true);
    this.head = bytes.subarray(0, -END_BYTES);
    this.end = bytes.subarray(-END_BYTES);
  }

  fits(page: ReadonlyMap<string, PageColumn>): boolean {
    for (const [key, { type }] of page) {
      const known = this.#types.get(key);
      if (known === undefined || widen(known, type) !== known) return false;
    }
    return true;
  }

  /** Yields to the event loop between batches. */
  async *toBatches(page: ReadonlyMap<string, PageColumn>): AsyncGenerator<Uint8Array> {
    const { rowCount = 0, isPacked = false } = page.values().next().value?.values ?? {};
    const batchRowCount = isPacked
      ? Math.max(1, rowCount)
      : Math.max(1, Math.floor(TABLE_BATCH_CELL_COUNT / Math.max(1, this.columns.length)));
    for (let start = 0; start < rowCount; start += batchRowCount) {
      const length = Math.min(batchRowCount, rowCount - start);
      const children = this.columns.map(([key, { type }]) => {
        const values = page.get(key)?.values;
        if (values === undefined) return toNulls(this.#lib, type, length);
        return values.all(this.#lib, type) ?? toData(this.#lib, type, values.cells(start, start + length));
      });
      const struct = new this.#lib.Struct(this.#schema.fields);
      const data = this.#lib.makeData({ type: struct, length, children });
      yield this.#toMessage(new this.#lib.RecordBatch(this.#schema, data));
      await yieldToEventLoop();
    }
  }

  /**
   * The message of one batch: a whole stream with it, without the head and the end. The writer of the library takes batches from
   * an iterable as fast as it can, and would collect those that the client has not read.
   */
  #toMessage(batch: RecordBatch): Uint8Array {
    const bytes = this.#lib.RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true);
    return bytes.subarray(this.head.byteLength, -END_BYTES);
  }
}
