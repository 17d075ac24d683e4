// biome-ignore-all lint/style/noNonNullAssertion: arrays have an entry for each row, and vectors have the words of each row.
import type { DuckDBDataChunk } from '@duckdb/node-api';
import native from '@duckdb/node-bindings';
import type { NullableTextColumn } from '../../columns/span-columns.ts';
import { INLINE_BYTES_MAX, STRING_BYTES } from './string-layout.ts';

/** Texts of a VARCHAR column of a result, where they are in memory. Valid while the chunks are referenced. */
export interface TextVectors {
  readonly sources: readonly Uint8Array[];
  /** Index of the source, start in it and bytes of each row. */
  readonly sourceOf: Uint32Array;
  readonly start: Uint32Array;
  readonly bytes: Uint32Array;
  /** 1 for a row with a text. */
  readonly present: Uint8Array;
}

const WORDS = STRING_BYTES / 4;

/** Finds the texts of a column. Contiguous ones, as those of a result mostly are, cost one call together. */
export function findTexts(chunks: readonly DuckDBDataChunk[], rowCount: number, column: number): TextVectors {
  const sources: Uint8Array[] = [];
  const sourceOf = new Uint32Array(rowCount);
  const start = new Uint32Array(rowCount);
  const bytes = new Uint32Array(rowCount);
  const present = new Uint8Array(rowCount).fill(1);
  let first = 0;
  for (const chunk of chunks) {
    const count = chunk.rowCount;
    const vector = native.data_chunk_get_vector(chunk.chunk, column);
    const data = native.vector_get_data(vector, count * STRING_BYTES);
    const words = new Uint32Array(data.buffer, data.byteOffset, count * WORDS);
    const validity: Uint8Array | null = native.vector_get_validity(vector, Math.ceil(count / 64) * 8);
    const inline = sources.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)) - 1;
    let run = { pointerOffset: 0, end: -1, bytes: 0 };
    const readRun = () => {
      if (run.bytes > 0) {
        const read = native.get_data_from_pointer(words.buffer as ArrayBuffer, run.pointerOffset, run.bytes);
        sources.push(new Uint8Array(read.buffer, read.byteOffset, read.byteLength));
      }
    };
    for (let row = 0; row < count; row++) {
      const at = first + row;
      if (validity && (validity[row >>> 3]! & (1 << (row & 7))) === 0) {
        present[at] = 0;
        continue;
      }
      const length = words[row * WORDS]!;
      bytes[at] = length;
      if (length <= INLINE_BYTES_MAX) {
        sourceOf[at] = inline;
        start[at] = row * STRING_BYTES + 4;
        continue;
      }
      const pointer = words[row * WORDS + 2]! + words[row * WORDS + 3]! * 2 ** 32;
      if (pointer !== run.end) {
        readRun();
        run = { pointerOffset: words.byteOffset + row * STRING_BYTES + 8, end: pointer, bytes: 0 };
      }
      sourceOf[at] = sources.length;
      start[at] = run.bytes;
      run.bytes += length;
      run.end += length;
    }
    readRun();
    first += count;
  }
  return { sources, sourceOf, start, bytes, present };
}

/**
 * Copies texts in another order, each of them the texts of all `parts` of a row, one after the other. A row has a text if the
 * first part has.
 *
 * @param order Row of the result of each row of the column
 * @param replaced Texts in place of those of the last part, by row of the result
 */
export function copyTexts(
  parts: readonly TextVectors[],
  order: Uint32Array,
  replaced?: ReadonlyMap<number, Uint8Array>,
): NullableTextColumn {
  const offset = new Uint32Array(order.length + 1);
  const present = new Uint8Array(order.length);
  const last = parts.at(-1);
  const replacing = (row: number, part: TextVectors) => (part === last ? replaced?.get(row) : undefined);
  let total = 0;
  for (let at = 0; at < order.length; at++) {
    const row = order[at]!;
    const isPresent =
      parts.length === 1 ? (replaced?.has(row) ?? false) || parts[0]!.present[row] === 1 : parts[0]!.present[row] === 1;
    if (isPresent) {
      present[at] = 1;
      for (const part of parts) total += replacing(row, part)?.byteLength ?? part.bytes[row]!;
    }
    offset[at + 1] = total;
  }
  // Not zeroed, because every byte is written.
  const utf8 = new Uint8Array(Buffer.allocUnsafeSlow(total).buffer);
  let to = 0;
  for (let at = 0; at < order.length; at++) {
    if (present[at] === 0) continue;
    const row = order[at]!;
    for (const part of parts) {
      const other = replacing(row, part);
      if (other) {
        utf8.set(other, to);
        to += other.byteLength;
        continue;
      }
      const length = part.bytes[row]!;
      if (length === 0) continue;
      const source = part.sources[part.sourceOf[row]!]!;
      const from = part.start[row]!;
      // Creating a view costs about as much as copying a hundred bytes one by one.
      if (length > 100) utf8.set(source.subarray(from, from + length), to);
      else for (let i = 0; i < length; i++) utf8[to + i] = source[from + i]!;
      to += length;
    }
  }
  return { utf8, offset, present };
}
