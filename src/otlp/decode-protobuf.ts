import { STATUS_CODES } from '../semconv/span-kinds.ts';
import type { SpanColumnsBuilder } from '../columns/span-columns-builder.ts';
import { appendAscii } from './attributes/append-value.ts';
import { AttributeLeaves } from './attributes/attribute-leaves.ts';
import { AttributeWriter } from './attributes/attribute-writer.ts';
import { PlanCache } from './attributes/plan-cache.ts';
import { isDialectKey } from './dialects/dialects.ts';
import { translateSpan } from './dialects/translate-span.ts';
import { appendEvent } from './event-writer.ts';
import { findProjectName, type ProjectNameOptions } from './project-ranges.ts';
import { WireReader } from './protobuf/wire-reader.ts';
import * as tags from './protobuf/wire-tags.ts';
import { setSpanIds } from './span-ids.ts';

const OPTIONS = { inputValueAsText: true };
// Caches of keys and their nesting, one per thread. They make decoding of similar spans fast.
const leaves = new AttributeLeaves(isDialectKey);
const plans = new PlanCache(OPTIONS);

export interface ProjectOptions extends ProjectNameOptions {
  /** Takes precedence over the attributes of the resource. Empty counts as absent. */
  readonly projectName?: string | undefined;
}

/**
 * Appends the spans of an ExportTraceServiceRequest, except the rejected ones (by index in the request). The body must
 * have passed `checkProtobuf` and must have no split values.
 */
export function decodeProtobuf(
  bytes: Uint8Array,
  rejected: readonly number[],
  project: ProjectOptions,
  builder: SpanColumnsBuilder,
): void {
  new RequestDecoder(bytes, rejected, project, builder).request();
}

class RequestDecoder {
  private readonly wire: WireReader;
  private readonly rejected: readonly number[];
  private readonly project: ProjectOptions;
  private readonly builder: SpanColumnsBuilder;
  private readonly attributes: AttributeWriter;
  private spanCount = 0;
  private rejectedCount = 0;
  private currentProject = '';
  private statusCode = 0;
  private statusMessageStart = 0;
  private statusMessageEnd = 0;

  constructor(bytes: Uint8Array, rejected: readonly number[], project: ProjectOptions, builder: SpanColumnsBuilder) {
    this.wire = new WireReader(bytes);
    this.rejected = rejected;
    this.project = project;
    this.builder = builder;
    this.attributes = new AttributeWriter(builder, OPTIONS);
  }

  request(): void {
    const { wire } = this;
    const end = wire.bytes.length;
    for (let at = 0; at < end; ) {
      const tag = wire.tag(at);
      at = wire.at;
      if (tag === tags.REQUEST_RESOURCE_SPANS) this.resourceSpans(at);
      at = wire.skip(tag, at);
    }
  }

  private resourceSpans(before: number): void {
    const { wire } = this;
    const end = wire.enter(before);
    const start = wire.at;
    // In a separate pass, because the resource may come after the spans.
    this.currentProject = this.project.projectName || findProjectName(wire, start, end, this.project);
    for (let at = start; at < end; ) {
      const tag = wire.tag(at);
      at = wire.at;
      if (tag === tags.RESOURCE_SPANS_SCOPE_SPANS) this.scopeSpans(at);
      at = wire.skip(tag, at);
    }
  }

  private scopeSpans(before: number): void {
    const { wire } = this;
    const end = wire.enter(before);
    for (let at = wire.at; at < end; ) {
      const tag = wire.tag(at);
      at = wire.at;
      if (tag !== tags.SCOPE_SPANS_SPANS) {
        at = wire.skip(tag, at);
        continue;
      }
      const spanEnd = wire.enter(at);
      if (this.rejected[this.rejectedCount] === this.spanCount++) this.rejectedCount++;
      else this.span(wire, wire.at, spanEnd, false);
      at = spanEnd;
    }
  }

  /** `isTranslated`: the span already has the attributes that derive from other dialects. */
  private span(wire: WireReader, start: number, end: number, isTranslated: boolean): void {
    const { builder } = this;
    builder.beginRow();
    leaves.begin(wire);
    const row = builder.rowCount;
    const { bytes, view } = wire;
    let traceIdStart = 0;
    let traceIdEnd = 0;
    let spanIdStart = 0;
    let spanIdEnd = 0;
    let parentStart = 0;
    let parentEnd = 0;
    let startTime = -1;
    let endTime = -1;
    let nameStart = 0;
    let nameEnd = 0;
    let hasEvents = false;
    this.statusCode = 0;
    this.statusMessageStart = 0;
    this.statusMessageEnd = 0;
    for (let at = start; at < end; ) {
      const tag = wire.tag(at);
      at = wire.at;
      switch (tag) {
        case tags.SPAN_ATTRIBUTES: {
          const next = wire.enter(at);
          leaves.addAttribute(at);
          at = next;
          continue;
        }
        case tags.SPAN_TRACE_ID:
          at = wire.enter(at);
          traceIdStart = wire.at;
          traceIdEnd = at;
          continue;
        case tags.SPAN_SPAN_ID:
          at = wire.enter(at);
          spanIdStart = wire.at;
          spanIdEnd = at;
          continue;
        case tags.SPAN_PARENT_SPAN_ID:
          at = wire.enter(at);
          parentStart = wire.at;
          parentEnd = at;
          continue;
        case tags.SPAN_NAME:
          at = wire.enter(at);
          nameStart = wire.at;
          nameEnd = at;
          continue;
        case tags.SPAN_START_TIME:
          startTime = at;
          at += 8;
          continue;
        case tags.SPAN_END_TIME:
          endTime = at;
          at += 8;
          continue;
        case tags.SPAN_STATUS:
          this.readStatus(wire, at);
          break;
        case tags.SPAN_EVENTS:
          hasEvents = true;
          break;
      }
      at = wire.skip(tag, at);
    }
    if (leaves.hasDialect && !isTranslated) {
      const translated = translateSpan(bytes, start, end);
      this.span(new WireReader(translated), 0, translated.length, true);
      return;
    }
    // An ID that is empty or all zeros does not name a parent.
    const hasParent = !isZero(bytes, parentStart, parentEnd);
    builder.hasParent[row] = hasParent ? 1 : 0;
    const isUsual = traceIdEnd - traceIdStart === 16 && spanIdEnd - spanIdStart === 8;
    if (isUsual && (!hasParent || parentEnd - parentStart === 8)) {
      setBigEndian(builder.traceIdHigh, row, view, traceIdStart);
      setBigEndian(builder.traceIdLow, row, view, traceIdStart + 8);
      setBigEndian(builder.spanId, row, view, spanIdStart);
      if (hasParent) setBigEndian(builder.parentSpanId, row, view, parentStart);
    } else {
      const parent = hasParent ? hex(bytes, parentStart, parentEnd) : null;
      setSpanIds(builder, hex(bytes, traceIdStart, traceIdEnd), hex(bytes, spanIdStart, spanIdEnd), parent);
    }
    builder.projectIndex[row] = builder.projectIndexOf(this.currentProject);
    this.setTime(builder.startTimeUnixNano, view, startTime);
    this.setTime(builder.endTimeUnixNano, view, endTime);
    builder.name.append(bytes, nameStart, nameEnd);
    builder.statusCode[row] = this.statusCode;
    builder.statusMessage.append(bytes, this.statusMessageStart, this.statusMessageEnd);
    leaves.finish();
    this.attributes.write(plans.find(leaves), leaves, wire);
    if (hasEvents) this.writeEvents(wire, start, end);
    builder.endRow();
  }

  private setTime(words: Uint32Array, view: DataView, at: number): void {
    const { rowCount } = this.builder;
    words[2 * rowCount] = at < 0 ? 0 : view.getInt32(at, true);
    words[2 * rowCount + 1] = at < 0 ? 0 : view.getInt32(at + 4, true);
  }

  /** Reads a status, which may be split into several parts with some of its fields each. */
  private readStatus(wire: WireReader, before: number): void {
    const end = wire.enter(before);
    for (let at = wire.at; at < end; ) {
      const tag = wire.tag(at);
      at = wire.at;
      if (tag === tags.STATUS_CODE) {
        wire.varint(at);
        const code = wire.low;
        this.statusCode = code > 0 && code < STATUS_CODES.length ? code : 0;
      } else if (tag === tags.STATUS_MESSAGE) {
        this.statusMessageEnd = wire.enter(at);
        this.statusMessageStart = wire.at;
      }
      at = wire.skip(tag, at);
    }
  }

  private writeEvents(wire: WireReader, start: number, end: number): void {
    const { events, rowCount } = this.builder;
    let sign = '[';
    for (let at = start; at < end; ) {
      const tag = wire.tag(at);
      at = wire.at;
      const next = wire.skip(tag, at);
      if (tag === tags.SPAN_EVENTS) {
        appendAscii(events, sign);
        appendEvent(events, wire, at);
        sign = ',';
      }
      at = next;
    }
    appendAscii(events, ']');
    events.present[rowCount] = 1;
  }
}

/** Writes 64 bits in network byte order to row `row`. */
function setBigEndian(words: Uint32Array, row: number, view: DataView, at: number): void {
  words[2 * row + 1] = view.getInt32(at);
  words[2 * row] = view.getInt32(at + 4);
}

function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0) return false;
  return true;
}

const hex = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('hex');
