import type { Acknowledgement } from '../../ingest/ingest.ts';

type Outcome = Pick<Acknowledgement, 'rejectedSpanCount' | 'message'>;

const NOTHING = new Uint8Array(0);

/**
 * ExportTraceServiceResponse { partial_success = 1 } with ExportTracePartialSuccess { rejected_spans = 1; error_message
 * = 2 }. Empty if every span was accepted, as the protocol requires.
 */
export function encodeExportResponse({ rejectedSpanCount, message }: Outcome): Uint8Array {
  if (rejectedSpanCount === 0) return NOTHING;
  const text = Buffer.from(message);
  const partialSuccess = Buffer.concat([
    Buffer.from([0x08, ...varint(rejectedSpanCount), 0x12, ...varint(text.byteLength)]),
    text,
  ]);
  return Buffer.concat([Buffer.from([0x0a, ...varint(partialSuccess.byteLength)]), partialSuccess]);
}

/** The same response in the JSON form of OTLP, in which an int64 is a string. */
export function exportResponseJson({ rejectedSpanCount, message }: Outcome): string {
  if (rejectedSpanCount === 0) return '{}';
  return JSON.stringify({ partialSuccess: { rejectedSpans: String(rejectedSpanCount), errorMessage: message } });
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}
