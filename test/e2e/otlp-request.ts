import {
  bytesField,
  doubleField,
  type Field,
  fixed64Field,
  message,
  tag,
  textField,
  varint,
  varintField,
} from '../fixtures/protobuf-writer.ts';

/** Writes OTLP requests, among them such as no exporter would: ids of any length, text that is not UTF-8. */

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
export function encodeTraceRequest({ project, spans }: TraceRequest): Uint8Array {
  const named: Record<string, string> = project === undefined ? {} : { 'openinference.project.name': project };
  const resource = bytesField(1, message(...keyValues(1, { 'service.name': 'e2e', ...named })));
  const scope = bytesField(1, textField(1, 'spandrel.e2e'));
  const scopeSpans = bytesField(2, message(scope, ...spans.map((span) => bytesField(2, encodeSpan(span)))));
  return bytesField(1, message(resource, scopeSpans));
}

export function encodeSpan(span: OtlpSpan): Uint8Array {
  const fields = [bytesField(1, idBytes(span.traceId)), bytesField(2, idBytes(span.spanId))];
  if (span.parentSpanId !== undefined) fields.push(bytesField(4, idBytes(span.parentSpanId)));
  fields.push(bytesField(5, textBytes(span.name)), varintField(6, 1));
  fields.push(fixed64Field(7, span.startTimeUnixNano), fixed64Field(8, span.endTimeUnixNano));
  fields.push(...keyValues(9, span.attributes ?? {}));
  for (const { name, timeUnixNano, attributes } of span.events ?? []) {
    const event = [fixed64Field(1, timeUnixNano), textField(2, name), ...keyValues(3, attributes ?? {})];
    fields.push(bytesField(11, message(...event)));
  }
  const status = [];
  if (span.statusMessage) status.push(textField(2, span.statusMessage));
  if (span.statusCode) status.push(varintField(3, span.statusCode));
  if (status.length > 0) fields.push(bytesField(15, message(...status)));
  return message(...fields);
}

/** An AnyValue of `depth` arrays inside each other. Written from the inside out: joining at each level is quadratic. */
export function nestedArrays(depth: number): Uint8Array {
  const heads: Uint8Array[] = [];
  let size = 0;
  for (let level = 0; level < depth; level++) {
    // AnyValue.array_value (5) holding ArrayValue.values (1) holding the next level.
    const values = message(tag(1, 2), varint(size));
    const head = message(tag(5, 2), varint(values.length + size), values);
    heads.push(head);
    size += head.length;
  }
  return message(...heads.reverse());
}

export const hexId = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');

const idBytes = (id: string | Uint8Array): Uint8Array => (typeof id === 'string' ? Buffer.from(id, 'hex') : id);
const textBytes = (text: Text): Uint8Array => (typeof text === 'string' ? Buffer.from(text) : text);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function keyValues(fieldNumber: number, attributes: Attributes): Field[] {
  const entries = isList(attributes) ? attributes : Object.entries(attributes);
  return entries.map(([key, value]) =>
    bytesField(fieldNumber, message(bytesField(1, textBytes(key)), bytesField(2, anyValue(value)))),
  );
}

function anyValue(value: AttributeValue): Uint8Array {
  if (typeof value === 'string') return textField(1, value);
  if (typeof value === 'boolean') return varintField(2, value ? 1 : 0);
  if (typeof value === 'bigint') return varintField(3, value);
  if (typeof value === 'number') return Number.isInteger(value) ? varintField(3, value) : doubleField(4, value);
  if (isList(value)) return bytesField(5, message(...value.map((item) => bytesField(1, anyValue(item)))));
  if ('double' in value) return doubleField(4, value.double);
  if ('bytes' in value) return bytesField(7, value.bytes);
  if ('utf8' in value) return bytesField(1, value.utf8);
  if ('encoded' in value) return value.encoded;
  return bytesField(6, message(...keyValues(1, value.map)));
}
