// biome-ignore-all lint/style/noNonNullAssertion: a bit is below the number of bits, and a block has rows.
import type { TimeRange } from '../contract/query-terms.ts';

/** 20 bits and 8 probes give one false positive in some 7,000 values. */
const BITS_PER_HASH = 20;
const PROBE_COUNT = 8;

/**
 * Necessary conditions of a search: a row can match only if it starts in the range and contains at least one value of each
 * list (`value-hashes.ts`).
 */
export interface RowNeeds extends TimeRange {
  readonly values: readonly (readonly number[])[];
}

/** Start times of the earliest and the latest of some rows. */
export interface BlockTimes {
  readonly leastStartNs: bigint;
  readonly greatestStartNs: bigint;
}

/** Start times of some rows, and a Bloom filter of their values. */
export interface BlockFilter extends BlockTimes {
  readonly bits: Uint8Array;
}

/** Times of unknown rows. */
export const ANY_TIME: BlockTimes = { leastStartNs: -(2n ** 63n), greatestStartNs: 2n ** 63n - 1n };

/** @param startsNs Not empty. */
export function timesOf(startsNs: readonly bigint[]): BlockTimes {
  let least = startsNs[0]!;
  let greatest = least;
  for (const start of startsNs) {
    if (start < least) least = start;
    else if (start > greatest) greatest = start;
  }
  return { leastStartNs: least, greatestStartNs: greatest };
}

/** Bits of a filter with these values. */
export function bitsOf(hashes: ReadonlySet<number>): Uint8Array {
  const bits = new Uint8Array(Math.ceil((hashes.size * BITS_PER_HASH) / 8) + 1);
  const bitCount = 8 * bits.length;
  for (const hash of hashes) {
    const step = stepOf(hash);
    for (let probe = 0, word = hash; probe < PROBE_COUNT; probe++, word = (word + step) >>> 0) {
      const bit = word % bitCount;
      bits[bit >>> 3]! |= 1 << (bit & 7);
    }
  }
  return bits;
}

/** False when no row of the block starts in the range. */
export function mayStartIn(
  { leastStartNs, greatestStartNs }: BlockTimes,
  { startTimeUnixNano, endTimeUnixNano }: TimeRange,
): boolean {
  if (startTimeUnixNano !== undefined && greatestStartNs < startTimeUnixNano) return false;
  return endTimeUnixNano === undefined || leastStartNs < endTimeUnixNano;
}

/** False when no row of the block matches. */
export const mayMatch = (block: BlockFilter, needs: RowNeeds): boolean =>
  mayStartIn(block, needs) && needs.values.every((hashes) => hashes.some((hash) => mayHave(block.bits, hash)));

function mayHave(bits: Uint8Array, hash: number): boolean {
  const bitCount = 8 * bits.length;
  const step = stepOf(hash);
  for (let probe = 0, word = hash; probe < PROBE_COUNT; probe++, word = (word + step) >>> 0) {
    const bit = word % bitCount;
    if ((bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** An odd step that differs from the hash. */
const stepOf = (hash: number): number => (Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) | 1) >>> 0;
