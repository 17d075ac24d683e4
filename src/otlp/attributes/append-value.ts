// biome-ignore-all lint/style/noNonNullAssertion: leaves below the count have all columns, and ranges are within the checked bytes.
import type { TextColumnBuilder } from '../../columns/text-column-builder.ts';
import { isNull, skipBlanks, skipString, skipValue } from '../json/json-scan.ts';
import { appendJsonString, decodeJsonString } from '../json/json-strings.ts';
import type { WireReader } from '../protobuf/wire-reader.ts';
import * as tags from '../protobuf/wire-tags.ts';
import {
  type AttributeLeaves,
  LEAF_ARRAY,
  LEAF_BOOL,
  LEAF_BYTES,
  LEAF_DOUBLE,
  LEAF_EMPTY_OBJECT,
  LEAF_INT,
  LEAF_INTEGER,
  LEAF_JSON,
  LEAF_KVLIST,
  LEAF_TEXT,
} from './attribute-leaves.ts';

// Appends values to a text column as JSON text. Inside lists and objects, values that JSON cannot represent become
// null.

/** Appends leaf `i` of the table. */
export function appendLeaf(column: TextColumnBuilder, wire: WireReader, leaves: AttributeLeaves, i: number): void {
  const start = leaves.start[i]!;
  const end = leaves.end[i]!;
  switch (leaves.kind[i]) {
    case LEAF_TEXT:
      appendJsonString(column, wire.bytes, wire.view, start, end);
      return;
    case LEAF_INT:
      appendInt(column, wire, start);
      return;
    case LEAF_DOUBLE:
      appendDouble(column, wire.view.getFloat64(start, true));
      return;
    case LEAF_BOOL:
      appendAscii(column, readBool(wire, start) ? 'true' : 'false');
      return;
    case LEAF_JSON:
      appendJson(column, wire, start, end);
      return;
    case LEAF_BYTES:
      appendAscii(column, `"${toBase64(wire.bytes, start, end)}"`);
      return;
    case LEAF_ARRAY:
      appendArray(column, wire, start, end);
      return;
    case LEAF_KVLIST:
      appendKeyValueList(column, wire, start, end);
      return;
    case LEAF_INTEGER:
      appendAscii(column, String(leaves.integers[start]!));
      return;
    case LEAF_EMPTY_OBJECT:
      appendAscii(column, '{}');
      return;
    default:
      throw new Error(`leaf of kind ${leaves.kind[i]}`);
  }
}

export function appendAscii(column: TextColumnBuilder, text: string): void {
  column.reserve(text.length);
  const { utf8 } = column;
  let at = column.length;
  for (let i = 0; i < text.length; i++) utf8[at++] = text.charCodeAt(i);
  column.length = at;
}

export const toBase64 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('base64');

export function readBool(wire: WireReader, at: number): boolean {
  wire.varint(at);
  return (wire.low | wire.high) !== 0;
}

/** The int64 at `at` as decimal digits. */
export function appendInt(column: TextColumnBuilder, wire: WireReader, at: number): void {
  wire.varint(at);
  const high = wire.high | 0;
  if (high === 0) appendDigits(column, wire.low >>> 0);
  else appendAscii(column, String((BigInt(high) << 32n) | BigInt(wire.low >>> 0)));
}

/** Appends a non-negative integer below 2^32. */
function appendDigits(column: TextColumnBuilder, value: number): void {
  let digitCount = 1;
  for (let bound = 10; value >= bound; bound *= 10) digitCount++;
  column.reserve(digitCount);
  const { utf8 } = column;
  for (let at = column.length + digitCount - 1, rest = value; at >= column.length; at--) {
    const tenth = Math.floor(rest / 10);
    utf8[at] = 0x30 + rest - 10 * tenth;
    rest = tenth;
  }
  column.length += digitCount;
}

/** Appends a number with a fraction or an exponent, so that it is read as a double again. */
function appendDouble(column: TextColumnBuilder, value: number): void {
  if (!Number.isFinite(value)) {
    appendAscii(column, 'null');
    return;
  }
  if (Object.is(value, -0)) {
    appendAscii(column, '-0.0');
    return;
  }
  const text = String(value);
  appendAscii(column, Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text);
}

function appendArray(column: TextColumnBuilder, wire: WireReader, start: number, end: number): void {
  appendAscii(column, '[');
  const first = column.length;
  for (let at = start; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    const next = wire.skip(tag, at);
    if (tag === tags.LIST_VALUES) {
      if (column.length > first) appendAscii(column, ',');
      const valueEnd = wire.enter(at);
      appendAnyValue(column, wire, wire.at, valueEnd);
    }
    at = next;
  }
  appendAscii(column, ']');
}

function appendKeyValueList(column: TextColumnBuilder, wire: WireReader, start: number, end: number): void {
  appendAscii(column, '{');
  const first = column.length;
  for (let at = start; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    const next = wire.skip(tag, at);
    if (tag === tags.LIST_VALUES) {
      if (column.length > first) appendAscii(column, ',');
      appendMember(column, wire, at);
    }
    at = next;
  }
  appendAscii(column, '}');
}

function appendMember(column: TextColumnBuilder, wire: WireReader, before: number): void {
  const member = readKeyValue(wire, before);
  appendJsonString(column, wire.bytes, wire.view, member.keyStart, member.keyEnd);
  appendAscii(column, ':');
  appendAnyValue(column, wire, member.valueStart, member.valueEnd);
}

/**
 * Bounds of the key and of the value (an AnyValue) of the KeyValue whose length is at `before`. Absent parts are empty.
 */
export function readKeyValue(wire: WireReader, before: number) {
  const bounds = { keyStart: 0, keyEnd: 0, valueStart: 0, valueEnd: 0 };
  const end = wire.enter(before);
  for (let at = wire.at; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    if (tag === tags.KEY_VALUE_KEY) {
      bounds.keyEnd = wire.enter(at);
      bounds.keyStart = wire.at;
      at = bounds.keyEnd;
    } else if (tag === tags.KEY_VALUE_VALUE) {
      bounds.valueEnd = wire.enter(at);
      bounds.valueStart = wire.at;
      at = bounds.valueEnd;
    } else at = wire.skip(tag, at);
  }
  return bounds;
}

/** Appends the AnyValue in these bounds. */
export function appendAnyValue(column: TextColumnBuilder, wire: WireReader, start: number, end: number): void {
  for (let at = start; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    switch (tag) {
      case tags.ANY_VALUE_STRING: {
        const textEnd = wire.enter(at);
        appendJsonString(column, wire.bytes, wire.view, wire.at, textEnd);
        return;
      }
      case tags.ANY_VALUE_BOOL:
        appendAscii(column, readBool(wire, at) ? 'true' : 'false');
        return;
      case tags.ANY_VALUE_INT:
        appendInt(column, wire, at);
        return;
      case tags.ANY_VALUE_DOUBLE:
        appendDouble(column, wire.view.getFloat64(at, true));
        return;
      case tags.ANY_VALUE_BYTES: {
        const bytesEnd = wire.enter(at);
        appendAscii(column, `"${toBase64(wire.bytes, wire.at, bytesEnd)}"`);
        return;
      }
      case tags.ANY_VALUE_ARRAY: {
        const arrayEnd = wire.enter(at);
        appendArray(column, wire, wire.at, arrayEnd);
        return;
      }
      case tags.ANY_VALUE_KVLIST: {
        const listEnd = wire.enter(at);
        appendKeyValueList(column, wire, wire.at, listEnd);
        return;
      }
      default:
        at = wire.skip(tag, at);
    }
  }
  appendAscii(column, 'null');
}

/** Appends valid JSON without blanks. Strings are encoded again; numbers keep their digits. */
export function appendJson(column: TextColumnBuilder, wire: WireReader, start: number, end: number): void {
  const { bytes, view } = wire;
  for (let at = start; at < end; ) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      const after = skipString(bytes, at);
      const decoded = decodeJsonString(bytes, at + 1, after - 1);
      if (decoded.length === after - at - 2) appendJsonString(column, bytes, view, at + 1, after - 1);
      else appendJsonText(column, decoded);
      at = after;
    } else if (byte <= 0x20) at = skipBlanks(bytes, at, end);
    else if (isNull(bytes, at)) {
      appendAscii(column, 'null');
      at = skipValue(bytes, at, end);
    } else at = appendSigns(column, bytes, at, end);
  }
}

/** Appends bytes that are neither text, blank nor null. Returns the position after them. */
function appendSigns(column: TextColumnBuilder, bytes: Uint8Array, start: number, end: number): number {
  let after = start + 1;
  while (after < end && bytes[after] !== QUOTE && bytes[after]! > 0x20 && !isNull(bytes, after)) after++;
  column.append(bytes, start, after);
  return after;
}

const QUOTE = 0x22;

/** Appends a text as a JSON string. */
export function appendJsonText(column: TextColumnBuilder, utf8: Uint8Array): void {
  const view = new DataView(utf8.buffer, utf8.byteOffset, utf8.byteLength);
  appendJsonString(column, utf8, view, 0, utf8.length);
}
