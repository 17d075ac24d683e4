// biome-ignore-all lint/style/noNonNullAssertion: a slot is below the number of slots.
import { hashWords } from './id-hash.ts';

/** Numbers 128-bit keys from 0 in order of first appearance. A hash table of typed arrays, without an object per key. */
export class IdTable {
  #count = 0;
  readonly #mask: number;
  /** Number of the key in each slot plus one; 0 in a free slot. */
  readonly #slots: Int32Array;
  readonly #words: Int32Array;

  constructor(keyCountMax: number) {
    // At most half full, so that runs stay short.
    const slotCount = 2 ** Math.ceil(Math.log2(Math.max(16, 2 * keyCountMax)));
    this.#mask = slotCount - 1;
    this.#slots = new Int32Array(slotCount);
    this.#words = new Int32Array(4 * keyCountMax);
  }

  get count(): number {
    return this.#count;
  }

  /** Returns the number of the key, and adds a new key with the previous `count` as its number. */
  add(a: number, b: number, c: number, d: number): number {
    const words = this.#words;
    for (let slot = hashWords(a, b, c, d, 1) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const number = this.#slots[slot]! - 1;
      if (number < 0) {
        const at = 4 * this.#count;
        words[at] = a;
        words[at + 1] = b;
        words[at + 2] = c;
        words[at + 3] = d;
        this.#slots[slot] = this.#count + 1;
        return this.#count++;
      }
      const at = 4 * number;
      if (
        words[at] === (a | 0) &&
        words[at + 1] === (b | 0) &&
        words[at + 2] === (c | 0) &&
        words[at + 3] === (d | 0)
      ) {
        return number;
      }
    }
  }
}
