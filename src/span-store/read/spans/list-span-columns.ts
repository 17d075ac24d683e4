// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each row.
import { PAGE_TEXT_BYTES_MAX } from '../../../model/limits/reads.ts';
import type { NullableTextColumn, TextColumn } from '../../../columns/span-columns.ts';
import { mapTextAttributes, TEXT_ATTRIBUTES } from '../../../columns/text-attributes.ts';
import { TextColumnBuilder } from '../../../columns/text-column-builder.ts';
import type { SpanColumnsPage, SpanListQuery, WholeSpanColumns } from '../../contract/spans.ts';
import { VECTOR_ROW_COUNT } from '../../duckdb/chunk-writer.ts';
import { LONG_TEXT_SOURCES, type LongTextSource, TEXT_CHUNK_BYTES_MAX } from '../../duckdb/long-texts.ts';
import { ResultColumns } from '../../duckdb/result-columns.ts';
import { minMax } from '../../duckdb/row-range.ts';
import { Parameters, toChunks } from '../../duckdb/sql.ts';
import { copyTexts, type TextVectors } from '../../duckdb/text-vectors.ts';
import type { ReadContext } from '../read-context.ts';
import { countLongTextChunks, HEAD_COLUMNS, readLongTexts } from '../rows/read-spans.ts';
import { readTraceIds } from '../rows/stored-ids.ts';
import { findPage } from './list-spans.ts';

const COLUMNS = [
  ...HEAD_COLUMNS,
  'row_id',
  'span_kind',
  'parent_span_id IS NOT NULL',
  'long_texts',
  'attributes',
  'metadata',
  'input_head',
  'output_head',
  ...LONG_TEXT_SOURCES,
  ...TEXT_ATTRIBUTES.map(({ column }) => column),
] as const;
type ColumnName = (typeof COLUMNS)[number];

const columnAt = (name: ColumnName): number => COLUMNS.indexOf(name);

/**
 * Whole spans of a page, copied from the vectors of the result without an object or a text for each. The rows are read from the
 * database even if they are in memory, because pages of exports are large.
 */
export async function listSpanColumns(context: ReadContext, query: SpanListQuery): Promise<SpanColumnsPage> {
  const { shown, nextAfter } = await findPage(context, query);
  const rowIds = shown.map(({ rowId }) => rowId);
  const rows = new ResultColumns(await readChunks(context, query.projectId, rowIds));
  const ordered = orderRows(rows, rowIds);
  const traceRowIds = rows.rowIds(columnAt('trace_row_id'));
  const traceIds = await readTraceIds(context, [...new Set(Array.from(ordered, (row) => traceRowIds[row]!))]);
  // A trace may be deleted between two statements.
  const known = ordered.filter((row) => traceIds.has(traceRowIds[row]!));
  const texts = new Texts(rows);
  const longBits = rows.bytes(columnAt('long_texts'));
  const rowIdOf = rows.rowIds(columnAt('row_id'));
  const count = await countWithinBytes(context, { order: known, texts, longBits, rowIdOf });
  const order = known.subarray(0, count);
  const long = await readLong(context, { order, longBits, rowIdOf });
  const columns = toColumns({ rows, order, texts, long, rowIdOf }, (row) => traceIds.get(traceRowIds[row]!)!);
  const lastAt = count < known.length ? shown[rowIds.indexOf(rowIdOf[order.at(-1)!]!)] : nextAfter;
  return { columns, isScattered: areScattered(rowIds), ...(lastAt && { nextAfter: lastAt }) };
}

/** Gap after which rows are read by a statement of their own, and the maximum number of statements. */
const GAP_ROW_COUNT_MAX = 2 * VECTOR_ROW_COUNT;
const STATEMENT_COUNT_MAX = 16;

async function readChunks(context: ReadContext, projectId: number, rowIds: readonly number[]) {
  const results = [];
  for (const group of groupRows(rowIds)) {
    const parameters = new Parameters();
    const [first, last] = minMax(group);
    const conditions = [
      `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}`,
      `project_id = ${parameters.integer(projectId)}`,
    ];
    // Without a join, rows between the others are copied out of the vectors, too.
    if (last - first + 1 > 2 * group.length) conditions.push(parameters.bigintIn('row_id', group));
    results.push(
      await context.run(`SELECT ${COLUMNS.join(', ')} FROM store.spans WHERE ${conditions.join(' AND ')}`, parameters),
    );
  }
  return results.flatMap(toChunks);
}

/** Row ids in ascending order. One group if gaps are many. */
function groupRows(rowIds: readonly number[]): number[][] {
  if (rowIds.length === 0) return [];
  const inOrder = rowIds.toSorted((a, b) => a - b);
  const groups: number[][] = [];
  let previous = Number.NEGATIVE_INFINITY;
  for (const rowId of inOrder) {
    if (rowId - previous <= GAP_ROW_COUNT_MAX) groups.at(-1)?.push(rowId);
    else groups.push([rowId]);
    previous = rowId;
  }
  return groups.length <= STATEMENT_COUNT_MAX ? groups : [inOrder];
}

/** Part of the rows in the vectors of a page below which the page is scattered. */
const WANTED_PART_MIN = 1 / 4;

/** Whether few rows of each vector of DuckDB, which it unpacks completely, are in the page. */
function areScattered(rowIds: readonly number[]): boolean {
  const vectorCount = new Set(rowIds.map((rowId) => Math.floor(rowId / VECTOR_ROW_COUNT))).size;
  // The first and the last vector belong to the pages beside it, too.
  return rowIds.length < WANTED_PART_MIN * VECTOR_ROW_COUNT * (vectorCount - 2);
}

/** Rows of the result in the order of the page. Deleted ones are missing, and so are the others of the range. */
function orderRows(rows: ResultColumns, rowIds: readonly number[]): Uint32Array {
  const placeOf = new Map(rowIds.map((rowId, place) => [rowId, place]));
  const rowAt = new Int32Array(rowIds.length).fill(-1);
  for (const [row, rowId] of rows.rowIds(columnAt('row_id')).entries()) {
    const place = placeOf.get(rowId);
    if (place !== undefined) rowAt[place] = row;
  }
  return Uint32Array.from(rowAt.filter((row) => row >= 0));
}

/** Text columns, each found on first use. */
class Texts {
  readonly #rows: ResultColumns;
  readonly #found = new Map<ColumnName, TextVectors>();
  constructor(rows: ResultColumns) {
    this.#rows = rows;
  }
  of(name: ColumnName): TextVectors {
    const texts = this.#found.get(name) ?? this.#rows.textVectors(columnAt(name));
    this.#found.set(name, texts);
    return texts;
  }
}

interface LongRows {
  readonly order: Uint32Array;
  readonly longBits: Uint8Array;
  readonly rowIdOf: Float64Array;
}

const SIZED = ['attributes', 'metadata', 'input_head', 'output_head', ...LONG_TEXT_SOURCES] as const;

/** Number of the first rows whose texts together have at most `PAGE_TEXT_BYTES_MAX` bytes; at least one. */
async function countWithinBytes(context: ReadContext, { texts, ...rows }: LongRows & { readonly texts: Texts }) {
  const { order, rowIdOf } = rows;
  // A single span is read however long it is.
  const longIds = order.length === 1 ? [] : longRowIds(rows);
  const chunkCounts = await countLongTextChunks(context, longIds);
  let sum = 0;
  const end = order.findIndex((row, at) => {
    for (const name of SIZED) sum += texts.of(name).bytes[row]!;
    sum += (chunkCounts.get(rowIdOf[row]!) ?? 0) * TEXT_CHUNK_BYTES_MAX;
    return sum > PAGE_TEXT_BYTES_MAX && at > 0;
  });
  return end < 0 ? order.length : end;
}

const longRowIds = ({ order, longBits, rowIdOf }: LongRows): number[] =>
  Array.from(
    order.filter((row) => longBits[row] !== 0),
    (row) => rowIdOf[row]!,
  );

/** Texts that are stored in chunks, by column and row of the result. */
type Long = ReadonlyMap<LongTextSource, ReadonlyMap<number, Uint8Array>>;

async function readLong(context: ReadContext, rows: LongRows): Promise<Long> {
  const long = new Map(LONG_TEXT_SOURCES.map((source) => [source, new Map<number, Uint8Array>()]));
  const rowIds = longRowIds(rows);
  if (rowIds.length === 0) return long;
  const found = await readLongTexts(context, rowIds);
  for (const row of rows.order) {
    for (const [source, text] of found.get(rows.rowIdOf[row]!) ?? []) long.get(source)!.set(row, Buffer.from(text));
  }
  return long;
}

interface PageRows {
  readonly rows: ResultColumns;
  readonly order: Uint32Array;
  readonly texts: Texts;
  readonly long: Long;
  readonly rowIdOf: Float64Array;
}

function toColumns(
  { rows, order, texts, long, rowIdOf }: PageRows,
  traceIdOf: (row: number) => string,
): WholeSpanColumns {
  const text = (name: ColumnName) => copyTexts([texts.of(name)], order);
  const maybeLong = (source: LongTextSource) => copyTexts([texts.of(source)], order, long.get(source));
  const body = (side: 'input' | 'output') =>
    copyTexts([texts.of(`${side}_head`), texts.of(`${side}_rest`)], order, long.get(`${side}_rest`));
  const hasParent = rows.bytes(columnAt('parent_span_id IS NOT NULL'));
  const int64s = (name: ColumnName): BigInt64Array => {
    const values = new BigInt64Array(rows.words(columnAt(name)).buffer as ArrayBuffer);
    return BigInt64Array.from(order, (row) => values[row]!);
  };
  const bytes = (name: ColumnName): Uint8Array => {
    const values = rows.bytes(columnAt(name));
    return Uint8Array.from(order, (row) => values[row]!);
  };
  return {
    rowCount: order.length,
    rowIds: Float64Array.from(order, (row) => rowIdOf[row]!),
    traceId: toTraceIdColumn(order, traceIdOf),
    spanId: toSpanIds(rows.words(columnAt('span_id')), text('span_id_text'), order),
    parentSpanId: toSpanIds(rows.words(columnAt('parent_span_id')), text('parent_span_id_text'), order, hasParent),
    name: text('name'),
    spanKind: bytes('span_kind'),
    statusCode: bytes('status_code'),
    statusMessage: text('status_message'),
    startTimeUnixNano: int64s('start_ns'),
    endTimeUnixNano: int64s('end_ns'),
    attributes: text('attributes'),
    longAttributes: maybeLong('long_attributes'),
    metadata: text('metadata'),
    input: body('input'),
    output: body('output'),
    events: maybeLong('events'),
    ...mapTextAttributes(({ column }) => text(column)),
  };
}

function toTraceIdColumn(order: Uint32Array, traceIdOf: (row: number) => string): TextColumn {
  const builder = new TextColumnBuilder(order.length);
  for (let at = 0; at < order.length; at++) {
    builder.appendString(traceIdOf(order[at]!));
    builder.endRow(at);
  }
  return copyOf(builder.finish(order.length));
}

const HEX = Buffer.from('0123456789abcdef');

/** Hex digits of 64-bit numbers, or their texts. */
function toSpanIds(
  words: Uint32Array,
  texts: NullableTextColumn,
  order: Uint32Array,
  isPresent?: Uint8Array,
): NullableTextColumn {
  const builder = new TextColumnBuilder(order.length);
  const present = new Uint8Array(order.length);
  for (let at = 0; at < order.length; at++) {
    const row = order[at]!;
    if (isPresent === undefined || isPresent[row] === 1) {
      present[at] = 1;
      if (texts.present[at] === 1) builder.append(texts.utf8, texts.offset[at]!, texts.offset[at + 1]!);
      else {
        builder.reserve(16);
        const { utf8, length } = builder;
        for (let digit = 0; digit < 16; digit++) {
          const word = words[2 * row + (digit < 8 ? 1 : 0)]!;
          utf8[length + digit] = HEX[(word >>> (28 - 4 * (digit & 7))) & 15]!;
        }
        builder.length += 16;
      }
    }
    builder.endRow(at);
  }
  return { ...copyOf(builder.finish(order.length)), present };
}

/** Without the free space of the builder. */
const copyOf = ({ utf8, offset }: TextColumn): TextColumn => ({ utf8: utf8.slice(), offset: offset.slice() });
