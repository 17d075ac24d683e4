import { expectPresent } from '../../../base/expect-present.ts';
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import type { Page } from '../../../model/page.ts';
import type { Span } from '../../../model/spans/span.ts';
import { spanIdNumber } from '../../../model/traces/trace-ids.ts';
import { attributeToSql, isInColumn, toSegments } from '../../filter/attribute-to-sql.ts';
import { applyPlan } from '../../filter/filter-plan.ts';
import { valuesOfAttribute, valuesOfNames, valuesOfSpanIds } from '../../filter/row-needs.ts';
import type { RowNeeds } from '../../cache/block-filter.ts';
import type { SpanQuery } from '../../contract/spans.ts';
import { VECTOR_ROW_COUNT } from '../../duckdb/chunk-writer.ts';
import { readColumns } from '../../duckdb/result-columns.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { readRowCountMax, searchWindows } from '../match/matching-spans.ts';
import type { ReadContext } from '../read-context.ts';
import { findTraceRanges, type TraceRange } from '../rows/find-ids.ts';
import { readSpans, type SpanRowRef, type SpansRead, selectSpans } from '../rows/read-spans.ts';
import { recentSearch } from './search-recent.ts';

/**
 * One page of spans, in two phases: row ids from the narrow columns of the conditions, then the columns of the result. For short
 * traces, one statement does both. A page with long texts has fewer spans than its limit.
 */
export async function findSpans(context: ReadContext, query: SpanQuery): Promise<Page<Span>> {
  const range = await rowRange(context, query);
  if (!range) return { items: [] };
  const traceIds = new Map(range.traces?.map(({ rowId, traceId }) => [rowId, traceId]));
  if (range.traces && isShort(range, query) && !context.recent.has(range.first)) {
    const parameters = new Parameters();
    const condition = conditionsOf(context, query, [...traceIds.keys()], range, parameters).join(' AND ');
    return toPage(await selectSpans(context, condition, parameters, traceIds, query.order ?? 'desc'));
  }
  const refs = await findRowRefs(context, query, range);
  return toPage(await readSpans(context, refs.slice(0, query.limit), traceIds), refs[query.limit]?.rowId);
}

/** @param rowIdAfter The first row after the page. */
function toPage({ spans, nextRowId }: SpansRead, rowIdAfter?: number): Page<Span> {
  const next = nextRowId ?? rowIdAfter;
  return next === undefined ? { items: spans } : { items: spans, nextRowId: next };
}

/** Whether the rows fit into about one vector, which DuckDB always unpacks completely. */
const isSmall = ({ first, last }: RowRange): boolean => last - first < VECTOR_ROW_COUNT;

/** Whether all spans of the traces fit into the page and are near each other. */
const isShort = (range: SearchRange, { limit, filter }: SpanQuery): boolean =>
  filter === undefined &&
  isSmall(range) &&
  (range.traces ?? []).reduce((sum, { spanCount }) => sum + spanCount, 0) <= limit;

interface SearchRange extends RowRange {
  /** Requested traces. */
  readonly traces?: readonly TraceRange[];
}

/** Undefined if no span can match. */
async function rowRange(context: ReadContext, query: SpanQuery): Promise<SearchRange | undefined> {
  const isUp = query.order === 'asc';
  const oldest = isUp ? Math.max(1, query.fromRowId ?? 1) : 1;
  const newest = Math.min(
    context.newestSpanRowId,
    query.rowIdMax ?? Infinity,
    isUp ? Infinity : (query.fromRowId ?? Infinity),
  );
  if (!query.traceIds) return { first: oldest, last: newest };
  const traces = await findTraceRanges(context, query.traceIds);
  if (traces.length === 0) return undefined;
  return {
    first: Math.max(oldest, Math.min(...traces.map(({ firstSpanRowId }) => firstSpanRowId))),
    last: Math.min(newest, Math.max(...traces.map(({ lastSpanRowId }) => lastSpanRowId))),
    traces,
  };
}

/** Rows of the page and the next row, in order. The search starts next to the cursor. */
async function findRowRefs(context: ReadContext, query: SpanQuery, range: SearchRange): Promise<SpanRowRef[]> {
  const found: SpanRowRef[] = [];
  const wanted = query.limit + 1;
  const { order = 'desc', filter, attributes = [] } = query;
  const traceRowIds = range.traces?.map(({ rowId }) => rowId);
  const windows = searchWindows(context, range, {
    order,
    needs: needsOf(context, query),
    reading: filter || attributes.some((attribute) => !isInColumn(attribute)) ? 'texts' : 'columns',
    rowCountMax: await readRowCountMax(context, filter),
  });
  const searchRecent = recentSearch(query, traceRowIds);
  for (const window of windows) {
    const limit = wanted - found.length;
    const refs = searchRecent(context.recent, window, limit);
    found.push(...(refs ?? (await findStored(context, query, traceRowIds, window, limit))));
    if (found.length >= wanted) break;
  }
  return found;
}

async function findStored(
  context: ReadContext,
  query: SpanQuery,
  traceRowIds: readonly number[] | undefined,
  window: RowRange,
  limit: number,
): Promise<SpanRowRef[]> {
  const parameters = new Parameters();
  // Sorting and limiting in DuckDB takes twice as long as reading all matches of one vector.
  const cut = isSmall(window) ? '' : `ORDER BY row_id ${query.order === 'asc' ? 'ASC' : 'DESC'} LIMIT ${limit}`;
  const condition = conditionsOf(context, query, traceRowIds, window, parameters).join(' AND ');
  const sql = `SELECT row_id, trace_row_id FROM store.spans WHERE ${condition} ${cut}`;
  const columns = await readColumns(context, sql, parameters);
  const traces = columns.rowIds(1);
  const refs = Array.from(columns.rowIds(0), (rowId, row) => ({
    rowId,
    traceRowId: expectPresent(traces[row], 'columns have one length'),
  }));
  refs.sort(query.order === 'asc' ? (a, b) => a.rowId - b.rowId : (a, b) => b.rowId - a.rowId);
  return refs.slice(0, limit);
}

function needsOf(context: ReadContext, query: SpanQuery): RowNeeds {
  const { names, spanIds, parentSpanId, attributes = [], filter, startTimeUnixNano, endTimeUnixNano } = query;
  const values = filter ? [...context.spanPlan(filter).needs.values] : [];
  if (names) values.push(valuesOfNames(names));
  if (spanIds) values.push(valuesOfSpanIds(spanIds));
  if (typeof parentSpanId === 'string') values.push(valuesOfSpanIds([parentSpanId]));
  for (const { path, value } of attributes) {
    const oneOf = valuesOfAttribute(toSegments(path), value);
    if (oneOf) values.push(oneOf);
  }
  return { values, startTimeUnixNano, endTimeUnixNano };
}

function conditionsOf(
  context: ReadContext,
  query: SpanQuery,
  traceRowIds: readonly number[] | undefined,
  window: RowRange,
  parameters: Parameters,
): string[] {
  const conditions = [
    `row_id BETWEEN ${parameters.bigint(window.first)} AND ${parameters.bigint(window.last)}`,
    `project_id = ${parameters.integer(query.projectId)}`,
  ];
  const { startTimeUnixNano, endTimeUnixNano, parentSpanId } = query;
  if (startTimeUnixNano !== undefined) conditions.push(`start_ns >= ${parameters.bigint(startTimeUnixNano)}`);
  if (endTimeUnixNano !== undefined) conditions.push(`start_ns < ${parameters.bigint(endTimeUnixNano)}`);
  if (traceRowIds) conditions.push(parameters.bigintIn('trace_row_id', traceRowIds));
  if (query.spanIds) conditions.push(parameters.ubigintIn('span_id', query.spanIds.map(spanIdNumber)));
  if (parentSpanId === null) conditions.push('parent_span_id IS NULL');
  else if (parentSpanId !== undefined) {
    conditions.push(`parent_span_id = ${parameters.ubigint(spanIdNumber(parentSpanId))}`);
  }
  if (query.names) conditions.push(parameters.textIn('name', query.names));
  if (query.spanKinds) {
    const kinds = query.spanKinds.map((kind) => SPAN_KINDS.indexOf(kind));
    conditions.push(parameters.utinyintIn('span_kind', kinds));
  }
  if (query.statusCodes) {
    const codes = query.statusCodes.map((code) => STATUS_CODES.indexOf(code));
    conditions.push(parameters.utinyintIn('status_code', codes));
  }
  for (const attribute of query.attributes ?? []) conditions.push(attributeToSql(attribute, window, parameters));
  if (query.filter)
    conditions.push(applyPlan(context.spanPlan(query.filter), { projectId: query.projectId, ...window }, parameters));
  return conditions;
}
