import type { StoreRowIds } from '../../model/spans/store-row-ids.ts';
import type { AggregateReader } from './aggregate.ts';
import type { AnnotationReader } from './annotations.ts';
import type { CostReader } from './costs.ts';
import type { FacetReader } from './facets.ts';
import type { RowReader } from './rows.ts';
import type { SessionReader } from './sessions.ts';
import type { SpanFileReader } from './span-files.ts';
import type { SpanMetricReader } from './span-metrics.ts';
import type { SpanReader } from './spans.ts';
import type { ChangeReader } from './store-changes.ts';
import type { TraceReader } from './traces.ts';
import type { ValueReader } from './value-aggregates.ts';
import type { SpanWriter } from './writer.ts';

/**
 * Reads. The caller owns every result and may change it. A read sees every commit that ended before it began.
 *
 * @throws {SpandrelError} `QUERY_TIMED_OUT` past the deadline of its class, `CANCELLED` when the signal fired,
 *   `STORE_UNAVAILABLE` while the store is being rebuilt or its queue is full.
 */
export interface SpanStoreReader
  extends RowReader,
    SpanReader,
    TraceReader,
    SessionReader,
    AnnotationReader,
    CostReader,
    AggregateReader,
    FacetReader,
    ValueReader,
    SpanMetricReader,
    SpanFileReader,
    ChangeReader {}

/** Sizes of the store. */
export interface SpanStoreStats {
  readonly spanCount: number;
  readonly traceCount: number;
  readonly sessionCount: number;
  readonly diskBytes: number;
  /** Bytes of the file that a deletion has freed for later data. */
  readonly freeBytes: number;
  readonly memoryBytes: number;
  /** Blocks of spans without a filter, which searches scan. The number grows while spans arrive faster than filters are built. */
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
  /** Greatest row id ever allocated to a span; 0 before the first span. */
  newestSpanRowId(): Promise<number>;
  /** Row ids of the metadata that the store refers to. */
  metadataRowIds(): Promise<MetadataRowIds>;
  /** Allocates only greater row ids to later rows. */
  skipRowIds(lastRowIds: Partial<StoreRowIds>): Promise<void>;
  /** Makes all applied data survive a crash. The store schedules checkpoints itself; tests and backups call this. */
  checkpoint(): Promise<void>;
  /** Cancels running reads, makes a checkpoint and closes the store. */
  close(): Promise<void>;
}
