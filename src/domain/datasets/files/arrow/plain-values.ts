import { isAscii } from 'node:buffer';
import { type ExactJson, ExactNumber } from '../../../../base/exact-json.ts';
import { DATASET_ARROW_DECODED_BYTES_MAX } from '../../../../model/limits/datasets.ts';
import { uploadInvalid } from '../../upload-invalid.ts';
import type { ArrowType } from './arrow-schema.ts';
import { toDateText, toDurationText, toTimestampText, toTimeText } from './time-texts.ts';

/** Consecutive values of one width. */
export interface PlainValues {
  /** Bytes of a value. */
  readonly byteCount: number;
  /** Maximum characters of a value as JSON. */
  readonly chars: number;
  /** The value that begins at an offset. @throws {RangeError} beyond the bytes */
  at(bytes: DataView, place: number): ExactJson;
}

/**
 * Reader of the values of a type: integers and decimals with all their digits, times as ISO 8601, bytes as base64; NaN
 * and infinities, which JSON cannot represent, as null. Undefined for types whose values have different widths.
 */
export function plainValuesOf(type: ArrowType): PlainValues | undefined {
  switch (type.kind) {
    case 'integer':
      return { byteCount: type.bits / 8, chars: 20, at: (bytes, place) => toNumber(readInteger(type, bytes, place)) };
    case 'float':
      return { byteCount: type.bits / 8, chars: 25, at: floatReader(type.bits) };
    case 'decimal':
      return { byteCount: type.bits / 8, chars: 160, at: (bytes, place) => readDecimal(type, bytes, place) };
    case 'date': {
      const isDays = type.unit === 'day';
      const read = (bytes: DataView, place: number) =>
        isDays ? BigInt(bytes.getInt32(place, true)) : floorDiv(bytes.getBigInt64(place, true), 86_400_000n);
      return { byteCount: isDays ? 4 : 8, chars: 12, at: (bytes, place) => toDateText(read(bytes, place)) };
    }
    case 'time': {
      const read = (bytes: DataView, place: number) =>
        type.bits === 32 ? BigInt(bytes.getInt32(place, true)) : bytes.getBigInt64(place, true);
      return {
        byteCount: type.bits / 8,
        chars: 20,
        at: (bytes, place) => toTimeText(read(bytes, place), type.unit),
      };
    }
    case 'timestamp':
      return {
        byteCount: 8,
        chars: 37,
        at: (bytes, place) => toTimestampText(bytes.getBigInt64(place, true), type.unit, type.hasZone),
      };
    case 'duration':
      return {
        byteCount: 8,
        chars: 50,
        at: (bytes, place) => toDurationText(bytes.getBigInt64(place, true), type.unit),
      };
    case 'fixedBinary':
      return {
        byteCount: type.byteCount,
        chars: 2 * type.byteCount,
        at: (bytes, place) => toBase64(bytes, place, place + type.byteCount),
      };
    default:
      return undefined;
  }
}

/** An integer with all digits, also beyond 2^53. */
const toNumber = (value: number | bigint): ExactJson =>
  typeof value === 'number'
    ? value
    : value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : new ExactNumber(String(value));

export function readInteger(
  { bits, isSigned }: Extract<ArrowType, { kind: 'integer' }>,
  bytes: DataView,
  place: number,
): number | bigint {
  switch (bits) {
    case 8:
      return isSigned ? bytes.getInt8(place) : bytes.getUint8(place);
    case 16:
      return isSigned ? bytes.getInt16(place, true) : bytes.getUint16(place, true);
    case 32:
      return isSigned ? bytes.getInt32(place, true) : bytes.getUint32(place, true);
    case 64:
      return isSigned ? bytes.getBigInt64(place, true) : bytes.getBigUint64(place, true);
  }
}

function floatReader(bits: 16 | 32 | 64): PlainValues['at'] {
  const read = (bytes: DataView, place: number) =>
    bits === 64 ? bytes.getFloat64(place, true) : bits === 32 ? bytes.getFloat32(place, true) : half(bytes, place);
  return (bytes, place) => {
    const value = read(bytes, place);
    return Number.isFinite(value) ? value : null;
  };
}

/** IEEE 754 binary16. */
function half(bytes: DataView, place: number): number {
  const word = bytes.getUint16(place, true);
  const sign = word >> 15 ? -1 : 1;
  const exponent = (word >> 10) & 31;
  const fraction = word & 1_023;
  if (exponent === 31) return Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1_024) * 2 ** (exponent - 15));
}

function readDecimal({ bits, scale }: Extract<ArrowType, { kind: 'decimal' }>, bytes: DataView, place: number) {
  let value = 0n;
  for (let byte = bits / 8 - 4; byte >= 0; byte -= 4)
    value = (value << 32n) | BigInt(bytes.getUint32(place + byte, true));
  value = BigInt.asIntN(bits, value);
  if (scale <= 0) return new ExactNumber(String(value * 10n ** BigInt(-scale)));
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return new ExactNumber(`${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`);
}

const floorDiv = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by;

export const toBase64 = (bytes: DataView, start: number, end: number): string =>
  toBuffer(bytes, start, end).toString('base64');

/**
 * Reader of the texts of a column. A column of ASCII is decoded once, because decoding each of many short texts takes several times
 * as long.
 */
export function textReader(values: DataView): (bytes: DataView, start: number, end: number) => string {
  const all = toBuffer(values, 0, values.byteLength);
  if (all.byteLength > DATASET_ARROW_DECODED_BYTES_MAX || !isAscii(all)) return toText;
  const text = all.toString('latin1');
  return (bytes, start, end) => {
    checkRange(bytes, start, end);
    return text.slice(start, end);
  };
}

/** @throws {SpandrelError} `DATASET_UPLOAD_INVALID` when it is not UTF-8 */
function toText(bytes: DataView, start: number, end: number): string {
  try {
    return UTF8.decode(toBuffer(bytes, start, end));
  } catch (error) {
    throw uploadInvalid('A text of the Arrow stream is not valid UTF-8', error);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws {RangeError} beyond the bytes */
function checkRange(bytes: DataView, start: number, end: number): void {
  if (!(start >= 0 && start <= end && end <= bytes.byteLength))
    throw new RangeError('a value ends after the last byte');
}

function toBuffer(bytes: DataView, start: number, end: number): Buffer {
  checkRange(bytes, start, end);
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset + start, end - start);
}
