// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each row of a slice, and there is one more offset than rows.
import type { NullableTextColumn } from '../../columns/span-columns.ts';
import { type ChunkWriter, previewEnd, type RowSlice, VECTOR_ROW_COUNT } from './chunk-writer.ts';

/**
 * A longer text is stored separately, in chunks. zstd packs 2,048 values of a column into one stream, which must be read from
 * its start to read any of them: 25 ms and 60 MB of memory per text of 30 KB, and out of memory for images of 1 MB. Chunks
 * limit this to a few MB.
 */
const LONG_TEXT_BYTES = 4096;
export const TEXT_CHUNK_BYTES_MAX = 2048;

/** Columns of spans with texts in chunks. `long_texts.source` is the index of the column, so the list only grows. */
export const LONG_TEXT_SOURCES = ['input_rest', 'output_rest', 'long_attributes', 'events'] as const;
export type LongTextSource = (typeof LONG_TEXT_SOURCES)[number];

export const sourceNumber = (source: LongTextSource): number => LONG_TEXT_SOURCES.indexOf(source);
/** The bit of a source in `spans.long_texts`. */
export const sourceBit = (source: LongTextSource): number => 1 << sourceNumber(source);

interface TextChunk {
  readonly rowId: number;
  readonly source: number;
  readonly part: number;
  readonly utf8: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Collects the long texts of a batch. */
export class LongTextCollector {
  readonly #chunks: TextChunk[] = [];

  /**
   * Collects the long texts of a slice. Returns the rows without them: null instead, or the preview of an input or output.
   * Sets the bit of the source in `bits`, by row of the slice.
   */
  takeFrom(
    source: LongTextSource,
    column: NullableTextColumn,
    slice: RowSlice,
    firstRowId: number,
    bits: Uint8Array,
  ): { column: NullableTextColumn; slice: RowSlice } {
    if (!hasLong(column, slice)) return { column, slice };
    const isBody = source === 'input_rest' || source === 'output_rest';
    const count = slice.to - slice.from;
    const offset = new Uint32Array(count + 1);
    const present = new Uint8Array(count);
    const ends = new Uint32Array(count);
    for (let index = 0; index < count; index++) {
      const at = slice.from + index;
      const row = slice.rows ? slice.rows[at]! : at;
      const start = column.offset[row]!;
      const end = column.offset[row + 1]!;
      const isLong = end - start > LONG_TEXT_BYTES;
      ends[index] = isLong ? (isBody ? previewEnd(column.utf8, start, end) : start) : end;
      offset[index + 1] = offset[index]! + ends[index]! - start;
      present[index] = isLong && !isBody ? 0 : column.present[row]!;
      if (!isLong) continue;
      bits[index]! |= sourceBit(source);
      this.#addChunks(firstRowId + at, sourceNumber(source), column.utf8, ends[index]!, end);
    }
    const utf8 = new Uint8Array(offset[count]!);
    for (let index = 0; index < count; index++) {
      const row = slice.rows ? slice.rows[slice.from + index]! : slice.from + index;
      utf8.set(column.utf8.subarray(column.offset[row]!, ends[index]!), offset[index]!);
    }
    return { column: { utf8, offset, present }, slice: { rows: null, from: 0, to: count } };
  }

  #addChunks(rowId: number, source: number, utf8: Uint8Array, start: number, end: number): void {
    for (let part = 0, from = start; from < end; part++) {
      const to = chunkEnd(utf8, from, end);
      this.#chunks.push({ rowId, source, part, utf8, start: from, end: to });
      from = to;
    }
  }

  /** Appends the collected chunks to `long_texts`, and clears them. */
  async write(writer: ChunkWriter): Promise<void> {
    if (this.#chunks.length === 0) return;
    const chunks = this.#chunks.splice(0).sort((a, b) => a.rowId - b.rowId || a.source - b.source || a.part - b.part);
    for (let from = 0; from < chunks.length; from += VECTOR_ROW_COUNT) {
      const slice = chunks.slice(from, from + VECTOR_ROW_COUNT);
      await writer.begin(slice.length);
      writer.numbers(
        'span_row_id',
        BigInt64Array.from(slice, ({ rowId }) => BigInt(rowId)),
      );
      writer.numbers(
        'source',
        Uint8Array.from(slice, ({ source }) => source),
      );
      writer.numbers(
        'part',
        Int32Array.from(slice, ({ part }) => part),
      );
      writer.texts('piece', gather(slice), { rows: null, from: 0, to: slice.length });
      writer.append();
    }
    writer.flush();
  }
}

/** Splits a text into the chunks in which it is stored, for conditions on it. Undefined if it is stored as a whole. */
export function toTextChunks(text: string, keptBytes = 0): string[] | undefined {
  const utf8 = Buffer.from(text);
  if (utf8.length <= LONG_TEXT_BYTES) return undefined;
  const chunks: string[] = [];
  for (let from = keptBytes; from < utf8.length; ) {
    const to = chunkEnd(utf8, from, utf8.length);
    chunks.push(utf8.toString('utf8', from, to));
    from = to;
  }
  return chunks;
}

/** End of the chunk that starts at `start`, between two characters and after at most `TEXT_CHUNK_BYTES_MAX` bytes. */
function chunkEnd(utf8: Uint8Array, start: number, end: number): number {
  let to = start + TEXT_CHUNK_BYTES_MAX;
  if (to >= end) return end;
  while ((utf8[to]! & 0xc0) === 0x80) to--;
  return to;
}

function hasLong({ offset }: NullableTextColumn, { rows, from, to }: RowSlice): boolean {
  for (let at = from; at < to; at++) {
    const row = rows ? rows[at]! : at;
    if (offset[row + 1]! - offset[row]! > LONG_TEXT_BYTES) return true;
  }
  return false;
}

function gather(chunks: readonly TextChunk[]): { utf8: Uint8Array; offset: Uint32Array } {
  const offset = new Uint32Array(chunks.length + 1);
  chunks.forEach(({ start, end }, index) => {
    offset[index + 1] = offset[index]! + end - start;
  });
  const utf8 = new Uint8Array(offset[chunks.length]!);
  chunks.forEach(({ utf8: source, start, end }, index) => {
    utf8.set(source.subarray(start, end), offset[index]!);
  });
  return { utf8, offset };
}
