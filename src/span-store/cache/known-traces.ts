// biome-ignore-all lint/style/noNonNullAssertion: the columns of IDs have two words for each row.
import type { TraceRow } from '../duckdb/trace-rows.ts';
import { BloomFilter, GrowingBloomFilter } from './bloom-filter.ts';
import { RecentTraces } from './recent-traces.ts';
import type { TraceBlocks } from './trace-blocks.ts';

/** Traces with a row in memory, which a commit need not read. Up to twice as many are kept. */
const RECENT_TRACE_COUNT = 2 ** 16;
/** Spans in each of the two filters of recent spans, of 3 MB each. */
const RECENT_SPAN_COUNT = 2 ** 20;

const WORDS_PER_ID = 2;

/**
 * Data about stored traces in the writer's memory, with which an append of new traces reads nothing from the database: a
 * Bloom filter of the IDs of all stored traces, rows of recent traces, and Bloom filters of recent spans. A result is exact or
 * unknown; in the latter case the database is read.
 */
export class KnownTraces {
  /** Row ids of traces by ID; reads use it, too. */
  readonly #blocks: TraceBlocks;
  #ids = new GrowingBloomFilter();
  readonly #recent = new RecentTraces(RECENT_TRACE_COUNT);
  #youngSpans = new BloomFilter(RECENT_SPAN_COUNT);
  #oldSpans: BloomFilter | undefined;
  /** Every stored span from this row id on is in a filter of recent spans. The second is the start of the young filter. */
  #spansFromRowId = Number.MAX_SAFE_INTEGER;
  #youngSpansFromRowId = Number.MAX_SAFE_INTEGER;

  constructor(blocks: TraceBlocks) {
    this.#blocks = blocks;
  }

  /** Row ids of traces by ID. */
  get blocks(): TraceBlocks {
    return this.#blocks;
  }

  /** Removes everything, before the IDs of the stored traces are added. */
  clear(): void {
    this.#ids = new GrowingBloomFilter();
    this.#blocks.clear();
    this.evictRows();
  }

  /** Evicts rows, which a deletion has changed. IDs stay: a Bloom filter cannot remove them, and "maybe" is always right. */
  evictRows(): void {
    this.#recent.clear();
    this.#youngSpans = new BloomFilter(RECENT_SPAN_COUNT);
    this.#oldSpans = undefined;
    this.#spansFromRowId = Number.MAX_SAFE_INTEGER;
    this.#youngSpansFromRowId = Number.MAX_SAFE_INTEGER;
  }

  /** False when no trace with this ID was ever stored. `high` and `low` are the words of the ID columns of a batch. */
  mayHaveId(high: Uint32Array, low: Uint32Array, row: number): boolean {
    const at = WORDS_PER_ID * row;
    return this.#ids.mayHave(high[at]!, high[at + 1]!, low[at]!, low[at + 1]!);
  }

  addId(high: Uint32Array, low: Uint32Array, row: number, rowId: number): void {
    const at = WORDS_PER_ID * row;
    this.#ids.add(high[at]!, high[at + 1]!, low[at]!, low[at + 1]!);
    this.#blocks.add(rowId, high[at]!, high[at + 1]!, low[at]!, low[at + 1]!);
  }

  recent(high: bigint, low: bigint): TraceRow | undefined {
    return this.#recent.get(high, low);
  }

  setRecent(trace: TraceRow): void {
    this.#recent.set(trace);
  }

  /** False when this span of a stored trace is not stored. */
  mayHaveSpan(trace: TraceRow, spanIds: Uint32Array, row: number): boolean {
    if (trace.firstSpanRowId < this.#spansFromRowId) return true;
    const low = spanIds[2 * row]!;
    const high = spanIds[2 * row + 1]!;
    const [a, b] = rowIdWords(trace.rowId);
    return this.#youngSpans.mayHave(a, b, low, high) || this.#oldSpans?.mayHave(a, b, low, high) === true;
  }

  /** Adds a stored span. Every span must be added, in the order of row ids. */
  addSpan(rowId: number, traceRowId: number, spanIds: Uint32Array, row: number): void {
    if (this.#youngSpans.isFull) {
      this.#oldSpans = this.#youngSpans;
      this.#spansFromRowId = this.#youngSpansFromRowId;
      this.#youngSpans = new BloomFilter(RECENT_SPAN_COUNT);
      this.#youngSpansFromRowId = rowId;
    }
    if (rowId < this.#youngSpansFromRowId) this.#youngSpansFromRowId = rowId;
    if (rowId < this.#spansFromRowId) this.#spansFromRowId = rowId;
    const [a, b] = rowIdWords(traceRowId);
    this.#youngSpans.add(a, b, spanIds[2 * row]!, spanIds[2 * row + 1]!);
  }
}

export const traceKey = (high: bigint, low: bigint): bigint => (high << 64n) | low;

/** Low and high words of a column of 64-bit numbers. */
export const wordsOf = (column: BigUint64Array<ArrayBufferLike>): Uint32Array =>
  new Uint32Array(column.buffer, column.byteOffset, WORDS_PER_ID * column.length);

const rowIdWords = (rowId: number): [number, number] => [rowId >>> 0, Math.floor(rowId / 0x1_0000_0000)];
