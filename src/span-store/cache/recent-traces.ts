// biome-ignore-all lint/style/noNonNullAssertion: a slot is below the number of slots, and a row below the number of rows.
import type { TraceRow } from '../duckdb/trace-rows.ts';
import { hashWords } from './id-hash.ts';

/** Rows for which a generation has memory at first. It doubles. */
const FIRST_ROW_COUNT = 1_024;

/** Fields that are numbers. A missing session is NaN. */
const NUMBERS = [
  ...(['rowId', 'projectId', 'sessionRowId', 'spanCount', 'errorCount', 'tokensPrompt', 'tokensCompletion'] as const),
  ...(['firstSpanRowId', 'lastSpanRowId', 'costSpanCount', 'costTokensPrompt', 'costTokensCompletion'] as const),
  ...(['costPromptPico', 'costCompletionPico'] as const),
] as const satisfies readonly (keyof TraceRow)[];
/** Fields that are 64-bit numbers. */
const BIGINTS = ['high', 'low', 'start', 'end'] as const satisfies readonly (keyof TraceRow)[];
type Packed = (typeof NUMBERS)[number] | (typeof BIGINTS)[number] | 'text';

/**
 * Rows of the traces that were used last, as numbers in typed arrays: 0.16 KB for each instead of 0.5 KB for an object, which a
 * collection of garbage also need not visit. Like `RecentMap`, it has two generations and contains between `youngCountMax` and twice
 * as many traces.
 */
export class RecentTraces {
  readonly #youngCountMax: number;
  #young = new Generation();
  #old = new Generation();

  constructor(youngCountMax: number) {
    this.#youngCountMax = youngCountMax;
  }

  get(high: bigint, low: bigint): TraceRow | undefined {
    const young = this.#young.get(high, low);
    if (young) return young;
    const old = this.#old.get(high, low);
    if (old) this.set(old);
    return old;
  }

  /** Adds a row, or replaces the one with its ID. */
  set(trace: TraceRow): void {
    if (this.#young.count >= this.#youngCountMax) {
      this.#old = this.#young;
      this.#young = new Generation();
    }
    this.#young.set(trace);
  }

  clear(): void {
    this.#young = new Generation();
    this.#old = new Generation();
  }
}

/** A hash table from IDs to rows. */
class Generation {
  count = 0;
  /** Index of the row in each slot plus one; 0 in a free slot. At most half of them are taken, so that runs stay short. */
  #slots = new Int32Array(0);
  #numbers = new Float64Array(0);
  #bigints = new BigInt64Array(0);
  /** IDs that are not 32 hexadecimal digits, by index. */
  readonly #texts = new Map<number, string>();

  get(high: bigint, low: bigint): TraceRow | undefined {
    if (this.count === 0) return undefined;
    const index = this.#slots[this.#slotOf(high, low)]! - 1;
    return index < 0 ? undefined : this.#read(index);
  }

  set(trace: TraceRow): void {
    if (2 * this.count >= this.#slots.length) this.#grow();
    const slot = this.#slotOf(trace.high, trace.low);
    if (this.#slots[slot] === 0) this.#slots[slot] = ++this.count;
    this.#write(this.#slots[slot]! - 1, trace);
  }

  /** The slot of an ID, or the free one for it. */
  #slotOf(high: bigint, low: bigint): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(high, low) & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot]! - 1;
      if (index < 0) return slot;
      const at = BIGINTS.length * index;
      // Words are compared as signed numbers, as they are stored.
      if (this.#bigints[at] === signed[0] && this.#bigints[at + 1] === signed[1]) return slot;
    }
  }

  #grow(): void {
    const rowCount = Math.max(FIRST_ROW_COUNT, this.#slots.length);
    const [numbers, bigints] = [this.#numbers, this.#bigints];
    this.#slots = new Int32Array(2 * rowCount);
    this.#numbers = new Float64Array(NUMBERS.length * rowCount);
    this.#bigints = new BigInt64Array(BIGINTS.length * rowCount);
    this.#numbers.set(numbers);
    this.#bigints.set(bigints);
    for (let index = 0; index < this.count; index++) {
      const at = BIGINTS.length * index;
      this.#slots[this.#slotOf(this.#bigints[at]!, this.#bigints[at + 1]!)] = index + 1;
    }
  }

  #read(index: number): TraceRow {
    const [numbers, bigints] = [this.#numbers, this.#bigints];
    let at = NUMBERS.length * index;
    const row = { text: this.#texts.get(index) ?? null } as Record<Packed, unknown>;
    for (const key of NUMBERS) row[key] = numbers[at++]!;
    if (Number.isNaN(row.sessionRowId)) row.sessionRowId = null;
    at = BIGINTS.length * index;
    for (const key of BIGINTS) row[key] = bigints[at++]!;
    row.high = BigInt.asUintN(64, row.high as bigint);
    row.low = BigInt.asUintN(64, row.low as bigint);
    return row as TraceRow;
  }

  #write(index: number, trace: TraceRow): void {
    let at = NUMBERS.length * index;
    for (const key of NUMBERS) this.#numbers[at++] = trace[key] ?? Number.NaN;
    at = BIGINTS.length * index;
    for (const key of BIGINTS) this.#bigints[at++] = trace[key];
    if (trace.text === null) this.#texts.delete(index);
    else this.#texts.set(index, trace.text);
  }
}

/** The two words of the last ID that was hashed. */
const signed = new BigInt64Array(2);
const words = new Uint32Array(signed.buffer);

function hashOf(high: bigint, low: bigint): number {
  signed[0] = high;
  signed[1] = low;
  return hashWords(words[0]!, words[1]!, words[2]!, words[3]!, 1);
}
