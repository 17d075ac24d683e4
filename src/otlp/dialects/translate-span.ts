import type { ExactJson } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { SPAN_KINDS, type SpanKind } from '../../semconv/span-kinds.ts';
import { VALUE_DEPTH_MAX } from '../../model/limits/spans.ts';
import { TextColumnBuilder } from '../../columns/text-column-builder.ts';
import { appendAnyValue, readKeyValue } from '../attributes/append-value.ts';
import { ProtobufWriter } from '../protobuf/protobuf-writer.ts';
import { WireReader } from '../protobuf/wire-reader.ts';
import * as tags from '../protobuf/wire-tags.ts';
import type { Translation } from './dialect.ts';
import { DIALECTS } from './dialects.ts';
import { type DerivedValue, toOpenInference } from './open-inference-attributes.ts';
import { type SpanEvent, SpanView } from './span-view.ts';

/** Names the dialects and the attributes that were derived, so that a reader can distinguish them from received ones. */
const DIALECTS_KEY = 'spandrel.dialects';
const DERIVED_KEY = 'spandrel.derived';
/** Gives the reason why a span has no derived attributes. */
const ERROR_KEY = 'spandrel.translation_error';

/**
 * The span (content of a message Span) with OpenInference attributes appended that have the meaning of its attributes and events in
 * other dialects. What it already has is unchanged.
 */
export function translateSpan(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const span = bytes.subarray(start, end);
  try {
    return translate(span);
  } catch (error) {
    // Otherwise all spans of the request would be quarantined for one with values that no library sends.
    const writer = new ProtobufWriter();
    writer.raw(span);
    writeAttribute(writer, ERROR_KEY, String(error));
    return writer.finish();
  }
}

function translate(span: Uint8Array): Uint8Array {
  const view = readSpan(new WireReader(span));
  const dialects = DIALECTS.filter(({ prefixes }) => prefixes.some((prefix) => view.hasPrefix(prefix)));
  const kind = sentKind(view) ?? firstDefined(dialects, ({ kindOf }) => kindOf?.(view));
  const translation = dialects.map(({ translate }) => translate(view, kind)).reduce(merge, {});
  const writer = new ProtobufWriter();
  writer.raw(span);
  if (translation.name !== undefined) writer.text(tags.SPAN_NAME, translation.name);
  const derived = new Set<string>();
  const has = (key: string) => view.attributes.has(key);
  for (const [key, value] of toOpenInference(kind, translation, has, (prefix) => view.hasPrefix(prefix))) {
    writeAttribute(writer, key, value);
    derived.add(/^(llm\.(?:input_messages|output_messages|tools)|retrieval\.documents)\./.exec(key)?.[1] ?? key);
  }
  if (derived.size > 0) {
    writeAttribute(
      writer,
      DIALECTS_KEY,
      dialects.map(({ name }) => name),
    );
    writeAttribute(writer, DERIVED_KEY, [...derived]);
  }
  return writer.finish();
}

function sentKind(view: SpanView): SpanKind | undefined {
  const sent = view.text('openinference.span.kind')?.toUpperCase();
  return SPAN_KINDS.find((kind) => kind === sent);
}

function firstDefined<Item, Value>(items: readonly Item[], read: (item: Item) => Value | undefined): Value | undefined {
  for (const item of items) {
    const value = read(item);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** If a span matches two dialects, the first one counts, attribute by attribute. */
function merge(first: Translation, second: Translation): Translation {
  const known = Object.entries(first).filter(([, value]) => value !== undefined);
  const merged: Record<string, unknown> = { ...second, ...Object.fromEntries(known) };
  if (first.tokens && second.tokens) merged.tokens = merge(first.tokens as Translation, second.tokens as Translation);
  if (first.metadata && second.metadata) merged.metadata = { ...second.metadata, ...first.metadata };
  if (first.tool && second.tool) merged.tool = merge(first.tool as Translation, second.tool as Translation);
  return merged as Translation;
}

function readSpan(wire: WireReader): SpanView {
  const events: SpanEvent[] = [];
  const attributes = readAttributes(wire, 0, wire.bytes.length, tags.SPAN_ATTRIBUTES, (at) => {
    events.push(readEvent(wire, at));
  });
  return new SpanView(attributes, events);
}

function readEvent(wire: WireReader, before: number): SpanEvent {
  const end = wire.enter(before);
  const start = wire.at;
  let name = '';
  for (let at = start; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    const next = wire.skip(tag, at);
    if (tag === tags.EVENT_NAME) {
      wire.enter(at);
      name = Buffer.from(wire.bytes.subarray(wire.at, next)).toString('utf8');
    }
    at = next;
  }
  return { name, attributes: readAttributes(wire, start, end, tags.EVENT_ATTRIBUTES) };
}

/** The attributes as JSON values, without nulls. The last value of a repeated key wins. */
function readAttributes(
  wire: WireReader,
  start: number,
  end: number,
  attributeTag: number,
  onEvent?: (at: number) => void,
): Map<string, ExactJson> {
  const attributes = new Map<string, ExactJson>();
  for (let at = start; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    const next = wire.skip(tag, at);
    if (tag === attributeTag) {
      const { keyStart, keyEnd, valueStart, valueEnd } = readKeyValue(wire, at);
      const value = readValue(wire, valueStart, valueEnd);
      const key = Buffer.from(wire.bytes.subarray(keyStart, keyEnd)).toString('utf8');
      if (value !== null) attributes.set(key, value);
    } else if (tag === tags.SPAN_EVENTS) onEvent?.(at);
    at = next;
  }
  return attributes;
}

const json = new TextColumnBuilder(1);

function readValue(wire: WireReader, start: number, end: number): ExactJson {
  const tag = start < end ? wire.tag(start) : 0;
  if (tag === tags.ANY_VALUE_STRING) {
    const textEnd = wire.enter(wire.at);
    if (textEnd === end)
      return Buffer.from(wire.bytes.buffer, wire.bytes.byteOffset + wire.at, end - wire.at).toString('utf8');
  }
  json.length = 0;
  appendAnyValue(json, wire, start, end);
  return parseExactJson(Buffer.from(json.utf8.buffer, 0, json.length).toString('utf8'), {
    depthMax: 2 * VALUE_DEPTH_MAX,
  });
}

function writeAttribute(writer: ProtobufWriter, key: string, value: DerivedValue): void {
  const attribute = writer.open(tags.SPAN_ATTRIBUTES);
  writer.text(tags.KEY_VALUE_KEY, key);
  writeAnyValue(writer, tags.KEY_VALUE_VALUE, value);
  writer.close(attribute);
}

function writeAnyValue(writer: ProtobufWriter, tag: number, value: DerivedValue): void {
  const start = writer.open(tag);
  if (typeof value === 'string') writer.text(tags.ANY_VALUE_STRING, value);
  else if (typeof value === 'bigint') writer.varint(tags.ANY_VALUE_INT, value);
  else if (typeof value === 'number') writer.double(tags.ANY_VALUE_DOUBLE, value);
  else {
    const array = writer.open(tags.ANY_VALUE_ARRAY);
    for (const item of value) writeAnyValue(writer, tags.LIST_VALUES, item);
    writer.close(array);
  }
  writer.close(start);
}
