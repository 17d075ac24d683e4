const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/**
 * Whether a JSON text (UTF-8, valid or not) has more commas and opening brackets than this outside of its strings: about
 * as many values has it, and it is these that take memory. A few bytes of text make an object of many.
 */
export function hasMoreJsonSigns(bytes: Uint8Array, max: number): boolean {
  // No text has more signs than bytes.
  return bytes.length > max && countJsonSigns(bytes, max) > max;
}

/** Counts the signs. Stops and returns a number above `max` as soon as there are more. */
export function countJsonSigns(bytes: Uint8Array, max: number = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    } else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++count > max) return count;
    }
  }
  return count;
}
