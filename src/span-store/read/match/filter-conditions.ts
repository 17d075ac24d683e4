import type { EntityFilter } from '../../../filter/entities/entity-filter.ts';
import type { SpanFilter } from '../../../filter/spans/span-filter.ts';
import { applyEntityPlan } from '../../filter/compile-entity-filter.ts';
import { errorInTraceSql } from '../../filter/error-in-trace.ts';
import type { RangeQuery } from '../../contract/query-terms.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { overlaps, startsIn } from '../list-order.ts';
import type { ReadContext } from '../read-context.ts';
import { rootSpansSql } from '../root-spans.ts';
import { matchSessions } from './match-sessions.ts';
import { isRare, resolveSpanFilter } from './matching-spans.ts';

// SQL conditions for the filters of aggregates, series and lists.

type Table = 'spans' | 'traces' | 'sessions';

export const isFiltered = ({ filter, sessionFilter }: Pick<RangeQuery, 'filter' | 'sessionFilter'>): boolean =>
  filter !== undefined || sessionFilter !== undefined;

interface Filtered {
  readonly projectId: number;
  readonly filter: SpanFilter;
}

const allSpans = ({ newestSpanRowId }: ReadContext) => ({ first: 1, last: newestSpanRowId });

/** Condition on `spans` for the rows that a filter selects. */
export const resolveFilter = (context: ReadContext, query: Filtered, parameters: Parameters): Promise<string> =>
  resolveSpanFilter(context, query, allSpans(context), parameters);

/**
 * Conditions on a table for the filters of a query. For `traces`, they are valid only for rows that start in the range.
 */
export async function resolveFilters(
  context: ReadContext,
  query: RangeQuery,
  table: Table,
  parameters: Parameters,
): Promise<string[]> {
  const { projectId, filter, sessionFilter, isOfRoots = false } = query;
  const conditions: string[] = [];
  if (sessionFilter) conditions.push(await isOfSession(context, query, sessionFilter, table, parameters));
  if (table === 'spans' && isOfRoots) conditions.push(isRootSpan(query, parameters));
  if (!filter) return conditions;
  if (table === 'spans') conditions.push(await resolveFilter(context, { projectId, filter }, parameters));
  else if (table === 'traces') conditions.push(await hasMatch(context, { ...query, filter }, parameters));
  else {
    const isMatch = await hasMatch(context, { projectId, filter, isOfRoots }, parameters);
    const inProject = `project_id = ${parameters.integer(projectId)}`;
    conditions.push(`row_id IN (SELECT session_row_id FROM store.traces WHERE ${inProject} AND ${isMatch})`);
  }
  return conditions;
}

/** Condition that is true for all spans of a project's traces that start in a range, and for few other spans. */
function scopeOf({ projectId, startTimeUnixNano }: RangeQuery, parameters: Parameters): string {
  return [`project_id = ${parameters.integer(projectId)}`, ...startsIn({ startTimeUnixNano }, parameters)].join(
    ' AND ',
  );
}

/** Condition on `traces` that start in the range: the filter selects one of their spans, or their root span. */
async function hasMatch(
  context: ReadContext,
  query: RangeQuery & { readonly filter: SpanFilter },
  parameters: Parameters,
): Promise<string> {
  const scope = scopeOf(query, parameters);
  const selected = `FROM store.spans WHERE ${scope} AND ${await resolveFilter(context, query, parameters)}`;
  if (!query.isOfRoots) return `row_id IN (SELECT trace_row_id ${selected})`;
  // The few matching rows are already known, so selecting their traces is cheap.
  const isOfFew = isRare(context, allSpans(context), query.filter);
  const roots = rootSpansSql({
    scope: isOfFew ? `${scope} AND trace_row_id IN (SELECT trace_row_id ${selected})` : scope,
    rule: 'orphansToo',
  });
  return `row_id IN (SELECT trace_row_id FROM (${roots}) WHERE row_id IN (SELECT row_id ${selected}))`;
}

/** Condition on `spans` for the root spans of traces that start in the range. */
export function isRootSpan(query: RangeQuery, parameters: Parameters): string {
  const roots = rootSpansSql({ scope: scopeOf(query, parameters), rule: 'orphansToo' });
  return `row_id IN (SELECT row_id FROM (${roots})) AND ${isOfTraceIn(query, parameters)}`;
}

/** Condition on `traces` that start in the range: the root span itself has the status ERROR. */
export function hasFailedRoot(query: RangeQuery, parameters: Parameters): string {
  const scope = scopeOf(query, parameters);
  const inFailed = `${scope} AND ${errorInTraceSql(parameters.integer(query.projectId))}`;
  const roots = rootSpansSql({ scope: inFailed, rule: 'orphansToo' });
  return `(error_count > 0 AND row_id IN (SELECT trace_row_id FROM store.spans
    WHERE ${scope} AND status_code = 2 AND row_id IN (SELECT row_id FROM (${roots}))))`;
}

/** Condition on `spans` whose traces start in the range. */
export function isOfTraceIn(query: RangeQuery, parameters: Parameters): string {
  const inRange = [`project_id = ${parameters.integer(query.projectId)}`, ...startsIn(query, parameters)];
  return `trace_row_id IN (SELECT row_id FROM store.traces WHERE ${inRange.join(' AND ')})`;
}

async function isOfSession(
  context: ReadContext,
  query: RangeQuery,
  filter: EntityFilter,
  table: Table,
  parameters: Parameters,
): Promise<string> {
  const candidates = new Parameters();
  const inRange = table === 'sessions' ? overlaps(query, candidates) : [];
  const conditions = [`project_id = ${candidates.integer(query.projectId)}`, ...inRange];
  const plan = context.entityPlan(filter);
  const filtered = applyEntityPlan(plan, query.projectId, candidates);
  if (filtered) conditions.push(filtered);
  const rows = await context.rows(`SELECT row_id FROM store.sessions WHERE ${conditions.join(' AND ')}`, candidates);
  const rowIds = rows.map(([rowId]) => Number(rowId));
  const matching = plan.isExact ? rowIds : await matchSessions(context, filter, rowIds);
  if (table === 'sessions') return parameters.bigintIn('row_id', [...matching]);
  const isTrace = parameters.bigintIn('session_row_id', [...matching]);
  return table === 'traces' ? isTrace : `trace_row_id IN (SELECT row_id FROM store.traces WHERE ${isTrace})`;
}
