import { isUtf8 } from 'node:buffer';
import { ExactNumber, JsonDepthError } from '../../base/exact-json.ts';
import { hasMoreJsonSigns } from '../../base/json-signs.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { STATUS_CODES } from '../../semconv/span-kinds.ts';
import { SpandrelError } from '../../model/errors.ts';
import { JSON_SIGN_COUNT_MAX, PLAIN_JSON_BYTES_MAX } from '../../model/limits/requests.ts';
import { VALUE_DEPTH_MAX } from '../../model/limits/spans.ts';
import { otlpMalformed } from '../protobuf/otlp-malformed.ts';
import { ProtobufWriter } from '../protobuf/protobuf-writer.ts';
import * as tags from '../protobuf/wire-tags.ts';

/**
 * Converts OTLP/JSON to protobuf, so that the same code checks and decodes both. Only fields that are decoded are
 * converted. Names may be in camel case or snake case, IDs are hexadecimal, 64-bit integers are texts or numbers, enums
 * are numbers or names. Unknown fields are ignored, and null counts as absent.
 *
 * @throws {SpandrelError} `OTLP_MALFORMED`, or `BODY_TOO_LARGE` if it has too many values
 */
export function jsonToProtobuf(body: Uint8Array, signCountMax = JSON_SIGN_COUNT_MAX): Uint8Array {
  if (!isUtf8(body)) throw otlpMalformed('the JSON is not UTF-8');
  if (hasMoreJsonSigns(body, signCountMax)) {
    throw new SpandrelError('BODY_TOO_LARGE', 'The body has more JSON values than a request may');
  }
  const writer = new ProtobufWriter();
  const request = asObject(parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')), 'body');
  for (const resourceSpans of listOf(request, 'resourceSpans')) {
    const start = writer.open(tags.REQUEST_RESOURCE_SPANS);
    writeResourceSpans(writer, resourceSpans);
    writer.close(start);
  }
  return writer.finish();
}

type JsonObject = Readonly<Record<string, unknown>>;

const EXACT_JSON_DEPTH_MAX = 2_000;
/** An integer that a double may not represent, probably outside of a text. */
const LONG_INTEGER = /[:[,\s]-?\d{16,}\s*[,\]}]/;

function parse(text: string): unknown {
  try {
    if (text.length > PLAIN_JSON_BYTES_MAX || LONG_INTEGER.test(text)) {
      return parseExactJson(text, { depthMax: EXACT_JSON_DEPTH_MAX, keys: KEYS });
    }
  } catch (error) {
    if (!(error instanceof JsonDepthError)) throw otlpMalformed(String(error));
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw otlpMalformed(String(error));
  }
}

/** Fields of OTLP/JSON that are read, in camel case. */
const FIELDS = [
  ...['resourceSpans', 'resource', 'attributes', 'scopeSpans', 'spans', 'traceId', 'spanId', 'parentSpanId', 'name'],
  ...['startTimeUnixNano', 'endTimeUnixNano', 'events', 'timeUnixNano', 'status', 'message', 'code', 'key', 'value'],
  ...['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue', 'values'],
] as const;
type FieldName = (typeof FIELDS)[number];

const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const SNAKE_NAMES = Object.fromEntries(FIELDS.map((name) => [name, toSnakeCase(name)])) as Record<FieldName, string>;
const KEYS: ReadonlySet<string> = new Set([...FIELDS, ...Object.values(SNAKE_NAMES)]);

function writeResourceSpans(writer: ProtobufWriter, resourceSpans: JsonObject): void {
  const resource = field(resourceSpans, 'resource');
  if (resource !== undefined) {
    const start = writer.open(tags.RESOURCE_SPANS_RESOURCE);
    writeAttributes(writer, tags.RESOURCE_ATTRIBUTES, asObject(resource, 'resource'));
    writer.close(start);
  }
  for (const scopeSpans of listOf(resourceSpans, 'scopeSpans')) {
    const start = writer.open(tags.RESOURCE_SPANS_SCOPE_SPANS);
    for (const span of listOf(scopeSpans, 'spans')) {
      const spanStart = writer.open(tags.SCOPE_SPANS_SPANS);
      writeSpan(writer, span);
      writer.close(spanStart);
    }
    writer.close(start);
  }
}

function writeSpan(writer: ProtobufWriter, span: JsonObject): void {
  writer.data(tags.SPAN_TRACE_ID, idOf(span, 'traceId'));
  writer.data(tags.SPAN_SPAN_ID, idOf(span, 'spanId'));
  writer.data(tags.SPAN_PARENT_SPAN_ID, idOf(span, 'parentSpanId'));
  writer.text(tags.SPAN_NAME, textOf(span, 'name'));
  writer.fixed64(tags.SPAN_START_TIME, timeOf(span, 'startTimeUnixNano'));
  writer.fixed64(tags.SPAN_END_TIME, timeOf(span, 'endTimeUnixNano'));
  writeAttributes(writer, tags.SPAN_ATTRIBUTES, span);
  for (const event of listOf(span, 'events')) {
    const start = writer.open(tags.SPAN_EVENTS);
    writer.fixed64(tags.EVENT_TIME, timeOf(event, 'timeUnixNano'));
    writer.text(tags.EVENT_NAME, textOf(event, 'name'));
    writeAttributes(writer, tags.EVENT_ATTRIBUTES, event);
    writer.close(start);
  }
  const status = field(span, 'status');
  if (status === undefined) return;
  const start = writer.open(tags.SPAN_STATUS);
  writer.text(tags.STATUS_MESSAGE, textOf(asObject(status, 'status'), 'message'));
  writer.varint(tags.STATUS_CODE, statusCodeOf(field(asObject(status, 'status'), 'code')));
  writer.close(start);
}

function statusCodeOf(code: unknown): bigint {
  if (code === undefined) return 0n;
  const index = STATUS_CODES.findIndex((name) => code === `STATUS_CODE_${name}`);
  return index >= 0 ? BigInt(index) : asInteger(code, 'status code', INT32_MIN, INT32_MAX);
}

function writeAttributes(writer: ProtobufWriter, tag: number, owner: JsonObject): void {
  for (const keyValue of listOf(owner, 'attributes')) writeKeyValue(writer, tag, keyValue, 0);
}

function writeKeyValue(writer: ProtobufWriter, tag: number, keyValue: JsonObject, depth: number): void {
  const start = writer.open(tag);
  writer.text(tags.KEY_VALUE_KEY, textOf(keyValue, 'key'));
  const value = field(keyValue, 'value');
  if (value !== undefined) writeAnyValue(writer, tags.KEY_VALUE_VALUE, asObject(value, 'value'), depth);
  writer.close(start);
}

function writeAnyValue(writer: ProtobufWriter, tag: number, value: JsonObject, depth: number): void {
  const start = writer.open(tag);
  const string = field(value, 'stringValue');
  const boolean = field(value, 'boolValue');
  const integer = field(value, 'intValue');
  const double = field(value, 'doubleValue');
  const array = field(value, 'arrayValue');
  const list = field(value, 'kvlistValue');
  const bytes = field(value, 'bytesValue');
  if (string !== undefined) writer.text(tags.ANY_VALUE_STRING, asText(string, 'stringValue'));
  if (boolean !== undefined) writer.varint(tags.ANY_VALUE_BOOL, asBoolean(boolean) ? 1n : 0n);
  if (integer !== undefined) writer.varint(tags.ANY_VALUE_INT, asInteger(integer, 'intValue', INT64_MIN, INT64_MAX));
  if (double !== undefined) writer.double(tags.ANY_VALUE_DOUBLE, asDouble(double));
  if (array !== undefined) writeList(writer, tags.ANY_VALUE_ARRAY, asObject(array, 'arrayValue'), depth + 1);
  if (list !== undefined) writeList(writer, tags.ANY_VALUE_KVLIST, asObject(list, 'kvlistValue'), depth + 1);
  if (bytes !== undefined) writer.data(tags.ANY_VALUE_BYTES, Buffer.from(asText(bytes, 'bytesValue'), 'base64'));
  writer.close(start);
}

function writeList(writer: ProtobufWriter, tag: number, list: JsonObject, depth: number): void {
  const start = writer.open(tag);
  // Deeper levels are omitted; the outermost omitted list is enough for the check to reject the span.
  if (depth <= VALUE_DEPTH_MAX) {
    for (const item of listOf(list, 'values')) {
      if (tag === tags.ANY_VALUE_ARRAY) writeAnyValue(writer, tags.LIST_VALUES, item, depth);
      else writeKeyValue(writer, tags.LIST_VALUES, item, depth);
    }
  }
  writer.close(start);
}

const INT32_MIN = -(2n ** 31n);
const INT32_MAX = 2n ** 31n - 1n;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

/** A member by its name in camel case or snake case. Undefined if it is absent or null. */
function field(object: JsonObject, name: FieldName): unknown {
  if (Object.hasOwn(object, name)) return object[name] ?? undefined;
  const snakeName = SNAKE_NAMES[name];
  return Object.hasOwn(object, snakeName) ? (object[snakeName] ?? undefined) : undefined;
}

function listOf(object: JsonObject, name: FieldName): JsonObject[] {
  const list = field(object, name) ?? [];
  if (!Array.isArray(list)) throw otlpMalformed(`${name} is not a list`);
  return list.map((item) => asObject(item, name));
}

function asObject(value: unknown, name: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber) {
    throw otlpMalformed(`${name} is not an object`);
  }
  return value as JsonObject;
}

const textOf = (object: JsonObject, name: FieldName): string => asText(field(object, name) ?? '', name);

function asText(value: unknown, name: string): string {
  if (typeof value !== 'string') throw otlpMalformed(`${name} is not a string`);
  return value;
}

function asBoolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw otlpMalformed('boolValue is not a boolean');
  return value;
}

function idOf(object: JsonObject, name: FieldName): Uint8Array {
  const text = textOf(object, name);
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(text)) throw otlpMalformed(`${name} is not hexadecimal`);
  return Buffer.from(text, 'hex');
}

const timeOf = (object: JsonObject, name: FieldName): bigint =>
  asInteger(field(object, name) ?? '0', name, 0n, UINT64_MAX);

function asInteger(value: unknown, name: string, min: bigint, max: bigint): bigint {
  const text = value instanceof ExactNumber ? value.text : value;
  let integer: bigint | undefined;
  if (typeof text === 'string' && text.length <= 40) {
    if (/^[+-]?\d+$/.test(text)) integer = BigInt(text.replace('+', ''));
    else if (value instanceof ExactNumber && Number.isInteger(Number(text))) integer = BigInt(Number(text));
  } else if (typeof text === 'number' && Number.isInteger(text)) integer = BigInt(text);
  if (integer === undefined || integer < min || integer > max) {
    throw otlpMalformed(`${name} is not an integer in the allowed range`);
  }
  return integer;
}

function asDouble(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value instanceof ExactNumber) return Number(value.text);
  if (typeof value === 'string' && /^(?:NaN|-?Infinity|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/.test(value)) {
    return Number(value);
  }
  throw otlpMalformed('doubleValue is not a number');
}
