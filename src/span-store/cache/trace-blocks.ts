import type { RowRange } from '../duckdb/row-range.ts';
import type { Parameters } from '../duckdb/sql.ts';
import { BloomFilter } from './bloom-filter.ts';

/** Traces of a block, by row id: as many as DuckDB passes over at once. 3 bytes of memory each. */
const BLOCK_ROW_COUNT = 16_384;
/** From so many blocks on all rows are looked at: one scan costs less than so many conditions. */
const RANGE_COUNT_MAX = 16;

/** Both halves of a trace ID. */
export interface TraceIdNumbers {
  readonly high: bigint;
  readonly low: bigint;
}

/**
 * Among which rows of `traces` an ID may be. Without it a trace is found by a scan of the IDs of all traces, 3 to 7 ms a
 * million. A deletion leaves blocks as they are: they say "maybe", and rows say what is.
 */
export class TraceBlocks {
  readonly #rowCount: number;
  /** By number of the block. */
  readonly #ids = new Map<number, BloomFilter>();

  constructor(rowCount = BLOCK_ROW_COUNT) {
    this.#rowCount = rowCount;
  }

  /** The words are those of the ID's halves, the low word of each first. */
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

  /** A condition that rows of these traces meet, and that few others do. */
  condition(ids: readonly TraceIdNumbers[], parameters: Parameters): string {
    const ranges = this.#rangesOf(ids);
    if (ranges.length === 0) return 'false';
    if (ranges.length > RANGE_COUNT_MAX) return 'true';
    // Filled up to a power of two, so that the texts of statements repeat.
    const count = 2 ** Math.ceil(Math.log2(ranges.length));
    const filled = Array.from({ length: count }, (_, at) => ranges[Math.min(at, ranges.length - 1)]!);
    const conditions = filled.map(
      ({ first, last }) => `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}`,
    );
    return `(${conditions.join(' OR ')})`;
  }

  #rangesOf(ids: readonly TraceIdNumbers[]): RowRange[] {
    const words = ids.map(({ high, low }) => [...toWords(high), ...toWords(low)] as const);
    const ranges: RowRange[] = [];
    for (const [block, filter] of this.#ids) {
      if (!words.some(([a, b, c, d]) => filter.mayHave(a, b, c, d))) continue;
      ranges.push({ first: block * this.#rowCount, last: (block + 1) * this.#rowCount - 1 });
      if (ranges.length > RANGE_COUNT_MAX) break;
    }
    return ranges;
  }
}

/** The low and the high word of a number of 64 bits. */
const toWords = (value: bigint): readonly [number, number] => [Number(value & 0xffffffffn), Number(value >> 32n)];

/**
 * A condition on `traces` that rows of these IDs meet, and those whose halves are of two of them; the IDs are still to be
 * compared. Both halves, because IDs of some senders differ in one of them only.
 */
export function isOneOfTraces(
  ids: readonly TraceIdNumbers[],
  blocks: TraceBlocks | undefined,
  parameters: Parameters,
): string {
  const place = blocks?.condition(ids, parameters) ?? 'true';
  const lows = parameters.ubigintIn('trace_id_low', [...new Set(ids.map(({ low }) => low))]);
  const highs = parameters.ubigintIn('trace_id_high', [...new Set(ids.map(({ high }) => high))]);
  return `${place} AND ${lows} AND ${highs}`;
}
