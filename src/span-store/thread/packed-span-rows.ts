import { SPAN_KINDS, STATUS_CODES } from '../../semconv/span-kinds.ts';
import type { SpanRow, TextHead } from '../../model/span.ts';
import {
  nullableNumberAt,
  nullableTextAt,
  type PackedTexts,
  packBigints,
  packNumbers,
  packPlaces,
  packTexts,
  textAt,
} from './packed-columns.ts';

/** Spans as lists show them, in columns. */
export interface PackedSpanRows {
  readonly rowIds: Float64Array;
  readonly traceRowIds: Float64Array;
  readonly projectIds: Float64Array;
  readonly traceIds: PackedTexts;
  readonly spanIds: PackedTexts;
  readonly parentSpanIds: PackedTexts;
  readonly names: PackedTexts;
  readonly spanKinds: Uint8Array;
  readonly statusCodes: Uint8Array;
  readonly statusMessages: PackedTexts;
  readonly startTimes: BigInt64Array;
  readonly endTimes: BigInt64Array;
  readonly tokensPrompt: Float64Array;
  readonly tokensCompletion: Float64Array;
  readonly inputs: PackedTexts;
  readonly inputMimeTypes: PackedTexts;
  readonly outputs: PackedTexts;
  readonly outputMimeTypes: PackedTexts;
}

export const packSpanRows = (rows: readonly SpanRow[]): PackedSpanRows => ({
  rowIds: packNumbers(rows, ({ rowId }) => rowId),
  traceRowIds: packNumbers(rows, ({ traceRowId }) => traceRowId),
  projectIds: packNumbers(rows, ({ projectId }) => projectId),
  traceIds: packTexts(rows, ({ traceId }) => traceId),
  spanIds: packTexts(rows, ({ spanId }) => spanId),
  parentSpanIds: packTexts(rows, ({ parentSpanId }) => parentSpanId),
  names: packTexts(rows, ({ name }) => name),
  spanKinds: packPlaces(rows, SPAN_KINDS, ({ spanKind }) => spanKind),
  statusCodes: packPlaces(rows, STATUS_CODES, ({ statusCode }) => statusCode),
  statusMessages: packTexts(rows, ({ statusMessage }) => statusMessage),
  startTimes: packBigints(rows, ({ startTimeUnixNano }) => startTimeUnixNano),
  endTimes: packBigints(rows, ({ endTimeUnixNano }) => endTimeUnixNano),
  tokensPrompt: packNumbers(rows, ({ tokensPrompt }) => tokensPrompt),
  tokensCompletion: packNumbers(rows, ({ tokensCompletion }) => tokensCompletion),
  inputs: packTexts(rows, ({ input }) => input?.head ?? null),
  inputMimeTypes: packTexts(rows, ({ input }) => input?.mimeType ?? null),
  outputs: packTexts(rows, ({ output }) => output?.head ?? null),
  outputMimeTypes: packTexts(rows, ({ output }) => output?.mimeType ?? null),
});

export const unpackSpanRows = (rows: PackedSpanRows): SpanRow[] =>
  Array.from(rows.rowIds, (rowId, index) => ({
    rowId,
    traceRowId: rows.traceRowIds[index]!,
    projectId: rows.projectIds[index]!,
    traceId: textAt(rows.traceIds, index) as SpanRow['traceId'],
    spanId: textAt(rows.spanIds, index) as SpanRow['spanId'],
    parentSpanId: nullableTextAt(rows.parentSpanIds, index) as SpanRow['parentSpanId'],
    name: textAt(rows.names, index),
    spanKind: SPAN_KINDS[rows.spanKinds[index]!]!,
    statusCode: STATUS_CODES[rows.statusCodes[index]!]!,
    statusMessage: textAt(rows.statusMessages, index),
    startTimeUnixNano: rows.startTimes[index]!,
    endTimeUnixNano: rows.endTimes[index]!,
    tokensPrompt: nullableNumberAt(rows.tokensPrompt, index),
    tokensCompletion: nullableNumberAt(rows.tokensCompletion, index),
    input: headAt(rows.inputs, rows.inputMimeTypes, index),
    output: headAt(rows.outputs, rows.outputMimeTypes, index),
  }));

function headAt(heads: PackedTexts, mimeTypes: PackedTexts, index: number): TextHead | null {
  const head = nullableTextAt(heads, index);
  return head === null ? null : { head, mimeType: nullableTextAt(mimeTypes, index) };
}
