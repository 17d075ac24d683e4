import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { TABLE_BATCH_CELL_COUNT } from '../../../model/limits/reads.ts';
import { typeOfCells } from '../../../domain/spans/tables/column-type.ts';
import type { Table } from '../../../domain/spans/tables/table.ts';
import { indexFieldName, loadArrow, toData, toSchema } from './arrow-columns.ts';

/** A table as one stream of Arrow's IPC format, one record batch at a time. */
export async function* toTableArrow({ index, columns }: Table): AsyncGenerator<Uint8Array> {
  const lib = await loadArrow();
  const all = [...index, ...columns].map(({ name, cells }, position) => ({
    name: position < index.length ? indexFieldName(position) : name,
    title: name,
    cells,
    type: typeOfCells(cells),
  }));
  const schema = toSchema(lib, all, index.length);
  const rowCount = all[0]?.cells.length ?? 0;
  const batchRowCount = Math.max(1, Math.floor(TABLE_BATCH_CELL_COUNT / Math.max(1, all.length)));
  async function* batches() {
    for (let start = 0; start === 0 || start < rowCount; start += batchRowCount) {
      const length = Math.min(batchRowCount, rowCount - start);
      const children = all.map(({ cells, type }) => toData(lib, type, cells.slice(start, start + length)));
      yield new lib.RecordBatch(schema, lib.makeData({ type: new lib.Struct(schema.fields), length, children }));
      await yieldToEventLoop();
    }
  }
  yield* await lib.RecordBatchStreamWriter.writeAll(batches());
}
