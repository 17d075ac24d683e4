import { createHash } from 'node:crypto';

/** A trace ID: 32 lower-case hex digits, or any text that was sent over REST. */
export type TraceId = string & { readonly brand: 'TraceId' };
/** A span ID: 16 lower-case hex digits, or any text that was sent over REST. */
export type SpanId = string & { readonly brand: 'SpanId' };

export const isHexTraceId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
export const isHexSpanId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);

export interface TraceIdHalves {
  readonly high: bigint;
  readonly low: bigint;
}

/** The two 64-bit halves under which a trace is stored. A text that is not a hex ID is stored under its SHA-256. */
export function traceIdHalves(text: string): TraceIdHalves {
  const hex = isHexTraceId(text) ? text : sha256(text).slice(0, 32);
  return { high: BigInt(`0x${hex.slice(0, 16)}`), low: BigInt(`0x${hex.slice(16)}`) };
}

/** The 64-bit number under which a span is stored. A text that is not a hex ID is stored under its SHA-256. */
export function spanIdNumber(text: string): bigint {
  return BigInt(`0x${isHexSpanId(text) ? text : sha256(text).slice(0, 16)}`);
}

/** The trace ID that is stored under these halves. `text` is the ID if it is not a hex ID. */
export const toTraceId = (high: bigint, low: bigint, text: string | null = null): TraceId =>
  (text ?? high.toString(16).padStart(16, '0') + low.toString(16).padStart(16, '0')) as TraceId;

/** The span ID that is stored under this number. `text` is the ID if it is not a hex ID. */
export const toSpanId = (id: bigint, text: string | null = null): SpanId =>
  (text ?? id.toString(16).padStart(16, '0')) as SpanId;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
