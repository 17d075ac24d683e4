import { freeBuffer } from '../base/free-buffer.ts';
import { checkProtobuf } from './check-protobuf.ts';
import { jsonToProtobuf } from './json-to-protobuf.ts';

export type OtlpFormat = 'protobuf' | 'json';

/** What will become of a request's spans. */
export interface OtlpCheck {
  /** Spans in the request, rejected ones included. */
  readonly spanCount: number;
  readonly rejectedSpanCount: number;
  /** Why the first few were rejected; empty when none was. */
  readonly message: string;
}

const MESSAGE_CHARS_MAX = 1_000;

/**
 * Checks an ExportTraceServiceRequest (inflated) without building anything from it. What passes can be decoded, but for
 * the spans that are counted as rejected: `decodeOtlpRequest` leaves out the same ones.
 *
 * @param jsonSignCountMax must not exceed the limit of the decoder, which is not checked here
 * @throws {SpandrelError} `OTLP_MALFORMED` when it is no such request, `BODY_TOO_LARGE` when it has too many spans
 */
export function checkOtlpRequest(body: Uint8Array, format: OtlpFormat, jsonSignCountMax?: number): OtlpCheck {
  const bytes = format === 'json' ? jsonToProtobuf(body, jsonSignCountMax) : body;
  const { spanCount, rejected, reasons } = checkProtobuf(bytes);
  if (bytes !== body) freeBuffer(bytes);
  return { spanCount, rejectedSpanCount: rejected.length, message: toMessage(spanCount, rejected.length, reasons) };
}

function toMessage(spanCount: number, rejectedCount: number, reasons: readonly string[]): string {
  if (rejectedCount === 0) return '';
  const more = rejectedCount > reasons.length ? '; …' : '';
  const message = `${rejectedCount} of ${spanCount} spans rejected: ${reasons.join('; ')}${more}`;
  return message.length > MESSAGE_CHARS_MAX ? `${message.slice(0, MESSAGE_CHARS_MAX - 1)}…` : message;
}
