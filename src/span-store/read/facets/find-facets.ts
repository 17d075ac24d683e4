import { expectPresent } from '../../../base/expect-present.ts';
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import { FACET_SPAN_COUNT_MAX, FACET_TRACE_COUNT_MAX } from '../../../model/limits/reads.ts';
import { errorInTraceSql } from '../../filter/error-in-trace.ts';
import {
  FACET_FIELDS,
  type FacetField,
  type FacetQuery,
  type SpanFacet,
  type SpanFacets,
} from '../../contract/facets.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import { toBoolean, toTextOrNull } from '../../duckdb/select-list.ts';
import { type Cell, Parameters, type SqlValue } from '../../duckdb/sql.ts';
import { startsIn } from '../list-order.ts';
import { isOfTraceIn } from '../match/filter-conditions.ts';
import { resolveSpanFilter } from '../match/matching-spans.ts';
import type { ReadContext } from '../read-context.ts';
import { rootSpansSql } from '../root-spans.ts';

// Values of the rows of a table, with their counts. Only the newest matching spans are read, because a panel must be
// cheaper than a report. Each value counts once per trace, and only values of matching spans count.

/** Rows of the first window, which contains common spans. Each further window is larger. */
const WINDOW_ROW_COUNT = 65_536;
const WINDOW_GROWTH = 4;
/** Longer metadata and values are skipped, because they are no useful choices. */
const METADATA_CHARS_MAX = 4_096;
const VALUE_CHARS_MAX = 200;

const COLUMNS = {
  kind: 'span_kind::VARCHAR',
  status: 'status_code::VARCHAR',
  errorInTrace: 'error_in_trace',
  name: 'name',
  model: 'model_name',
  user: 'user_id',
  session: 'session_id',
} as const satisfies Record<Exclude<FacetField, 'metadata'>, string>;

const TEXTS: Partial<Readonly<Record<string, readonly string[]>>> = { kind: SPAN_KINDS, status: STATUS_CODES };

/** Facets of the newest matching spans, with values by descending count, then value. Facets without values are absent. */
export async function findFacets(context: ReadContext, query: FacetQuery): Promise<SpanFacets> {
  const newest = await findNewest(context, query);
  if (newest.count === 0) return { rowCount: 0, isNewestOnly: false, facets: [] };
  const parameters = new Parameters();
  const conditions = await conditionsOf(context, query, newest, parameters);
  const rowCount = query.grain === 'traces' ? 'count(DISTINCT trace_row_id)' : 'count(*)';
  const hasError = errorInTraceSql(parameters.integer(query.projectId));
  // A trace without errors has no value, because nearly all traces have none.
  const errorInTrace = `CASE WHEN ${hasError} THEN 'True' END`;
  const limit = parameters.integer(query.limit);
  const keyLimit = parameters.integer(query.metadataKeyLimit);
  const fields = Object.entries(COLUMNS).map(
    ([field, column]) =>
      `(SELECT '${field}' AS field, NULL AS key, ${column} AS value, ${field !== 'errorInTrace'} AS is_text, ${rowCount} AS n FROM newest
        WHERE ${column} IS NOT NULL AND length(${column}) <= ${VALUE_CHARS_MAX}
        GROUP BY value ORDER BY n DESC, value LIMIT ${limit})`,
  );
  const rows = await context.rows(
    `WITH newest AS MATERIALIZED (
       SELECT trace_row_id, ${errorInTrace} AS error_in_trace, span_kind, status_code, name, model_name, user_id, session_id,
         CASE WHEN length(metadata) <= ${METADATA_CHARS_MAX} AND json_valid(metadata) AND json_type(metadata) = 'OBJECT'
           THEN metadata END AS metadata
       FROM store.spans WHERE ${conditions.join(' AND ')}
     ), entry AS MATERIALIZED (
       SELECT trace_row_id, e.key, e.atom ->> '$' AS value, e.type = 'VARCHAR' AS is_text
       FROM newest, json_each(newest.metadata) AS e
       WHERE newest.metadata IS NOT NULL AND e.type IN ('VARCHAR', 'BIGINT', 'UBIGINT', 'DOUBLE')
     ), top_key AS (
       SELECT key FROM entry GROUP BY key ORDER BY ${rowCount} DESC, key LIMIT ${keyLimit}
     ), top_value AS (
       SELECT key, value, is_text, ${rowCount} AS n FROM entry
       WHERE key IN (FROM top_key) AND length(value) <= ${VALUE_CHARS_MAX} GROUP BY key, value, is_text
       QUALIFY row_number() OVER (PARTITION BY key ORDER BY n DESC, value) <= ${limit}
     )
     SELECT NULL AS field, NULL AS key, NULL AS value, NULL AS is_text, ${rowCount} AS n FROM newest
     UNION ALL ${fields.join(' UNION ALL ')}
     UNION ALL SELECT 'metadata', key, value, is_text, n FROM top_value`,
    parameters,
  );
  const total = expectPresent(
    rows.find(([field]) => field === null),
    'one row counts all',
  );
  return {
    rowCount: Number(total[4]),
    isNewestOnly: newest.isNewestOnly,
    facets: toFacets(rows.filter((row) => row !== total)),
  };
}

interface Newest {
  /** Range of row ids that contains the inspected spans. */
  readonly range: RowRange;
  /** Row id of the first inspected trace, for the grain `rootSpans`. */
  readonly firstTrace?: number;
  readonly count: number;
  readonly isNewestOnly: boolean;
}

const findNewest = (context: ReadContext, query: FacetQuery): Promise<Newest> =>
  query.grain === 'rootSpans' ? findNewestTraces(context, query) : findNewestSpans(context, query);

async function findNewestSpans(context: ReadContext, query: FacetQuery): Promise<Newest> {
  let count = 0;
  let first = context.newestSpanRowId + 1;
  let last = context.newestSpanRowId;
  for (let size = WINDOW_ROW_COUNT; last >= 1 && count < FACET_SPAN_COUNT_MAX; size *= WINDOW_GROWTH) {
    const range = { first: Math.max(1, last - size + 1), last };
    const parameters = new Parameters();
    const conditions = await conditionsOf(context, query, { range }, parameters);
    const [[found, least] = []] = await context.rows(
      `SELECT count(*), min(row_id) FROM (SELECT row_id FROM store.spans WHERE ${conditions.join(' AND ')}
         ORDER BY row_id DESC LIMIT ${parameters.integer(FACET_SPAN_COUNT_MAX - count)})`,
      parameters,
    );
    count += Number(found);
    if (least !== null && least !== undefined) first = Number(least);
    last = range.first - 1;
  }
  return { range: { first, last: context.newestSpanRowId }, count, isNewestOnly: count >= FACET_SPAN_COUNT_MAX };
}

/** Searches root spans by trace, newest traces first, until enough match or all traces are searched. */
async function findNewestTraces(context: ReadContext, query: FacetQuery): Promise<Newest> {
  for (let limit = FACET_TRACE_COUNT_MAX; ; limit *= WINDOW_GROWTH) {
    const parameters = new Parameters();
    const inRange = [`project_id = ${parameters.integer(query.projectId)}`, ...startsIn(query, parameters)];
    const [[traceCount, firstTrace, first] = []] = await context.rows(
      `SELECT count(*), min(row_id), min(first_span_row_id) FROM (
         SELECT row_id, first_span_row_id FROM store.traces WHERE ${inRange.join(' AND ')}
         ORDER BY row_id DESC LIMIT ${parameters.integer(limit)})`,
      parameters,
    );
    const isAll = Number(traceCount) < limit;
    const newest = {
      range: { first: Number(first ?? 1), last: context.newestSpanRowId },
      firstTrace: Number(firstTrace ?? 1),
      isNewestOnly: !isAll,
    };
    if (Number(traceCount) === 0) return { ...newest, count: 0 };
    if (isAll || !query.filter) return { ...newest, count: Number(traceCount) };
    const counted = new Parameters();
    const conditions = await conditionsOf(context, query, newest, counted);
    const [[count] = []] = await context.rows(
      `SELECT count(*) FROM store.spans WHERE ${conditions.join(' AND ')}`,
      counted,
    );
    if (Number(count) >= FACET_TRACE_COUNT_MAX / WINDOW_GROWTH) return { ...newest, count: Number(count) };
  }
}

async function conditionsOf(
  context: ReadContext,
  query: FacetQuery,
  { range, firstTrace = 1 }: Pick<Newest, 'range' | 'firstTrace'>,
  parameters: Parameters,
): Promise<string[]> {
  const { projectId, filter, grain } = query;
  const isRanged = query.startTimeUnixNano !== undefined || query.endTimeUnixNano !== undefined;
  const scope = [
    `row_id BETWEEN ${parameters.bigint(range.first)} AND ${parameters.bigint(range.last)}`,
    `project_id = ${parameters.integer(projectId)}`,
    ...(grain === 'rootSpans' ? [`trace_row_id >= ${parameters.bigint(firstTrace)}`] : []),
  ];
  const selected = [
    ...scope,
    ...(grain === 'spans' ? startsIn(query, parameters) : isRanged ? [isOfTraceIn(query, parameters)] : []),
    ...(filter ? [await resolveSpanFilter(context, { projectId, filter }, range, parameters)] : []),
  ];
  if (grain !== 'rootSpans') return selected;
  const roots = rootSpansSql({ scope: scope.join(' AND '), rule: 'orphansToo' });
  return [...selected, `row_id IN (SELECT row_id FROM (${roots}))`];
}

const toField = (field: Cell): FacetField =>
  expectPresent(
    FACET_FIELDS.find((one) => one === field),
    'the statement names the fields',
  );

function toFacets(rows: readonly (readonly SqlValue[])[]): readonly SpanFacet[] {
  const facets = new Map<string, { field: FacetField; key: string | null; values: SpanFacet['values'][number][] }>();
  for (const [field, key, value, isText, count] of rows) {
    const name = JSON.stringify([field, key]);
    const facet = facets.get(name) ?? { field: toField(field), key: toTextOrNull(key), values: [] };
    facets.set(name, facet);
    const shown = TEXTS[facet.field]?.[Number(value)] ?? String(value);
    facet.values.push({ value: shown, isText: toBoolean(isText), count: Number(count) });
  }
  const place = ({ field }: SpanFacet) => FACET_FIELDS.indexOf(field);
  const list = [...facets.values()].sort((a, b) => place(a) - place(b) || compare(a.key ?? '', b.key ?? ''));
  for (const { values } of list) values.sort((a, b) => b.count - a.count || compare(a.value, b.value));
  return list;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
