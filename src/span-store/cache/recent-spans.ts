import type { SpanCost } from '../../model/span-cost.ts';
import { isHexSpanId, type TraceId, toTraceId } from '../../model/trace-ids.ts';
import { textBytes } from '../../columns/column-texts.ts';
import { compactColumns } from '../../columns/compact-columns.ts';
import { readNullableText, readText } from '../../columns/read-text.ts';
import type { NullableTextColumn, SpanColumns } from '../../columns/span-columns.ts';
import { clampTokens, headEnd } from '../duckdb/chunk-writer.ts';
import type { RowRange } from '../duckdb/row-range.ts';
import type { SqlValue } from '../duckdb/sql.ts';
import type { TraceRow } from '../duckdb/trace-rows.ts';
import { type KeptRows, keptRow } from './kept-rows.ts';

/** Columns of `spans` of which pages are made. */
export type SpanColumnName = keyof typeof COLUMNS;

/** Values of columns as DuckDB gives them, but that no text is kept in pieces. */
export type StoredRow<Name extends string> = Readonly<Record<Name, SqlValue>> & {
  /** Where it is known without asking. */
  readonly traceId?: TraceId;
};

/** What was stored of a batch. */
export interface StoredRows {
  readonly kept: KeptRows;
  /** In the order of the kept rows. */
  readonly costs: readonly (SpanCost | undefined)[];
  /** Of a row of the batch. */
  readonly traceOfRow: (row: number) => TraceRow;
}

/** Spans that were stored together. */
export interface RecentBatch {
  readonly columns: SpanColumns;
  readonly kept: KeptRows;
  /** Of each kept row, `COST_FIELDS`; NaN where it has none. */
  readonly costs: Float64Array;
  /** Row id of the first row that was kept; the others follow. */
  readonly firstRowId: number;
  /** Of the trace and the project of each kept row. */
  readonly traceRowIds: Float64Array;
  readonly projectIds: Int32Array;
  readonly bytes: number;
}

/** A question to one span: the row of its batch, and its place among those that were kept; undefined: it cannot be told. */
export type RecentTest = (batch: RecentBatch, row: number, at: number) => boolean | undefined;

/** What a batch takes beside its buffers: some hundred objects. */
const BATCH_BYTES = 16_384;

/** What costs are made of. A span without a cost has none of them, and one without a price no amounts. */
const COST_FIELDS = ['tokensPrompt', 'tokensCompletion', 'promptPico', 'completionPico'] as const;
type CostField = (typeof COST_FIELDS)[number];

/**
 * The newest spans as they came. Pages of them, which are asked for most, are made from these columns: DuckDB would
 * unpack whole vectors of 2,048 rows, column by column, and the same again for the next page.
 */
export class RecentSpans {
  readonly #bytesMax: number;
  /** In order of row id. */
  #batches: RecentBatch[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Keeps a batch that has been committed. The oldest go for it. */
  add(batch: SpanColumns, { kept, costs: costsOfRows, traceOfRow }: StoredRows, firstRowId: number): void {
    if (kept.count === 0 || textBytes(batch) > this.#bytesMax) return;
    const { columns, byteLength } = compactColumns(batch);
    const costs = toCosts(costsOfRows, kept.count);
    const traceRowIds = new Float64Array(kept.count);
    const projectIds = new Int32Array(kept.count);
    const bytes = BATCH_BYTES + byteLength + costs.byteLength + traceRowIds.byteLength + projectIds.byteLength;
    if (bytes > this.#bytesMax) return;
    for (let at = 0; at < kept.count; at++) {
      const { rowId, projectId } = traceOfRow(keptRow(kept, at));
      traceRowIds[at] = rowId;
      projectIds[at] = projectId;
    }
    this.#batches.push({ columns, kept, costs, firstRowId, traceRowIds, projectIds, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#bytesMax) this.#bytes -= this.#batches.shift()!.bytes;
  }

  /** To be called when stored spans up to a row id go, come to another project, or cost something else. */
  forget(lastRowId = Number.POSITIVE_INFINITY): void {
    while (this.#batches.length > 0 && this.#batches[0]!.firstRowId <= lastRowId) {
      this.#bytes -= this.#batches.shift()!.bytes;
    }
  }

  /** Whether a row is here. */
  has(rowId: number): boolean {
    return this.#batchOf(rowId) !== undefined;
  }

  /** Those of these rows that are here, by row id. */
  rows<Name extends SpanColumnName>(
    names: readonly Name[],
    rowIds: readonly number[],
  ): Map<number, StoredRow<Name> & { readonly traceId: TraceId }> {
    const found = new Map<number, StoredRow<Name> & { readonly traceId: TraceId }>();
    for (const rowId of rowIds) {
      const batch = this.#batchOf(rowId);
      if (batch) found.set(rowId, toRow(batch, rowId - batch.firstRowId, names));
    }
    return found;
  }

  /** The spans of these traces among the rows of a range, in order of row id; undefined unless all its rows are here. */
  rowsOfTraces<Name extends SpanColumnName>(
    names: readonly Name[],
    { first, last }: RowRange,
    traceRowIds: ReadonlySet<number>,
  ): (StoredRow<Name> & { readonly traceId: TraceId })[] | undefined {
    const found: (StoredRow<Name> & { readonly traceId: TraceId })[] = [];
    for (let rowId = first; rowId <= last; ) {
      const batch = this.#batchOf(rowId);
      if (!batch) return undefined;
      const end = Math.min(last + 1, batch.firstRowId + batch.kept.count);
      for (; rowId < end; rowId++) {
        const at = rowId - batch.firstRowId;
        if (traceRowIds.has(batch.traceRowIds[at]!)) found.push(toRow(batch, at, names));
      }
    }
    return found;
  }

  /**
   * Places of the first spans in a range that pass a test; `at` is the place of a span among the kept rows of its batch.
   *
   * @returns Undefined when a row that is not here, or of which the test cannot tell, comes before the last of them.
   */
  search(
    { first, last }: RowRange,
    { order, limit, passes }: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly passes: RecentTest },
  ): { readonly rowId: number; readonly traceRowId: number }[] | undefined {
    const found: { rowId: number; traceRowId: number }[] = [];
    const step = order === 'asc' ? 1 : -1;
    for (let rowId = order === 'asc' ? first : last; rowId >= first && rowId <= last && found.length < limit; ) {
      const batch = this.#batchOf(rowId);
      if (!batch) return undefined;
      const { firstRowId, kept, traceRowIds } = batch;
      const from = Math.max(first, firstRowId);
      const to = Math.min(last, firstRowId + kept.count - 1);
      for (; rowId >= from && rowId <= to && found.length < limit; rowId += step) {
        const at = rowId - firstRowId;
        const isFound = passes(batch, keptRow(kept, at), at);
        if (isFound === undefined) return undefined;
        if (isFound) found.push({ rowId, traceRowId: traceRowIds[at]! });
      }
    }
    return found;
  }

  #batchOf(rowId: number): RecentBatch | undefined {
    let from = 0;
    let to = this.#batches.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const { firstRowId, kept } = this.#batches[middle]!;
      if (rowId < firstRowId) to = middle;
      else if (rowId >= firstRowId + kept.count) from = middle + 1;
      else return this.#batches[middle];
    }
    return undefined;
  }
}

function toRow<Name extends SpanColumnName>(batch: RecentBatch, at: number, names: readonly Name[]) {
  const row = keptRow(batch.kept, at);
  const { textIds, traceIdHigh, traceIdLow } = batch.columns;
  const values: { [Column in SpanColumnName]?: SqlValue } & { traceId: TraceId } = {
    traceId: (textIds.get(row)?.traceId as TraceId | undefined) ?? toTraceId(traceIdHigh[row]!, traceIdLow[row]!),
  };
  for (const name of names) values[name] = COLUMNS[name](batch.columns, row, batch, at);
  return values as StoredRow<Name> & { readonly traceId: TraceId };
}

type ReadColumn = (columns: SpanColumns, row: number, batch: RecentBatch, at: number) => SqlValue;

/** What `append-spans.ts` writes into each column. */
const COLUMNS = {
  row_id: (_columns, _row, { firstRowId }, at) => BigInt(firstRowId + at),
  project_id: (_columns, _row, { projectIds }, at) => projectIds[at]!,
  trace_row_id: (_columns, _row, { traceRowIds }, at) => BigInt(traceRowIds[at]!),
  span_id: ({ spanId }, row) => spanId[row]!,
  span_id_text: ({ textIds }, row) => textUnlessHex(textIds.get(row)?.spanId),
  parent_span_id: ({ hasParent, parentSpanId }, row) => (hasParent[row] === 1 ? parentSpanId[row]! : null),
  parent_span_id_text: ({ textIds }, row) => textUnlessHex(textIds.get(row)?.parentSpanId),
  name: ({ name }, row) => readText(name, row),
  span_kind: ({ spanKind }, row) => spanKind[row]!,
  status_code: ({ statusCode }, row) => statusCode[row]!,
  status_message: ({ statusMessage }, row) => readText(statusMessage, row),
  start_ns: ({ startTimeUnixNano }, row) => startTimeUnixNano[row]!,
  end_ns: ({ endTimeUnixNano }, row) => endTimeUnixNano[row]!,
  tokens_prompt: ({ hasTokens, tokensPrompt }, row) => (hasTokens[row] === 1 ? clampTokens(tokensPrompt[row]!) : null),
  tokens_completion: ({ hasTokens, tokensCompletion }, row) =>
    hasTokens[row] === 1 ? clampTokens(tokensCompletion[row]!) : null,
  cost_tokens_prompt: (_columns, _row, { costs }, at) => costAt(costs, at, 'tokensPrompt'),
  cost_tokens_completion: (_columns, _row, { costs }, at) => costAt(costs, at, 'tokensCompletion'),
  cost_prompt_pico: (_columns, _row, { costs }, at) => costAt(costs, at, 'promptPico'),
  cost_completion_pico: (_columns, _row, { costs }, at) => costAt(costs, at, 'completionPico'),
  long_texts: () => 0,
  session_id: ({ sessionId }, row) => readNullableText(sessionId, row),
  user_id: ({ userId }, row) => readNullableText(userId, row),
  model_name: ({ modelName }, row) => readNullableText(modelName, row),
  provider: ({ provider }, row) => readNullableText(provider, row),
  metadata: ({ metadata }, row) => readNullableText(metadata, row),
  attributes: ({ attributes }, row) => readText(attributes, row),
  long_attributes: ({ longAttributes }, row) => readNullableText(longAttributes, row),
  events: ({ events }, row) => readNullableText(events, row),
  input_head: ({ inputValue }, row) => readHead(inputValue, row),
  input_rest: ({ inputValue }, row) => readRest(inputValue, row),
  input_mime_type: ({ inputMimeType }, row) => readNullableText(inputMimeType, row),
  output_head: ({ outputValue }, row) => readHead(outputValue, row),
  output_rest: ({ outputValue }, row) => readRest(outputValue, row),
  output_mime_type: ({ outputMimeType }, row) => readNullableText(outputMimeType, row),
} as const satisfies Readonly<Record<string, ReadColumn>>;

/** Without a price there are no amounts; with one, a missing amount is 0. */
function toCosts(costs: readonly (SpanCost | undefined)[], count: number): Float64Array {
  const fields = new Float64Array(count * COST_FIELDS.length).fill(Number.NaN);
  for (let at = 0; at < count; at++) {
    const cost = costs[at];
    if (!cost) continue;
    const { modelRowId, tokensPrompt, tokensCompletion, promptPico, completionPico } = cost;
    const amounts = modelRowId === null ? [] : [promptPico ?? 0, completionPico ?? 0];
    fields.set([tokensPrompt, tokensCompletion, ...amounts], at * COST_FIELDS.length);
  }
  return fields;
}

function costAt(costs: Float64Array, at: number, field: CostField): bigint | null {
  const value = costs[at * COST_FIELDS.length + COST_FIELDS.indexOf(field)]!;
  return Number.isNaN(value) ? null : BigInt(value);
}

const textUnlessHex = (text: string | undefined): string | null =>
  text === undefined || isHexSpanId(text) ? null : text;

function readHead(column: NullableTextColumn, row: number): string | null {
  if (column.present[row] === 0) return null;
  const [start, cut] = cutOf(column, row);
  return toText(column, start, cut);
}

function readRest(column: NullableTextColumn, row: number): string | null {
  const [, cut, end] = cutOf(column, row);
  return cut === end ? null : toText(column, cut, end);
}

function cutOf({ utf8, offset }: NullableTextColumn, row: number): [start: number, cut: number, end: number] {
  const start = offset[row]!;
  const end = offset[row + 1]!;
  return [start, headEnd(utf8, start, end), end];
}

const toText = ({ utf8 }: NullableTextColumn, start: number, end: number): string =>
  Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString('utf8', start, end);
