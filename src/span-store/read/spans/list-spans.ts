import { applyEntityPlan } from '../../filter/compile-entity-filter.ts';
import { cumulativeTokens } from '../../filter/cumulative-tokens.ts';
import type { TraceGrain } from '../../contract/grain.ts';
import type { ListPosition, RootRule } from '../../contract/query-terms.ts';
import type { SpanListPage, SpanListQuery, SpanSortColumn } from '../../contract/spans.ts';
import { int64 } from '../../duckdb/define-table.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import { Parameters } from '../../duckdb/sql.ts';
import {
  annotationSort,
  keysetAfter,
  LATENCY_NS,
  orderBy,
  type SortValue,
  startsIn,
  toPosition,
} from '../list-order.ts';
import { isRootSpan, resolveFilters } from '../match/filter-conditions.ts';
import { matchTraces } from '../match/match-traces.ts';
import { isRare, readRowCountMax, resolveSpanFilter, searchWindows } from '../match/matching-spans.ts';
import { searchTimeWindows } from '../match/search-time-windows.ts';
import type { ReadContext } from '../read-context.ts';
import { rootSpansSql } from '../root-spans.ts';
import { readTracesByRowId } from '../rows/find-ids.ts';
import { readClusters } from '../rows/read-rows.ts';
import { findSpanRows } from '../rows/read-span-rows.ts';

const ofTrace = (value: string): string => `(SELECT ${value} FROM store.traces t WHERE t.row_id = trace_row_id)`;

const VALUES: Readonly<Record<Exclude<SpanSortColumn, 'cost' | 'traceCost' | keyof typeof CUMULATIVE>, string>> = {
  startTime: 'start_ns',
  endTime: 'end_ns',
  latency: LATENCY_NS,
  tokensPrompt: 'coalesce(tokens_prompt, 0)',
  tokensCompletion: 'coalesce(tokens_completion, 0)',
  tokensTotal: '(coalesce(tokens_prompt, 0)::HUGEINT + coalesce(tokens_completion, 0))',
  traceLatency: ofTrace('t.end_ns::HUGEINT - t.start_ns'),
  traceTokensTotal: ofTrace('t.tokens_prompt::HUGEINT + t.tokens_completion'),
};

/** Spans without an amount come last in either order, because costs are never negative. */
const COSTS = {
  cost: {
    value: '(cost_prompt_pico::HUGEINT + cost_completion_pico)',
    condition: 'cost_tokens_prompt IS NOT NULL',
  },
  traceCost: {
    value: ofTrace('t.cost_prompt_pico::HUGEINT + t.cost_completion_pico'),
    condition: 'trace_row_id IN (SELECT row_id FROM store.traces WHERE cost_span_count > 0)',
  },
} as const;

/** Values that are computed on request: the list reads every span of the traces in its time range. */
const CUMULATIVE = {
  cumulativeTokensTotal: '(coalesce(cumulative_prompt, 0) + coalesce(cumulative_completion, 0))',
  cumulativeTokensPrompt: 'coalesce(cumulative_prompt, 0)',
  cumulativeTokensCompletion: 'coalesce(cumulative_completion, 0)',
} as const;
const isCumulative = (sort: SpanSortColumn): sort is keyof typeof CUMULATIVE => Object.hasOwn(CUMULATIVE, sort);
const joinCumulative = (chosen: string) => `LEFT JOIN ${cumulativeTokens(chosen)} ON cumulative_row = row_id`;

const LAST = { asc: '9223372036854775807', desc: '-1' } as const;

function sortOf({ sort, order }: SpanListQuery, parameters: Parameters): SortValue {
  if (typeof sort === 'object') return annotationSort('spans', sort, parameters);
  if (sort && isCumulative(sort)) return { value: CUMULATIVE[sort], join: joinCumulative };
  if (sort !== 'cost' && sort !== 'traceCost') return { value: sort && VALUES[sort] };
  const { value, condition } = COSTS[sort];
  return { value: `least(coalesce(${value}, ${LAST[order]}), 9223372036854775807)`, condition };
}

/** One page of spans: positions from the narrow columns of the order and the conditions, then the columns of the result. */
export async function listSpans(context: ReadContext, query: SpanListQuery): Promise<SpanListPage> {
  const { shown, nextAfter } = await findPage(context, query);
  const rows = await findSpanRows(
    context,
    shown.map(({ rowId }) => rowId),
  );
  const items = shown.flatMap((at) => {
    const span = rows.get(at.rowId);
    return span ? { span, at } : [];
  });
  return nextAfter ? { items, nextAfter } : { items };
}

interface PagePositions {
  readonly shown: readonly ListPosition[];
  /** Undefined on the last page. */
  readonly nextAfter: ListPosition | undefined;
}

/** Positions of a page, and where the next one begins. */
export async function findPage(context: ReadContext, query: SpanListQuery): Promise<PagePositions> {
  const range = await rowRange(context, query);
  const positions = range ? await findPositions(context, query, range) : [];
  const shown = positions.slice(0, query.limit);
  return { shown, nextAfter: positions.length > query.limit ? shown.at(-1) : undefined };
}

/** Range of row ids that contains the page. Undefined for an empty page. */
async function rowRange(context: ReadContext, query: SpanListQuery): Promise<RowRange | undefined> {
  if (query.traceRowId !== undefined) {
    const [trace] = await readTracesByRowId(context, [query.traceRowId]);
    return trace && { first: trace.firstSpanRowId, last: trace.lastSpanRowId };
  }
  return { first: 1, last: context.newestSpanRowId };
}

/** Initial and maximum number of positions whose traces are matched in memory at a time. */
const FILTERED_COUNT = 200;
const FILTERED_COUNT_MAX = 2_000;
/** Maximum if SQL covers a part of the filter, because each statement then scans the whole project. */
const CHOSEN_COUNT_MAX = 100_000;

/** Positions of the page and of the next span. */
async function findPositions(context: ReadContext, query: SpanListQuery, range: RowRange): Promise<ListPosition[]> {
  const { traceFilter } = query;
  const plan = traceFilter && context.entityPlan(traceFilter);
  if (!traceFilter || plan?.isExact) return findInAllTraces(context, query, range);
  const found: ListPosition[] = [];
  let after = query.after;
  for (let count = FILTERED_COUNT; ; count = Math.min(2 * count, plan?.sql ? CHOSEN_COUNT_MAX : FILTERED_COUNT_MAX)) {
    const positions = (await findInAllTraces(context, { ...query, after, limit: count }, range)).slice(0, count);
    const traceOf = await readTraceRowIds(
      context,
      positions.map(({ rowId }) => rowId),
    );
    const traceRowIds = [...new Set(traceOf.values())];
    const matching = await matchTraces(context, traceFilter, traceRowIds, query.roots ?? 'orphansToo');
    found.push(
      ...positions.filter(({ rowId }) => {
        // A span may be deleted between two reads.
        const traceRowId = traceOf.get(rowId);
        return traceRowId !== undefined && matching.has(traceRowId);
      }),
    );
    if (found.length > query.limit || positions.length < count) return found;
    after = positions.at(-1);
  }
}

const SPAN_OF_TRACE = { rowId: int64('row_id'), traceRowId: int64('trace_row_id') };

/** Row ids of traces by row id of the span. */
async function readTraceRowIds(context: ReadContext, rowIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await readClusters(context, SPAN_OF_TRACE, 'spans', 'row_id', rowIds);
  return new Map(rows.map(({ rowId, traceRowId }) => [rowId, traceRowId]));
}

async function findInAllTraces(context: ReadContext, query: SpanListQuery, range: RowRange): Promise<ListPosition[]> {
  // Finding root spans needs whole traces, so windows are used only if a filter leaves few candidates.
  const canBeInWindows = query.grain === undefined && (query.roots === undefined || query.filter !== undefined);
  const inSql = query.traceFilter && context.entityPlan(query.traceFilter).sql !== undefined;
  // Each window would select the traces of the whole project again.
  if (canBeInWindows && query.sort === undefined && !inSql) return searchByRowId(context, query, range);
  const { filter } = query;
  // One statement finds few matches, wherever they are. For many matches, a window of time is enough.
  const isCommon = filter === undefined || !isRare(context, range, filter);
  if (canBeInWindows && isCommon && query.sort === 'startTime' && query.traceRowId === undefined && !inSql) {
    return searchTimeWindows(context, query, range, (window, rows, limit) =>
      readPositions(context, { ...query, ...window }, rows, limit),
    );
  }
  return readPositions(context, query, range, query.limit + 1);
}

/** Searches by row id, starting next to the cursor. */
async function searchByRowId(context: ReadContext, query: SpanListQuery, range: RowRange): Promise<ListPosition[]> {
  const { order, filter, after, startTimeUnixNano, endTimeUnixNano } = query;
  const found: ListPosition[] = [];
  let { first, last } = range;
  if (after && order === 'asc') first = Math.max(first, after.rowId + 1);
  if (after && order === 'desc') last = Math.min(last, after.rowId - 1);
  const needs = { values: filter ? context.spanPlan(filter).needs.values : [], startTimeUnixNano, endTimeUnixNano };
  const rowCountMax = await readRowCountMax(context, filter);
  const reading = filter ? 'texts' : 'columns';
  for (const window of searchWindows(context, { first, last }, { order, needs, reading, rowCountMax })) {
    found.push(...(await readPositions(context, query, window, query.limit + 1 - found.length)));
    if (found.length > query.limit) break;
  }
  return found;
}

async function readPositions(
  context: ReadContext,
  query: SpanListQuery,
  range: RowRange,
  limit: number,
): Promise<ListPosition[]> {
  const parameters = new Parameters();
  const sort = sortOf(query, parameters);
  const { value, condition } = sort;
  const scope = [
    `row_id BETWEEN ${parameters.bigint(range.first)} AND ${parameters.bigint(range.last)}`,
    `project_id = ${parameters.integer(query.projectId)}`,
  ];
  if (query.traceRowId !== undefined) scope.push(`trace_row_id = ${parameters.bigint(query.traceRowId)}`);
  const conditions = [...scope, ...(query.grain ? [] : startsIn(query, parameters))];
  const join = sort.join?.(conditions.join(' AND ')) ?? '';
  if (condition) conditions.push(condition);
  const filtered =
    query.traceFilter && applyEntityPlan(context.entityPlan(query.traceFilter), query.projectId, parameters);
  if (filtered) conditions.push(`trace_row_id IN (SELECT row_id FROM store.traces WHERE ${filtered})`);
  if (query.after) conditions.push(keysetAfter(sort, { order: query.order, after: query.after }, parameters));
  const { projectId, filter, roots, grain } = query;
  if (grain) conditions.push(...(await grainConditions(context, { ...query, grain }, parameters)));
  else if (filter) {
    conditions.push(await resolveSpanFilter(context, { projectId, filter }, range, parameters));
    if (roots) return readRoots(context, { ...query, roots }, { conditions, join }, limit, parameters);
  } else if (roots)
    conditions.push(`row_id IN (SELECT row_id FROM (${rootSpansSql({ scope: scope.join(' AND '), rule: roots })}))`);
  const rows = await context.rows(
    `SELECT row_id, ${value ?? 'NULL'} FROM store.spans ${join} WHERE ${conditions.join(' AND ')}
     ${orderBy(value, query.order)} LIMIT ${limit}`,
    parameters,
  );
  return rows.map(([rowId, sortValue]) => toPosition(rowId, sortValue));
}

/** Conditions on `spans` for the spans that represent the rows of a grain. */
async function grainConditions(
  context: ReadContext,
  { projectId, startTimeUnixNano, endTimeUnixNano, filter, grain }: SpanListQuery & { readonly grain: TraceGrain },
  parameters: Parameters,
): Promise<string[]> {
  const range = { projectId, startTimeUnixNano, endTimeUnixNano };
  if (grain === 'rootSpans') return resolveFilters(context, { ...range, filter, isOfRoots: true }, 'spans', parameters);
  const isRoot = isRootSpan(range, parameters);
  if (!filter) return [isRoot];
  const [isMatch] = await resolveFilters(context, { ...range, filter }, 'traces', parameters);
  return [isRoot, `trace_row_id IN (SELECT row_id FROM store.traces WHERE ${isMatch})`];
}

/** The spans that meet conditions and are the root span of their trace. */
async function readRoots(
  context: ReadContext,
  query: SpanListQuery & { readonly roots: RootRule },
  { conditions, join }: { readonly conditions: readonly string[]; readonly join: string },
  limit: number,
  parameters: Parameters,
): Promise<ListPosition[]> {
  const { projectId, order, roots } = query;
  const sorted = sortOf(query, parameters).value;
  const traces = 'SELECT trace_row_id FROM candidates';
  const project = parameters.integer(projectId);
  const ofTraces = (column: string) => `(SELECT ${column} FROM store.traces WHERE row_id IN (${traces}))`;
  const scope = `row_id BETWEEN ${ofTraces('min(first_span_row_id)')} AND ${ofTraces('max(last_span_row_id)')}
    AND project_id = ${project} AND trace_row_id IN (${traces})`;
  const value = sorted && 'sort_value';
  // Most candidates can be excluded without the rest of their trace, because their parent is stored.
  const orphans = `UNION ALL SELECT m.* FROM (SELECT * FROM matching WHERE parent_span_id IS NOT NULL) m
    ANTI JOIN (SELECT trace_row_id, span_id FROM store.spans WHERE project_id = ${project}) p
      ON p.trace_row_id = m.trace_row_id AND p.span_id = m.parent_span_id`;
  const rows = await context.rows(
    `WITH matching AS MATERIALIZED (
       SELECT row_id, trace_row_id, parent_span_id, ${sorted ?? 'NULL'} AS sort_value FROM store.spans ${join}
       WHERE ${conditions.join(' AND ')} ${roots === 'parentless' ? 'AND parent_span_id IS NULL' : ''}
     ), candidates AS MATERIALIZED (
       SELECT * FROM matching WHERE parent_span_id IS NULL ${roots === 'parentless' ? '' : orphans})
     SELECT row_id, sort_value FROM candidates WHERE row_id IN (SELECT row_id FROM (${rootSpansSql({ scope, rule: roots })}))
     ${orderBy(value, order)} LIMIT ${limit}`,
    parameters,
  );
  return rows.map(([rowId, sortValue]) => toPosition(rowId, sortValue));
}
