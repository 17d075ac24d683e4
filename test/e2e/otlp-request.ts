/**
 * Writes OTLP requests byte by byte, by the field numbers of the public trace.proto. It shares no code with the
 * server, and it can write what no exporter would: ids of any length, text that is not UTF-8.
 */

/** Value of an attribute. A number is an int64 when it is an integer; `{ double }` forces a double. */
export type AttributeValue =
  | string
  | boolean
  | number
  | bigint
  | { readonly double: number }
  | { readonly bytes: Uint8Array }
  | { readonly utf8: Uint8Array }
  | { readonly map: Readonly<Record<string, AttributeValue>> }
  /** An AnyValue message, encoded already. */
  | { readonly encoded: Uint8Array }
  | readonly AttributeValue[];

/** Text, or its bytes when they are not to be UTF-8. */
type Text = string | Uint8Array;
export type Attributes = Readonly<Record<string, AttributeValue>> | readonly (readonly [Text, AttributeValue])[];

export interface OtlpSpan {
  /** Hex, or bytes of any length. */
  readonly traceId: string | Uint8Array;
  readonly spanId: string | Uint8Array;
  readonly parentSpanId?: string | Uint8Array;
  readonly name: Text;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  readonly attributes?: Attributes;
  readonly events?: readonly {
    readonly name: string;
    readonly timeUnixNano: bigint;
    readonly attributes?: Attributes;
  }[];
  readonly statusCode?: 0 | 1 | 2;
  readonly statusMessage?: string;
}

export interface TraceRequest {
  /** Absent: no project is named, so the spans go to `default`. */
  readonly project?: string;
  readonly spans: readonly OtlpSpan[];
}

/** An `ExportTraceServiceRequest` with one resource and one scope. */
export function encodeTraceRequest({ project, spans }: TraceRequest): Buffer<ArrayBuffer> {
  const resourceAttributes = {
    'service.name': 'e2e',
    ...(project === undefined ? {} : { 'openinference.project.name': project }),
  };
  const resource = field(1, Buffer.concat(keyValues(1, resourceAttributes)));
  const scope = field(1, field(1, 'spandrel.e2e'));
  const scopeSpans = field(2, Buffer.concat([scope, ...spans.map((span) => field(2, encodeSpan(span)))]));
  return field(1, Buffer.concat([resource, scopeSpans]));
}

export function encodeSpan(span: OtlpSpan): Buffer {
  const parts: Buffer[] = [field(1, idBytes(span.traceId)), field(2, idBytes(span.spanId))];
  if (span.parentSpanId !== undefined) parts.push(field(4, idBytes(span.parentSpanId)));
  parts.push(
    field(5, span.name),
    varintField(6, 1n),
    fixed64(7, span.startTimeUnixNano),
    fixed64(8, span.endTimeUnixNano),
  );
  parts.push(...keyValues(9, span.attributes ?? {}));
  for (const event of span.events ?? []) {
    const attributes = keyValues(3, event.attributes ?? {});
    parts.push(field(11, Buffer.concat([fixed64(1, event.timeUnixNano), field(2, event.name), ...attributes])));
  }
  const status = [];
  if (span.statusMessage) status.push(field(2, span.statusMessage));
  if (span.statusCode) status.push(varintField(3, BigInt(span.statusCode)));
  if (status.length > 0) parts.push(field(15, Buffer.concat(status)));
  return Buffer.concat(parts);
}

/** An AnyValue of `depth` arrays inside each other. The lengths are counted first: nested concatenation would be quadratic. */
export function nestedArrays(depth: number): Buffer {
  let size = 0;
  const heads: Buffer[] = [];
  for (let level = 0; level < depth; level++) {
    // AnyValue.array_value (5) holding ArrayValue.values (1) holding the next level.
    const inner = Buffer.concat([Buffer.from([0x0a]), varint(BigInt(size))]);
    const outer = Buffer.concat([Buffer.from([0x2a]), varint(BigInt(inner.length + size)), inner]);
    heads.push(outer);
    size += outer.length;
  }
  return Buffer.concat(heads.reverse());
}

export const hexId = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');

const idBytes = (id: string | Uint8Array): Uint8Array => (typeof id === 'string' ? Buffer.from(id, 'hex') : id);

function keyValues(fieldNumber: number, attributes: Attributes): Buffer[] {
  const entries = isList(attributes) ? attributes : Object.entries(attributes);
  return entries.map(([key, value]) => field(fieldNumber, Buffer.concat([field(1, key), field(2, anyValue(value))])));
}

function anyValue(value: AttributeValue): Buffer {
  if (typeof value === 'string') return field(1, value);
  if (typeof value === 'boolean') return varintField(2, value ? 1n : 0n);
  if (typeof value === 'bigint') return varintField(3, BigInt.asUintN(64, value));
  if (typeof value === 'number') return Number.isInteger(value) ? anyValue(BigInt(value)) : anyValue({ double: value });
  if (isList(value)) return field(5, Buffer.concat(value.map((item) => field(1, anyValue(item)))));
  if ('double' in value) {
    const bytes = Buffer.alloc(9);
    bytes[0] = 4 * 8 + 1;
    bytes.writeDoubleLE(value.double, 1);
    return bytes;
  }
  if ('bytes' in value) return field(7, value.bytes);
  if ('utf8' in value) return field(1, value.utf8);
  if ('encoded' in value) return Buffer.from(value.encoded);
  return field(6, Buffer.concat(keyValues(1, value.map)));
}

/** A length-delimited field. */
function field(fieldNumber: number, content: Text): Buffer<ArrayBuffer> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([varint(BigInt(fieldNumber * 8 + 2)), varint(BigInt(bytes.length)), bytes]);
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const varintField = (fieldNumber: number, value: bigint) =>
  Buffer.concat([varint(BigInt(fieldNumber * 8)), varint(value)]);

function fixed64(fieldNumber: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = fieldNumber * 8 + 1;
  bytes.writeBigUInt64LE(value, 1);
  return bytes;
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
