import type { SpanColumns, TextColumn } from './span-columns.ts';

/** The buffers of the columns, each once: what `postMessage` needs so that they move to another thread uncopied. */
export function transferList(columns: SpanColumns): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const column of Object.values(columns)) {
    for (const array of ArrayBuffer.isView(column) ? [column] : isTextColumn(column) ? Object.values(column) : []) {
      buffers.add(array.buffer);
    }
  }
  return [...buffers];
}

const isTextColumn = (column: unknown): column is TextColumn =>
  typeof column === 'object' && column !== null && 'utf8' in column;
