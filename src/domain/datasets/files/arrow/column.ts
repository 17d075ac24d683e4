import { type ExactJson, newJsonObject } from '../../../../base/exact-json.ts';
import { expectPresent } from '../../../../base/expect-present.ts';
import type { ArrowField, ArrowType } from './arrow-schema.ts';
import { damaged } from './damaged.ts';
import { countAt } from './flat-table.ts';
import { type PlainValues, plainValuesOf, readInteger, textReader, toBase64 } from './plain-values.ts';
import type { RecordBatch } from './record-batch.ts';
import type { RowSize } from './row-size.ts';

/** Values of a field in one batch. */
export interface Column {
  readonly length: number;
  /**
   * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for an impossible value, or a row that is too long
   * @throws {RangeError} beyond the bytes
   */
  at(index: number): ExactJson;
}

/** The received part of the dictionary of that number. */
export type FindDictionary = (id: number) => Column;

/**
 * Takes the parts of a field from a batch. Lengths in the batch are compared with its bytes here, offsets when a value
 * is read.
 */
export class ColumnReader {
  readonly #batch: RecordBatch;
  readonly #findDictionary: FindDictionary;
  readonly #size: RowSize;

  constructor(batch: RecordBatch, size: RowSize, findDictionary: FindDictionary) {
    this.#batch = batch;
    this.#size = size;
    this.#findDictionary = findDictionary;
  }

  /** The next column, which must have this number of values. */
  read(field: ArrowField, neededLength: number): Column {
    return field.dictionary
      ? this.#readPlaces(field, field.dictionary, neededLength)
      : this.readValues(field, neededLength);
  }

  /** Reads the field as if it had no dictionary, for the values of a dictionary itself. */
  readValues(field: ArrowField, neededLength: number): Column {
    const { name, type } = field;
    const size = this.#size;
    if (type.kind === 'null') {
      const { length } = this.#node(name, neededLength);
      return column(
        length,
        () => false,
        size,
        () => null,
      );
    }
    const { length, isValid } = this.#begin(name, neededLength);
    const of = (read: Column['at']) => column(length, isValid, size, read);
    const plain = plainValuesOf(type);
    if (plain) return of(this.#plain(name, length, plain));
    switch (type.kind) {
      case 'boolean': {
        const bits = this.#batch.nextBuffer(name, Math.ceil(length / 8));
        return of((index) => bitAt(bits, index));
      }
      case 'text':
      case 'binary':
        return of(this.#bytes(name, length, type));
      case 'list':
      case 'map':
        return of(this.#list(field, length, type));
      case 'fixedList': {
        const { itemCount } = type;
        const items = this.read(onlyChild(field), length * itemCount);
        return of((index) => listOf(items, index * itemCount, (index + 1) * itemCount));
      }
      default:
        return of(this.#struct(field, length));
    }
  }

  #node(name: string, neededLength: number): { length: number; nullCount: number } {
    const node = this.#batch.nextNode();
    if (node.length >= neededLength) return node;
    throw damaged(`column '${name}' has ${node.length} values and needs ${neededLength}`);
  }

  #begin(name: string, neededLength: number): { length: number; isValid: (index: number) => boolean } {
    const { length, nullCount } = this.#node(name, neededLength);
    const validity = this.#batch.nextBuffer(name, nullCount > 0 ? Math.ceil(length / 8) : 0);
    // Writers omit the bits if there are no nulls.
    return { length, isValid: nullCount > 0 ? (index) => bitAt(validity, index) : () => true };
  }

  #plain(name: string, length: number, { byteCount, chars, at }: PlainValues): Column['at'] {
    const values = this.#batch.nextBuffer(name, length * byteCount);
    const size = this.#size;
    return (index) => {
      size.add(chars);
      return at(values, index * byteCount);
    };
  }

  #bytes(name: string, length: number, { kind, offsetBytes }: OffsetType): Column['at'] {
    const range = this.#ranges(name, length, offsetBytes);
    const values = this.#batch.nextBuffer(name, 0);
    const size = this.#size;
    const convert = kind === 'text' ? textReader(values) : toBase64;
    return (index) => {
      const [start, end] = range(index);
      size.add(end - start);
      return convert(values, start, end);
    };
  }

  #list(field: ArrowField, length: number, { kind, offsetBytes }: OffsetType): Column['at'] {
    const range = this.#ranges(field.name, length, offsetBytes);
    const items = kind === 'map' ? this.#pairs(onlyChild(field)) : this.read(onlyChild(field), 0);
    return (index) => {
      const [start, end] = range(index);
      if (end > items.length) throw damaged(`a list of column '${field.name}' ends after its last value`);
      return listOf(items, start, end);
    };
  }

  /** Reads a map as a list of `[key, value]`, as pandas does, because a map may have any keys and may repeat them. */
  #pairs({ name, children }: ArrowField): Column {
    const { length, isValid } = this.#begin(name, 0);
    const [keys, values] = children.map((child) => this.read(child, length)) as [Column, Column];
    return column(length, isValid, this.#size, (index) => [keys.at(index), values.at(index)]);
  }

  #struct({ children }: ArrowField, length: number): Column['at'] {
    const entries = children.map((child) => [child.name, this.read(child, length)] as const);
    const size = this.#size;
    return (index) => {
      const object = newJsonObject();
      for (const [name, values] of entries) {
        size.add(name.length);
        object[name] = values.at(index);
      }
      return object;
    };
  }

  #readPlaces(field: ArrowField, dictionary: NonNullable<ArrowField['dictionary']>, neededLength: number): Column {
    const { indexType } = dictionary;
    if (indexType.kind !== 'integer') throw damaged(`offsets of column '${field.name}' are not integers`);
    const { length, isValid } = this.#begin(field.name, neededLength);
    const byteCount = indexType.bits / 8;
    const places = this.#batch.nextBuffer(field.name, length * byteCount);
    const values = this.#findDictionary(dictionary.id);
    return column(length, isValid, this.#size, (index) => {
      const place = Number(readInteger(indexType, places, index * byteCount));
      if (place >= 0 && place < values.length) return values.at(place);
      throw damaged(`column '${field.name}' names value ${place} of a dictionary with ${values.length}`);
    });
  }

  /** Range of the values of a row. */
  #ranges(name: string, length: number, offsetBytes: 4 | 8): (index: number) => readonly [number, number] {
    // Without values, even the one offset may be missing.
    const offsets = this.#batch.nextBuffer(name, length === 0 ? 0 : (length + 1) * offsetBytes);
    const offsetAt = (index: number) =>
      offsetBytes === 4 ? offsets.getInt32(index * 4, true) : countAt(offsets, index * 8);
    return (index) => {
      const start = offsetAt(index);
      const end = offsetAt(index + 1);
      if (start >= 0 && start <= end) return [start, end];
      throw damaged(`a value of column '${name}' goes from ${start} to ${end}`);
    };
  }
}

type OffsetType = Extract<ArrowType, { offsetBytes: number }>;

const column = (length: number, isValid: (index: number) => boolean, size: RowSize, read: Column['at']): Column => ({
  length,
  at(index) {
    size.add(0);
    return isValid(index) ? read(index) : null;
  },
});

const onlyChild = ({ children: [child] }: ArrowField): ArrowField =>
  expectPresent(child, 'the schema reader has checked the children');

function listOf(items: Column, start: number, end: number): ExactJson[] {
  const list: ExactJson[] = [];
  for (let index = start; index < end; index++) list.push(items.at(index));
  return list;
}

const bitAt = (bits: DataView, index: number): boolean => ((bits.getUint8(index >> 3) >> (index & 7)) & 1) === 1;
