/** Estimated bytes of spans, and the time since the first of them, at which a batch is closed. */
export const BATCH_BYTES = 512 * 1024;
export const BATCH_DELAY_MS = 500;
/** Bytes at which a batch is closed at once, because the program leaves the event loop no turn. */
export const BLOCKED_BATCH_BYTES = 4 * BATCH_BYTES;
/** Bytes of batches that one request joins. The server takes larger bodies; smaller ones arrive in time on slow lines. */
export const REQUEST_BYTES_MAX = 4 * 1024 * 1024;
/** Bytes of closed batches in memory. Above them batches are only in files, or the oldest are dropped without files. */
export const MEMORY_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of all spill files of one server, of all processes, and their age. */
export const SPILL_BYTES_MAX = 512 * 1024 * 1024;
export const SPILL_AGE_MS_MAX = 7 * 24 * 60 * 60_000;
/** Bytes at which a new spill file is begun. A file is deleted when all its batches were sent. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;
/** Files of ended processes that one process takes over at a time; the others wait for the next look. */
export const TAKEN_FILE_COUNT_MAX = 100;
/** Interval of the sign of life of a process and of the look for files of others, and the age at which a sign is stale. */
export const HEARTBEAT_MS = 10_000;
export const STALE_MS = 60_000;
/** Pause before another try with a disk that failed. */
export const DISK_PAUSE_MS = 30_000;
/** Time of one request. */
export const SEND_TIMEOUT_MS = 10_000;
/** Pause after a failed request, doubled up to the maximum. */
export const FIRST_PAUSE_MS = 500;
export const PAUSE_MS_MAX = 15_000;
/** Time that a flush, and the end of a process, wait for the server. What is left is in files. */
export const FLUSH_TIMEOUT_MS = 5_000;
export const EXIT_TIMEOUT_MS = 2_000;
