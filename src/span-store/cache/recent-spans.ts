// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each kept row, and the bytes are those of the batches in the list.
import { RECENT_BLOCK_BYTES_MAX, RECENT_BLOCK_SPAN_COUNT_MAX } from '../../model/limits/span-store.ts';
import type { SpanCost } from '../../model/models/span-cost.ts';
import { isHexSpanId, type TraceId, toTraceId } from '../../model/traces/trace-ids.ts';
import { textBytes } from '../../columns/column-texts.ts';
import { compactBytes, compactColumns } from '../../columns/compact-columns.ts';
import { concatColumns } from '../../columns/concat-columns.ts';
import { readNullableText, readText } from '../../columns/read-text.ts';
import type { NullableTextColumn, SpanColumns } from '../../columns/span-columns.ts';
import { TEXT_ATTRIBUTES, type TextAttributeColumn } from '../../columns/text-attributes.ts';
import { clampTokens, previewEnd } from '../duckdb/chunk-writer.ts';
import type { RowRange } from '../duckdb/row-range.ts';
import type { SqlValue } from '../duckdb/sql.ts';
import type { TraceRow } from '../duckdb/trace-rows.ts';
import { ByteRing } from './byte-ring.ts';
import { concatSelections, type RowSelection, selectedRow } from './row-selection.ts';

/** Columns of `spans` from which pages are built. */
export type SpanColumnName = keyof typeof COLUMNS;

/** Values of columns as DuckDB returns them, except that long texts are not split into chunks. */
export type StoredRow<Name extends string> = Readonly<Record<Name, SqlValue>> & {
  /** Set if it is known without a query. */
  readonly traceId?: TraceId;
};

/** Stored rows of a batch. */
export interface StoredRows {
  readonly kept: RowSelection;
  /** Costs in the order of the selected rows. */
  readonly costs: readonly (SpanCost | undefined)[];
  /** The trace of a row of the batch. */
  readonly traceOfRow: (row: number) => TraceRow;
}

/** Spans of one commit, or of several small ones. */
export interface RecentBatch {
  readonly columns: SpanColumns;
  readonly kept: RowSelection;
  /** `COST_FIELDS` of each selected row; NaN for a missing value. */
  readonly costs: Float64Array;
  /** Row id of the first selected row. The others follow it. */
  readonly firstRowId: number;
  /** Row ids of the trace and the project of each selected row. */
  readonly traceRowIds: Float64Array;
  readonly projectIds: Int32Array;
  readonly bytes: number;
  /** Where its columns begin in the ring, counted over all rounds. Undefined if they are outside of it. */
  readonly ringStart?: number;
}

/** Tests a span: row of its batch, index among the selected rows. Undefined means that only the database can tell. */
export type RecentTest = (batch: RecentBatch, row: number, at: number) => boolean | undefined;

/** Bytes of a batch besides its buffers: some hundred objects. */
const BATCH_BYTES = 16_384;
/** Part of the memory that is for columns. The rest is for what a batch of small spans takes beside them. */
const RING_PART = 15 / 16;

/** Fields of a cost. A span without a cost has none of them, and a span without a price has no amounts. */
const COST_FIELDS = ['tokensPrompt', 'tokensCompletion', 'promptPico', 'completionPico'] as const;
type CostField = (typeof COST_FIELDS)[number];

/**
 * The newest spans as they arrived. Their pages, which clients request most often, are built from these columns. DuckDB would
 * unpack whole vectors of 2,048 rows of each column for every page.
 *
 * Columns of complete blocks are in a ring of bytes: buffers of each size that are freed again and again leave gaps in the memory of
 * the allocator, which then held a third more than the spans in use.
 */
export class RecentSpans {
  readonly #bytesMax: number;
  readonly #ring: ByteRing;
  /** In the order of row ids. Those from the ring are the first ones. */
  #batches: RecentBatch[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#ring = new ByteRing(RING_PART * bytesMax);
  }

  /** Adds a committed batch, and evicts the oldest ones. */
  add(batch: SpanColumns, { kept, costs: costsOfRows, traceOfRow }: StoredRows, firstRowId: number): void {
    if (kept.count === 0 || textBytes(batch) > this.#bytesMax) return;
    if (compactBytes(batch) > this.#ring.bytesMax) return;
    const costs = toCosts(costsOfRows, kept.count);
    const traceRowIds = new Float64Array(kept.count);
    const projectIds = new Int32Array(kept.count);
    const bytes = bytesOf({ columns: batch, costs, traceRowIds, projectIds });
    for (let at = 0; at < kept.count; at++) {
      const { rowId, projectId } = traceOfRow(selectedRow(kept, at));
      traceRowIds[at] = rowId;
      projectIds[at] = projectId;
    }
    const added = { columns: batch, kept, costs, firstRowId, traceRowIds, projectIds, bytes };
    this.#batches.push(isComplete(added) ? added : { ...added, columns: compactColumns(batch) });
    this.#bytes += bytes;
    this.#mergeNewest();
    if (isComplete(this.#batches.at(-1)!)) this.#moveToRing();
    while (this.#bytes > this.#bytesMax) this.#evictOldest();
  }

  /** Merges batches of similar size, so that a span is copied a few times at most. */
  #mergeNewest(): void {
    for (;;) {
      const [before, last] = [this.#batches.at(-2), this.#batches.at(-1)];
      if (!before || !last || !areMergeable(before, last)) return;
      const merged = merge(before, last);
      this.#batches.splice(-2, 2, merged);
      this.#bytes += merged.bytes - before.bytes - last.bytes;
    }
  }

  /** Moves all columns outside of the ring into it. None of these batches can be merged again. */
  #moveToRing(): void {
    const moved = this.#batches.splice(this.#batches.findIndex(({ ringStart }) => ringStart === undefined));
    for (const batch of moved) {
      const place = this.#ring.take(compactBytes(batch.columns));
      while (this.#batches.length > 0 && this.#batches[0]!.ringStart! < place.oldestStart) this.#evictOldest();
      const columns = compactColumns(batch.columns, place.buffer, place.at);
      this.#batches.push({ ...batch, columns, ringStart: place.start });
    }
  }

  #evictOldest(): void {
    this.#bytes -= this.#batches.shift()!.bytes;
  }

  /** Must be called when stored spans up to a row id are deleted, move to another project, or get other costs. */
  evict(lastRowId = Number.POSITIVE_INFINITY): void {
    while (this.#batches.length > 0 && this.#batches[0]!.firstRowId <= lastRowId) {
      this.#evictOldest();
    }
  }

  /** Whether a row is in memory. */
  has(rowId: number): boolean {
    return this.#batchOf(rowId) !== undefined;
  }

  /** The rows that are in memory, by row id. */
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

  /** Spans of these traces in a range, in the order of row ids. Undefined unless all rows of the range are in memory. */
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
   * The first spans in a range that pass a test.
   *
   * @returns Undefined when a row before the last of them is not in memory, or the test has no result for it.
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
        const isFound = passes(batch, selectedRow(kept, at), at);
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

const bytesOf = ({
  columns,
  costs,
  traceRowIds,
  projectIds,
}: Pick<RecentBatch, 'columns' | 'costs' | 'traceRowIds' | 'projectIds'>): number =>
  BATCH_BYTES + compactBytes(columns) + costs.byteLength + traceRowIds.byteLength + projectIds.byteLength;

/** Whether a batch is too large to be merged with one of at least half its rows. */
const isComplete = ({ kept, bytes }: RecentBatch): boolean =>
  3 * kept.count > 2 * RECENT_BLOCK_SPAN_COUNT_MAX || 2 * bytes > RECENT_BLOCK_BYTES_MAX;

const areMergeable = (before: RecentBatch, last: RecentBatch): boolean =>
  !isComplete(before) &&
  !isComplete(last) &&
  before.firstRowId + before.kept.count === last.firstRowId &&
  before.kept.count <= 2 * last.kept.count &&
  before.kept.count + last.kept.count <= RECENT_BLOCK_SPAN_COUNT_MAX;

function merge(before: RecentBatch, last: RecentBatch): RecentBatch {
  const columns = compactColumns(concatColumns(before.columns, last.columns));
  const costs = Float64Array.from([...before.costs, ...last.costs]);
  const traceRowIds = Float64Array.from([...before.traceRowIds, ...last.traceRowIds]);
  const projectIds = Int32Array.from([...before.projectIds, ...last.projectIds]);
  return {
    ...{ columns, costs, traceRowIds, projectIds },
    kept: concatSelections(before.kept, last.kept, before.columns.rowCount),
    firstRowId: before.firstRowId,
    bytes: bytesOf({ columns, costs, traceRowIds, projectIds }),
  };
}

function toRow<Name extends SpanColumnName>(batch: RecentBatch, at: number, names: readonly Name[]) {
  const row = selectedRow(batch.kept, at);
  const { textIds, traceIdHigh, traceIdLow } = batch.columns;
  const values: { [Column in SpanColumnName]?: SqlValue } & { traceId: TraceId } = {
    traceId: (textIds.get(row)?.traceId as TraceId | undefined) ?? toTraceId(traceIdHigh[row]!, traceIdLow[row]!),
  };
  for (const name of names) values[name] = COLUMNS[name](batch.columns, row, batch, at);
  return values as StoredRow<Name> & { readonly traceId: TraceId };
}

type ReadColumn = (columns: SpanColumns, row: number, batch: RecentBatch, at: number) => SqlValue;

const TEXT_ATTRIBUTE_COLUMNS = Object.fromEntries(
  TEXT_ATTRIBUTES.map(({ column, field }): [string, ReadColumn] => [
    column,
    (columns, row) => readNullableText(columns[field], row),
  ]),
) as Readonly<Record<TextAttributeColumn, ReadColumn>>;

/** Values of each column, as `write/append/append-spans.ts` stores them. */
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
  ...TEXT_ATTRIBUTE_COLUMNS,
  metadata: ({ metadata }, row) => readNullableText(metadata, row),
  attributes: ({ attributes }, row) => readText(attributes, row),
  long_attributes: ({ longAttributes }, row) => readNullableText(longAttributes, row),
  events: ({ events }, row) => readNullableText(events, row),
  input_head: ({ inputValue }, row) => readHead(inputValue, row),
  input_rest: ({ inputValue }, row) => readRest(inputValue, row),
  output_head: ({ outputValue }, row) => readHead(outputValue, row),
  output_rest: ({ outputValue }, row) => readRest(outputValue, row),
} as const satisfies Readonly<Record<string, ReadColumn>>;

/** Amounts are missing without a price. With a price, a missing amount is 0. */
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
  return [start, previewEnd(utf8, start, end), end];
}

const toText = ({ utf8 }: NullableTextColumn, start: number, end: number): string =>
  Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString('utf8', start, end);
