import { expectPresent } from '../../../base/expect-present.ts';
import type { AggregateQuery, GroupColumn, MeasuredValue } from '../../contract/aggregate.ts';
import type { RangeQuery } from '../../contract/query-terms.ts';
import type { Parameters } from '../../duckdb/sql.ts';
import { LATENCY_NS_INT64, overlaps, projectIn, startsIn } from '../list-order.ts';
import { hasFailedRoot, isFiltered, resolveFilter, resolveFilters } from '../match/filter-conditions.ts';
import type { ReadContext } from '../read-context.ts';

/** SQL of a value of a row. `from`: the value is of the rows of another table, which the whole result aggregates. */
interface ValueSql {
  readonly sql: string;
  readonly from?: string;
}
type ValuesSql = Readonly<Partial<Record<MeasuredValue, ValueSql>>>;

/** SQL of the rows that a query aggregates. */
export interface AggregateSource {
  /** Before the statement. */
  readonly with: string;
  /** `FROM` with conditions. */
  readonly from: string;
  readonly values: ValuesSql;
  readonly groups: Readonly<Partial<Record<GroupColumn, string>>>;
}

const AMOUNTS = {
  tokensPrompt: { sql: 'tokens_prompt' },
  tokensCompletion: { sql: 'tokens_completion' },
  costTokensPrompt: { sql: 'cost_tokens_prompt' },
  costTokensCompletion: { sql: 'cost_tokens_completion' },
  promptPico: { sql: 'cost_prompt_pico' },
  completionPico: { sql: 'cost_completion_pico' },
} as const satisfies ValuesSql;

const when = (condition: string): ValueSql => ({ sql: `CASE WHEN ${condition} THEN 1 END` });

const LATENCY = { sql: LATENCY_NS_INT64 };

const SPAN_VALUES: ValuesSql = {
  ...AMOUNTS,
  latencyMs: LATENCY,
  ok: when('status_code = 1'),
  error: when('status_code = 2'),
  unset: when('status_code = 0'),
  cost: { sql: 'cost_tokens_prompt' },
};
const TRACE_VALUES: ValuesSql = {
  ...AMOUNTS,
  latencyMs: LATENCY,
  spanCount: { sql: 'span_count' },
  error: when('error_count > 0'),
  cost: when('cost_span_count > 0'),
};
const SESSION_VALUES: ValuesSql = {
  ...AMOUNTS,
  latencyMs: LATENCY,
  traceCount: { sql: 'trace_count' },
  error: when('error_count > 0'),
  cost: when('cost_span_count > 0'),
  spanCount: { sql: 'span_count', from: 'of_sessions' },
  traceLatencyMs: { sql: LATENCY_NS_INT64, from: 'of_sessions' },
};

const ROW_GROUPS = { projectId: 'project_id' };

export function sourceOf(
  context: ReadContext,
  query: AggregateQuery,
  parameters: Parameters,
): Promise<AggregateSource> {
  if (query.grain === 'tokenTypes') return tokenTypes(context, query, parameters);
  if (query.grain === 'spans') return spans(context, query, parameters);
  if (query.grain === 'sessions') return sessions(context, query, parameters);
  return query.ofMatchingSpans && query.filter
    ? tracesWithMatchingSpans(context, query, parameters)
    : traces(context, query, parameters);
}

async function spans(context: ReadContext, query: AggregateQuery, parameters: Parameters): Promise<AggregateSource> {
  const conditions = inProjects(query, parameters);
  const inRange = startsIn(query, parameters);
  if (!query.isRangeOfTraces) conditions.push(...inRange);
  else if (inRange.length > 0) {
    const ofTraces = [...inProjects(query, parameters), ...inRange];
    conditions.push(`trace_row_id IN (SELECT row_id FROM store.traces WHERE ${ofTraces.join(' AND ')})`);
  }
  conditions.push(...(await filtersOf(context, query, 'spans', parameters)));
  conditions.push(...ofModels(query, 'cost_model_id', parameters));
  return {
    with: '',
    from: `FROM store.spans ${where(conditions)}`,
    values: SPAN_VALUES,
    groups: { ...ROW_GROUPS, modelId: 'cost_model_id' },
  };
}

async function traces(context: ReadContext, query: AggregateQuery, parameters: Parameters): Promise<AggregateSource> {
  const conditions = [
    ...inProjects(query, parameters),
    ...startsIn(query, parameters),
    ...(await filtersOf(context, query, 'traces', parameters)),
  ];
  const from = `FROM store.traces ${where(conditions)}`;
  if (!isErrorOfRoots(query)) return { with: '', from, values: TRACE_VALUES, groups: ROW_GROUPS };
  const { projectId, startTimeUnixNano, endTimeUnixNano } = query;
  const range = {
    projectId: expectPresent(projectId, 'root spans are of one project'),
    startTimeUnixNano,
    endTimeUnixNano,
  };
  return {
    with: '',
    from: `FROM (SELECT *, ${hasFailedRoot(range, parameters)} AS has_failed_root ${from})`,
    values: { ...TRACE_VALUES, error: when('has_failed_root') },
    groups: ROW_GROUPS,
  };
}

/** An error of a root span is its own status, while one of a trace is that of any span. */
const isErrorOfRoots = ({ grain, measures }: AggregateQuery): boolean =>
  grain === 'rootSpans' && Object.values(measures).some((one) => 'of' in one && one.of === 'error');

/** Traces with sums over the spans that the filter selects. The filter is applied once for all aggregates. */
async function tracesWithMatchingSpans(
  context: ReadContext,
  { filter, ...query }: AggregateQuery,
  parameters: Parameters,
): Promise<AggregateSource> {
  const projectId = expectPresent(query.projectId, 'a filter is of one project');
  const scope = [...inProjects(query, parameters), ...startsIn({ ...query, endTimeUnixNano: undefined }, parameters)];
  const inRange = ['true', ...startsIn(query, parameters)].join(' AND ');
  const isMatch = await resolveFilter(
    context,
    { projectId, filter: expectPresent(filter, 'spans match a filter') },
    parameters,
  );
  const used = new Set(Object.values(query.measures).flatMap((one) => ('of' in one ? [one.of as string] : [])));
  const sums = Object.entries(AMOUNTS).flatMap(([name, { sql }]) =>
    used.has(name) ? [`sum(${sql}) AS matching_${sql}`] : [],
  );
  const conditions = [
    ...inProjects(query, parameters),
    ...startsIn(query, parameters),
    ...(await filtersOf(context, query, 'traces', parameters)),
  ];
  return {
    with: `WITH matching AS MATERIALIZED (
      SELECT ${['trace_row_id', `count(*) FILTER (${inRange}) AS matching_count`, 'count(cost_tokens_prompt) AS matching_costs', ...sums].join(', ')}
      FROM store.spans WHERE ${[...scope, isMatch].join(' AND ')} GROUP BY trace_row_id
    )`,
    from: `FROM store.traces JOIN matching ON trace_row_id = row_id ${where(conditions)}`,
    values: {
      ...TRACE_VALUES,
      ...Object.fromEntries(Object.entries(AMOUNTS).map(([name, { sql }]) => [name, { sql: `matching_${sql}` }])),
      cost: when('matching_costs > 0'),
      spanCount: { sql: 'matching_count', from: 'matching' },
    },
    groups: ROW_GROUPS,
  };
}

async function sessions(context: ReadContext, query: AggregateQuery, parameters: Parameters): Promise<AggregateSource> {
  const conditions = [
    ...inProjects(query, parameters),
    ...overlaps(query, parameters),
    ...(await filtersOf(context, query, 'sessions', parameters)),
  ];
  const common = { values: SESSION_VALUES, groups: ROW_GROUPS };
  const isOfTraces = Object.values(query.measures).some((one) => 'of' in one && isTraceValue(one.of));
  if (!isOfTraces) return { ...common, with: '', from: `FROM store.sessions ${where(conditions)}` };
  return {
    ...common,
    with: `WITH listed AS MATERIALIZED (
      SELECT row_id, project_id, start_ns, end_ns, trace_count, error_count, cost_span_count, ${Object.values(AMOUNTS)
        .map(({ sql }) => sql)
        .join(', ')} FROM store.sessions ${where(conditions)}
    ), of_sessions AS MATERIALIZED (
      SELECT span_count, start_ns, end_ns FROM store.traces WHERE session_row_id IN (SELECT row_id FROM listed)
    )`,
    from: 'FROM listed',
  };
}

const isTraceValue = (name: string): boolean =>
  Object.hasOwn(SESSION_VALUES, name) && SESSION_VALUES[name as MeasuredValue]?.from !== undefined;

async function tokenTypes(
  context: ReadContext,
  query: AggregateQuery,
  parameters: Parameters,
): Promise<AggregateSource> {
  const { filter, ...ofTrace } = query;
  const ofTraces = [
    ...inProjects(query, parameters),
    ...startsIn(query, parameters),
    ...(await filtersOf(context, ofTrace, 'traces', parameters)),
  ];
  const conditions = ofModels(query, 'model_id', parameters);
  if (filter) {
    const projectId = expectPresent(query.projectId, 'a filter is of one project');
    const scope = [...inProjects(query, parameters), ...startsIn({ ...query, endTimeUnixNano: undefined }, parameters)];
    const isMatch = await resolveFilter(context, { projectId, filter }, parameters);
    conditions.push(
      `span_row_id IN (SELECT row_id FROM store.spans WHERE ${[...scope, 'cost_tokens_prompt IS NOT NULL', isMatch].join(' AND ')})`,
    );
  }
  const isJoined = query.bins !== undefined || query.groupBy?.includes('projectId');
  if (isJoined) conditions.push(...ofTraces);
  else if (ofTraces.length > 0) {
    conditions.push(`trace_row_id IN (SELECT row_id FROM store.traces WHERE ${ofTraces.join(' AND ')})`);
  }
  const join = isJoined ? 'JOIN store.traces ON row_id = trace_row_id' : '';
  return {
    with: '',
    from: `FROM store.cost_details ${join} ${where(conditions)}`,
    values: { tokens: { sql: 'tokens' }, pico: { sql: 'cost_pico' } },
    groups: { ...ROW_GROUPS, modelId: 'model_id', tokenType: 'token_type', isPrompt: 'is_prompt' },
  };
}

const where = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;

function inProjects({ projectId, projects }: AggregateQuery, parameters: Parameters): string[] {
  return [
    ...(projectId === undefined ? [] : [`project_id = ${parameters.integer(projectId)}`]),
    ...(projects ? [projectIn(projects, parameters)] : []),
  ];
}

/** Conditions on the models of the rows. Groups by model exclude rows without one. */
function ofModels({ modelIds, groupBy }: AggregateQuery, column: string, parameters: Parameters): string[] {
  if (modelIds) return [parameters.bigintIn(column, modelIds)];
  return groupBy?.includes('modelId') ? [`${column} IS NOT NULL`] : [];
}

async function filtersOf(
  context: ReadContext,
  query: AggregateQuery,
  table: 'spans' | 'traces' | 'sessions',
  parameters: Parameters,
): Promise<string[]> {
  if (!isFiltered(query)) return [];
  const { startTimeUnixNano, endTimeUnixNano, filter, sessionFilter, grain } = query;
  const filtered: RangeQuery = {
    ...{ startTimeUnixNano, endTimeUnixNano, filter, sessionFilter, isOfRoots: grain === 'rootSpans' },
    projectId: expectPresent(query.projectId, 'a filter is of one project'),
  };
  return resolveFilters(context, filtered, table, parameters);
}
