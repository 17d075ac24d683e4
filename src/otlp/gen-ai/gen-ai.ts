import type { ExactJson } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { VALUE_DEPTH_MAX } from '../../model/limits/spans.ts';
import { TextColumnBuilder } from '../../columns/text-column-builder.ts';
import { appendAnyValue, readKeyValue } from '../attributes/append-value.ts';
import { ProtobufWriter } from '../protobuf/protobuf-writer.ts';
import { WireReader } from '../protobuf/wire-reader.ts';
import * as tags from '../protobuf/wire-tags.ts';
import { type DerivedValue, deriveOpenInference } from './derive-open-inference.ts';

/**
 * The span (content of a message Span) with OpenInference attributes appended that have the meaning of its `gen_ai`
 * attributes. Attributes that it already has are unchanged.
 */
export function withOpenInferenceAttributes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const span = bytes.subarray(start, end);
  const attributes = readAttributes(new WireReader(span));
  const writer = new ProtobufWriter();
  writer.raw(span);
  for (const [key, value] of deriveOpenInference(attributes)) {
    if (attributes.has(key)) continue;
    const attribute = writer.open(tags.SPAN_ATTRIBUTES);
    writer.text(tags.KEY_VALUE_KEY, key);
    writeAnyValue(writer, tags.KEY_VALUE_VALUE, value);
    writer.close(attribute);
  }
  return writer.finish();
}

/** The attributes as JSON values, without nulls. The last value of a repeated key wins. */
function readAttributes(wire: WireReader): Map<string, ExactJson> {
  const attributes = new Map<string, ExactJson>();
  const text = new TextColumnBuilder(1);
  for (let at = 0; at < wire.bytes.length; ) {
    const tag = wire.tag(at);
    at = wire.at;
    const next = wire.skip(tag, at);
    if (tag === tags.SPAN_ATTRIBUTES) {
      const { keyStart, keyEnd, valueStart, valueEnd } = readKeyValue(wire, at);
      text.length = 0;
      appendAnyValue(text, wire, valueStart, valueEnd);
      const json = Buffer.from(text.utf8.buffer, 0, text.length).toString('utf8');
      const value = parseExactJson(json, { depthMax: 2 * VALUE_DEPTH_MAX });
      const key = Buffer.from(wire.bytes.subarray(keyStart, keyEnd)).toString('utf8');
      if (value !== null) attributes.set(key, value);
    }
    at = next;
  }
  return attributes;
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
