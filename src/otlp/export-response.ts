import type { OtlpCheck, OtlpFormat } from './check-request.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

// Tags of ExportTraceServiceResponse and ExportTracePartialSuccess.
const RESPONSE_PARTIAL_SUCCESS = (1 << 3) | 2;
const REJECTED_SPANS = 1 << 3;
const ERROR_MESSAGE = (2 << 3) | 2;

/** An ExportTraceServiceResponse: empty (no bytes, or `{}`) when every span was taken, else with what was not. */
export function toExportResponse(
  { rejectedSpanCount, message }: Pick<OtlpCheck, 'rejectedSpanCount' | 'message'>,
  format: OtlpFormat,
): Uint8Array {
  if (format === 'json') {
    const partialSuccess = { rejectedSpans: String(rejectedSpanCount), errorMessage: message };
    return Buffer.from(JSON.stringify(rejectedSpanCount === 0 ? {} : { partialSuccess }), 'utf8');
  }
  const writer = new ProtobufWriter();
  if (rejectedSpanCount > 0) {
    const start = writer.open(RESPONSE_PARTIAL_SUCCESS);
    writer.varint(REJECTED_SPANS, BigInt(rejectedSpanCount));
    writer.text(ERROR_MESSAGE, message);
    writer.close(start);
  }
  return writer.finish();
}
