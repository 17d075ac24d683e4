import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from '../semconv/span-kinds.ts';
import { SpandrelError } from '../model/errors.ts';
import { VALUE_DEPTH_MAX } from '../model/limits/spans.ts';
import { DEFAULT_PROJECT_NAME } from '../model/projects/project.ts';
import type { SpanColumnsBuilder } from '../columns/span-columns-builder.ts';
import type { NullableTextColumnBuilder } from '../columns/text-column-builder.ts';
import { appendAscii, appendJson, appendJsonText } from './attributes/append-value.ts';
import { AttributeLeaves } from './attributes/attribute-leaves.ts';
import { AttributeWriter } from './attributes/attribute-writer.ts';
import { PlanCache } from './attributes/plan-cache.ts';
import { isJson, isNull, skipBlanks, skipString, skipValue } from './json/json-scan.ts';
import { decodeJsonString } from './json/json-strings.ts';
import { WireReader } from './protobuf/wire-reader.ts';
import { setInt64, setSpanIds } from './span-ids.ts';

const OPTIONS = { inputValueAsText: false };
// Caches per thread, as in decode-protobuf.ts. Spans of REST are not translated.
const leaves = new AttributeLeaves(() => false);
const plans = new PlanCache(OPTIONS);

/**
 * Appends spans that came by REST: `{"project": text, "spans": [{name, traceId, spanId, parentId: text or null,
 * spanKind, startTimeUnixNano, endTimeUnixNano (decimal text), statusCode: "OK" | "ERROR" | "UNSET", statusMessage,
 * attributes: object, events: [{name, timeUnixNano (decimal text), attributes: object}]}]}`. `domain/` has checked it.
 * Numbers in attributes are returned as they are written. When it throws, the builder is unchanged.
 *
 * @throws {SpandrelError} `BODY_UNREADABLE` when the text is no such object
 */
export function decodeRestSpans(json: string | Uint8Array, builder: SpanColumnsBuilder): void {
  const bytes = typeof json === 'string' ? Buffer.from(json, 'utf8') : json;
  // Attributes may nest to `VALUE_DEPTH_MAX` levels, and start a few levels below the root.
  if (!isUtf8(bytes) || !isJson(bytes, 0, bytes.length, VALUE_DEPTH_MAX + 10)) throw unreadable('the text is not JSON');
  const mark = builder.mark();
  try {
    new RestDecoder(bytes, builder).request();
  } catch (error) {
    builder.reset(mark);
    throw error;
  }
}

/** Bounds of a member's value in the JSON text. */
interface Value {
  readonly at: number;
  readonly end: number;
}
type Members = ReadonlyMap<string, Value>;

class RestDecoder {
  private readonly bytes: Uint8Array;
  private readonly wire: WireReader;
  private readonly builder: SpanColumnsBuilder;
  private readonly attributes: AttributeWriter;

  constructor(bytes: Uint8Array, builder: SpanColumnsBuilder) {
    this.bytes = bytes;
    this.wire = new WireReader(bytes);
    this.builder = builder;
    this.attributes = new AttributeWriter(builder, OPTIONS);
  }

  request(): void {
    const request = this.membersOf({ at: skipBlanks(this.bytes, 0, this.bytes.length), end: this.bytes.length });
    const project = this.text(request, 'project') || DEFAULT_PROJECT_NAME;
    this.eachElement(request, 'spans', (span) => this.span(this.membersOf(span), project));
  }

  private span(span: Members, project: string): void {
    const { builder } = this;
    builder.beginRow();
    const row = builder.rowCount;
    builder.projectIndex[row] = builder.projectIndexOf(project);
    setSpanIds(this.builder, this.text(span, 'traceId'), this.text(span, 'spanId'), this.textOrNull(span, 'parentId'));
    setInt64(builder.startTimeUnixNano, row, this.nano(span, 'startTimeUnixNano'));
    setInt64(builder.endTimeUnixNano, row, this.nano(span, 'endTimeUnixNano'));
    builder.name.appendString(this.text(span, 'name'));
    const statusCode = this.text(span, 'statusCode');
    builder.statusCode[row] = Math.max(0, (STATUS_CODES as readonly string[]).indexOf(statusCode));
    builder.statusMessage.appendString(this.text(span, 'statusMessage'));
    this.writeAttributes(span);
    this.writeEvents(span);
    builder.endRow();
  }

  private writeAttributes(span: Members): void {
    leaves.begin(this.wire);
    const attributes = span.get('attributes');
    if (attributes !== undefined) leaves.addJsonAttributes(attributes.at, attributes.end);
    const kind = span.get('spanKind');
    if (kind !== undefined) leaves.addJsonAttribute(SPAN_KIND_KEY, kind.at, kind.end);
    leaves.finish();
    this.attributes.write(plans.find(leaves), leaves, this.wire);
  }

  private writeEvents(span: Members): void {
    const { events, rowCount } = this.builder;
    let sign = '[';
    this.eachElement(span, 'events', (value) => {
      appendAscii(events, sign);
      this.appendEvent(events, this.membersOf(value));
      sign = ',';
    });
    if (sign === '[') return;
    appendAscii(events, ']');
    events.present[rowCount] = 1;
  }

  private appendEvent(events: NullableTextColumnBuilder, event: Members): void {
    appendAscii(events, '{"name":');
    appendJsonText(events, Buffer.from(this.text(event, 'name'), 'utf8'));
    appendAscii(events, `,"time_unix_nano":"${this.nano(event, 'timeUnixNano')}","attributes":{`);
    let separator = '';
    const attributes = event.get('attributes');
    for (const [key, value] of attributes === undefined ? [] : this.membersOf(attributes)) {
      if (isNull(this.bytes, value.at)) continue;
      appendAscii(events, separator);
      appendJsonText(events, Buffer.from(key, 'utf8'));
      appendAscii(events, ':');
      appendJson(events, this.wire, value.at, value.end);
      separator = ',';
    }
    appendAscii(events, '}}');
  }

  /** Members of an object by name. The last one of a repeated name wins. */
  private membersOf({ at: objectAt, end }: Value): Members {
    const { bytes } = this;
    if (bytes[objectAt] !== 0x7b) throw unreadable(`there is no object at byte ${objectAt}`);
    const members = new Map<string, Value>();
    let at = skipBlanks(bytes, objectAt + 1, end);
    while (bytes[at] === 0x22) {
      const nameEnd = skipString(bytes, at);
      const name = this.string(at, nameEnd);
      at = skipBlanks(bytes, skipBlanks(bytes, nameEnd, end) + 1, end);
      const valueEnd = skipValue(bytes, at, end);
      members.set(name, { at, end: valueEnd });
      at = skipBlanks(bytes, valueEnd, end);
      if (bytes[at] === 0x2c) at = skipBlanks(bytes, at + 1, end);
    }
    return members;
  }

  private eachElement(members: Members, name: string, visit: (value: Value) => void): void {
    const list = members.get(name);
    if (list === undefined || isNull(this.bytes, list.at)) return;
    if (this.bytes[list.at] !== 0x5b) throw unreadable(`${name} is not a list`);
    let at = skipBlanks(this.bytes, list.at + 1, list.end);
    while (this.bytes[at] !== 0x5d) {
      const end = skipValue(this.bytes, at, list.end);
      visit({ at, end });
      at = skipBlanks(this.bytes, end, list.end);
      if (this.bytes[at] === 0x2c) at = skipBlanks(this.bytes, at + 1, list.end);
    }
  }

  private nano(members: Members, name: string): bigint {
    const text = this.text(members, name);
    const nano = /^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined;
    if (nano === undefined || BigInt.asIntN(64, nano) !== nano) throw unreadable(`${name} is not an int64`);
    return nano;
  }

  private text(members: Members, name: string): string {
    return this.textOrNull(members, name) ?? '';
  }

  private textOrNull(members: Members, name: string): string | null {
    const value = members.get(name);
    if (value === undefined || isNull(this.bytes, value.at)) return null;
    if (this.bytes[value.at] !== 0x22) throw unreadable(`${name} is not a string`);
    return this.string(value.at, value.end);
  }

  private string(at: number, end: number): string {
    const decoded = decodeJsonString(this.bytes, at + 1, end - 1);
    return Buffer.from(decoded.buffer, decoded.byteOffset, decoded.byteLength).toString('utf8');
  }
}

const unreadable = (what: string): SpandrelError =>
  new SpandrelError('BODY_UNREADABLE', `Could not read the spans: ${what}`);

const SPAN_KIND_KEY = Buffer.from('openinference.span.kind');
