/** Writes a whole number of at most 2⁵³ as the low and high words of 64 bits. A BigInt per value costs several times as much. */
export function setInt64(words: Uint32Array, index: number, value: number): void {
  words[2 * index] = value >>> 0;
  words[2 * index + 1] = Math.floor(value / 0x1_0000_0000);
}
