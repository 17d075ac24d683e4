// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each row of a slice.
import type { SpanCost } from '../../../model/models/span-cost.ts';
import { isHexSpanId } from '../../../model/traces/trace-ids.ts';
import type { NullableTextColumn, SpanColumns } from '../../../columns/span-columns.ts';
import { TEXT_ATTRIBUTES } from '../../../columns/text-attributes.ts';
import type { RowSelection } from '../../cache/row-selection.ts';
import { type ChunkWriter, clampTokens, type RowSlice, setInt64, VECTOR_ROW_COUNT } from '../../duckdb/chunk-writer.ts';
import { LongTextCollector } from '../../duckdb/long-texts.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';

/**
 * Appends rows of a batch to `spans` and `long_texts`, with row ids from `firstRowId` on. Yields to other work of the thread after
 * every chunk.
 */
export async function appendSpans(
  writer: ChunkWriter,
  longTextWriter: ChunkWriter,
  batch: SpanColumns,
  kept: RowSelection,
  traceOfRow: (row: number) => TraceRow,
  firstRowId: number,
  costs: readonly (SpanCost | undefined)[],
): Promise<void> {
  const spanIdTexts = toSparseTexts(batch, 'spanId');
  const parentIdTexts = toSparseTexts(batch, 'parentSpanId');
  const longTexts = new LongTextCollector();
  for (let from = 0; from < kept.count; from += VECTOR_ROW_COUNT) {
    const slice = { rows: kept.rows, from, to: Math.min(kept.count, from + VECTOR_ROW_COUNT) };
    await writer.begin(slice.to - slice.from);
    appendIds(writer, batch, slice, traceOfRow, firstRowId);
    writer.numbers('start_ns', bigints(batch.startTimeUnixNano, slice));
    writer.numbers('end_ns', bigints(batch.endTimeUnixNano, slice));
    writer.numbers('span_kind', bytes(batch.spanKind, slice));
    writer.numbers('status_code', bytes(batch.statusCode, slice));
    const hasTokens = bytes(batch.hasTokens, slice);
    writer.numbers('tokens_prompt', tokens(batch.tokensPrompt, slice, hasTokens), hasTokens);
    writer.numbers('tokens_completion', tokens(batch.tokensCompletion, slice, hasTokens), hasTokens);
    writer.texts('name', batch.name, slice);
    writer.texts('status_message', batch.statusMessage, slice);
    for (const { column, field } of TEXT_ATTRIBUTES) writer.texts(column, batch[field], slice);
    writer.texts('metadata', batch.metadata, slice);
    writer.texts('attributes', batch.attributes, slice);
    const longBits = new Uint8Array(slice.to - slice.from);
    const input = longTexts.takeFrom('input_rest', batch.inputValue, slice, firstRowId, longBits);
    writer.previewsAndRemainders('input_head', 'input_rest', input.column, input.slice);
    const output = longTexts.takeFrom('output_rest', batch.outputValue, slice, firstRowId, longBits);
    writer.previewsAndRemainders('output_head', 'output_rest', output.column, output.slice);
    for (const [name, column] of [
      ['long_attributes', batch.longAttributes],
      ['events', batch.events],
    ] as const) {
      const short = longTexts.takeFrom(name, column, slice, firstRowId, longBits);
      writer.texts(name, short.column, short.slice);
    }
    writer.numbers('long_texts', longBits);
    writer.texts('span_id_text', spanIdTexts, slice);
    writer.texts('parent_span_id_text', parentIdTexts, slice);
    appendCosts(writer, costs.slice(slice.from, slice.to));
    writer.append();
    await longTexts.write(longTextWriter);
    await new Promise(setImmediate);
  }
  writer.flush();
}

function appendIds(
  writer: ChunkWriter,
  batch: SpanColumns,
  slice: RowSlice,
  traceOfRow: (row: number) => TraceRow,
  firstRowId: number,
): void {
  const count = slice.to - slice.from;
  const rowIds = new Uint32Array(2 * count);
  const traceRowIds = new Uint32Array(2 * count);
  const projectIds = new Int32Array(count);
  for (let index = 0; index < count; index++) {
    const at = slice.from + index;
    const trace = traceOfRow(slice.rows ? slice.rows[at]! : at);
    setInt64(rowIds, index, firstRowId + at);
    setInt64(traceRowIds, index, trace.rowId);
    projectIds[index] = trace.projectId;
  }
  writer.numbers('row_id', rowIds);
  writer.numbers('trace_row_id', traceRowIds);
  writer.numbers('project_id', projectIds);
  writer.numbers('span_id', bigints(batch.spanId, slice));
  writer.numbers('parent_span_id', bigints(batch.parentSpanId, slice), bytes(batch.hasParent, slice));
}

/** Sets all columns in one pass. Most spans have no costs, and five passes took as long as writing the columns. */
function appendCosts(writer: ChunkWriter, costs: readonly (SpanCost | undefined)[]): void {
  const count = costs.length;
  const words = () => new Uint32Array(2 * count);
  const modelIds = words();
  const tokensPrompt = words();
  const tokensCompletion = words();
  const promptPico = words();
  const completionPico = words();
  const hasCost = new Uint8Array(count);
  const hasModel = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    const cost = costs[index];
    if (cost === undefined) continue;
    hasCost[index] = 1;
    setInt64(tokensPrompt, index, cost.tokensPrompt);
    setInt64(tokensCompletion, index, cost.tokensCompletion);
    if (cost.modelRowId === null) continue;
    hasModel[index] = 1;
    setInt64(modelIds, index, cost.modelRowId);
    setInt64(promptPico, index, cost.promptPico ?? 0);
    setInt64(completionPico, index, cost.completionPico ?? 0);
  }
  writer.numbers('cost_model_id', modelIds, hasModel);
  writer.numbers('cost_tokens_prompt', tokensPrompt, hasCost);
  writer.numbers('cost_tokens_completion', tokensCompletion, hasCost);
  writer.numbers('cost_prompt_pico', promptPico, hasModel);
  writer.numbers('cost_completion_pico', completionPico, hasModel);
}

function bigints<Column extends BigInt64Array | BigUint64Array>(
  column: Column,
  { rows, from, to }: RowSlice,
): Owned<Column> {
  if (!rows) return column.subarray(from, to) as Owned<Column>;
  // Copied as pairs of words, without a BigInt per value.
  const source = new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
  const gathered = new Uint32Array(2 * (to - from));
  for (let at = from; at < to; at++) {
    const row = rows[at]!;
    gathered[2 * (at - from)] = source[2 * row]!;
    gathered[2 * (at - from) + 1] = source[2 * row + 1]!;
  }
  return (
    column instanceof BigInt64Array ? new BigInt64Array(gathered.buffer) : new BigUint64Array(gathered.buffer)
  ) as Owned<Column>;
}

type Owned<Column> = Column extends BigInt64Array ? BigInt64Array<ArrayBuffer> : BigUint64Array<ArrayBuffer>;

function bytes(column: Uint8Array, { rows, from, to }: RowSlice): Uint8Array<ArrayBuffer> {
  if (!rows) return column.subarray(from, to) as Uint8Array<ArrayBuffer>;
  return Uint8Array.from(rows.subarray(from, to), (row) => column[row]!);
}

function tokens(column: BigInt64Array, slice: RowSlice, hasTokens: Uint8Array): BigInt64Array<ArrayBuffer> {
  const gathered = bigints(column, slice);
  for (let index = 0; index < gathered.length; index++) {
    if (hasTokens[index] === 1) gathered[index] = clampTokens(gathered[index]!);
  }
  return gathered;
}

/** A column of the few IDs that are not hexadecimal. */
function toSparseTexts(batch: SpanColumns, field: 'spanId' | 'parentSpanId'): NullableTextColumn {
  const present = new Uint8Array(batch.rowCount);
  const offset = new Uint32Array(batch.rowCount + 1);
  const parts: Buffer[] = [];
  let row = 0;
  let length = 0;
  for (const [textRow, ids] of [...batch.textIds].sort(([a], [b]) => a - b)) {
    const text = ids[field];
    if (text === undefined || isHexSpanId(text)) continue;
    offset.fill(length, row, textRow + 1);
    const part = Buffer.from(text);
    parts.push(part);
    length += part.length;
    present[textRow] = 1;
    row = textRow + 1;
  }
  offset.fill(length, row);
  return { utf8: new Uint8Array(Buffer.concat(parts)), offset, present };
}
