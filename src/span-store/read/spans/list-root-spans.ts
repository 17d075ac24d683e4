import type { SpanRow } from '../../../model/spans/span.ts';
import type { SpanFilter } from '../../../filter/spans/span-filter.ts';
import { applyEntityPlan } from '../../filter/compile-entity-filter.ts';
import type { ListPosition } from '../../contract/query-terms.ts';
import type { RootSpanListQuery, SpanListPage } from '../../contract/spans.ts';
import { minMax, type RowRange } from '../../duckdb/row-range.ts';
import { select } from '../../duckdb/select-list.ts';
import { Parameters, type SqlValue } from '../../duckdb/sql.ts';
import { TRACES } from '../../duckdb/trace-rows.ts';
import { keysetAfter, orderBy, startsIn } from '../list-order.ts';
import { resolveFilters } from '../match/filter-conditions.ts';
import { matchTraces } from '../match/match-traces.ts';
import { isRare, resolveSpanFilter } from '../match/matching-spans.ts';
import type { ReadContext } from '../read-context.ts';
import { rootSpansOfFewSql, rootSpansSql } from '../root-spans.ts';
import { findSpanRows } from '../rows/read-span-rows.ts';

/** Number of further traces that are read when the traces of a page have too few root spans. */
const REFILL_TRACE_COUNT = 1_000;
const REFILL_COUNT_MAX = 3;
/** Initial and maximum number of traces that a span filter is applied to at a time. */
const MATCHED_TRACE_COUNT = 512;
const MATCHED_TRACE_COUNT_MAX = 32_768;

/**
 * Lists one page of traces by start, each represented by its root span. Traces without a root span are skipped. To
 * avoid empty pages, more traces are read a few times, and the next page begins where reading stopped. With a span
 * filter, reading continues until the page is full.
 */
export async function listRootSpans(context: ReadContext, query: RootSpanListQuery): Promise<SpanListPage> {
  const items: { span: SpanRow; at: ListPosition }[] = [];
  const { filter } = query;
  const isOfFew = filter !== undefined && isRare(context, { first: 1, last: context.newestSpanRowId }, filter);
  let after = query.after;
  let limit = filter && !isOfFew ? MATCHED_TRACE_COUNT : query.limit;
  for (let round = 0; filter || round <= REFILL_COUNT_MAX; round++) {
    const traces = await readTraces(context, query, { after, limit, isOfFew });
    const hasMore = traces.length > limit;
    const page = traces.slice(0, limit);
    const roots = await findRoots(context, query, page, query.limit - items.length);
    for (const { at } of page) {
      const span = roots.get(at.rowId);
      if (span) items.push({ span, at });
      after = at;
      if (items.length === query.limit) break;
    }
    const isAtEnd = !hasMore && after === page.at(-1)?.at;
    if (isAtEnd || page.length === 0) return { items };
    if (items.length === query.limit) break;
    limit = filter ? Math.min(4 * limit, MATCHED_TRACE_COUNT_MAX) : Math.max(query.limit, REFILL_TRACE_COUNT);
  }
  return after ? { items, nextAfter: after } : { items };
}

/** The traces that the trace filter of the list selects. */
async function selected(
  context: ReadContext,
  { traceFilter, roots }: RootSpanListQuery,
  traces: readonly TraceAt[],
): Promise<readonly TraceAt[]> {
  if (!traceFilter || context.entityPlan(traceFilter).isExact) return traces;
  const matching = await matchTraces(
    context,
    traceFilter,
    traces.map(({ at }) => at.rowId),
    roots,
  );
  return traces.filter(({ at }) => matching.has(at.rowId));
}

interface TraceAt extends RowRange {
  readonly at: ListPosition;
  readonly start: bigint;
}

interface TracePage {
  readonly after: ListPosition | undefined;
  readonly limit: number;
  /** Whether to read only traces with matching spans, because few spans match. */
  readonly isOfFew: boolean;
}

const { rowId, start, firstSpanRowId: first, lastSpanRowId: last } = TRACES.fields;
const TRACE = { rowId, start, first, last };

async function readTraces(
  context: ReadContext,
  query: RootSpanListQuery,
  { after, limit, isOfFew }: TracePage,
): Promise<TraceAt[]> {
  const parameters = new Parameters();
  const conditions = [`project_id = ${parameters.integer(query.projectId)}`, ...startsIn(query, parameters)];
  const filtered =
    query.traceFilter && applyEntityPlan(context.entityPlan(query.traceFilter), query.projectId, parameters);
  if (filtered) conditions.push(filtered);
  if (isOfFew) {
    const { projectId, filter } = query;
    conditions.push(...(await resolveFilters(context, { projectId, filter }, 'traces', parameters)));
  }
  if (after) conditions.push(keysetAfter({ value: 'start_ns' }, { order: query.order, after }, parameters));
  const rows = await select(
    context,
    TRACE,
    `FROM store.traces WHERE ${conditions.join(' AND ')} ${orderBy('start_ns', query.order)} LIMIT ${limit + 1}`,
    parameters,
  );
  return rows.map(({ rowId, ...trace }) => ({ ...trace, at: { rowId, value: trace.start } }));
}

/** Root spans by trace row id, for at most `limit` traces that the query selects. */
async function findRoots(
  context: ReadContext,
  query: RootSpanListQuery,
  page: readonly TraceAt[],
  limit: number,
): Promise<Map<number, SpanRow>> {
  const traces = await selected(context, query, page);
  const ids = query.filter
    ? await findMatchingRoots(context, { ...query, filter: query.filter }, traces)
    : await findRootIds(context, query, traces);
  const rowIds = traces.flatMap(({ at }) => ids.get(at.rowId) ?? []).slice(0, limit);
  const rows = await findSpanRows(context, rowIds);
  return new Map([...rows.values()].map((span) => [span.traceRowId, span]));
}

/** Row ids of root spans by trace row id. */
async function findRootIds(
  context: ReadContext,
  { roots: rule }: RootSpanListQuery,
  traces: readonly TraceAt[],
): Promise<Map<number, number>> {
  if (traces.length === 0) return new Map();
  const parameters = new Parameters();
  const { first, last } = rowsOf(traces);
  const scope = `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)} AND ${parameters.bigintIn(
    'trace_row_id',
    traces.map(({ at }) => at.rowId),
  )}`;
  return toIds(await context.rows(rootSpansOfFewSql({ scope, rule }), parameters));
}

/** Row ids of root spans by trace row id, for traces whose root span, or any span, matches the filter. */
async function findMatchingRoots(
  context: ReadContext,
  { projectId, filter, grain, roots: rule }: RootSpanListQuery & { readonly filter: SpanFilter },
  traces: readonly TraceAt[],
): Promise<Map<number, number>> {
  const [first, last] = [traces[0], traces.at(-1)];
  if (!first || !last) return new Map();
  const parameters = new Parameters();
  const range = rowsOf(traces);
  const isAscending = compareTimes(first.start, last.start) <= 0;
  const [earliest, latest] = isAscending ? [first.start, last.start] : [last.start, first.start];
  // A range of start times avoids a long list of trace ids.
  const ofTraces = `project_id = ${parameters.integer(projectId)}
    AND row_id BETWEEN ${parameters.bigint(range.first)} AND ${parameters.bigint(range.last)}
    AND trace_row_id IN (SELECT row_id FROM store.traces WHERE project_id = ${parameters.integer(projectId)}
      AND start_ns BETWEEN ${parameters.bigint(earliest)} AND ${parameters.bigint(latest)})`;
  const isMatch = await resolveSpanFilter(context, { projectId, filter }, range, parameters);
  const selectedSpans = (column: string) => `SELECT ${column} FROM store.spans WHERE ${ofTraces} AND ${isMatch}`;
  const condition =
    grain === 'traces'
      ? `trace_row_id IN (${selectedSpans('trace_row_id')})`
      : `row_id IN (${selectedSpans('row_id')})`;
  const roots = rootSpansSql({ scope: ofTraces, rule });
  return toIds(await context.rows(`SELECT trace_row_id, row_id FROM (${roots}) WHERE ${condition}`, parameters));
}

const toIds = (rows: readonly (readonly SqlValue[])[]): Map<number, number> =>
  new Map(rows.map(([traceRowId, rowId]) => [Number(traceRowId), Number(rowId)]));

/** Range of row ids that contains the spans of the traces. */
function rowsOf(traces: readonly TraceAt[]): RowRange {
  const [first] = minMax(traces.map((trace) => trace.first));
  const [, last] = minMax(traces.map((trace) => trace.last));
  return { first, last };
}

const compareTimes = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
