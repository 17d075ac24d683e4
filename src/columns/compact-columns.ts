import { mapArrays, type NumberArray } from './column-arrays.ts';
import type { SpanColumns } from './span-columns.ts';

/** Every array begins at a multiple of the widest element. */
const ALIGNMENT = 8;

/** Bytes that a compact copy of columns takes. */
export function compactBytes(columns: SpanColumns): number {
  let byteLength = 0;
  mapArrays(columns, (array) => {
    byteLength += aligned(array);
    return array;
  });
  return byteLength;
}

/**
 * Copies columns into `compactBytes` of a buffer, by default one of exactly their size. Buffers of a builder are up to twice as
 * large, which matters only for batches that stay in memory.
 *
 * @param from Offset in the buffer, a multiple of eight.
 */
export function compactColumns(
  columns: SpanColumns,
  buffer: ArrayBuffer = new ArrayBuffer(compactBytes(columns)),
  from = 0,
): SpanColumns {
  let at = from;
  return mapArrays(columns, (array) => {
    const copy = copyTo(buffer, at, array);
    at += aligned(array);
    return copy;
  });
}

const aligned = ({ byteLength }: NumberArray): number => Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT;

function copyTo(buffer: ArrayBuffer, at: number, array: NumberArray): NumberArray {
  new Uint8Array(buffer, at).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  const Type = array.constructor as new (buffer: ArrayBuffer, at: number, length: number) => NumberArray;
  return new Type(buffer, at, array.length);
}
