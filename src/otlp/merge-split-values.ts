import { VALUE_DEPTH_MAX } from '../model/limits/spans.ts';
import { WireReader } from './protobuf/wire-reader.ts';
import * as tags from './protobuf/wire-tags.ts';

/**
 * The request with every split value joined: the parts of a key-value pair with several values, or of a value with
 * several fields, are merged as protobuf requires. Consecutive messages in one field are read as one. Of a value's
 * fields the last one counts, with the fields of the same kind before it unless another kind came between. The body
 * must have passed `checkProtobuf`.
 */
export function mergeSplitValues(bytes: Uint8Array): Uint8Array {
  return rewrite(bytes, REQUEST, 0);
}

/** Rewrites the fields of a message that need it. Other fields are copied. */
type Rewrite = (content: Uint8Array, depth: number) => Uint8Array;
type Fields = ReadonlyMap<number, Rewrite>;

const inFields =
  (fields: () => Fields): Rewrite =>
  (content, depth) =>
    rewrite(content, fields(), depth);

const KEY_VALUE_LIST: Fields = new Map([[tags.LIST_VALUES, mergeKeyValue]]);
const ARRAY: Fields = new Map([[tags.LIST_VALUES, mergeAnyValue]]);
const RESOURCE: Fields = new Map([[tags.RESOURCE_ATTRIBUTES, mergeKeyValue]]);
const EVENT: Fields = new Map([[tags.EVENT_ATTRIBUTES, mergeKeyValue]]);
const SPAN: Fields = new Map([
  [tags.SPAN_ATTRIBUTES, mergeKeyValue],
  [tags.SPAN_EVENTS, inFields(() => EVENT)],
]);
const SCOPE_SPANS: Fields = new Map([[tags.SCOPE_SPANS_SPANS, inFields(() => SPAN)]]);
const RESOURCE_SPANS: Fields = new Map([
  [tags.RESOURCE_SPANS_RESOURCE, inFields(() => RESOURCE)],
  [tags.RESOURCE_SPANS_SCOPE_SPANS, inFields(() => SCOPE_SPANS)],
]);
const REQUEST: Fields = new Map([[tags.REQUEST_RESOURCE_SPANS, inFields(() => RESOURCE_SPANS)]]);

/** A field of the wire format: its tag, its content without the length, and all of its bytes. */
interface WireField {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

function* fieldsOf(bytes: Uint8Array): Generator<WireField> {
  const wire = new WireReader(bytes);
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const tag = wire.tag(at);
    at = wire.at;
    const end = wire.skip(tag, at);
    if ((tag & 7) === 2) wire.enter(at);
    else wire.at = at;
    yield { tag, content: bytes.subarray(wire.at, end), whole: bytes.subarray(start, end) };
    at = end;
  }
}

function rewrite(bytes: Uint8Array, fields: Fields, depth: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { tag, content, whole } of fieldsOf(bytes)) {
    const change = fields.get(tag);
    if (change === undefined) parts.push(whole);
    else pushDelimited(parts, tag, change(content, depth));
  }
  return Buffer.concat(parts);
}

function mergeKeyValue(bytes: Uint8Array, depth: number): Uint8Array {
  let key: Uint8Array | undefined;
  const values: Uint8Array[] = [];
  for (const { tag, content } of fieldsOf(bytes)) {
    if (tag === tags.KEY_VALUE_KEY) key = content;
    else if (tag === tags.KEY_VALUE_VALUE) values.push(content);
  }
  const parts: Uint8Array[] = [];
  if (key !== undefined) pushDelimited(parts, tags.KEY_VALUE_KEY, key);
  if (values.length > 0) pushDelimited(parts, tags.KEY_VALUE_VALUE, mergeAnyValue(Buffer.concat(values), depth));
  return Buffer.concat(parts);
}

function mergeAnyValue(bytes: Uint8Array, depth: number): Uint8Array {
  let last: WireField | undefined;
  let lists: Uint8Array[] = [];
  for (const field of fieldsOf(bytes)) {
    if (!tags.isValue(field.tag)) continue;
    if (field.tag !== last?.tag) lists = [];
    lists.push(field.content);
    last = field;
  }
  if (last === undefined) return new Uint8Array(0);
  if (last.tag !== tags.ANY_VALUE_ARRAY && last.tag !== tags.ANY_VALUE_KVLIST) return last.whole;
  // The check does not enter a deeper list either: its span is rejected.
  if (depth === VALUE_DEPTH_MAX) return last.whole;
  const parts: Uint8Array[] = [];
  const fields = last.tag === tags.ANY_VALUE_ARRAY ? ARRAY : KEY_VALUE_LIST;
  pushDelimited(parts, last.tag, rewrite(Buffer.concat(lists), fields, depth + 1));
  return Buffer.concat(parts);
}

/** Adds a field with a length. The tags here have one byte. */
function pushDelimited(parts: Uint8Array[], tag: number, content: Uint8Array): void {
  const head = [tag];
  let rest = content.length;
  for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128);
  head.push(rest);
  parts.push(Uint8Array.from(head), content);
}
