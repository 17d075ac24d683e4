import type { TimeRange } from '../contract/query-terms.ts';

/** 20 bits and 8 probes: one value in some seven thousand that a block does not have is taken for one that it may have. */
const BITS_PER_HASH = 20;
const PROBE_COUNT = 8;

/**
 * What a search wants to know of rows that it has not read: a row can match only if it starts in the range and has, of
 * each list, one value at least (`value-hashes.ts`).
 */
export interface RowNeeds extends TimeRange {
  readonly values: readonly (readonly number[])[];
}

/** When the first and the last of some rows start. */
export interface BlockTimes {
  readonly leastStartNs: bigint;
  readonly greatestStartNs: bigint;
}

/** What some rows have in common: their times, and a Bloom filter over their values. */
export interface BlockFilter extends BlockTimes {
  readonly bits: Uint8Array;
}

/** Of rows of which nothing is known. */
export const ANY_TIME: BlockTimes = { leastStartNs: -(2n ** 63n), greatestStartNs: 2n ** 63n - 1n };

/** @param startsNs One at least. */
export function timesOf(startsNs: readonly bigint[]): BlockTimes {
  let least = startsNs[0]!;
  let greatest = least;
  for (const start of startsNs) {
    if (start < least) least = start;
    else if (start > greatest) greatest = start;
  }
  return { leastStartNs: least, greatestStartNs: greatest };
}

/** A filter that has these values. */
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

/** Odd, and unlike the hash. */
const stepOf = (hash: number): number => (Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) | 1) >>> 0;
