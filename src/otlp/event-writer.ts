import type { NullableTextColumnBuilder } from '../columns/text-column-builder.ts';
import { appendAnyValue, appendAscii, readKeyValue } from './attributes/append-value.ts';
import { appendJsonString } from './json/json-strings.ts';
import type { WireReader } from './protobuf/wire-reader.ts';
import * as tags from './protobuf/wire-tags.ts';

/** Attributes of an event named `exception` that are stored. */
const EXCEPTION_KEYS = ['exception.message', 'exception.type', 'exception.escaped', 'exception.stacktrace'];

type Bounds = ReturnType<typeof readKeyValue>;

/** Appends one event (a message Event whose length is at `before`) as JSON. */
export function appendEvent(column: NullableTextColumnBuilder, wire: WireReader, before: number): void {
  const end = wire.enter(before);
  let nameStart = 0;
  let nameEnd = 0;
  let time = 0n;
  const attributes = new Map<string, Bounds>();
  for (let at = wire.at; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    if (tag === tags.EVENT_ATTRIBUTES) {
      const bounds = readKeyValue(wire, at);
      if (!isNull(wire, bounds.valueStart, bounds.valueEnd)) attributes.set(keyOf(wire, bounds), bounds);
    } else if (tag === tags.EVENT_NAME) {
      nameEnd = wire.enter(at);
      nameStart = wire.at;
    } else if (tag === tags.EVENT_TIME) time = wire.view.getBigUint64(at, true);
    at = wire.skip(tag, at);
  }
  appendAscii(column, '{"name":');
  appendJsonString(column, wire.bytes, wire.view, nameStart, nameEnd);
  appendAscii(column, `,"time_unix_nano":"${time}","attributes":{`);
  if (isException(wire, nameStart, nameEnd)) appendExceptionAttributes(column, wire, attributes);
  else appendAttributes(column, wire, attributes.values());
  appendAscii(column, '}}');
}

function appendExceptionAttributes(
  column: NullableTextColumnBuilder,
  wire: WireReader,
  attributes: ReadonlyMap<string, Bounds>,
): void {
  const kept = EXCEPTION_KEYS.flatMap((key) => attributes.get(key) ?? []);
  if (!attributes.has('exception.message')) {
    appendAscii(column, `"exception.message":""${kept.length > 0 ? ',' : ''}`);
  }
  appendAttributes(column, wire, kept);
}

function appendAttributes(column: NullableTextColumnBuilder, wire: WireReader, attributes: Iterable<Bounds>): void {
  let separator = '';
  for (const { keyStart, keyEnd, valueStart, valueEnd } of attributes) {
    appendAscii(column, separator);
    appendJsonString(column, wire.bytes, wire.view, keyStart, keyEnd);
    appendAscii(column, ':');
    appendAnyValue(column, wire, valueStart, valueEnd);
    separator = ',';
  }
}

// Latin-1 maps each byte to one character, so equal bytes give equal texts, and the keys above stay readable.
const keyOf = ({ bytes }: WireReader, { keyStart, keyEnd }: Bounds): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + keyStart, keyEnd - keyStart).toString('latin1');

const isException = ({ bytes }: WireReader, start: number, end: number): boolean =>
  end - start === EXCEPTION.length && EXCEPTION.equals(bytes.subarray(start, end));

const EXCEPTION = Buffer.from('exception');

function isNull(wire: WireReader, start: number, end: number): boolean {
  for (let at = start; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    if (tag === tags.ANY_VALUE_DOUBLE) return !Number.isFinite(wire.view.getFloat64(at, true));
    if (tags.isValue(tag)) return false;
    at = wire.skip(tag, at);
  }
  return true;
}
