import type { RowRange } from '../duckdb/row-range.ts';
import { BloomFilter } from './bloom-filter.ts';

/** Traces of a block: as many as DuckDB skips at once. Each takes 3 bytes of memory. */
const BLOCK_ROW_COUNT = 16_384;
/** Maximum number of ranges. One scan of all rows costs less than more conditions. */
const RANGE_COUNT_MAX = 16;

/** Both halves of a trace ID. */
export interface TraceIdNumbers {
  readonly high: bigint;
  readonly low: bigint;
}

/**
 * Rows of `traces` that may have an ID. Without this cache, a trace is found by a scan of the IDs of all traces, which takes
 * 3 to 7 ms per million. A deletion does not change the blocks: they may contain an ID that is no longer stored.
 */
export class TraceBlocks {
  readonly #rowCount: number;
  /** Filters by block number. */
  readonly #ids = new Map<number, BloomFilter>();

  constructor(rowCount = BLOCK_ROW_COUNT) {
    this.#rowCount = rowCount;
  }

  /** The words are the low and the high word of the high half, then of the low half of the ID. */
  add(rowId: number, highLow: number, highHigh: number, lowLow: number, lowHigh: number): void {
    const block = Math.floor(rowId / this.#rowCount);
    let ids = this.#ids.get(block);
    if (!ids) {
      ids = new BloomFilter(this.#rowCount);
      this.#ids.set(block, ids);
    }
    ids.add(highLow, highHigh, lowLow, lowHigh);
  }

  clear(): void {
    this.#ids.clear();
  }

  /** Ranges of row ids that contain the stored ones of these traces; undefined when there are too many ranges. */
  rangesOf(ids: readonly TraceIdNumbers[]): RowRange[] | undefined {
    const words = ids.map(({ high, low }) => [...toWords(high), ...toWords(low)] as const);
    const ranges: RowRange[] = [];
    for (const [block, filter] of this.#ids) {
      if (!words.some(([a, b, c, d]) => filter.mayHave(a, b, c, d))) continue;
      ranges.push({ first: block * this.#rowCount, last: (block + 1) * this.#rowCount - 1 });
      if (ranges.length > RANGE_COUNT_MAX) return undefined;
    }
    return ranges;
  }
}

/** Low and high words of a 64-bit number. */
const toWords = (value: bigint): readonly [number, number] => [Number(value & 0xffffffffn), Number(value >> 32n)];
