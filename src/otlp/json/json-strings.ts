// biome-ignore-all lint/style/noNonNullAssertion: ranges are strings that were checked, and the tables have an entry for each byte.
import type { TextColumnBuilder } from '../../columns/text-column-builder.ts';
import { hexDigit } from './json-scan.ts';

/**
 * Bytes of a string between its quotes in valid JSON, with escapes resolved. A view if there are no escapes. A lone
 * surrogate becomes U+FFFD, because UTF-8 cannot represent it.
 */
export function decodeJsonString(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const sent = bytes.subarray(start, end);
  const firstEscape = sent.indexOf(0x5c);
  if (firstEscape < 0) return sent;
  const decoded = new Uint8Array(end - start);
  decoded.set(sent.subarray(0, firstEscape));
  let length = firstEscape;
  for (let at = start + firstEscape; at < end; ) {
    const byte = bytes[at]!;
    if (byte !== 0x5c) {
      decoded[length++] = byte;
      at++;
      continue;
    }
    const sign = bytes[at + 1]!;
    if (sign !== 0x75) {
      decoded[length++] = SHORT_ESCAPE_VALUES[sign]!;
      at += 2;
      continue;
    }
    let code = codeUnit(bytes, at);
    at += 6;
    if (code >= 0xd800 && code <= 0xdbff && at < end && bytes[at] === 0x5c && bytes[at + 1] === 0x75) {
      const low = codeUnit(bytes, at);
      if (low >= 0xdc00 && low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
      }
    }
    length = putCodePoint(decoded, length, code >= 0xd800 && code <= 0xdfff ? 0xfffd : code);
  }
  return decoded.subarray(0, length);
}

const codeUnit = (bytes: Uint8Array, at: number): number =>
  (hexDigit(bytes[at + 2]!) << 12) |
  (hexDigit(bytes[at + 3]!) << 8) |
  (hexDigit(bytes[at + 4]!) << 4) |
  hexDigit(bytes[at + 5]!);

function putCodePoint(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) bytes[at++] = code;
  else if (code < 0x800) {
    bytes[at++] = 0xc0 | (code >> 6);
    bytes[at++] = 0x80 | (code & 63);
  } else if (code < 0x10000) {
    bytes[at++] = 0xe0 | (code >> 12);
    bytes[at++] = 0x80 | ((code >> 6) & 63);
    bytes[at++] = 0x80 | (code & 63);
  } else {
    bytes[at++] = 0xf0 | (code >> 18);
    bytes[at++] = 0x80 | ((code >> 12) & 63);
    bytes[at++] = 0x80 | ((code >> 6) & 63);
    bytes[at++] = 0x80 | (code & 63);
  }
  return at;
}

const SHORT_ESCAPE_VALUES = new Uint8Array(128);
for (const [sign, value] of Object.entries({
  '"': 0x22,
  '\\': 0x5c,
  '/': 0x2f,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
})) {
  SHORT_ESCAPE_VALUES[sign.charCodeAt(0)] = value;
}

/** The character after the backslash for a byte that must be escaped: 0 for none, `u` for a numeric escape. */
const ESCAPE_SIGN = new Uint8Array(256);
ESCAPE_SIGN.fill(0x75, 0, 0x20);
for (const [value, sign] of Object.entries({ 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r', 34: '"', 92: '\\' })) {
  ESCAPE_SIGN[Number(value)] = sign.charCodeAt(0);
}
const HEX_DIGITS = Buffer.from('0123456789abcdef');

/** Appends a text (valid UTF-8) as a JSON string; `view` is of the same bytes. */
export function appendJsonString(
  column: TextColumnBuilder,
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): void {
  // Reserves the maximum that escapes can need. For a long text that would be too much, so its escapes are counted.
  column.reserve(end - start > COUNTED_BYTES ? escapedLength(bytes, start, end) + 8 : 6 * (end - start) + 2);
  const { utf8, view: to } = column;
  let length = column.length;
  utf8[length++] = 0x22;
  let at = start;
  // Checks four bytes at a time while none is a quote, a backslash or a control character. Where the subtraction
  // borrows, the sign bit of a byte remains: that byte, or its difference to the wanted character, is small.
  for (; at + 4 <= end; at += 4, length += 4) {
    const word = view.getInt32(at, true);
    const quote = word ^ 0x22222222;
    const backslash = word ^ 0x5c5c5c5c;
    const found =
      ((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash);
    if ((found & 0x80808080) !== 0) length = putEscaped(utf8, length, bytes, at, at + 4) - 4;
    else to.setInt32(length, word, true);
  }
  length = putEscaped(utf8, length, bytes, at, end);
  utf8[length++] = 0x22;
  column.length = length;
}

const COUNTED_BYTES = 64 * 1024;

function escapedLength(bytes: Uint8Array, start: number, end: number): number {
  let length = 2;
  for (let at = start; at < end; at++) {
    const sign = ESCAPE_SIGN[bytes[at]!]!;
    length += sign === 0 ? 1 : sign === 0x75 ? 6 : 2;
  }
  return length;
}

/** Writes bytes with their escapes. Returns the position after them. */
function putEscaped(to: Uint8Array, toStart: number, bytes: Uint8Array, start: number, end: number): number {
  let length = toStart;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    const sign = ESCAPE_SIGN[byte]!;
    if (sign === 0) {
      to[length++] = byte;
      continue;
    }
    to[length++] = 0x5c;
    to[length++] = sign;
    if (sign === 0x75) {
      to[length++] = 0x30;
      to[length++] = 0x30;
      to[length++] = HEX_DIGITS[byte >> 4]!;
      to[length++] = HEX_DIGITS[byte & 15]!;
    }
  }
  return length;
}
