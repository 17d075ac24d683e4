// biome-ignore-all lint/style/noNonNullAssertion: callers pass ranges within the source and rows that were appended.
import { freeBuffer } from '../base/free-buffer.ts';
import type { NullableTextColumn, TextColumn } from './span-columns.ts';

const BYTES_MIN = 4096;

/**
 * A growable text column. A writer reserves memory, writes into `utf8` from `length` on, increases `length`, and ends
 * the row. `reserve` may replace `utf8`.
 */
export class TextColumnBuilder {
  utf8 = new Uint8Array(0);
  /** View of `utf8`. */
  view = new DataView(this.utf8.buffer);
  /** Bytes written, including those of the unfinished row. */
  length = 0;
  offset: Uint32Array<ArrayBuffer>;

  constructor(rowCapacity: number) {
    this.offset = new Uint32Array(rowCapacity + 1);
  }

  /** Reserves this many bytes after `length`. */
  reserve(bytes: number): void {
    if (this.length + bytes > this.utf8.length) this.grow(bytes);
  }

  private grow(bytes: number): void {
    // The memory is not zeroed, because only written bytes are read.
    const { buffer } = Buffer.allocUnsafeSlow(Math.max(BYTES_MIN, 2 * this.utf8.length, this.length + bytes));
    const grown = new Uint8Array(buffer);
    grown.set(this.utf8.subarray(0, this.length));
    freeBuffer(this.utf8);
    this.utf8 = grown;
    this.view = new DataView(buffer);
  }

  /** Appends bytes to the unfinished row. */
  append(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    // Creating a view costs about as much as copying a hundred bytes one by one.
    if (end - start > 100) {
      this.utf8.set(source.subarray(start, end), this.length);
      this.length += end - start;
      return;
    }
    const { utf8 } = this;
    let at = this.length;
    for (let i = start; i < end; i++) utf8[at++] = source[i]!;
    this.length = at;
  }

  appendString(text: string): void {
    this.reserve(3 * text.length);
    this.length += utf8Encoder.encodeInto(text, this.utf8.subarray(this.length)).written;
  }

  endRow(row: number): void {
    this.offset[row + 1] = this.length;
  }

  growRows(rowCapacity: number): void {
    const offset = new Uint32Array(rowCapacity + 1);
    offset.set(this.offset);
    this.offset = offset;
  }

  /** Removes all rows after the first `rowCount`. */
  reset(rowCount: number): void {
    this.length = this.offset[rowCount]!;
  }

  finish(rowCount: number): TextColumn {
    return { utf8: this.utf8.subarray(0, this.length), offset: this.offset.subarray(0, rowCount + 1) };
  }
}

/** A text column with nulls. A row is not null if `present` is set before it ends. */
export class NullableTextColumnBuilder extends TextColumnBuilder {
  present: Uint8Array<ArrayBuffer>;

  constructor(rowCapacity: number) {
    super(rowCapacity);
    this.present = new Uint8Array(rowCapacity);
  }

  override growRows(rowCapacity: number): void {
    super.growRows(rowCapacity);
    const present = new Uint8Array(rowCapacity);
    present.set(this.present);
    this.present = present;
  }

  override reset(rowCount: number): void {
    super.reset(rowCount);
    this.present.fill(0, rowCount);
  }

  override finish(rowCount: number): NullableTextColumn {
    return { ...super.finish(rowCount), present: this.present.subarray(0, rowCount) };
  }
}

const utf8Encoder = new TextEncoder();
