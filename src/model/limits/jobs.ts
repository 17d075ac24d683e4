// Limits of experiments that the server runs.
import { KiB, MiB } from './units.ts';

/** Calls of all jobs of a process. Each has a connection and a response in memory. */
export const JOB_CALL_COUNT_MAX = 1_000;
/** Concurrent calls of one job. It leaves calls to other jobs. */
export const JOB_CONCURRENCY_MAX = 500;
export const JOB_CONCURRENCY_DEFAULT = 10;
/** Items that are loaded at a time: twice the concurrency, within these bounds, so that no call waits for the database. */
export const LOADED_ITEM_COUNT_MIN = 10;
export const LOADED_ITEM_COUNT_MAX = 200;
/** Characters of the examples and outputs of a page, estimated from the previous page. Examples may be long. */
export const LOADED_CHARS_MAX = 16 * 2 ** 20;
/** Duration of an attempt. */
export const TASK_MS_MAX = 120_000;
export const EVALUATION_MS_MAX = 60_000;
/** Waits before the attempts after the first one. A vendor may request longer ones. */
export const JOB_RETRY_MS: readonly number[] = [1_000, 2_000, 4_000];
/** Longest wait that a vendor may request. A longer one, as of a daily quota, fails the item. */
export const RETRY_AFTER_MS_MAX = 600_000;
/** Failures in a row that end a job, or an evaluator of it. */
export const JOB_FAILURE_COUNT_MAX = 5;
/** A claim that was not renewed for this long is void. */
export const JOB_LEASE_MS = 120_000;
export const JOB_RENEW_MS = 60_000;
/** How often a server looks for jobs whose claim is void, and whether another one stopped its own jobs. */
export const JOB_SCAN_MS = 10_000;
export const JOB_CHECK_MS = 1_000;
/** How often address and keys of a task are resolved again. A deleted key or provider is used for at most this long. */
export const JOB_REFRESH_MS = 5_000;
/** Time after a stop or resume in which the other is rejected. */
export const JOB_COOLDOWN_MS = 5_000;
/** Jobs that one scan claims. */
export const CLAIMED_JOB_COUNT_MAX = 100;
/** Characters of a text of a vendor in logs and runs. */
export const JOB_ERROR_CHARS_MAX = 10_000;
/** Events and characters that wait for the reader of a stream, above which its job starts no further task. */
export const STREAM_EVENT_COUNT_MAX = 2_000;
export const STREAM_CHARS_MAX = 4 * 2 ** 20;
/** A reader that takes nothing for this long while its buffer is full is dropped, so that the job goes on. */
export const STREAM_STALL_MS = 60_000;
/** Results whose spans are looked up together. */
export const ANNOUNCED_COUNT_MAX = 200;
/** Rate limits that are learned: calls per second at least, and the time without calls after which a limit is evicted. */
export const RATE_PER_SECOND_MIN = 0.1;
export const RATE_IDLE_MS = 60_000;
/** Keys whose limits are known at a time. */
export const RATE_KEY_COUNT_MAX = 10_000;
/** Cached responses: their age, the size of one as JSON, and of all in a database. */
export const CACHED_RESPONSE_AGE_MS_MAX = 7 * 86_400_000;
export const CACHED_RESPONSE_BYTES_MAX = 256 * KiB;
export const CACHED_RESPONSES_BYTES_MAX = 256 * MiB;
/** Responses that a job adds between two evictions, which read the sizes of all. */
export const CACHED_RESPONSE_EVICT_COUNT = 500;
/** Time for which prices of models are cached. */
export const JOB_PRICES_MS = 60_000;
