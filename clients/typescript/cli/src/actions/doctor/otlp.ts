/** A span, written as a request of OTLP by hand: the packages of OpenTelemetry would be most of this program. */
export interface TestSpan {
  /** 32 and 16 hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly projectName: string;
  readonly atMs: number;
}

const bytesField = (field: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([(field << 3) | 2]), varint(bytes.byteLength), bytes]);
const textField = (field: number, text: string): Buffer => bytesField(field, Buffer.from(text, 'utf8'));

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) + 128);
  }
}

function timeField(field: number, ms: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = (field << 3) | 1;
  bytes.writeBigUInt64LE(BigInt(ms) * 1_000_000n, 1);
  return bytes;
}

const attribute = (field: number, key: string, text: string): Buffer =>
  bytesField(field, Buffer.concat([textField(1, key), bytesField(2, textField(1, text))]));

/** `ExportTraceServiceRequest` with one span. Numbers are those of opentelemetry/proto/trace/v1/trace.proto. */
export function toExportRequest({ traceId, spanId, name, projectName, atMs }: TestSpan): Buffer {
  const resource = bytesField(1, attribute(1, 'openinference.project.name', projectName));
  const span = Buffer.concat([
    bytesField(1, Buffer.from(traceId, 'hex')),
    bytesField(2, Buffer.from(spanId, 'hex')),
    textField(5, name),
    timeField(7, atMs),
    timeField(8, atMs + 1),
    attribute(9, 'openinference.span.kind', 'CHAIN'),
  ]);
  return bytesField(1, Buffer.concat([resource, bytesField(2, bytesField(2, span))]));
}
