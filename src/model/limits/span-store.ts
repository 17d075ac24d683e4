// Limits of DuckDB and the caches beside it. Bytes unless the name says otherwise.
import { GiB, MiB } from './units.ts';

/** Default memory of the span store's buffers. More only speeds up large scans. */
export const STORE_MEMORY_BYTES_MAX = 1 * GiB;
/** Disk space for sorts and joins that exceed that memory. */
export const STORE_TEMP_BYTES_MAX = 10 * GiB;
/** Memory of block filters, about 4 bytes per span. Searches scan the oldest blocks beyond it row by row. */
export const BLOCK_FILTER_BYTES_MAX = 256 * MiB;
/**
 * Memory of the newest spans, from which pages are built without a query: about 200,000 spans of agents. The limit is
 * lower if the store's buffers have less than four times as much.
 */
export const RECENT_SPAN_BYTES_MAX = 256 * MiB;
/**
 * Commits of a few spans are merged in memory up to this size, because the arrays of a commit take 16 KiB beside its content. A
 * deletion evicts a whole block.
 */
export const RECENT_BLOCK_SPAN_COUNT_MAX = 256;
export const RECENT_BLOCK_BYTES_MAX = MiB;
/**
 * Memory of hourly aggregates with the latency of each trace: about 4 million traces. Beyond it, the database is
 * queried.
 */
export const RANGE_SUM_BYTES_MAX = 32 * MiB;
/** Aggregates of a project are evicted after this many changes without a read. */
export const UNASKED_CHANGE_COUNT_MAX = 2 ** 18;
/**
 * Spans between two checkpoints under continuous load. Later ones are replayed after a crash. At least four of the
 * store's row groups: the incomplete row groups that checkpoints leave are then too far apart for DuckDB to merge
 * everything between them.
 */
export const STORE_CHECKPOINT_ROW_COUNT = 5 * 16_384;
/** Bytes of text that cause an earlier checkpoint. Until then they are in the store's memory, uncompressed. */
export const STORE_CHECKPOINT_BYTES = 256 * MiB;
/** Time without writes that causes a checkpoint, so that an idle server starts immediately. */
export const STORE_CHECKPOINT_IDLE_MS = 5_000;
/** Maximum time between checkpoints under a low load, so that journal segments can be removed. */
export const STORE_CHECKPOINT_INTERVAL_MS = 60_000;
/** Longest pause before a store thread is restarted after it ended. */
export const STORE_RESTART_MS_MAX = 30_000;
/** Deleted traces whose sort position is kept for cursors that name them, about 10 bytes each on disk. */
export const DELETED_TRACE_COUNT_MAX = 1_000_000;
/** Row ids that a recreated or older store skips: more than are allocated between two checkpoints, which record them. */
export const ROW_ID_GAP = 2 ** 26;
