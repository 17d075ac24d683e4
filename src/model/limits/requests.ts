// Limits of requests, connections and JSON. Bytes unless the name has another unit.
import { GiB, KiB, MiB } from './units.ts';

/** Size of a request's body as received, before inflating. A larger body gets 413 (gRPC: RESOURCE_EXHAUSTED). */
export const BODY_BYTES_MAX = 64 * MiB;
/** Size of an inflated OTLP request. A larger one gets 413, so that a gzip bomb does not fill the memory. */
export const DECODED_BYTES_MAX = 64 * MiB;
/** Size of a JSON body of a REST call, and of a call with many items. */
export const JSON_BODY_BYTES_MAX = 16 * MiB;
export const BULK_JSON_BODY_BYTES_MAX = 64 * MiB;
/** Size of a request of the Model Context Protocol. */
export const MCP_BODY_BYTES_MAX = 4 * MiB;
/** Request line and headers together, enough for a thousand trace IDs in a query. More gets 431. */
export const HEADER_BYTES_MAX = 60 * KiB;
/** Headers of a request. uWebSockets.js is compiled for at most 100. More gets 431. */
export const HEADER_COUNT_MAX = 90;
/** Rejected origins and host names that are logged, each once. A page could invent any number of them. */
export const LOGGED_SOURCE_COUNT_MAX = 100;
/** Characters of a rejected origin or host name in a log line or a response. */
export const SHOWN_SOURCE_LENGTH_MAX = 260;
/** Addresses of forwarding headers that are considered, from the end. More proxies in a row are no real case. */
export const FORWARDED_ADDRESS_COUNT_MAX = 20;
/** Addresses whose requests are counted, about 200 bytes each. One more evicts the least recently used one. */
export const RATE_LIMIT_BUCKET_COUNT_MAX = 20_000;
/** Size of the headers that the HTTP parsers accept before they send 431 themselves, without our headers. */
export const PARSER_HEADER_BYTES_MAX = 64 * KiB;
/** A body without progress for this time is dropped with 408. */
export const BODY_STALL_MS_MAX = 30_000;
/** Progress that counts in that time. A body that is sent byte by byte must not occupy memory for days. */
export const BODY_STALL_BYTES_MIN = 16 * KiB;
/**
 * Share of the received bytes that must arrive in that time as well, so a stalling client cannot hold 60 MB for
 * minutes.
 */
export const BODY_STALL_SHARE_MIN = 1 / 20;
/** The connection is closed if the client reads nothing of its response for this time. */
export const RESPONSE_STALL_MS_MAX = 60_000;
/**
 * Bytes of a rejected body that are read and dropped, so that the client can read the response. If more remain, the
 * connection closes.
 */
export const DROPPED_BYTES_MAX = 64 * MiB;
/** Bytes of a response that are passed to the socket at once. */
export const RESPONSE_CHUNK_BYTES = 64 * KiB;
/** Concurrent exports of one gRPC connection. Each may hold a message. */
export const GRPC_STREAM_COUNT_MAX = 100;
/** Open gRPC calls over all connections, including those whose message is incomplete. One more is UNAVAILABLE. */
export const GRPC_CALL_COUNT_MAX = 512;
/** Open gRPC connections. One more closes the longest idle one. An exporter has one connection, which takes 100 KiB. */
export const GRPC_CONNECTION_COUNT_MAX = 1_000;
/** TCP connections to the gRPC port whose TLS handshake is not finished. */
export const GRPC_HANDSHAKE_COUNT_MAX = 100;
/** Deadline of a TLS handshake, over gRPC and `node:http`. */
export const TLS_HANDSHAKE_MS_MAX = 15_000;
/** Interval at which TLS files are checked for changes. A check costs three calls of `stat`. */
export const TLS_POLL_MS = 10_000;
/** Open TCP connections of the HTTP listener. Another one is closed immediately. */
export const CONNECTION_COUNT_MAX = 10_000;
/** On SIGTERM: time for running requests before they are closed. */
export const DRAIN_MS_MAX = 10_000;
/**
 * Time from SIGTERM to the end of the process. An earlier end loses nothing, because the journal has everything that
 * was acknowledged.
 */
export const STOP_MS_MAX = 40_000;

/**
 * Commas and opening brackets of a JSON body. 64 MiB of OTLP with short keys have 7 million, but 64 MiB of brackets
 * alone would take several GB after parsing.
 */
export const JSON_SIGN_COUNT_MAX = 8_000_000;
/**
 * Distinct keys of a JSON body of REST. This many take a quarter of a second to store; a span has at most 50,000
 * attributes.
 */
export const JSON_KEY_COUNT_MAX = 200_000;
/**
 * OTLP/JSON up to this size is read by `JSON.parse`, in at most 100 ms. A larger body is read by a parser that keeps
 * only the keys of OTLP.
 */
export const PLAIN_JSON_BYTES_MAX = 1 * MiB;
/** Maximum heap of one JSON value: an object with a unique key (816 MiB for 8 million commas and brackets). */
export const JSON_SIGN_HEAP_BYTES_MAX = 110;
/** Heap per byte of a JSON text: two bytes per character of its strings, which exist twice during the conversion. */
const JSON_TEXT_HEAP_BYTES = 4;
/** Maximum heap of a JSON text and its parsed values. */
export const jsonHeapBytes = (textBytes: number, signCount: number): number =>
  textBytes * JSON_TEXT_HEAP_BYTES + signCount * JSON_SIGN_HEAP_BYTES_MAX;
/**
 * JavaScript heap of a decode thread: several times the need of the largest allowed body. No body may reach it, because
 * Node 22 and 24 often end the whole process where only the thread should end.
 */
export const DECODE_HEAP_BYTES_MAX = 2 * GiB;

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
/** Interval in which a server reports that its requests are running, and the age of that sign when they are lost. */
export const IDEMPOTENCY_RENEWAL_MS = 5_000;
export const IDEMPOTENCY_STALE_MS = 30_000;
/** Seconds after which a client requests the response again to a request that is running. */
export const IDEMPOTENCY_RETRY_AFTER_SECONDS = 1;
/** Attempts to claim a key whose row is deleted between two statements. */
export const IDEMPOTENCY_CLAIM_COUNT_MAX = 3;
