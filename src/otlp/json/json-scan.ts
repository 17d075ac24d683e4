// biome-ignore-all lint/style/noNonNullAssertion: indexes are below the end, or within a text that was checked and is closed.
import { VALUE_DEPTH_MAX } from '../../model/limits/spans.ts';

// Reads JSON text in place as bytes. It returns positions instead of objects, so that numbers keep their digits. `NaN`,
// `Infinity` and `-Infinity`, which Python writes, are accepted as values and treated as null.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether these bytes (valid UTF-8) are one JSON text with at most this many levels. */
export function isJson(bytes: Uint8Array, start: number, end: number, depthMax = VALUE_DEPTH_MAX): boolean {
  const after = checkValue(bytes, skipBlanks(bytes, start, end), end, depthMax);
  return after >= 0 && skipBlanks(bytes, after, end) === end;
}

/** Position of the first byte from `at` on that is not blank. */
export function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  while (at < end) {
    const byte = bytes[at]!;
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    at++;
  }
  return at;
}

/** Position after the string that starts at `at`. The JSON must be valid. */
export function skipString(bytes: Uint8Array, at: number): number {
  for (let i = at + 1; ; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) return i + 1;
    if (byte === BACKSLASH) i++;
  }
}

/** Position after the value that starts at `at`. The JSON must be valid. */
export function skipValue(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  for (let i = at; i < end; ) {
    const byte = bytes[i]!;
    if (byte === QUOTE) i = skipString(bytes, i);
    else if (byte === 0x7b || byte === 0x5b) {
      depth++;
      i++;
      continue;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
      i++;
    } else if (depth > 0) {
      i++;
      continue;
    } else return skipScalar(bytes, i, end);
    if (depth === 0) return i;
  }
  return end;
}

/** Whether the value that starts at `at` is null or a number that JSON does not allow. */
export function isNull(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at]!;
  // null, NaN, Infinity, -Infinity
  return byte === 0x6e || byte === 0x4e || byte === 0x49 || (byte === 0x2d && bytes[at + 1] === 0x49);
}

function skipScalar(bytes: Uint8Array, at: number, end: number): number {
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === 0x2c || byte === 0x7d || byte === 0x5d || byte <= 0x20) break;
    at++;
  }
  return at;
}

/** Position after the value, or -1 if it is malformed or nests more than `depth` levels. */
function checkValue(bytes: Uint8Array, at: number, end: number, depth: number): number {
  if (at >= end) return -1;
  switch (bytes[at]) {
    case QUOTE:
      return checkString(bytes, at, end);
    case 0x7b:
      return depth > 0 ? checkObject(bytes, at, end, depth - 1) : -1;
    case 0x5b:
      return depth > 0 ? checkList(bytes, at, end, depth - 1) : -1;
    case 0x74:
      return checkWord(bytes, at, end, TRUE);
    case 0x66:
      return checkWord(bytes, at, end, FALSE);
    case 0x6e:
      return checkWord(bytes, at, end, NULL);
    case 0x4e:
      return checkWord(bytes, at, end, NAN);
    case 0x49:
      return checkWord(bytes, at, end, INFINITY);
    default:
      return checkNumber(bytes, at, end);
  }
}

function checkObject(bytes: Uint8Array, start: number, end: number, depth: number): number {
  let at = skipBlanks(bytes, start + 1, end);
  if (at < end && bytes[at] === 0x7d) return at + 1;
  for (;;) {
    if (at >= end || bytes[at] !== QUOTE) return -1;
    at = checkString(bytes, at, end);
    if (at < 0) return -1;
    at = skipBlanks(bytes, at, end);
    if (at >= end || bytes[at] !== 0x3a) return -1;
    at = checkValue(bytes, skipBlanks(bytes, at + 1, end), end, depth);
    if (at < 0) return -1;
    at = skipBlanks(bytes, at, end);
    if (at >= end) return -1;
    if (bytes[at] === 0x7d) return at + 1;
    if (bytes[at] !== 0x2c) return -1;
    at = skipBlanks(bytes, at + 1, end);
  }
}

function checkList(bytes: Uint8Array, start: number, end: number, depth: number): number {
  let at = skipBlanks(bytes, start + 1, end);
  if (at < end && bytes[at] === 0x5d) return at + 1;
  for (;;) {
    at = checkValue(bytes, at, end, depth);
    if (at < 0) return -1;
    at = skipBlanks(bytes, at, end);
    if (at >= end) return -1;
    if (bytes[at] === 0x5d) return at + 1;
    if (bytes[at] !== 0x2c) return -1;
    at = skipBlanks(bytes, at + 1, end);
  }
}

function checkString(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte < 0x20) return -1;
    if (byte !== BACKSLASH) continue;
    at++;
    if (at >= end) return -1;
    if (bytes[at] === 0x75) {
      for (let i = 1; i <= 4; i++) if (at + i >= end || hexDigit(bytes[at + i]!) < 0) return -1;
      at += 4;
    } else if (!SHORT_ESCAPES.includes(bytes[at]!)) return -1;
  }
  return -1;
}

function checkNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  if (bytes[at] === 0x2d) {
    at++;
    if (at < end && bytes[at] === 0x49) return checkWord(bytes, at, end, INFINITY);
  }
  if (at < end && bytes[at] === 0x30) at++;
  else {
    const digits = at;
    at = skipDigits(bytes, at, end);
    if (at === digits) return -1;
  }
  if (at < end && bytes[at] === 0x2e) {
    const digits = at + 1;
    at = skipDigits(bytes, digits, end);
    if (at === digits) return -1;
  }
  if (at < end && (bytes[at]! | 0x20) === 0x65) {
    at++;
    if (at < end && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at++;
    const digits = at;
    at = skipDigits(bytes, at, end);
    if (at === digits) return -1;
  }
  return at;
}

function skipDigits(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++;
  return at;
}

function checkWord(bytes: Uint8Array, at: number, end: number, word: Uint8Array): number {
  if (at + word.length > end) return -1;
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return -1;
  return at + word.length;
}

/** Value of a hexadecimal digit, or -1. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');
const NAN = Buffer.from('NaN');
const INFINITY = Buffer.from('Infinity');
const SHORT_ESCAPES = Buffer.from('"\\/bfnrt');
