import type { SpanRow, TextHead } from '../../../model/spans/span.ts';
import {
  nullableNumberAt,
  nullableTextAt,
  numberAt,
  type PackedTexts,
  packNumbers,
  packTexts,
} from './packed-columns.ts';
import { type PackedSpanHeads, packSpanHeads, spanHeadAt } from './packed-span-heads.ts';

/** Spans with the fields of lists, in columns. */
export interface PackedSpanRows extends PackedSpanHeads {
  readonly traceRowIds: Float64Array;
  readonly projectIds: Float64Array;
  readonly tokensPrompt: Float64Array;
  readonly tokensCompletion: Float64Array;
  readonly inputs: PackedTexts;
  readonly inputMimeTypes: PackedTexts;
  readonly outputs: PackedTexts;
  readonly outputMimeTypes: PackedTexts;
}

export const packSpanRows = (rows: readonly SpanRow[]): PackedSpanRows => ({
  ...packSpanHeads(rows),
  traceRowIds: packNumbers(rows, ({ traceRowId }) => traceRowId),
  projectIds: packNumbers(rows, ({ projectId }) => projectId),
  tokensPrompt: packNumbers(rows, ({ tokensPrompt }) => tokensPrompt),
  tokensCompletion: packNumbers(rows, ({ tokensCompletion }) => tokensCompletion),
  inputs: packTexts(rows, ({ input }) => input?.head ?? null),
  inputMimeTypes: packTexts(rows, ({ input }) => input?.mimeType ?? null),
  outputs: packTexts(rows, ({ output }) => output?.head ?? null),
  outputMimeTypes: packTexts(rows, ({ output }) => output?.mimeType ?? null),
});

export const unpackSpanRows = (rows: PackedSpanRows): SpanRow[] =>
  Array.from(rows.rowIds, (_rowId, index) => ({
    ...spanHeadAt(rows, index),
    traceRowId: numberAt(rows.traceRowIds, index),
    projectId: numberAt(rows.projectIds, index),
    tokensPrompt: nullableNumberAt(rows.tokensPrompt, index),
    tokensCompletion: nullableNumberAt(rows.tokensCompletion, index),
    input: headAt(rows.inputs, rows.inputMimeTypes, index),
    output: headAt(rows.outputs, rows.outputMimeTypes, index),
  }));

function headAt(heads: PackedTexts, mimeTypes: PackedTexts, index: number): TextHead | null {
  const head = nullableTextAt(heads, index);
  return head === null ? null : { head, mimeType: nullableTextAt(mimeTypes, index) };
}
