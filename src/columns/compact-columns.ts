import { mapArrays, type NumberArray } from './column-arrays.ts';
import type { SpanColumns } from './span-columns.ts';

/** Every array begins at a multiple of the widest element. */
const ALIGNMENT = 8;

/** A copy of columns, and the single buffer that contains it. */
export interface CompactColumns {
  readonly columns: SpanColumns;
  readonly byteLength: number;
}

/**
 * Copies columns into one buffer of exactly their size. Buffers of a builder are up to twice as large, which matters
 * only for batches that stay in memory.
 */
export function compactColumns(columns: SpanColumns): CompactColumns {
  let byteLength = 0;
  mapArrays(columns, (array) => {
    byteLength += aligned(array);
    return array;
  });
  const buffer = new ArrayBuffer(byteLength);
  let at = 0;
  const copied = mapArrays(columns, (array) => {
    const copy = copyTo(buffer, at, array);
    at += aligned(array);
    return copy;
  });
  return { columns: copied, byteLength };
}

const aligned = ({ byteLength }: NumberArray): number => Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT;

function copyTo(buffer: ArrayBuffer, at: number, array: NumberArray): NumberArray {
  new Uint8Array(buffer, at).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  const Type = array.constructor as new (buffer: ArrayBuffer, at: number, length: number) => NumberArray;
  return new Type(buffer, at, array.length);
}
