/**
 * Changes how many pages of memory instances of a WebAssembly module start with. They grow as before. An instance starts,
 * and its memory is restored, in a time that is proportional to its initial memory.
 *
 * @throws {Error} for bytes that are not a module with one memory of its own
 */
export function withInitialMemory(bytes: Uint8Array, pageCount: number): Uint8Array {
  const changed = bytes.slice();
  let offset = HEADER_BYTES;
  while (offset < bytes.length) {
    const id = bytes[offset];
    const size = readNumber(bytes, offset + 1);
    if (id === MEMORY_SECTION) {
      const count = readNumber(bytes, size.end);
      const initial = readNumber(bytes, count.end + 1);
      writeNumber(changed, initial.start, initial.end, pageCount);
      return changed;
    }
    offset = size.end + size.value;
  }
  throw new Error('The module has no memory of its own');
}

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;

/** A number in LEB128, seven bits a byte, the lowest first. */
function readNumber(bytes: Uint8Array, start: number): { value: number; start: number; end: number } {
  let value = 0;
  for (let index = start; index < start + 5; index++) {
    const byte = bytes[index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (index - start));
    if (byte < 0x80) return { value, start, end: index + 1 };
  }
  throw new Error('The module is not WebAssembly');
}

/** In the given number of bytes, so that nothing else moves. */
function writeNumber(bytes: Uint8Array, start: number, end: number, value: number): void {
  if (value >= 2 ** (7 * (end - start))) throw new Error(`${value} does not fit into ${end - start} bytes`);
  for (let index = start; index < end; index++) {
    bytes[index] = (Math.floor(value / 2 ** (7 * (index - start))) & 0x7f) | (index < end - 1 ? 0x80 : 0);
  }
}
