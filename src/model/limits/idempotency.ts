// Limits of requests that are made once for a key. Bytes unless the name says otherwise.
import { KiB, MiB } from './units.ts';

/** Characters of the header `Idempotency-Key`. Clients send a UUID; a name of a run may be part of it. */
export const IDEMPOTENCY_KEY_CHARS_MAX = 255;
/** Time for which a response is repeated: an outage over night with the retries of a client after it. */
export const IDEMPOTENCY_MS_MAX = 24 * 3_600_000;
/** Size of a stored response. Responses to creations are IDs; a batch of 1,000 items takes about 200 KB. */
export const IDEMPOTENT_RESPONSE_BYTES_MAX = 512 * KiB;
/** Stored keys of one caller, of the database, and the size of all stored responses. The oldest are deleted first. */
export const IDEMPOTENCY_KEY_COUNT_OF_CALLER_MAX = 20_000;
export const IDEMPOTENCY_KEY_COUNT_MAX = 100_000;
export const IDEMPOTENCY_BYTES_MAX = 256 * MiB;
/** New keys of a server after which it deletes what is above these limits, and the interval in which it does so anyway. */
export const IDEMPOTENCY_SWEEP_KEY_COUNT = 1_000;
export const IDEMPOTENCY_SWEEP_MS = 3_600_000;
/** Interval in which a server says that its requests are running, and the age of that sign when they are lost. */
export const IDEMPOTENCY_RENEWAL_MS = 5_000;
export const IDEMPOTENCY_STALE_MS = 30_000;
/** Seconds after which a client asks again for the response to a request that is running. */
export const IDEMPOTENCY_RETRY_AFTER_SECONDS = 1;
/** Attempts to claim a key whose row is deleted between two statements. */
export const IDEMPOTENCY_CLAIM_COUNT_MAX = 3;
