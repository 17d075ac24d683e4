import { mapArrays } from './column-arrays.ts';
import type { SpanColumns } from './span-columns.ts';

/** The buffers of the columns, each once: what `postMessage` needs so that they move to another thread uncopied. */
export function transferList(columns: SpanColumns): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  mapArrays(columns, (array) => {
    buffers.add(array.buffer);
    return array;
  });
  return [...buffers];
}
