// Limits of admission, journal and commits. Bytes unless the name has another unit.
import { GiB, MiB } from './units.ts';

/** Bytes of requests between admission and acknowledgement. More gets 503 with Retry-After. */
export const INFLIGHT_BYTES_MAX = 256 * MiB;
/** Requests that wait for a decode thread. Another one gets 503. */
export const DECODE_QUEUE_COUNT_MAX = 512;
/** Bytes that are journaled but not yet stored. More gets 503, so that disk use is bounded. */
export const BACKLOG_BYTES_MAX = 4 * GiB;
/** Seconds that exporters wait after 503. */
export const RETRY_AFTER_SECONDS = 1;

/** Size of a journal segment. It is preallocated, so that fdatasync writes data and no file size. */
export const SEGMENT_BYTES = 128 * MiB;
/** Maximum bytes of one group commit of the journal. */
export const GROUP_COMMIT_BYTES_MAX = 16 * MiB;
/** Applied segments remain for this time for inspection, up to this many bytes. */
export const JOURNAL_GRACE_MS = 600_000;
export const JOURNAL_GRACE_BYTES_MAX = 1 * GiB;
/** Interval at which applied segments are removed. */
export const JOURNAL_TRIM_MS = 10_000;
/** Interval at which free space is measured, and at which a journal that could not be written retries. */
export const STORAGE_PROBE_MS = 1_000;
/** Free space reserved for Postgres and for the store, which rewrites up to three row groups at a checkpoint. */
export const STORE_RESERVE_BYTES = 256 * MiB;
/** Maximum share of a small disk that is reserved. */
export const STORE_RESERVE_SHARE_MAX = 0.1;
/**
 * Bytes reserved in addition for each journal byte after the last checkpoint, because the journal may compress better.
 */
export const STORE_RESERVE_PER_JOURNAL_BYTE = 2;
/** Minimum free space to begin a checkpoint, in addition to the text that it writes. */
export const CHECKPOINT_FREE_BYTES_MIN = 4 * MiB;

/** A commit of the store ends at the first of these limits. A larger single request is one commit. */
export const COMMIT_ROW_COUNT_MAX = 8 * 2048;
export const COMMIT_BYTES_MAX = 32 * MiB;
/** While spans arrive, commits start at least this far apart. A single span is committed immediately. */
export const COMMIT_INTERVAL_MS_MIN = 20;

/** Rejected requests and spans that the ingest status lists. */
export const INGEST_ERROR_COUNT_MAX = 200;
/** Most recent clients that the ingest status lists. */
export const INGEST_CLIENT_COUNT_MAX = 100;
/** Stored characters of a client's user agent. */
export const USER_AGENT_LENGTH_MAX = 200;
/**
 * Interval between log lines about rejected traces of one client for one reason. A broken exporter retries constantly.
 */
export const REJECTION_LOG_INTERVAL_MS = 60_000;
/**
 * Clients and reasons that the log distinguishes at a time. The others share one line, so clients cannot flood the log.
 */
export const REJECTION_LOG_KEY_COUNT_MAX = 200;
/** Characters of a reason in the log. A reason may quote the request. */
export const REJECTION_LOG_REASON_LENGTH_MAX = 500;
/** Length and number of the bins of the ingest status: a quarter of an hour. */
export const ACTIVITY_BIN_MS = 10_000;
export const ACTIVITY_BIN_COUNT = 90;
