import { mapArrays } from './column-arrays.ts';
import type { SpanColumns } from './span-columns.ts';

/** The distinct buffers of the columns, for `postMessage` to transfer without copying. */
export function transferList(columns: SpanColumns): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  mapArrays(columns, (array) => {
    buffers.add(array.buffer);
    return array;
  });
  return [...buffers];
}
