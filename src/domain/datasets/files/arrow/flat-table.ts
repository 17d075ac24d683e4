import { damaged } from './damaged.ts';

/** Items of a vector: the offset of the first, and their number. They are inside the bytes. */
export interface FlatVector {
  readonly start: number;
  readonly count: number;
}

/**
 * A table of a FlatBuffer, the format of Arrow's messages. Fields are identified by their number in the schema
 * (`Message.fbs`, `Schema.fbs`); an absent field has its default.
 *
 * @throws {RangeError} from any method, when an offset is outside the bytes
 */
export class FlatTable {
  readonly view: DataView;
  readonly #position: number;
  readonly #vtable: number;
  readonly #vtableBytes: number;

  constructor(view: DataView, position: number) {
    this.view = view;
    this.#position = position;
    this.#vtable = position - view.getInt32(position, true);
    this.#vtableBytes = view.getUint16(this.#vtable, true);
  }

  static root(view: DataView): FlatTable {
    return new FlatTable(view, view.getUint32(0, true));
  }

  byte(field: number): number {
    const place = this.#placeOf(field);
    return place === undefined ? 0 : this.view.getUint8(place);
  }

  short(field: number, fallback = 0): number {
    const place = this.#placeOf(field);
    return place === undefined ? fallback : this.view.getInt16(place, true);
  }

  int(field: number, fallback = 0): number {
    const place = this.#placeOf(field);
    return place === undefined ? fallback : this.view.getInt32(place, true);
  }

  /** An int64 that is a count. @throws {SpandrelError} when it is negative or too large for a number */
  count(field: number): number {
    const place = this.#placeOf(field);
    return place === undefined ? 0 : countAt(this.view, place);
  }

  text(field: number): string | undefined {
    const start = this.#follow(field);
    if (start === undefined) return undefined;
    const bytes = new Uint8Array(this.view.buffer, this.view.byteOffset, this.view.byteLength);
    const end = start + 4 + this.view.getUint32(start, true);
    if (end > bytes.byteLength) throw new RangeError('a text ends after the last byte');
    return Buffer.from(bytes.subarray(start + 4, end)).toString('utf8');
  }

  table(field: number): FlatTable | undefined {
    const place = this.#follow(field);
    return place === undefined ? undefined : new FlatTable(this.view, place);
  }

  vector(field: number, itemBytes: number): FlatVector {
    const place = this.#follow(field);
    if (place === undefined) return { start: 0, count: 0 };
    const count = this.view.getUint32(place, true);
    const start = place + 4;
    if (start + count * itemBytes > this.view.byteLength) throw new RangeError('a list ends after the last byte');
    return { start, count };
  }

  *tables(field: number): Generator<FlatTable> {
    const { start, count } = this.vector(field, 4);
    for (let index = 0; index < count; index++) {
      const place = start + 4 * index;
      yield new FlatTable(this.view, place + this.view.getUint32(place, true));
    }
  }

  #placeOf(field: number): number | undefined {
    const slot = 4 + 2 * field;
    if (slot + 2 > this.#vtableBytes) return undefined;
    const offset = this.view.getUint16(this.#vtable + slot, true);
    return offset === 0 ? undefined : this.#position + offset;
  }

  #follow(field: number): number | undefined {
    const place = this.#placeOf(field);
    return place === undefined ? undefined : place + this.view.getUint32(place, true);
  }
}

/** An int64 that is a count. @throws {SpandrelError} when it is negative or too large for a number */
export function countAt(view: DataView, place: number): number {
  const count = Number(view.getBigInt64(place, true));
  if (count >= 0 && Number.isSafeInteger(count)) return count;
  throw damaged(`a count is ${count}`);
}
