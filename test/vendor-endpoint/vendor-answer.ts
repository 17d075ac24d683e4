import type { WireAnswer } from '../../clients/typescript/evals/src/fake-model/wire/wire-answer.ts';

/** How the endpoint answers one call. Absent fields have the defaults of the endpoint. */
export interface VendorAnswer extends WireAnswer {
  /** Time from the last byte of the request to the first byte of the response. */
  readonly latencyMs?: number;
  /** Chunks of text in a second. Zero: all at once. */
  readonly chunksPerSecond?: number;
  /** The text STAMP in a streamed chunk is replaced by the time of its sending (not with Bedrock, which has checksums). */
  readonly isStamped?: boolean;
  readonly fault?: VendorFault;
  /** Headers that are added to the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Replaced by microseconds since 1970 if an answer is stamped. */
export const STAMP = '<sent at>';

export type VendorFault =
  /** 429. `retryAfter` is a number of seconds, or a wait in milliseconds that is sent as a date. */
  | { readonly type: 'rateLimited'; readonly retryAfter?: number | { readonly dateInMs: number } }
  | { readonly type: 'status'; readonly status: number; readonly message?: string }
  /** The connection is reset, before any byte or in the middle of the body. */
  | { readonly type: 'reset'; readonly when: 'before' | 'middle' }
  /** The body ends in the middle of an event, and the connection is closed as if all were sent. */
  | { readonly type: 'halfEvent' }
  /** Text without end: valid events (or one JSON text) of about this size in all. */
  | { readonly type: 'endless'; readonly bytes: number }
  /** The connection stays open and nothing arrives any more. */
  | { readonly type: 'silence'; readonly when: 'before' | 'middle' }
  | { readonly type: 'redirect'; readonly to: string; readonly status?: number }
  /** Bytes that are no response of the protocol, with its content type. */
  | { readonly type: 'garbage' }
  /** Valid JSON of the wrong shape. */
  | { readonly type: 'wrongShape' }
  /** A page of HTML with status 200. */
  | { readonly type: 'contentType' }
  /** An error of the vendor after the first half of the stream. Not streamed: status 529. */
  | { readonly type: 'errorEvent' };
