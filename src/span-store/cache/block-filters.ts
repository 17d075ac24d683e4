import { BLOCK_FILTER_BYTES_MAX } from '../../model/limits/span-store.ts';
import type { RowRange } from '../duckdb/row-range.ts';
import {
  ANY_TIME,
  type BlockFilter,
  type BlockTimes,
  mayMatch,
  mayStartIn,
  type RowNeeds,
  timesOf,
} from './block-filter.ts';

/** Rows of a block: two of DuckDB's vectors, so that a false positive costs little. */
export const BLOCK_ROW_COUNT = 4_096;

/** Minimum number of rows that a search skips. Reading fewer rows costs less than a further statement. */
const GAP_ROW_COUNT_MIN = { texts: 1, columns: 65_536 } as const;

/** Data that the conditions of a search read: whole columns, or texts that contain values. */
export type Reading = keyof typeof GAP_ROW_COUNT_MIN;

/** Rows of a block and their start times. */
export interface BlockRows extends RowRange, BlockTimes {}

/**
 * Blocks of `spans` that a search can skip. The start times of a block are known from the commit on. Its filter is built some
 * time after its last row was stored (`write/block-filters.ts`). Without a filter, a block may contain every value.
 */
export class BlockFilters {
  readonly rowCount: number;
  readonly #blocks = new Map<number, BlockFilter>();
  /** Start times of the blocks that have rows and no filter in memory. */
  readonly #times = new Map<number, BlockTimes>();
  #byteCount = 0;
  /** Full blocks without a filter, oldest first. Blocks from `#nextBlock` on are not full. */
  #missing: number[] = [];
  #nextBlock = 0;

  readonly #bytesMax: number;

  constructor(rowCount = BLOCK_ROW_COUNT, bytesMax = BLOCK_FILTER_BYTES_MAX) {
    this.rowCount = rowCount;
    this.#bytesMax = bytesMax;
  }

  /** Replaces all data by the stored filters, and the start times of the blocks without a filter. */
  restore(
    filters: Iterable<readonly [block: number, filter: BlockFilter]>,
    times: ReadonlyMap<number, BlockTimes>,
    nextRowId: number,
  ): void {
    this.#blocks.clear();
    this.#times.clear();
    this.#byteCount = 0;
    for (const [block, filter] of filters) this.#keep(block, filter);
    this.#nextBlock = this.#blockOf(nextRowId);
    for (const [block, blockTimes] of times) this.#times.set(block, blockTimes);
    this.#missing = [...times.keys()].filter((block) => block < this.#nextBlock);
  }

  /** Number of full blocks without a filter. */
  get missingCount(): number {
    return this.#missing.length;
  }

  /** Adds consecutive rows of a commit. Blocks before that of the next row are full. */
  addRows(firstRowId: number, startsNs: readonly bigint[]): void {
    const nextRowId = firstRowId + startsNs.length;
    for (let rowId = firstRowId; rowId < nextRowId; ) {
      const block = this.#blockOf(rowId);
      const end = Math.min(nextRowId, this.rowsOf(block).last + 1);
      const times = timesOf(startsNs.slice(rowId - firstRowId, end - firstRowId));
      const before = this.#times.get(block);
      this.#times.set(
        block,
        before
          ? timesOf([before.leastStartNs, before.greatestStartNs, times.leastStartNs, times.greatestStartNs])
          : times,
      );
      rowId = end;
    }
    for (const block = this.#blockOf(nextRowId); this.#nextBlock < block; this.#nextBlock++)
      this.#missing.push(this.#nextBlock);
  }

  /** The next block that needs a filter. */
  get firstMissing(): number | undefined {
    return this.#missing[0];
  }

  rowsOf(block: number): RowRange {
    return { first: block * this.rowCount, last: (block + 1) * this.rowCount - 1 };
  }

  /** Adds the filter of `firstMissing`, which has been stored. */
  add(filter: BlockFilter): void {
    const block = this.#missing.shift();
    if (block !== undefined) this.#keep(block, filter);
  }

  /**
   * At most `countMax` rows that may match, nearest to the lower or upper end of a range. Rows between them and that end do
   * not match. Undefined when no row may match.
   */
  next(
    range: RowRange,
    end: 'first' | 'last',
    countMax: number,
    needs: RowNeeds,
    reading: Reading,
  ): RowRange | undefined {
    const isUp = end === 'first';
    const step = isUp ? 1 : -1;
    const stop = this.#blockOf(isUp ? range.last : range.first) + step;
    let block = this.#blockOf(range[end]);
    while (block !== stop && !this.#mayMatch(block, needs)) block += step;
    if (block === stop) return undefined;
    let to = block;
    const gapMin = GAP_ROW_COUNT_MIN[reading];
    for (let at = block + step; at !== stop; at += step) {
      if (Math.abs(at - block) * this.rowCount >= countMax || (Math.abs(at - to) - 1) * this.rowCount >= gapMin) break;
      if (this.#mayMatch(at, needs)) to = at;
    }
    const first = Math.max(range.first, this.rowsOf(Math.min(block, to)).first);
    const last = Math.min(range.last, this.rowsOf(Math.max(block, to)).last);
    return isUp
      ? { first, last: Math.min(last, first + countMax - 1) }
      : { first: Math.max(first, last - countMax + 1), last };
  }

  /** Blocks of a range that may match. */
  *matching(range: RowRange, needs: RowNeeds): Generator<BlockRows> {
    for (let block = this.#blockOf(range.first); block <= this.#blockOf(range.last); block++) {
      if (!this.#mayMatch(block, needs)) continue;
      const { leastStartNs, greatestStartNs } = this.#blocks.get(block) ?? this.#times.get(block) ?? ANY_TIME;
      const { first, last } = this.rowsOf(block);
      yield { first: Math.max(range.first, first), last: Math.min(range.last, last), leastStartNs, greatestStartNs };
    }
  }

  #mayMatch(block: number, needs: RowNeeds): boolean {
    const filter = this.#blocks.get(block);
    return filter ? mayMatch(filter, needs) : mayStartIn(this.#times.get(block) ?? ANY_TIME, needs);
  }

  /** Adds a filter to memory. Beyond the limit, the oldest filters are evicted; their start times stay. */
  #keep(block: number, filter: BlockFilter): void {
    this.#blocks.set(block, filter);
    this.#times.delete(block);
    this.#byteCount += filter.bits.length;
    for (const [oldest, { bits, leastStartNs, greatestStartNs }] of this.#blocks) {
      if (this.#byteCount <= this.#bytesMax) break;
      this.#blocks.delete(oldest);
      this.#times.set(oldest, { leastStartNs, greatestStartNs });
      this.#byteCount -= bits.length;
    }
  }

  #blockOf(rowId: number): number {
    return Math.floor(rowId / this.rowCount);
  }
}
