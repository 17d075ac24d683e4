// biome-ignore-all lint/style/noNonNullAssertion: the index is compared with the end before each read.
import { SpandrelError } from '../model/errors.ts';
import { REQUEST_SPAN_COUNT_MAX, VALUE_DEPTH_MAX } from '../model/limits/spans.ts';
import { WireCheck } from './protobuf/wire-check.ts';
import * as tags from './protobuf/wire-tags.ts';
import { type SpanFacts, spanProblem } from './span-rules.ts';

/** Result of the check of a request. */
export interface ProtobufCheck {
  readonly spanCount: number;
  /** Indexes of rejected spans in the request. */
  readonly rejected: readonly number[];
  /** The first few rejections, each with the span's ID or name. */
  readonly reasons: readonly string[];
  /**
   * Whether a value is split into several parts, which protobuf merges: a key-value pair with two values, or a value
   * with two fields. No exporter does that; `mergeSplitValues` joins them before decoding.
   */
  readonly hasSplitValues: boolean;
}

const REASON_COUNT_MAX = 5;
const NAME_CHARS_MAX = 60;

/**
 * Checks that a body is an ExportTraceServiceRequest, at every level that decoding enters.
 *
 * @throws {SpandrelError} `OTLP_MALFORMED` if it is not, `BODY_TOO_LARGE` if it has too many spans
 */
export function checkProtobuf(bytes: Uint8Array): ProtobufCheck {
  const walk = new RequestWalk(bytes);
  walk.request();
  return walk;
}

/** The current span: bounds of its fields in the body, and the facts that the rules need. */
class WalkedSpan implements SpanFacts {
  traceIdBytes = 0;
  traceIdIsZero = false;
  spanIdBytes = 0;
  spanIdIsZero = false;
  spanIdStart = 0;
  parentSpanIdBytes = 0;
  nameStart = 0;
  nameEnd = 0;
  isStartTooLate = false;
  isEndTooLate = false;
  attributeCount = 0;
  isTooDeep = false;

  get isTooLate(): boolean {
    return this.isStartTooLate || this.isEndTooLate;
  }

  clear(): void {
    this.traceIdBytes = 0;
    this.spanIdBytes = 0;
    this.parentSpanIdBytes = 0;
    this.nameStart = 0;
    this.nameEnd = 0;
    this.isStartTooLate = false;
    this.isEndTooLate = false;
    this.attributeCount = 0;
    this.isTooDeep = false;
  }
}

// Each method takes the bounds of its message. Methods for key-value pairs and values also take the number of enclosing
// lists.
class RequestWalk implements ProtobufCheck {
  spanCount = 0;
  readonly rejected: number[] = [];
  readonly reasons: string[] = [];
  hasSplitValues = false;
  private readonly bytes: Uint8Array;
  private readonly wire: WireCheck;
  private readonly current = new WalkedSpan();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.wire = new WireCheck(bytes);
  }

  request(): void {
    const { wire } = this;
    const end = this.bytes.length;
    for (let at = 0; at < end; ) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag === tags.REQUEST_RESOURCE_SPANS) at = this.resourceSpans(at, end);
      else at = wire.skipUnknown(tag, at, end);
    }
    wire.checkTexts();
  }

  private resourceSpans(before: number, limit: number): number {
    const { wire } = this;
    const end = this.enter(before, limit);
    for (let at = wire.at; at < end; ) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag === tags.RESOURCE_SPANS_SCOPE_SPANS) at = this.scopeSpans(at, end);
      else if (tag === tags.RESOURCE_SPANS_RESOURCE) at = this.resource(at, end);
      else if (tag === tags.RESOURCE_SPANS_SCHEMA_URL) at = wire.skipText(at, end);
      else at = wire.skipUnknown(tag, at, end);
    }
    return end;
  }

  private resource(before: number, limit: number): number {
    const { wire } = this;
    const end = this.enter(before, limit);
    for (let at = wire.at; at < end; ) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag === tags.RESOURCE_ATTRIBUTES) at = this.keyValue(at, end, 0);
      else if (tag === tags.RESOURCE_DROPPED_ATTRIBUTES_COUNT) at = wire.skipVarint(at, end);
      else at = wire.skipUnknown(tag, at, end);
    }
    return end;
  }

  private scopeSpans(before: number, limit: number): number {
    const { wire } = this;
    const end = this.enter(before, limit);
    for (let at = wire.at; at < end; ) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag === tags.SCOPE_SPANS_SPANS) at = this.span(at, end);
      else if (tag === tags.SCOPE_SPANS_SCOPE) at = this.scope(at, end);
      else if (tag === tags.SCOPE_SPANS_SCHEMA_URL) at = wire.skipText(at, end);
      else at = wire.skipUnknown(tag, at, end);
    }
    return end;
  }

  private scope(before: number, limit: number): number {
    const { wire } = this;
    const end = this.enter(before, limit);
    for (let at = wire.at; at < end; ) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag === tags.SCOPE_NAME || tag === tags.SCOPE_VERSION) at = wire.skipText(at, end);
      else if (tag === tags.SCOPE_ATTRIBUTES) at = this.keyValue(at, end, 0);
      else if (tag === tags.SCOPE_DROPPED_ATTRIBUTES_COUNT) at = wire.skipVarint(at, end);
      else at = wire.skipUnknown(tag, at, end);
    }
    return end;
  }

  private span(before: number, limit: number): number {
    const { bytes, wire, current } = this;
    const end = this.enter(before, limit);
    current.clear();
    for (let at = wire.at; at < end; ) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag === tags.SPAN_ATTRIBUTES) {
        current.attributeCount++;
        at = this.keyValue(at, end, 0);
      } else if (tag === tags.SPAN_TRACE_ID) {
        const next = wire.skipId(at, end);
        current.traceIdBytes = next - wire.at;
        current.traceIdIsZero = this.isZero(wire.at, next);
        at = next;
      } else if (tag === tags.SPAN_SPAN_ID) {
        const next = wire.skipId(at, end);
        current.spanIdStart = wire.at;
        current.spanIdBytes = next - wire.at;
        current.spanIdIsZero = this.isZero(wire.at, next);
        at = next;
      } else if (tag === tags.SPAN_PARENT_SPAN_ID) {
        const next = wire.skipId(at, end);
        current.parentSpanIdBytes = next - wire.at;
        at = next;
      } else if (tag === tags.SPAN_NAME) {
        current.nameEnd = wire.skipText(at, end);
        current.nameStart = wire.at;
        at = current.nameEnd;
      } else if (tag === tags.SPAN_START_TIME) {
        at = wire.skipFixed64(at, end);
        current.isStartTooLate = bytes[at - 1]! > 127;
      } else if (tag === tags.SPAN_END_TIME) {
        at = wire.skipFixed64(at, end);
        current.isEndTooLate = bytes[at - 1]! > 127;
      } else if (tag === tags.SPAN_STATUS) at = this.status(at, end);
      else if (tag === tags.SPAN_EVENTS) at = this.event(at, end);
      else if (tag === tags.SPAN_LINKS) at = this.link(at, end);
      else if (tag === tags.SPAN_TRACE_STATE) at = wire.skipText(at, end);
      else at = this.spanNumber(tag, at, end);
    }
    this.endSpan();
    return end;
  }

  private spanNumber(tag: number, at: number, end: number): number {
    switch (tag) {
      case tags.SPAN_KIND:
      case tags.SPAN_DROPPED_ATTRIBUTES_COUNT:
      case tags.SPAN_DROPPED_EVENTS_COUNT:
      case tags.SPAN_DROPPED_LINKS_COUNT:
        return this.wire.skipVarint(at, end);
      case tags.SPAN_FLAGS:
        return this.wire.skipFixed32(at, end);
      default:
        return this.wire.skipUnknown(tag, at, end);
    }
  }

  private endSpan(): void {
    const { current } = this;
    if (++this.spanCount > REQUEST_SPAN_COUNT_MAX) {
      throw new SpandrelError('BODY_TOO_LARGE', `A request may have at most ${REQUEST_SPAN_COUNT_MAX} spans`);
    }
    const problem = spanProblem(current);
    if (problem === undefined) return;
    this.rejected.push(this.spanCount - 1);
    if (this.reasons.length < REASON_COUNT_MAX) this.reasons.push(`span ${this.nameSpan()}: ${problem}`);
  }

  private nameSpan(): string {
    const { current } = this;
    if (current.spanIdBytes === 8) {
      return Buffer.from(this.bytes.subarray(current.spanIdStart, current.spanIdStart + 8)).toString('hex');
    }
    const nameBytes = this.bytes.subarray(current.nameStart, Math.min(current.nameEnd, current.nameStart + 400));
    return JSON.stringify(Buffer.from(nameBytes).toString('utf8').slice(0, NAME_CHARS_MAX));
  }

  private event(before: number, limit: number): number {
    const { wire } = this;
    const end = this.enter(before, limit);
    for (let at = wire.at; at < end; ) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag === tags.EVENT_ATTRIBUTES) {
        this.current.attributeCount++;
        at = this.keyValue(at, end, 0);
      } else if (tag === tags.EVENT_NAME) at = wire.skipText(at, end);
      else if (tag === tags.EVENT_TIME) at = wire.skipFixed64(at, end);
      else if (tag === tags.EVENT_DROPPED_ATTRIBUTES_COUNT) at = wire.skipVarint(at, end);
      else at = wire.skipUnknown(tag, at, end);
    }
    return end;
  }

  private link(before: number, limit: number): number {
    const { wire } = this;
    const end = this.enter(before, limit);
    for (let at = wire.at; at < end; ) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag === tags.LINK_TRACE_ID || tag === tags.LINK_SPAN_ID) at = wire.skipId(at, end);
      else if (tag === tags.LINK_TRACE_STATE) at = wire.skipText(at, end);
      else if (tag === tags.LINK_ATTRIBUTES) at = this.keyValue(at, end, 0);
      else if (tag === tags.LINK_DROPPED_ATTRIBUTES_COUNT) at = wire.skipVarint(at, end);
      else if (tag === tags.LINK_FLAGS) at = wire.skipFixed32(at, end);
      else at = wire.skipUnknown(tag, at, end);
    }
    return end;
  }

  private status(before: number, limit: number): number {
    const { wire } = this;
    const end = this.enter(before, limit);
    for (let at = wire.at; at < end; ) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag === tags.STATUS_CODE) at = wire.skipVarint(at, end);
      else if (tag === tags.STATUS_MESSAGE) at = wire.skipText(at, end);
      else at = wire.skipUnknown(tag, at, end);
    }
    return end;
  }

  private keyValue(before: number, limit: number, depth: number): number {
    const { wire } = this;
    const end = this.enter(before, limit);
    let valueCount = 0;
    for (let at = wire.at; at < end; ) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag === tags.KEY_VALUE_VALUE) {
        valueCount++;
        at = this.anyValue(at, end, depth);
      } else if (tag === tags.KEY_VALUE_KEY) {
        at = this.enter(at, end);
      } else at = wire.skipUnknown(tag, at, end);
    }
    if (valueCount > 1) this.hasSplitValues = true;
    return end;
  }

  private anyValue(before: number, limit: number, depth: number): number {
    const { wire } = this;
    const end = this.enter(before, limit);
    let fieldCount = 0;
    for (let at = wire.at; at < end; fieldCount++) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag === tags.ANY_VALUE_STRING) at = this.enter(at, end);
      else if (tag === tags.ANY_VALUE_INT || tag === tags.ANY_VALUE_BOOL) at = wire.skipVarint(at, end);
      else if (tag === tags.ANY_VALUE_DOUBLE) at = wire.skipFixed64(at, end);
      else if (tag === tags.ANY_VALUE_ARRAY) at = this.list(at, end, depth + 1, false);
      else if (tag === tags.ANY_VALUE_KVLIST) at = this.list(at, end, depth + 1, true);
      else if (tag === tags.ANY_VALUE_BYTES) at = wire.skipBytes(at, end);
      else at = wire.skipUnknown(tag, at, end);
    }
    if (fieldCount > 1) this.hasSplitValues = true;
    return end;
  }

  private list(before: number, limit: number, depth: number, isKeyValueList: boolean): number {
    const { wire } = this;
    if (depth > VALUE_DEPTH_MAX) {
      // The list is not entered, because the span is rejected and never decoded.
      this.current.isTooDeep = true;
      return wire.skipBytes(before, limit);
    }
    const end = this.enter(before, limit);
    for (let at = wire.at; at < end; ) {
      const tag = this.tag(at, end);
      at = wire.at;
      if (tag !== tags.LIST_VALUES) at = wire.skipUnknown(tag, at, end);
      else if (isKeyValueList) at = this.keyValue(at, end, depth);
      else at = this.anyValue(at, end, depth);
    }
    return end;
  }

  /** Reads the tag at `at`, and sets `wire.at` to the position after it. */
  private tag(at: number, end: number): number {
    const byte = this.bytes[at]!;
    if (byte >= 128) return this.wire.readLongTag(at, end);
    this.wire.at = at + 1;
    return byte;
  }

  /** Returns the end of the message whose length is at `at`, and sets `wire.at` to its start. */
  private enter(at: number, limit: number): number {
    // Most lengths have one byte; `readLength` makes the same check for the others.
    const length = at < limit ? this.bytes[at]! : 128;
    if (length < 128 && length < limit - at) {
      this.wire.at = at + 1;
      return at + 1 + length;
    }
    return this.wire.readLength(at, limit) + this.wire.at;
  }

  private isZero(start: number, end: number): boolean {
    for (let i = start; i < end; i++) if (this.bytes[i] !== 0) return false;
    return true;
  }
}
