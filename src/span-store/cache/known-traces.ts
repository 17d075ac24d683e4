import type { TraceRow } from '../duckdb/trace-rows.ts';
import { BloomFilter, GrowingBloomFilter } from './bloom-filter.ts';
import { RecentMap } from './recent-map.ts';
import type { TraceBlocks } from './trace-blocks.ts';

/** Traces whose rows are kept in memory, so that a commit need not read them. About 0.5 KB each, and up to twice as many. */
const RECENT_TRACE_COUNT = 2 ** 16;
/** Spans in each of the two filters of recent spans: 3 MB each. */
const RECENT_SPAN_COUNT = 2 ** 20;

const WORDS_PER_ID = 2;

/**
 * What the writer knows without asking DuckDB, so that an append of new traces reads nothing, whatever is stored:
 * a Bloom filter over the ids of all stored traces, the rows of recent ones, and Bloom filters over recent spans.
 * It answers exactly or says that it does not know; then the store is asked.
 */
export class KnownTraces {
  /** Where they are, for reads too. */
  readonly #blocks: TraceBlocks;
  #ids = new GrowingBloomFilter();
  readonly #recent = new RecentMap<bigint, TraceRow>(RECENT_TRACE_COUNT);
  #youngSpans = new BloomFilter(RECENT_SPAN_COUNT);
  #oldSpans: BloomFilter | undefined;
  /** Every stored span with a row id of at least this is in a filter of recent spans; and where the young one begins. */
  #spansFromRowId = Number.MAX_SAFE_INTEGER;
  #youngSpansFromRowId = Number.MAX_SAFE_INTEGER;

  constructor(blocks: TraceBlocks) {
    this.#blocks = blocks;
  }

  /** Where the traces are stored. */
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

  /** False when no trace with this id was ever stored. The words are of the columns of IDs, row by row. */
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
    return this.#recent.get(traceKey(high, low));
  }

  setRecent(trace: TraceRow): void {
    this.#recent.set(traceKey(trace.high, trace.low), trace);
  }

  /** False when this span of a stored trace is certainly not stored. */
  mayHaveSpan(trace: TraceRow, spanIds: Uint32Array, row: number): boolean {
    if (trace.firstSpanRowId < this.#spansFromRowId) return true;
    const low = spanIds[2 * row]!;
    const high = spanIds[2 * row + 1]!;
    const [a, b] = rowIdWords(trace.rowId);
    return this.#youngSpans.mayHave(a, b, low, high) || this.#oldSpans?.mayHave(a, b, low, high) === true;
  }

  /** Adds a stored span. Every span must be added, in order of row id. */
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

/** The low and high words of 64-bit numbers, as the columns of a batch have them. */
export const wordsOf = (column: BigUint64Array<ArrayBufferLike>): Uint32Array =>
  new Uint32Array(column.buffer, column.byteOffset, WORDS_PER_ID * column.length);

const rowIdWords = (rowId: number): [number, number] => [rowId >>> 0, Math.floor(rowId / 0x1_0000_0000)];
