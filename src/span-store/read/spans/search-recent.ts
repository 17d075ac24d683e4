// biome-ignore-all lint/style/noNonNullAssertion: batches have an entry in all columns for each row.
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import { spanIdNumber } from '../../../model/traces/trace-ids.ts';
import { hasText } from '../../../columns/read-text.ts';
import type { SpanColumns } from '../../../columns/span-columns.ts';
import { jsonLocationOf, plainTextAttributeOf } from '../../filter/attribute-to-sql.ts';
import { jsonTestOf } from '../../filter/json-condition.ts';
import type { RecentSpans, RecentTest } from '../../cache/recent-spans.ts';
import type { AttributeCondition, SpanQuery } from '../../contract/spans.ts';
import type { RowRange } from '../../duckdb/row-range.ts';

/**
 * Maximum rows to search in memory, because the search blocks the thread. DuckDB searches more rows on other threads.
 */
const ROW_COUNT_MAX = 16_384;

/**
 * Searches the newest spans without a statement, which takes 1 to 2 ms and may wait for commits. Only for queries
 * without a filter.
 *
 * @returns Undefined if the database must be queried.
 */
export function recentSearch(query: SpanQuery, traceRowIds: readonly number[] | undefined) {
  const passes = testOf(query, traceRowIds);
  return (recent: RecentSpans, window: RowRange, limit: number) =>
    passes && window.last - window.first < ROW_COUNT_MAX
      ? recent.search(window, { order: query.order ?? 'desc', limit, passes })
      : undefined;
}

/** Undefined for a query that has other conditions too. */
function testOf(query: SpanQuery, traceRowIds: readonly number[] | undefined): RecentTest | undefined {
  const attributes = query.attributes?.map(toAttributeTest) ?? [];
  if (query.filter || attributes.includes(undefined)) return undefined;
  const { projectId, startTimeUnixNano, endTimeUnixNano, parentSpanId } = query;
  const traces = traceRowIds && new Set(traceRowIds);
  const kinds = query.spanKinds && new Set(query.spanKinds.map((kind) => SPAN_KINDS.indexOf(kind)));
  const codes = query.statusCodes && new Set(query.statusCodes.map((code) => STATUS_CODES.indexOf(code)));
  const spanIds = query.spanIds && new Set(query.spanIds.map(spanIdNumber));
  const parent = typeof parentSpanId === 'string' ? spanIdNumber(parentSpanId) : undefined;
  const names = query.names?.map((name) => Buffer.from(name));
  return ({ columns, projectIds, traceRowIds: tracesOfRows }, row, at) =>
    projectIds[at] === projectId &&
    (kinds === undefined || kinds.has(columns.spanKind[row]!)) &&
    (codes === undefined || codes.has(columns.statusCode[row]!)) &&
    (parentSpanId !== null || columns.hasParent[row] === 0) &&
    (parent === undefined || (columns.hasParent[row] === 1 && columns.parentSpanId[row] === parent)) &&
    (traces === undefined || traces.has(tracesOfRows[at]!)) &&
    (spanIds === undefined || spanIds.has(columns.spanId[row]!)) &&
    (names === undefined || names.some((name) => hasText(columns.name, row, name))) &&
    (startTimeUnixNano === undefined || columns.startTimeUnixNano[row]! >= startTimeUnixNano) &&
    (endTimeUnixNano === undefined || columns.startTimeUnixNano[row]! < endTimeUnixNano) &&
    passesAll(attributes, columns, row);
}

function passesAll(
  tests: readonly (AttributeTest | undefined)[],
  columns: SpanColumns,
  row: number,
): boolean | undefined {
  for (const test of tests) {
    const passes = test?.(columns, row);
    if (!passes) return passes;
  }
  return true;
}

type AttributeTest = (columns: SpanColumns, row: number) => boolean | undefined;

function toAttributeTest(condition: AttributeCondition): AttributeTest | undefined {
  const field = plainTextAttributeOf(condition)?.field;
  if (field) {
    const text = Buffer.from(String(condition.value));
    return (columns, row) => hasText(columns[field], row, text);
  }
  const place = jsonLocationOf(condition);
  const passes = place && jsonTestOf(place, condition.value);
  return passes && ((columns, row) => passes(columns[place.column], row));
}
