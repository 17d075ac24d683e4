// Hashes of IDs for tables in memory, and of session IDs for the store. Words are 32-bit halves of 64-bit numbers.

/** MurmurHash3's mixing of four words. Different seeds give independent hashes. */
export function hashWords(a: number, b: number, c: number, d: number, seed: number): number {
  return finish(mixWord(mixWord(mixWord(mixWord(seed, a), b), c), d) ^ 16);
}

/**
 * A hash of 64 bits, which is stored with its text and so must not change. It is not cryptographic: texts with equal hashes
 * are compared.
 */
export function textHash(text: string): bigint {
  let low = 0x9747b28c;
  let high = 0x3c6ef372;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = mixWord(low, unit);
    high = mixWord(high, unit + 0x10000);
  }
  return (BigInt(finish(high ^ text.length)) << 32n) | BigInt(finish(low ^ text.length));
}

function mixWord(hash: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  const h = hash ^ Math.imul(k, 0x1b873593);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
