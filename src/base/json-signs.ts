// biome-ignore-all lint/style/noNonNullAssertion: the index is below the length of the bytes.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/**
 * Whether a JSON text (UTF-8, valid or not) has more than `max` commas and opening brackets outside of strings. Their
 * number is about the number of values, which determines the memory: a few bytes of text can become a large object.
 */
export function hasMoreJsonSigns(bytes: Uint8Array, max: number): boolean {
  // A text cannot have more of them than bytes.
  return bytes.length > max && countJsonSigns(bytes, max) > max;
}

/** Counts the signs. Stops and returns a number above `max` as soon as there are more. */
export function countJsonSigns(bytes: Uint8Array, max: number = Number.POSITIVE_INFINITY): number {
  return countJsonSignsInChunks(bytes, max, bytes.length).next().value ?? 0;
}

/** Like `countJsonSigns`, but yields after each chunk of about `chunkBytes`; the last chunk returns the count. */
export function* countJsonSignsInChunks(
  bytes: Uint8Array,
  max: number,
  chunkBytes: number,
): Generator<undefined, number> {
  let count = 0;
  let chunkEnd = chunkBytes;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    if (at > chunkEnd) {
      yield;
      chunkEnd = at + chunkBytes;
    }
    const byte = bytes[at]!;
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else isInString = byte !== QUOTE;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++count > max) return count;
    }
  }
  return count;
}
