import { DATASET_ARROW_FIELD_COUNT_MAX, DATASET_ARROW_FIELD_DEPTH_MAX } from '../../../../model/limits/datasets.ts';
import { uploadInvalid } from '../../upload-invalid.ts';
import { damaged } from './damaged.ts';
import type { FlatTable } from './flat-table.ts';

/** Powers of ten below a second. */
export type TimeUnit = 0 | 3 | 6 | 9;

/** Type of the values of a field, which determines their layout in a batch. */
export type ArrowType =
  | { readonly kind: 'null' | 'boolean' | 'struct' }
  | { readonly kind: 'integer'; readonly bits: 8 | 16 | 32 | 64; readonly isSigned: boolean }
  | { readonly kind: 'float'; readonly bits: 16 | 32 | 64 }
  | { readonly kind: 'text' | 'binary' | 'list' | 'map'; readonly offsetBytes: 4 | 8 }
  | { readonly kind: 'fixedBinary'; readonly byteCount: number }
  | { readonly kind: 'fixedList'; readonly itemCount: number }
  | { readonly kind: 'decimal'; readonly bits: number; readonly scale: number }
  | { readonly kind: 'date'; readonly unit: 'day' | 'millisecond' }
  | { readonly kind: 'time'; readonly unit: TimeUnit; readonly bits: 32 | 64 }
  | { readonly kind: 'timestamp'; readonly unit: TimeUnit; readonly hasZone: boolean }
  | { readonly kind: 'duration'; readonly unit: TimeUnit };

export interface ArrowField {
  /** Name of a column or of an entry of a struct. */
  readonly name: string;
  readonly type: ArrowType;
  readonly children: readonly ArrowField[];
  /** If set, a batch contains integers, which are indices in the dictionary of that number. */
  readonly dictionary: { readonly id: number; readonly indexType: ArrowType } | undefined;
}

/** `Schema` of `Schema.fbs`. @throws {SpandrelError} for unsupported types; {RangeError} beyond the bytes */
export function readSchema(schema: FlatTable): ArrowField[] {
  if (schema.short(0) !== 0) throw uploadInvalid('The Arrow stream is big-endian, which is not supported');
  const reader = new FieldReader();
  return Array.from(schema.tables(1), (field) => reader.read(field, 1, false));
}

class FieldReader {
  /** Many offsets of a FlatBuffer may refer to the same field: a short one can state that there are billions. */
  #fieldCount = 0;
  #nameChars = 0;

  read(field: FlatTable, depth: number, isInDictionary: boolean): ArrowField {
    if (++this.#fieldCount > DATASET_ARROW_FIELD_COUNT_MAX || depth > DATASET_ARROW_FIELD_DEPTH_MAX) {
      throw uploadInvalid(
        `An Arrow stream may have ${DATASET_ARROW_FIELD_COUNT_MAX} columns, with all that they consist of, ${DATASET_ARROW_FIELD_DEPTH_MAX} inside each other`,
      );
    }
    const name = field.text(0) ?? '';
    this.#nameChars += name.length;
    if (this.#nameChars > field.view.byteLength) throw damaged('the names of columns are longer than the schema');
    const encoding = field.table(4);
    if (encoding && isInDictionary) throw notRead(name, 'a dictionary within a dictionary');
    const children = Array.from(field.tables(5), (child) => this.read(child, depth + 1, isInDictionary || !!encoding));
    const type = readType(name, field.byte(2), field.table(3), children);
    const dictionary = encoding && { id: encoding.count(0), indexType: readIndexType(name, encoding.table(1)) };
    return { name, type, children, dictionary };
  }
}

function readIndexType(name: string, type: FlatTable | undefined): ArrowType {
  return type ? readType(name, TYPES.Int, type, []) : { kind: 'integer', bits: 32, isSigned: true };
}

function readType(
  name: string,
  number: number,
  table: FlatTable | undefined,
  children: readonly ArrowField[],
): ArrowType {
  if (!table) throw damaged(`column '${name}' has no type`);
  const only = (count: number) => {
    if (children.length !== count)
      throw damaged(`column '${name}' has ${children.length} children instead of ${count}`);
  };
  switch (number) {
    case TYPES.Null:
      return { kind: 'null' };
    case TYPES.Int:
      return { kind: 'integer', bits: oneOf(name, table.int(0), [8, 16, 32, 64]), isSigned: table.byte(1) !== 0 };
    case TYPES.FloatingPoint:
      return { kind: 'float', bits: ([16, 32, 64] as const)[oneOf(name, table.short(0), [0, 1, 2])] };
    case TYPES.Binary:
    case TYPES.LargeBinary:
      return { kind: 'binary', offsetBytes: number === TYPES.Binary ? 4 : 8 };
    case TYPES.Utf8:
    case TYPES.LargeUtf8:
      return { kind: 'text', offsetBytes: number === TYPES.Utf8 ? 4 : 8 };
    case TYPES.Bool:
      return { kind: 'boolean' };
    case TYPES.Decimal:
      return readDecimal(name, table);
    case TYPES.Date:
      return { kind: 'date', unit: table.short(0, 1) === 0 ? 'day' : 'millisecond' };
    case TYPES.Time:
      return { kind: 'time', unit: readUnit(name, table, 1), bits: oneOf(name, table.int(1, 32), [32, 64]) };
    case TYPES.Timestamp:
      return { kind: 'timestamp', unit: readUnit(name, table, 0), hasZone: table.vector(1, 1).count > 0 };
    case TYPES.Duration:
      return { kind: 'duration', unit: readUnit(name, table, 1) };
    case TYPES.List:
    case TYPES.LargeList:
      only(1);
      return { kind: 'list', offsetBytes: number === TYPES.List ? 4 : 8 };
    case TYPES.Map:
      only(1);
      if (children[0]?.type.kind !== 'struct' || children[0].children.length !== 2) {
        throw damaged(`map '${name}' has no pairs`);
      }
      return { kind: 'map', offsetBytes: 4 };
    case TYPES.Struct:
      return { kind: 'struct' };
    case TYPES.FixedSizeBinary:
      return { kind: 'fixedBinary', byteCount: readWidth(name, table) };
    case TYPES.FixedSizeList:
      only(1);
      return { kind: 'fixedList', itemCount: readWidth(name, table) };
    default:
      throw notRead(name, `the Arrow type ${TYPE_NAMES.get(number) ?? number}`);
  }
}

const notRead = (name: string, what: string) =>
  uploadInvalid(`Column '${name}' has ${what}, which is not supported; cast it before the upload`);

function oneOf<const Value extends number>(name: string, value: number, values: readonly Value[]): Value {
  const known = values.find((each) => each === value);
  if (known === undefined) throw damaged(`the type of column '${name}' has ${value} for one of ${values.join(', ')}`);
  return known;
}

const readUnit = (name: string, table: FlatTable, fallback: number): TimeUnit =>
  ([0, 3, 6, 9] as const)[oneOf(name, table.short(0, fallback), [0, 1, 2, 3])];

function readWidth(name: string, table: FlatTable): number {
  const width = table.int(0);
  if (width < 0) throw damaged(`values of column '${name}' have the width ${width}`);
  return width;
}

function readDecimal(name: string, table: FlatTable): ArrowType {
  const bits = oneOf(name, table.int(2, 128), [32, 64, 128, 256]);
  const scale = table.int(1);
  // The digits that 256 bits can represent.
  if (Math.abs(scale) > 76) throw damaged(`decimals of column '${name}' have the scale ${scale}`);
  return { kind: 'decimal', bits, scale };
}

/** `Type` of `Schema.fbs`. */
const TYPES = {
  Null: 1,
  Int: 2,
  FloatingPoint: 3,
  Binary: 4,
  Utf8: 5,
  Bool: 6,
  Decimal: 7,
  Date: 8,
  Time: 9,
  Timestamp: 10,
  Interval: 11,
  List: 12,
  Struct: 13,
  Union: 14,
  FixedSizeBinary: 15,
  FixedSizeList: 16,
  Map: 17,
  Duration: 18,
  LargeBinary: 19,
  LargeUtf8: 20,
  LargeList: 21,
  RunEndEncoded: 22,
  BinaryView: 23,
  Utf8View: 24,
  ListView: 25,
  LargeListView: 26,
} as const;
const TYPE_NAMES: ReadonlyMap<number, string> = new Map(Object.entries(TYPES).map(([name, number]) => [number, name]));
