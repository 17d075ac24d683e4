// biome-ignore-all lint/style/noNonNullAssertion: a bit is below the number of bits, and the list of filters is never empty.
import { hashWords } from './id-hash.ts';

const BLOCK_WORDS = 16;
const PROBE_COUNT = 8;
/** Gives one false positive in some 10,000 keys. */
const BITS_PER_KEY = 24;

/**
 * A set of 128-bit keys with false positives and no false negatives. All bits of a key are in one block of 64 bytes, so a
 * test costs one cache miss.
 */
export class BloomFilter {
  readonly keyCountMax: number;
  #keyCount = 0;
  readonly #words: Int32Array;
  readonly #blockCount: number;

  constructor(keyCountMax: number) {
    this.keyCountMax = keyCountMax;
    this.#blockCount = Math.ceil((keyCountMax * BITS_PER_KEY) / (32 * BLOCK_WORDS));
    this.#words = new Int32Array(this.#blockCount * BLOCK_WORDS);
  }

  get isFull(): boolean {
    return this.#keyCount >= this.keyCountMax;
  }

  add(a: number, b: number, c: number, d: number): void {
    const start = (hashWords(a, b, c, d, 2) % this.#blockCount) * BLOCK_WORDS;
    let bit = hashWords(a, b, c, d, 3);
    const step = hashWords(a, b, c, d, 4) | 1;
    for (let probe = 0; probe < PROBE_COUNT; probe++, bit = (bit + step) | 0) {
      this.#words[start + (bit >>> 28)]! |= 1 << ((bit >>> 23) & 31);
    }
    this.#keyCount++;
  }

  mayHave(a: number, b: number, c: number, d: number): boolean {
    const start = (hashWords(a, b, c, d, 2) % this.#blockCount) * BLOCK_WORDS;
    let bit = hashWords(a, b, c, d, 3);
    const step = hashWords(a, b, c, d, 4) | 1;
    for (let probe = 0; probe < PROBE_COUNT; probe++, bit = (bit + step) | 0) {
      if ((this.#words[start + (bit >>> 28)]! & (1 << ((bit >>> 23) & 31))) === 0) return false;
    }
    return true;
  }
}

/** A Bloom filter of any size. When the last filter is full, a further one as large as all others is added. */
export class GrowingBloomFilter {
  readonly #filters: BloomFilter[];

  constructor(keyCountMin = 2 ** 18) {
    this.#filters = [new BloomFilter(keyCountMin)];
  }

  add(a: number, b: number, c: number, d: number): void {
    let last = this.#filters[this.#filters.length - 1]!;
    if (last.isFull) {
      last = new BloomFilter(this.#filters.reduce((sum, { keyCountMax }) => sum + keyCountMax, 0));
      this.#filters.push(last);
    }
    last.add(a, b, c, d);
  }

  mayHave(a: number, b: number, c: number, d: number): boolean {
    // The newest filter first: it is the largest, and repeated keys are mostly recent.
    for (let i = this.#filters.length - 1; i >= 0; i--) if (this.#filters[i]!.mayHave(a, b, c, d)) return true;
    return false;
  }
}
