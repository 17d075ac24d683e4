// Limits of calls to model vendors.
import { KiB, MiB } from './units.ts';

/** Connection to a vendor with its TLS handshake. */
export const MODEL_CONNECT_MS_MAX = 10_000;
/** Time until the vendor begins its response. Reasoning models think for minutes before a response that is not streamed. */
export const MODEL_FIRST_BYTE_MS_MAX = 300_000;
/** Time between two chunks of a response. Vendors send a comment or an event every few seconds while a model thinks. */
export const MODEL_IDLE_MS_MAX = 120_000;
/** A whole call. The official packages have the same limit. */
export const MODEL_CALL_MS_MAX = 600_000;
/** Test of the credentials of a vendor, while a person waits. */
export const MODEL_TEST_MS_MAX = 10_000;

/** A streamed response: 128,000 tokens, the longest output, take 300 bytes each in the stream of OpenAI. */
export const MODEL_STREAM_BYTES_MAX = 64 * MiB;
/** A response that is not streamed, and one event of a stream: the last event repeats the whole response. */
export const MODEL_RESPONSE_BYTES_MAX = 8 * MiB;
/** Characters of text, reasoning and tool calls of one response. 128,000 tokens have about 600,000. */
export const MODEL_OUTPUT_CHARS_MAX = 2 * 1024 * 1024;
/** Tool calls of one response. Models make a few; each begins an object that a garbled stream could repeat. */
export const MODEL_TOOL_CALL_COUNT_MAX = 1_000;
/**
 * Responses of all calls in flight. A thousand calls of an endpoint that sends the longest responses would fill the memory; usual ones
 * take a hundredth of this.
 */
export const MODEL_HELD_BYTES_MAX = 256 * MiB;
/** Bytes that wait for their reader, above which the connection is paused. */
export const MODEL_BUFFER_BYTES_MAX = 256 * KiB;
/** Time for which events of responses are read before other work has its turn, and responses that go on in one turn. */
export const MODEL_READ_MS_MAX = 5;
export const MODEL_READERS_OF_TURN_MAX = 32;

/** The part of a failed response that is read. Vendors explain an error in a few hundred bytes. */
export const MODEL_ERROR_BYTES_MAX = 64 * KiB;
/** Characters of the message of a `ModelError`, which is stored in spans and runs. */
export const MODEL_ERROR_CHARS_MAX = 2_000;
/** The longest wait that a vendor may request. Daily quotas name a time on the next day. */
export const MODEL_RETRY_AFTER_MS_MAX = 24 * 3_600_000;
/** Levels of JSON in a response of a vendor. */
export const MODEL_RESPONSE_DEPTH_MAX = 200;
/** Cached cloud credentials with their tokens. A server uses a few. */
export const MODEL_CREDENTIAL_COUNT_MAX = 100;
/** Limits that the headers of a response may state. Vendors have two to four. */
export const MODEL_LIMIT_COUNT_MAX = 20;
