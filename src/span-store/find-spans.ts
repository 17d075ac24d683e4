import type { DuckDBValue } from '@duckdb/node-api';
import type { Page } from '../model/page.ts';
import type { Span } from '../model/span.ts';
import { spanIdNumber, type TraceId } from '../model/trace-ids.ts';
import { SPAN_KINDS, STATUS_CODES } from '../semconv/span-kinds.ts';
import { toAttributeParts } from './attribute-parts.ts';
import { attributeToSql } from './attribute-to-sql.ts';
import { findTraceRanges } from './find-ids.ts';
import type { ReadContext } from './read-context.ts';
import type { SpanQuery } from './span-store.ts';
import { Parameters } from './sql.ts';
import { readTraceIds, toStoredSpanId } from './stored-ids.ts';

/** Row ids of the first window that is searched, from the newest row on; each further one is this many times larger. */
const WINDOW_ROW_COUNT = 131_072;
const WINDOW_GROWTH = 8;

/** One page of spans, in two phases: row ids from the narrow columns that the conditions need, then the shown columns. */
export async function findSpans(context: ReadContext, query: SpanQuery): Promise<Page<Span>> {
  const range = await rowRange(context, query);
  const rowIds = range ? await findRowIds(context, query, range) : [];
  const nextRowId = rowIds[query.limit];
  const items = await readSpans(context, rowIds.slice(0, query.limit));
  return nextRowId === undefined ? { items } : { items, nextRowId };
}

interface RowRange {
  readonly first: number;
  readonly last: number;
  /** Row ids of the traces asked for. */
  readonly traceRowIds?: readonly number[];
}

/** Row ids among which the page lies; undefined when it is empty. */
async function rowRange(context: ReadContext, query: SpanQuery): Promise<RowRange | undefined> {
  const [[first, last] = []] = await context.rows('SELECT min(row_id), max(row_id) FROM store.spans');
  if (typeof first !== 'bigint' || typeof last !== 'bigint') return undefined;
  const newest = Math.min(Number(last), query.fromRowId ?? Number.MAX_SAFE_INTEGER);
  if (!query.traceIds) return { first: Number(first), last: newest };
  const traces = await findTraceRanges(context, query.traceIds);
  if (traces.length === 0) return undefined;
  return {
    first: Math.min(...traces.map(({ firstSpanRowId }) => firstSpanRowId)),
    last: Math.min(newest, Math.max(...traces.map(({ lastSpanRowId }) => lastSpanRowId))),
    traceRowIds: traces.map(({ rowId }) => rowId),
  };
}

/**
 * Row ids of the page and of the row after it, newest first. The newest rows are searched first, then windows that
 * grow, so that a page of common matches costs the same whatever is stored, and a page of rare ones one scan.
 */
async function findRowIds(context: ReadContext, query: SpanQuery, range: RowRange): Promise<number[]> {
  const found: number[] = [];
  const wanted = query.limit + 1;
  let last = range.last;
  let windowRowCount = WINDOW_ROW_COUNT;
  while (found.length < wanted && last >= range.first) {
    const first = Math.max(range.first, last - windowRowCount + 1);
    const parameters = new Parameters();
    const rows = await context.rows(
      `SELECT row_id FROM store.spans
       WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
         AND ${conditionsOf(query, range, parameters).join(' AND ')}
       ORDER BY row_id DESC LIMIT ${wanted - found.length}`,
      parameters,
    );
    for (const [rowId] of rows) found.push(Number(rowId));
    last = first - 1;
    windowRowCount *= WINDOW_GROWTH;
  }
  return found;
}

function conditionsOf(query: SpanQuery, range: RowRange, parameters: Parameters): string[] {
  const conditions = [`project_id = ${parameters.integer(query.projectId)}`];
  if (query.startTimeUnixNano !== undefined)
    conditions.push(`start_ns >= ${parameters.bigint(query.startTimeUnixNano)}`);
  if (query.endTimeUnixNano !== undefined) conditions.push(`start_ns < ${parameters.bigint(query.endTimeUnixNano)}`);
  if (range.traceRowIds) conditions.push(parameters.bigintIn('trace_row_id', range.traceRowIds));
  if (query.spanIds) conditions.push(parameters.ubigintIn('span_id', query.spanIds.map(spanIdNumber)));
  if (query.parentSpanId === null) conditions.push('parent_span_id IS NULL');
  else if (query.parentSpanId !== undefined) {
    conditions.push(`parent_span_id = ${parameters.ubigint(spanIdNumber(query.parentSpanId))}`);
  }
  if (query.names) conditions.push(parameters.textIn('name', query.names));
  if (query.spanKinds) {
    conditions.push(
      parameters.utinyintIn(
        'span_kind',
        query.spanKinds.map((kind) => SPAN_KINDS.indexOf(kind)),
      ),
    );
  }
  if (query.statusCodes) {
    conditions.push(
      parameters.utinyintIn(
        'status_code',
        query.statusCodes.map((code) => STATUS_CODES.indexOf(code)),
      ),
    );
  }
  for (const attribute of query.attributes ?? []) conditions.push(attributeToSql(attribute, parameters));
  return conditions;
}

const SHOWN_COLUMNS = `row_id, trace_row_id, span_id, span_id_text, parent_span_id, parent_span_id_text, name, span_kind,
  status_code, status_message, start_ns, end_ns, events, attributes, metadata, long_attributes,
  input_head, input_rest, input_mime_type, output_head, output_rest, output_mime_type,
  session_id, user_id, model_name, provider`;

/** Whole spans, in the order of these row ids; those that are gone meanwhile are left out. */
async function readSpans(context: ReadContext, rowIds: readonly number[]): Promise<Span[]> {
  if (rowIds.length === 0) return [];
  const parameters = new Parameters();
  const rows = await context.rows(
    `SELECT ${SHOWN_COLUMNS} FROM store.spans
     WHERE row_id BETWEEN ${parameters.bigint(Math.min(...rowIds))} AND ${parameters.bigint(Math.max(...rowIds))}
       AND ${parameters.bigintIn('row_id', rowIds)}`,
    parameters,
  );
  const traceIds = await readTraceIds(context, [...new Set(rows.map((row) => Number(row[1])))]);
  const spans = new Map<number, Span>();
  for (const row of rows) {
    const traceId = traceIds.get(Number(row[1]));
    if (traceId !== undefined) spans.set(Number(row[0]), toSpan(row, traceId));
  }
  return rowIds.flatMap((rowId) => spans.get(rowId) ?? []);
}

function toSpan(row: readonly DuckDBValue[], traceId: TraceId): Span {
  const text = (at: number) => row[at] as string | null;
  return {
    rowId: Number(row[0]),
    traceId,
    spanId: toStoredSpanId(row[2]!, row[3]!),
    parentSpanId: row[4] === null ? null : toStoredSpanId(row[4]!, row[5]!),
    name: row[6] as string,
    spanKind: SPAN_KINDS[row[7] as number]!,
    statusCode: STATUS_CODES[row[8] as number]!,
    statusMessage: row[9] as string,
    startTimeUnixNano: row[10] as bigint,
    endTimeUnixNano: row[11] as bigint,
    events: text(12),
    attributeParts: toAttributeParts({
      attributes: row[13] as string,
      metadata: text(14),
      longAttributes: text(15),
      spanKind: SPAN_KINDS[row[7] as number]!,
      input: text(16) === null ? null : text(16)! + (text(17) ?? ''),
      inputMimeType: text(18),
      output: text(19) === null ? null : text(19)! + (text(20) ?? ''),
      outputMimeType: text(21),
      sessionId: text(22),
      userId: text(23),
      modelName: text(24),
      provider: text(25),
    }),
  };
}
