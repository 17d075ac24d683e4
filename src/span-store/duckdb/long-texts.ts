import type { NullableTextColumn } from '../../columns/span-columns.ts';
import { type ChunkWriter, previewEnd, type RowSlice, VECTOR_ROW_COUNT } from './chunk-writer.ts';

/**
 * A longer text is stored separately, in pieces. zstd packs 2,048 values of a column into one stream, which must be read from
 * its start to read any of them: 25 ms and 60 MB of memory per text of 30 KB, and out of memory for images of 1 MB. Pieces
 * limit this to a few MB.
 */
const LONG_TEXT_BYTES = 4096;
export const PIECE_BYTES_MAX = 2048;

/** Columns of spans whose texts may be in pieces. `long_texts.source` is the index of the column, so the list only grows. */
export const LONG_TEXT_SOURCES = ['input_rest', 'output_rest', 'long_attributes', 'events'] as const;
export type LongTextSource = (typeof LONG_TEXT_SOURCES)[number];

export const sourceNumber = (source: LongTextSource): number => LONG_TEXT_SOURCES.indexOf(source);
/** The bit of a source in `spans.long_texts`. */
export const sourceBit = (source: LongTextSource): number => 1 << sourceNumber(source);

interface Piece {
  readonly rowId: number;
  readonly source: number;
  readonly part: number;
  readonly utf8: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Collects the long texts of a batch. */
export class LongTextCollector {
  readonly #pieces: Piece[] = [];

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
      this.#addPieces(firstRowId + at, sourceNumber(source), column.utf8, ends[index]!, end);
    }
    const utf8 = new Uint8Array(offset[count]!);
    for (let index = 0; index < count; index++) {
      const row = slice.rows ? slice.rows[slice.from + index]! : slice.from + index;
      utf8.set(column.utf8.subarray(column.offset[row]!, ends[index]!), offset[index]!);
    }
    return { column: { utf8, offset, present }, slice: { rows: null, from: 0, to: count } };
  }

  #addPieces(rowId: number, source: number, utf8: Uint8Array, start: number, end: number): void {
    for (let part = 0, from = start; from < end; part++) {
      const to = pieceEnd(utf8, from, end);
      this.#pieces.push({ rowId, source, part, utf8, start: from, end: to });
      from = to;
    }
  }

  /** Appends the collected pieces to `long_texts`, and clears them. */
  async write(writer: ChunkWriter): Promise<void> {
    if (this.#pieces.length === 0) return;
    const pieces = this.#pieces.splice(0).sort((a, b) => a.rowId - b.rowId || a.source - b.source || a.part - b.part);
    for (let from = 0; from < pieces.length; from += VECTOR_ROW_COUNT) {
      const chunk = pieces.slice(from, from + VECTOR_ROW_COUNT);
      await writer.begin(chunk.length);
      writer.numbers(
        'span_row_id',
        BigInt64Array.from(chunk, ({ rowId }) => BigInt(rowId)),
      );
      writer.numbers(
        'source',
        Uint8Array.from(chunk, ({ source }) => source),
      );
      writer.numbers(
        'part',
        Int32Array.from(chunk, ({ part }) => part),
      );
      writer.texts('piece', gather(chunk), { rows: null, from: 0, to: chunk.length });
      writer.append();
    }
    writer.flush();
  }
}

/** Pieces in which a text would be stored, for conditions on it. Undefined if it would be stored as a whole. */
export function piecesOf(text: string, keptBytes = 0): string[] | undefined {
  const utf8 = Buffer.from(text);
  if (utf8.length <= LONG_TEXT_BYTES) return undefined;
  const pieces: string[] = [];
  for (let from = keptBytes; from < utf8.length; ) {
    const to = pieceEnd(utf8, from, utf8.length);
    pieces.push(utf8.toString('utf8', from, to));
    from = to;
  }
  return pieces;
}

/** End of the piece that starts at `start`, between two characters and after at most `PIECE_BYTES_MAX` bytes. */
function pieceEnd(utf8: Uint8Array, start: number, end: number): number {
  let to = start + PIECE_BYTES_MAX;
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

function gather(pieces: readonly Piece[]): { utf8: Uint8Array; offset: Uint32Array } {
  const offset = new Uint32Array(pieces.length + 1);
  pieces.forEach(({ start, end }, index) => {
    offset[index + 1] = offset[index]! + end - start;
  });
  const utf8 = new Uint8Array(offset[pieces.length]!);
  pieces.forEach(({ utf8: source, start, end }, index) => {
    utf8.set(source.subarray(start, end), offset[index]!);
  });
  return { utf8, offset };
}
