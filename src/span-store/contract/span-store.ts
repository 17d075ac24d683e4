import type { AggregateReader } from './aggregates.ts';
import type { AnnotationReader } from './annotations.ts';
import type { CostReader } from './costs.ts';
import type { FacetReader } from './facets.ts';
import type { SessionReader } from './sessions.ts';
import type { SpanFileReader } from './span-files.ts';
import type { SpanReader } from './spans.ts';
import type { ChangeReader } from './store-changes.ts';
import type { TraceReader } from './traces.ts';
import type { SpanWriter } from './writer.ts';

/**
 * Reads. The caller owns every result and may change it. A read sees every commit that ended before it began.
 *
 * @throws {SpandrelError} `QUERY_TIMED_OUT` past the deadline of its class, `CANCELLED` when the signal fired,
 *   `STORE_UNAVAILABLE` while the store is being rebuilt or its queue is full.
 */
export interface SpanStoreReader
  extends SpanReader,
    TraceReader,
    SessionReader,
    AnnotationReader,
    CostReader,
    AggregateReader,
    FacetReader,
    SpanFileReader,
    ChangeReader {}

/** Sizes for `/metrics` and for people. */
export interface SpanStoreStats {
  readonly spanCount: number;
  readonly traceCount: number;
  readonly sessionCount: number;
  readonly diskBytes: number;
  /** Of these: blocks that a deletion has left empty, and that what comes will fill. */
  readonly freeBytes: number;
  readonly memoryBytes: number;
  /** Blocks of spans that searches look through for want of a filter; it grows while more comes than can be indexed. */
  readonly unindexedBlockCount: number;
}

/** Row ids allocated by Postgres that the span store refers to. */
export interface MetadataRowIds {
  readonly projectIds: readonly number[];
  readonly modelIds: readonly number[];
}

export interface SpanStore extends SpanStoreReader, SpanWriter {
  stats(): Promise<SpanStoreStats>;
  /** `digestOfPrices` of the prices that new spans get. */
  priceDigest(): Promise<string>;
  /** Greatest row id that a span was ever given; 0 before the first. */
  newestSpanRowId(): Promise<number>;
  /** Row ids of the metadata that the store refers to. */
  metadataRowIds(): Promise<MetadataRowIds>;
  /** Makes later spans get row ids above this one. */
  skipSpanRowIds(lastRowId: number): Promise<void>;
  /** Makes everything applied so far survive a crash. The store schedules its own; tests and backups call this. */
  checkpoint(): Promise<void>;
  /** Ends running reads, checkpoints and closes. */
  close(): Promise<void>;
}
