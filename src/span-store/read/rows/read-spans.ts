import { expectPresent } from '../../../base/expect-present.ts';
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { PAGE_TEXT_BYTES_MAX, SPAN_BODIES_BYTES_MAX } from '../../../model/limits/reads.ts';
import type { Span, SpanBody } from '../../../model/spans/span.ts';
import { type TraceId, toSpanId } from '../../../model/traces/trace-ids.ts';
import { mapTextAttributes, TEXT_ATTRIBUTES } from '../../../columns/text-attributes.ts';
import type { SpanColumnName } from '../../cache/recent-spans.ts';
import { toAttributeParts } from '../../contract/attribute-parts.ts';
import { indexIn, int32, int64, text } from '../../duckdb/define-table.ts';
import { LONG_TEXT_SOURCES, type LongTextSource, sourceBit, TEXT_CHUNK_BYTES_MAX } from '../../duckdb/long-texts.ts';
import type { Parameters } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';
import { readClusters, readRows, recentRows, type StoredRow, toRow } from './read-rows.ts';
import { readTraceIds, selectTraceIds, toTraceIds } from './stored-ids.ts';

/** Columns of a span's body. */
const BODY_COLUMNS = [
  'row_id',
  'span_kind',
  'long_texts',
  'events',
  'attributes',
  'metadata',
  'long_attributes',
  'input_head',
  'input_rest',
  'output_head',
  'output_rest',
  ...TEXT_ATTRIBUTES.map(({ column }) => column),
] as const;

/** Columns that every list of spans reads: trace, IDs, name, status and time. */
export const HEAD_COLUMNS = [
  'trace_row_id',
  'span_id',
  'span_id_text',
  'parent_span_id',
  'parent_span_id_text',
  'name',
  'status_code',
  'status_message',
  'start_ns',
  'end_ns',
] as const;

const SHOWN_COLUMNS = [...BODY_COLUMNS, ...HEAD_COLUMNS] as const;

type StoredSpan = StoredRow<(typeof SHOWN_COLUMNS)[number]>;
type StoredBody = StoredRow<(typeof BODY_COLUMNS)[number]>;

/** Row ids of a stored span and its trace. */
export interface SpanRowRef {
  readonly rowId: number;
  readonly traceRowId: number;
}

/** Whole spans of a page. `nextRowId` is set if their texts fill the page. */
export interface SpansRead {
  readonly spans: Span[];
  readonly nextRowId?: number;
}

/**
 * Whole spans in this order, up to `PAGE_TEXT_BYTES_MAX`. Deleted spans are absent.
 *
 * @param knownTraceIds By row id of the trace. Other trace IDs are read.
 */
export async function readSpans(
  context: ReadContext,
  places: readonly SpanRowRef[],
  knownTraceIds: ReadonlyMap<number, TraceId> = new Map(),
): Promise<SpansRead> {
  const recent = recentRows(
    context,
    SHOWN_COLUMNS,
    places.map(({ rowId }) => rowId),
  );
  const others = places.filter(({ rowId }) => !recent.has(rowId));
  const unknown = new Set(others.map(({ traceRowId }) => traceRowId).filter((id) => !knownTraceIds.has(id)));
  const rows = readRows(
    SHOWN_COLUMNS,
    others.map(({ rowId }) => rowId),
  );
  // Reads trace IDs concurrently with the rows.
  const results = await context.rowsOfAll([
    ...rows.statements,
    ...(unknown.size > 0 ? [selectTraceIds([...unknown])] : []),
  ]);
  const traceIds = new Map([...knownTraceIds, ...toTraceIds(results.splice(rows.statements.length).flat())]);
  const stored = new Map(
    [...recent.values(), ...rows.toRows(results)].map((row): [number, StoredSpan] => [Number(row.row_id), row]),
  );
  return toSpans(
    context,
    places.flatMap(({ rowId }) => stored.get(rowId) ?? []),
    traceIds,
  );
}

/**
 * Whole spans of these traces that meet a condition on rows of `spans`, by row id, up to `PAGE_TEXT_BYTES_MAX`. One
 * statement selects and reads them.
 */
export async function selectSpans(
  context: ReadContext,
  condition: string,
  parameters: Parameters,
  traceIds: ReadonlyMap<number, TraceId>,
  order: 'asc' | 'desc',
): Promise<SpansRead> {
  // Not sorted by DuckDB, with which the statement takes a third longer.
  const rows = await context.rows(`SELECT ${SHOWN_COLUMNS.join(', ')} FROM store.spans WHERE ${condition}`, parameters);
  const stored = rows.map((values): StoredSpan => toRow(SHOWN_COLUMNS, values));
  const sign = order === 'asc' ? 1 : -1;
  stored.sort((a, b) => sign * (Number(a.row_id) - Number(b.row_id)));
  return toSpans(context, stored, traceIds);
}

/** Without those of other traces. */
async function toSpans(
  context: ReadContext,
  stored: readonly StoredSpan[],
  traceIds: ReadonlyMap<number, TraceId>,
): Promise<SpansRead> {
  const count = await countWithinTextBytes(context, stored, PAGE_TEXT_BYTES_MAX);
  const read = stored.slice(0, count);
  const longTexts = await readLongTextsOf(context, read);
  const spans = read.flatMap((span) => {
    const traceId = span.traceId ?? traceIds.get(Number(span.trace_row_id));
    return traceId === undefined ? [] : toSpan(span, traceId, longTexts.get(Number(span.row_id)));
  });
  const next = stored[count];
  return next === undefined ? { spans } : { spans, nextRowId: Number(next.row_id) };
}

/** Number of the first spans whose texts together have at most this number of bytes; at least one. */
async function countWithinTextBytes(
  context: ReadContext,
  stored: readonly Pick<StoredBody, 'row_id' | 'long_texts' | LongTextSource>[],
  bytesMax: number,
): Promise<number> {
  const longTextBytes = await measureLongTexts(context, stored);
  let sum = 0;
  const end = stored.findIndex((span, index) => {
    sum += longTextBytes.get(Number(span.row_id)) ?? 0;
    for (const source of LONG_TEXT_SOURCES) sum += span[source]?.length ?? 0;
    return sum > bytesMax && index > 0;
  });
  return end < 0 ? stored.length : end;
}

/** Bytes of the texts that are stored in chunks, rounded up to whole chunks, by row id of the span. */
async function measureLongTexts(
  context: ReadContext,
  stored: readonly Pick<StoredBody, 'row_id' | 'long_texts'>[],
): Promise<Map<number, number>> {
  const rowIds = stored.filter(({ long_texts }) => long_texts !== 0).map(({ row_id }) => Number(row_id));
  // A single span is read however long it is.
  if (rowIds.length === 0 || stored.length === 1) return new Map();
  const counts = await countLongTextChunks(context, rowIds);
  return new Map([...counts].map(([rowId, count]) => [rowId, count * TEXT_CHUNK_BYTES_MAX]));
}

const CHUNK_COUNT = { rowId: int64('span_row_id'), count: int64('count(*)') };

/** Chunks of the long texts of spans, by row id of the span. */
export async function countLongTextChunks(
  context: ReadContext,
  rowIds: readonly number[],
): Promise<Map<number, number>> {
  const grouping = 'GROUP BY span_row_id';
  const counts = await readClusters(context, CHUNK_COUNT, 'long_texts', 'span_row_id', rowIds, grouping);
  return new Map(counts.map(({ rowId, count }) => [rowId, count]));
}

/**
 * The long fields of spans by row id. Spans that are not stored are absent.
 *
 * @throws {SpandrelError} `QUERY_TOO_COSTLY` when their texts have more than `SPAN_BODIES_BYTES_MAX`.
 */
export async function findSpanBodies(context: ReadContext, rowIds: readonly number[]): Promise<Map<number, SpanBody>> {
  const stored: StoredBody[] = await readStored(context, BODY_COLUMNS, rowIds);
  const count = await countWithinTextBytes(context, stored, SPAN_BODIES_BYTES_MAX);
  if (count < stored.length) {
    throw new SpandrelError(
      'QUERY_TOO_COSTLY',
      `Query is too costly: its texts have more than ${SPAN_BODIES_BYTES_MAX} bytes; request fewer spans at a time`,
    );
  }
  const longTexts = await readLongTextsOf(context, stored);
  return new Map(stored.map((span) => [Number(span.row_id), toBody(span, longTexts.get(Number(span.row_id)))]));
}

/** Rows of spans. Spans that are not stored are absent. */
export async function readStored<Name extends SpanColumnName>(
  context: ReadContext,
  names: readonly Name[],
  rowIds: readonly number[],
): Promise<StoredRow<Name>[]> {
  const recent = recentRows(context, names, rowIds);
  const others = rowIds.filter((rowId) => !recent.has(rowId));
  const rows = readRows(names, others);
  return [...recent.values(), ...rows.toRows(await context.rowsOfAll(rows.statements))];
}

/** Trace IDs of rows by row id of the trace; of a trace that was deleted after the rows were read it is absent. */
export async function readTraceIdsOf(
  context: ReadContext,
  stored: readonly StoredRow<'trace_row_id'>[],
): Promise<Map<number, TraceId>> {
  const known = new Map<number, TraceId>();
  const asked = new Set<number>();
  for (const { trace_row_id, traceId } of stored) {
    if (traceId === undefined) asked.add(Number(trace_row_id));
    else known.set(Number(trace_row_id), traceId);
  }
  const unknown = [...asked].filter((traceRowId) => !known.has(traceRowId));
  for (const [traceRowId, traceId] of await readTraceIds(context, unknown)) known.set(traceRowId, traceId);
  return known;
}

const readLongTextsOf = (
  context: ReadContext,
  stored: readonly Pick<StoredBody, 'row_id' | 'long_texts'>[],
): Promise<Map<number, LongTexts>> =>
  readLongTexts(
    context,
    stored.filter((span) => span.long_texts !== 0).map((span) => Number(span.row_id)),
  );

type LongTexts = ReadonlyMap<LongTextSource, string>;

const CHUNK = {
  rowId: int64('span_row_id'),
  source: indexIn('source', LONG_TEXT_SOURCES),
  part: int32('part'),
  chunk: text('piece'),
};

/** Long texts of spans, joined from their chunks, by row id of the span. */
export async function readLongTexts(context: ReadContext, rowIds: readonly number[]): Promise<Map<number, LongTexts>> {
  const chunks = await readClusters(context, CHUNK, 'long_texts', 'span_row_id', rowIds);
  const bySpan = new Map<number, Map<LongTextSource, string[]>>();
  for (const { rowId, source, part, chunk } of chunks) {
    let bySource = bySpan.get(rowId);
    if (!bySource) {
      bySource = new Map();
      bySpan.set(rowId, bySource);
    }
    let parts = bySource.get(source);
    if (!parts) {
      parts = [];
      bySource.set(source, parts);
    }
    parts[part] = chunk;
  }
  return new Map(
    [...bySpan].map(([rowId, bySource]) => [
      rowId,
      new Map([...bySource].map(([source, parts]) => [source, parts.join('')])),
    ]),
  );
}

function toSpan(span: StoredSpan, traceId: TraceId, longTexts: LongTexts | undefined): Span {
  const { events, attributeParts } = toBody(span, longTexts);
  return { ...headOf(span, traceId), events, attributeParts };
}

/** What every list of spans shows of one. */
export const headOf = (span: StoredRow<(typeof HEAD_COLUMNS)[number] | 'row_id' | 'span_kind'>, traceId: TraceId) => ({
  rowId: Number(span.row_id),
  traceId,
  spanId: toSpanId(span.span_id, span.span_id_text),
  parentSpanId: span.parent_span_id === null ? null : toSpanId(span.parent_span_id, span.parent_span_id_text),
  name: span.name,
  spanKind: expectPresent(SPAN_KINDS[span.span_kind], 'the stored kind is an index of the list'),
  statusCode: expectPresent(STATUS_CODES[span.status_code], 'the stored code is an index of the list'),
  statusMessage: span.status_message,
  startTimeUnixNano: span.start_ns,
  endTimeUnixNano: span.end_ns,
});

function toBody(span: StoredBody, longTexts: LongTexts | undefined): SpanBody {
  const maybeLong = (source: LongTextSource) =>
    (span.long_texts & sourceBit(source)) === 0 ? span[source] : (longTexts?.get(source) ?? null);
  const body = (head: string | null, rest: string | null) => (head === null ? null : head + (rest ?? ''));
  const input = body(span.input_head, maybeLong('input_rest'));
  const output = body(span.output_head, maybeLong('output_rest'));
  return {
    events: maybeLong('events'),
    input,
    output,
    attributeParts: toAttributeParts({
      attributes: span.attributes,
      metadata: span.metadata,
      longAttributes: maybeLong('long_attributes'),
      spanKind: expectPresent(SPAN_KINDS[span.span_kind], 'the stored kind is an index of the list'),
      input,
      output,
      ...mapTextAttributes(({ column }) => span[column]),
    }),
  };
}
