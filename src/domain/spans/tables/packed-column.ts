// biome-ignore-all lint/style/noNonNullAssertion: arrays have an entry for each row.
import { type ExactJson, ExactNumber, toExactJsonText } from '../../../base/exact-json.ts';
import type { TextColumn } from '../../../columns/span-columns.ts';
import { TextColumnBuilder } from '../../../columns/text-column-builder.ts';
import { type ColumnType, isIntegerText } from './column-type.ts';
import { type Cell, JsonText } from './table.ts';

/** Cells of a column in the layout of Arrow: UTF-8 of a text or JSON column, numbers of another one, bits of booleans. */
export interface PackedColumn {
  readonly name: string;
  readonly rowCount: number;
  readonly type: ColumnType;
  /** A bit for each row that is not null, in whole groups of 64. */
  readonly validity: Uint8Array;
  readonly nullCount: number;
  readonly values: PackedTexts | Float64Array | BigInt64Array | Uint8Array;
}

/** Packed columns of one length. Those of the index stand first. */
export interface PackedTable {
  readonly index: readonly PackedColumn[];
  readonly columns: readonly PackedColumn[];
}

export interface PackedTexts {
  /** Start of each text and end of the last one. */
  readonly offsets: Int32Array;
  readonly utf8: Uint8Array;
}

/** Cells of a packed column one by one, for the few that become another type. */
export function toCells({ rowCount, type, validity, values }: PackedColumn): Cell[] {
  const textAt = (row: number): string => {
    const { utf8, offsets } = values as PackedTexts;
    return Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString('utf8', offsets[row], offsets[row + 1]);
  };
  return Array.from({ length: rowCount }, (_, row): Cell => {
    if (!bitAt(validity, row)) return null;
    if (type === 'text') return textAt(row);
    if (type === 'json') return new JsonText(textAt(row));
    if (type === 'boolean') return bitAt(values as Uint8Array, row);
    if (type === 'integer') return new ExactNumber(String((values as BigInt64Array)[row]));
    return (values as Float64Array | BigInt64Array)[row]!;
  });
}

const bitAt = (bits: Uint8Array, row: number): boolean => (bits[row >> 3]! & (1 << (row & 7))) !== 0;

/** Bits of the rows for which `isSet` holds, in whole groups of 64. */
function toBits(
  rowCount: number,
  isSet: (row: number) => boolean,
): { readonly bits: Uint8Array; readonly count: number } {
  const bits = new Uint8Array(Math.ceil(rowCount / 64) * 8);
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    if (!isSet(row)) continue;
    bits[row >> 3]! |= 1 << (row & 7);
    count++;
  }
  return { bits, count };
}

/** A range of rows of a text column, which shares its bytes. */
export function packTexts(
  name: string,
  { utf8, offset }: TextColumn & { readonly present?: Uint8Array },
  { first, end }: { readonly first: number; readonly end: number },
  present?: Uint8Array,
): PackedColumn {
  const base = offset[first]!;
  const rowCount = end - first;
  const offsets = new Int32Array(rowCount + 1);
  for (let row = 0; row <= rowCount; row++) offsets[row] = offset[first + row]! - base;
  const { bits, count } = toBits(rowCount, (row) => present === undefined || present[first + row] === 1);
  const values = { offsets, utf8: utf8.subarray(base, offset[end]) };
  return { name, rowCount, type: count === 0 ? 'empty' : 'text', validity: bits, nullCount: rowCount - count, values };
}

export function packTimes(name: string, values: BigInt64Array): PackedColumn {
  const rowCount = values.length;
  const { bits } = toBits(rowCount, () => true);
  return { name, rowCount, type: rowCount === 0 ? 'empty' : 'time', validity: bits, nullCount: 0, values };
}

const NULL = 0;
const TEXT = 1;
const NUMBER = 2;
const TRUE = 3;
const FALSE = 4;
const JSON_TEXT = 5;
export type CellKind = typeof TEXT | typeof NUMBER | typeof JSON_TEXT;
export const CELL_TEXT = TEXT;
export const CELL_NUMBER = NUMBER;
export const CELL_JSON = JSON_TEXT;

/** Bytes of the cells of a column, row after row, with the kind of each. Numbers are their texts until the column is complete. */
export class PackedColumnBuilder {
  readonly name: string;
  /** Bytes of the cell that is being set follow `out.length`. */
  readonly out = new TextColumnBuilder(0);
  /** The row that was set last, and where its value is in a JSON text. */
  row = -1;
  source: Uint8Array | undefined;
  sourceStart = 0;
  readonly #kinds: Uint8Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  constructor(name: string, rowCapacity: number) {
    this.name = name;
    this.#kinds = new Uint8Array(rowCapacity);
    this.#starts = new Int32Array(rowCapacity);
    this.#ends = new Int32Array(rowCapacity);
  }

  /** Begins the cell of a row. Rows are set in order, and the last one may be set again. */
  begin(row: number): void {
    if (this.row === row) this.clear();
    this.row = row;
    this.#starts[row] = this.out.length;
    this.#ends[row] = this.out.length;
  }

  /** Ends the cell with the bytes that were appended to `out`. */
  end(kind: CellKind): void {
    this.#kinds[this.row] = kind;
    this.#ends[this.row] = this.out.length;
  }

  setBoolean(isTrue: boolean): void {
    this.#kinds[this.row] = isTrue ? TRUE : FALSE;
  }

  /** Removes the cell of the last row. */
  clear(): void {
    if (this.row < 0) return;
    this.out.length = this.#starts[this.row]!;
    this.#kinds[this.row] = NULL;
    this.row = -1;
    this.source = undefined;
  }

  setValue(row: number, value: ExactJson): void {
    this.begin(row);
    this.source = undefined;
    if (value === null) return;
    if (typeof value === 'boolean') this.setBoolean(value);
    else if (typeof value === 'string') {
      this.out.appendString(value);
      this.end(TEXT);
    } else if (typeof value === 'number' || value instanceof ExactNumber) {
      this.out.appendString(String(value instanceof ExactNumber ? value.text : value));
      this.end(NUMBER);
    } else {
      this.out.appendString(toExactJsonText(value));
      this.end(JSON_TEXT);
    }
  }

  finish(rowCount: number): PackedColumn {
    const kinds = this.#kinds;
    const { bits: validity, count } = toBits(rowCount, (row) => kinds[row] !== NULL);
    const common = { name: this.name, rowCount, validity, nullCount: rowCount - count };
    let mask = 0;
    for (let row = 0; row < rowCount; row++) mask |= 1 << kinds[row]!;
    mask &= ~(1 << NULL);
    if (mask === 0) return { ...common, type: 'empty', values: this.#texts(rowCount) };
    if (mask === 1 << TEXT) return { ...common, type: 'text', values: this.#texts(rowCount) };
    if (mask === 1 << JSON_TEXT) return { ...common, type: 'json', values: this.#texts(rowCount) };
    if (mask === 1 << NUMBER) return { ...common, ...this.#numbers(rowCount) };
    if ((mask & ~((1 << TRUE) | (1 << FALSE))) === 0) {
      return { ...common, type: 'boolean', values: toBits(rowCount, (row) => kinds[row] === TRUE).bits };
    }
    return { ...common, type: 'json', values: this.#mixed(rowCount) };
  }

  /** The bytes of all cells, which follow each other without gaps. */
  #texts(rowCount: number): PackedTexts {
    const offsets = new Int32Array(rowCount + 1);
    for (let row = 0; row < rowCount; row++) {
      offsets[row + 1] = this.#kinds[row] === NULL ? offsets[row]! : this.#ends[row]!;
    }
    return { offsets, utf8: this.out.utf8.subarray(0, offsets[rowCount]) };
  }

  #textAt(row: number): string {
    const { utf8 } = this.out;
    return Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString(
      'utf8',
      this.#starts[row],
      this.#ends[row],
    );
  }

  #numbers(rowCount: number): Pick<PackedColumn, 'type' | 'values'> {
    const integers = new BigInt64Array(rowCount);
    const words = new Int32Array(integers.buffer);
    const { utf8 } = this.out;
    for (let row = 0; row < rowCount; row++) {
      if (this.#kinds[row] !== NUMBER) continue;
      const [start, end] = [this.#starts[row]!, this.#ends[row]!];
      let value = 0;
      let at = end - start <= SMALL_DIGIT_COUNT ? start : end;
      for (; at < end; at++) {
        const digit = utf8[at]! - 48;
        if (digit < 0 || digit > 9) break;
        value = 10 * value + digit;
      }
      if (at === end && end - start <= SMALL_DIGIT_COUNT) words[2 * row] = value;
      else {
        const text = this.#textAt(row);
        if (!isIntegerText(text)) return { type: 'number', values: this.#doubles(rowCount) };
        integers[row] = BigInt(text);
      }
    }
    return { type: 'integer', values: integers };
  }

  #doubles(rowCount: number): Float64Array {
    const doubles = new Float64Array(rowCount);
    for (let row = 0; row < rowCount; row++) if (this.#kinds[row] === NUMBER) doubles[row] = Number(this.#textAt(row));
    return doubles;
  }

  /** Cells of several kinds as JSON. */
  #mixed(rowCount: number): PackedTexts {
    const texts = Array.from({ length: rowCount }, (_, row) => {
      const kind = this.#kinds[row];
      if (kind === NULL) return '';
      if (kind === TRUE || kind === FALSE) return String(kind === TRUE);
      return kind === TEXT ? JSON.stringify(this.#textAt(row)) : this.#textAt(row);
    });
    const builder = new TextColumnBuilder(rowCount);
    for (const [row, text] of texts.entries()) {
      builder.appendString(text);
      builder.endRow(row);
    }
    const { utf8, offset } = builder.finish(rowCount);
    return { utf8, offsets: Int32Array.from(offset) };
  }
}

/** Digits whose number fits into an int32. */
const SMALL_DIGIT_COUNT = 9;
