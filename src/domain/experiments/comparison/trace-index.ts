/** Number of hexadecimal digits of a trace ID, and of 32-bit words. */
const DIGIT_COUNT = 32;
const WORD_COUNT = 4;

/** Traces that are searched from the beginning before the table is made, which takes as long as some hundred searches. */
const SCAN_COUNT_MAX = 16;

/**
 * Finds traces by their IDs among hundreds of thousands. The table is an array of indices with open addressing: a `Map` of
 * as many texts takes seconds.
 */
export class TraceIndex {
  readonly #idWords: Uint32Array;
  #scanCount = 0;
  /** Undefined until more than a few traces are not where they are expected. */
  #slots: Int32Array | undefined;

  /** @param idWords four words per trace, in the layout of `TraceCosts`. Each trace occurs once. */
  constructor(idWords: Uint32Array) {
    this.#idWords = idWords;
  }

  /**
   * Index of the trace whose words are at an offset, or −1.
   *
   * @param expected Index that is tried first: runs and their traces are often stored in the same order, and the table of
   *   hundreds of thousands of traces is larger than the caches of a processor.
   */
  find(words: Uint32Array, offset: number, expected = -1): number {
    if (expected >= 0 && isEqual(this.#idWords, WORD_COUNT * expected, words, offset)) return expected;
    if (!this.#slots && this.#scanCount++ < SCAN_COUNT_MAX) return this.#scan(words, offset);
    this.#slots ??= this.#fill();
    return this.#slots[this.#findSlot(this.#slots, words, offset)] as number;
  }

  #scan(words: Uint32Array, offset: number): number {
    const idWords = this.#idWords;
    for (let at = 0; at < idWords.length; at += WORD_COUNT) {
      if (isEqual(idWords, at, words, offset)) return at / WORD_COUNT;
    }
    return -1;
  }

  #fill(): Int32Array {
    const count = this.#idWords.length / WORD_COUNT;
    // At most half full.
    const slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2 * count, 2)))).fill(-1);
    for (let trace = 0; trace < count; trace++) {
      const slot = this.#findSlot(slots, this.#idWords, WORD_COUNT * trace);
      if (slots[slot] === -1) slots[slot] = trace;
    }
    return slots;
  }

  /** The slot of the trace, or a free one. */
  #findSlot(slots: Int32Array, words: Uint32Array, at: number): number {
    const mask = slots.length - 1;
    let slot = hash(words, at) & mask;
    for (;;) {
      const trace = slots[slot] as number;
      if (trace === -1 || isEqual(this.#idWords, WORD_COUNT * trace, words, at)) return slot;
      slot = (slot + 1) & mask;
    }
  }
}

function hash(words: Uint32Array, at: number): number {
  let value = 0;
  for (let word = 0; word < WORD_COUNT; word++) {
    value = Math.imul(value ^ (words[at + word] as number), 0x9e3779b1);
    value ^= value >>> 15;
  }
  return value >>> 0;
}

function isEqual(a: Uint32Array, atA: number, b: Uint32Array, atB: number): boolean {
  for (let word = 0; word < WORD_COUNT; word++) if (a[atA + word] !== b[atB + word]) return false;
  return true;
}

/** Order of the words of a trace ID in which its digits are written. */
const WORDS_IN_TEXT = [1, 0, 3, 2] as const;

/** Writes the words of the ID whose text starts at a position. False, and any words, if it is not 32 hexadecimal digits. */
export function readTraceId(text: string, from: number, to: number, words: Uint32Array, offset: number): boolean {
  if (to - from !== DIGIT_COUNT) return false;
  let at = from;
  let wrong = 0;
  for (let index = 0; index < WORD_COUNT; index++) {
    let value = 0;
    for (let digit = 0; digit < 8; digit++) {
      const code = text.charCodeAt(at++);
      const number = code < DIGITS.length ? (DIGITS[code] as number) : NO_DIGIT;
      wrong |= number;
      value = (value << 4) | (number & 15);
    }
    words[offset + (WORDS_IN_TEXT[index] as number)] = value >>> 0;
  }
  return wrong < NO_DIGIT;
}

/** Larger than each digit in one more bit. */
const NO_DIGIT = 16;
/** Values of the characters that are hexadecimal digits. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? NO_DIGIT : value;
});
