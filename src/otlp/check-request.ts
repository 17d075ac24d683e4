import { freeBuffer } from '../base/free-buffer.ts';
import { checkProtobuf } from './check-protobuf.ts';
import { jsonToProtobuf } from './json/json-to-protobuf.ts';

export type OtlpFormat = 'protobuf' | 'json';

/** Result of the check of a request. */
export interface OtlpCheck {
  /** Number of spans in the request, including rejected ones. */
  readonly spanCount: number;
  readonly rejectedSpanCount: number;
  /** Reasons for the first rejections; empty if there are none. */
  readonly message: string;
}

const MESSAGE_CHARS_MAX = 1_000;

/**
 * Checks an inflated ExportTraceServiceRequest without creating objects. A request that passes can be decoded, except
 * for the spans that count as rejected: `decodeOtlpRequest` omits the same ones.
 *
 * @param jsonSignCountMax must not exceed the limit of the decoder, which is not checked here
 * @throws {SpandrelError} `OTLP_MALFORMED` if it is not such a request, `BODY_TOO_LARGE` if it has too many spans
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
