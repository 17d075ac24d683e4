import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import type { Span, SpanRow } from '../../../model/spans/span.ts';
import type { SpanId, TraceId } from '../../../model/traces/trace-ids.ts';
import {
  bigintAt,
  nullableTextAt,
  numberAt,
  type PackedTexts,
  packBigints,
  packIndexes,
  packNumbers,
  packTexts,
  textAt,
  valueAt,
} from './packed-columns.ts';

/** Fields that rows of lists and whole spans have in common. */
type SpanHead = Pick<Span, keyof Span & keyof SpanRow>;

/** Common fields of spans, in columns. */
export interface PackedSpanHeads {
  readonly rowIds: Float64Array;
  readonly traceIds: PackedTexts<TraceId>;
  readonly spanIds: PackedTexts<SpanId>;
  readonly parentSpanIds: PackedTexts<SpanId>;
  readonly names: PackedTexts;
  readonly spanKinds: Uint8Array;
  readonly statusCodes: Uint8Array;
  readonly statusMessages: PackedTexts;
  readonly startTimes: BigInt64Array;
  readonly endTimes: BigInt64Array;
}

export const packSpanHeads = (spans: readonly SpanHead[]): PackedSpanHeads => ({
  rowIds: packNumbers(spans, ({ rowId }) => rowId),
  traceIds: packTexts(spans, ({ traceId }) => traceId),
  spanIds: packTexts(spans, ({ spanId }) => spanId),
  parentSpanIds: packTexts(spans, ({ parentSpanId }) => parentSpanId),
  names: packTexts(spans, ({ name }) => name),
  spanKinds: packIndexes(spans, SPAN_KINDS, ({ spanKind }) => spanKind),
  statusCodes: packIndexes(spans, STATUS_CODES, ({ statusCode }) => statusCode),
  statusMessages: packTexts(spans, ({ statusMessage }) => statusMessage),
  startTimes: packBigints(spans, ({ startTimeUnixNano }) => startTimeUnixNano),
  endTimes: packBigints(spans, ({ endTimeUnixNano }) => endTimeUnixNano),
});

export const spanHeadAt = (spans: PackedSpanHeads, index: number): SpanHead => ({
  rowId: numberAt(spans.rowIds, index),
  traceId: textAt(spans.traceIds, index),
  spanId: textAt(spans.spanIds, index),
  parentSpanId: nullableTextAt(spans.parentSpanIds, index),
  name: textAt(spans.names, index),
  spanKind: valueAt(SPAN_KINDS, spans.spanKinds, index),
  statusCode: valueAt(STATUS_CODES, spans.statusCodes, index),
  statusMessage: textAt(spans.statusMessages, index),
  startTimeUnixNano: bigintAt(spans.startTimes, index),
  endTimeUnixNano: bigintAt(spans.endTimes, index),
});
