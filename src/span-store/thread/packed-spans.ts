import { SPAN_KINDS, STATUS_CODES } from '../../semconv/span-kinds.ts';
import type { Span } from '../../model/span.ts';
import {
  nullableTextAt,
  type PackedTexts,
  packBigints,
  packNumbers,
  packPlaces,
  packTexts,
  textAt,
} from './packed-columns.ts';

/** Whole spans, in columns. */
export interface PackedSpans {
  readonly rowIds: Float64Array;
  readonly traceIds: PackedTexts;
  readonly spanIds: PackedTexts;
  readonly parentSpanIds: PackedTexts;
  readonly names: PackedTexts;
  readonly spanKinds: Uint8Array;
  readonly statusCodes: Uint8Array;
  readonly statusMessages: PackedTexts;
  readonly startTimes: BigInt64Array;
  readonly endTimes: BigInt64Array;
  /** Of all spans, one after the other. */
  readonly attributeParts: PackedTexts;
  /** How many of those each span has. */
  readonly partCounts: Float64Array;
  readonly events: PackedTexts;
}

export const packSpans = (spans: readonly Span[]): PackedSpans => ({
  rowIds: packNumbers(spans, ({ rowId }) => rowId),
  traceIds: packTexts(spans, ({ traceId }) => traceId),
  spanIds: packTexts(spans, ({ spanId }) => spanId),
  parentSpanIds: packTexts(spans, ({ parentSpanId }) => parentSpanId),
  names: packTexts(spans, ({ name }) => name),
  spanKinds: packPlaces(spans, SPAN_KINDS, ({ spanKind }) => spanKind),
  statusCodes: packPlaces(spans, STATUS_CODES, ({ statusCode }) => statusCode),
  statusMessages: packTexts(spans, ({ statusMessage }) => statusMessage),
  startTimes: packBigints(spans, ({ startTimeUnixNano }) => startTimeUnixNano),
  endTimes: packBigints(spans, ({ endTimeUnixNano }) => endTimeUnixNano),
  attributeParts: packTexts(
    spans.flatMap(({ attributeParts }) => attributeParts),
    (part) => part,
  ),
  partCounts: packNumbers(spans, ({ attributeParts }) => attributeParts.length),
  events: packTexts(spans, ({ events }) => events),
});

export function unpackSpans(spans: PackedSpans): Span[] {
  let part = 0;
  return Array.from(spans.rowIds, (rowId, index) => ({
    rowId,
    traceId: textAt(spans.traceIds, index) as Span['traceId'],
    spanId: textAt(spans.spanIds, index) as Span['spanId'],
    parentSpanId: nullableTextAt(spans.parentSpanIds, index) as Span['parentSpanId'],
    name: textAt(spans.names, index),
    spanKind: SPAN_KINDS[spans.spanKinds[index]!]!,
    statusCode: STATUS_CODES[spans.statusCodes[index]!]!,
    statusMessage: textAt(spans.statusMessages, index),
    startTimeUnixNano: spans.startTimes[index]!,
    endTimeUnixNano: spans.endTimes[index]!,
    attributeParts: Array.from({ length: spans.partCounts[index]! }, () => textAt(spans.attributeParts, part++)),
    events: nullableTextAt(spans.events, index),
  }));
}
