import { expectPresent } from '../../../base/expect-present.ts';
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import type { MetricSeries, SpanGroupSource, SpanMetricQuery, SpanMetricResult } from '../../contract/span-metrics.ts';
import { Parameters, type SqlValue } from '../../duckdb/sql.ts';
import { binOf } from '../aggregates/bin-sql.ts';
import { startsIn } from '../list-order.ts';
import { resolveFilters } from '../match/filter-conditions.ts';
import type { ReadContext } from '../read-context.ts';
import { aggregatesSql, groupSql, isAdditive, rankSql, sourceSql, toValues, VALUE_SQL } from './metric-sql.ts';

/** Aggregates of the spans that start in the range: in total, by group, and by bin of time. */
export async function findSpanMetric(context: ReadContext, query: SpanMetricQuery): Promise<SpanMetricResult> {
  const parameters = new Parameters();
  const selected = await selectSpans(context, query, parameters);
  const rows = await context.rows(
    query.groupBy ? groupedSql(query, selected, parameters) : totalSql(query, selected),
    parameters,
  );
  return toResult(query, rows);
}

/** SQL text: one row per span, or per trace and group, with its bin, group `g`, value `v` and number of spans `n`. */
async function selectSpans(context: ReadContext, query: SpanMetricQuery, parameters: Parameters): Promise<string> {
  const { projectId, metric, groupBy, bins } = query;
  const source = sourceSql(query, parameters);
  const conditions = [
    `project_id = ${parameters.integer(projectId)}`,
    ...startsIn(query, parameters),
    ...(await resolveFilters(context, query, 'spans', parameters)),
  ];
  const group = groupBy ? groupSql(groupBy, parameters) : 'NULL::VARCHAR';
  const rows = (columns: string, rest = '') =>
    `SELECT ${columns} FROM ${source} WHERE ${conditions.join(' AND ')} ${rest}`;
  const binAt = (start: string) => (bins ? binOf(bins, start, parameters) : 'NULL::BIGINT');
  const value = VALUE_SQL[metric];
  if (metric !== 'traces') return rows(`${binAt('start_ns')} AS bin, ${group} AS g, ${value} AS v, 1 AS n`);
  // A trace counts in the bin of its first span, so that bins add up.
  return `SELECT ${binAt('first_ns')} AS bin, g, v, n FROM (${rows(
    `${group} AS g, ${value} AS v, count(*) AS n, min(start_ns) AS first_ns`,
    'GROUP BY g, v',
  )})`;
}

const KINDS = { total: 0, group: 1, others: 2, ungrouped: 3 } as const;

/** Whether a row is of the whole range. */
const isWhole = ({ bins }: SpanMetricQuery): string => (bins ? 'GROUPING(bin) = 1' : 'true');

function totalSql(query: SpanMetricQuery, selected: string): string {
  const { plain, quantiles } = aggregatesSql(query);
  const sets = query.bins ? '(), (bin)' : '()';
  return `SELECT ${KINDS.total}, NULL, ${query.bins ? 'bin' : 'NULL'}, sum(n), ${plain}, ${quantiles}, 0, ${isWhole(query)}
    FROM (${selected}) GROUP BY GROUPING SETS (${sets})`;
}

function groupedSql(query: SpanMetricQuery, selected: string, parameters: Parameters): string {
  const { plain, quantiles } = aggregatesSql(query);
  const isShown = isAdditive(query) ? 'rank > 0' : 'rank IS NOT NULL';
  // The group of all others contains a trace once, too.
  const counted =
    query.metric === 'traces'
      ? 'SELECT min(bin) AS bin, v, sum(n) AS n, name, kind FROM named GROUP BY v, name, kind'
      : 'FROM named';
  const ofBins = query.bins ? ', (kind, name, bin)' : '';
  return `WITH selected AS MATERIALIZED (${selected}),
    ranked AS MATERIALIZED (
      SELECT g AS ranked_g, ${rankSql(query)} AS rank FROM selected WHERE g IS NOT NULL GROUP BY g HAVING ${isShown}
    ),
    top AS (SELECT ranked_g FROM ranked ORDER BY rank DESC, ranked_g LIMIT ${parameters.integer(query.groupLimit)}),
    named AS (
      SELECT bin, v, n, ranked_g AS name, CASE WHEN ranked_g IS NOT NULL THEN ${KINDS.group}
        WHEN g IS NOT NULL THEN ${KINDS.others} ELSE ${KINDS.ungrouped} END AS kind
      FROM selected LEFT JOIN top ON ranked_g = g
    ),
    counted AS (${counted})
    SELECT coalesce(kind, ${KINDS.total}), name, ${query.bins ? 'bin' : 'NULL'}, sum(n), ${plain}, ${quantiles}, (SELECT count(*) FROM ranked),
      ${isWhole(query)}
    FROM counted GROUP BY GROUPING SETS ((), (kind, name)${ofBins})`;
}

function toResult(query: SpanMetricQuery, rows: readonly SqlValue[][]): SpanMetricResult {
  const series = new Map<string, Series>();
  let groupCount = 0;
  for (const [kind, name, bin, spanCount, plain, quantiles, ranked, isWhole] of rows) {
    const key = `${kind} ${name ?? ''}`;
    const one: Series = series.get(key) ?? {
      kind: Number(kind),
      name: String(name),
      spanCount: 0,
      values: [],
      bins: [],
    };
    series.set(key, one);
    groupCount = Number(ranked);
    const values = toValues(query, plain, quantiles);
    if (isWhole) Object.assign(one, { spanCount: Number(spanCount ?? 0), values });
    else one.bins.push({ startTimeUnixMicro: Number(bin), values });
  }
  for (const { bins } of series.values()) bins.sort((a, b) => a.startTimeUnixMicro - b.startTimeUnixMicro);
  const all = [...series.values()];
  const find = (wanted: number) => all.find(({ kind }) => kind === wanted);
  const total = expectPresent(find(KINDS.total), 'an aggregate without groups has one row');
  const groups = all.filter(({ kind }) => kind === KINDS.group).sort(byRank);
  const others = find(KINDS.others);
  return {
    total: toSeries(total),
    groups: groups.map((group) => ({ ...toSeries(group), name: nameOf(query.groupBy, group.name) })),
    others:
      others && groupCount > groups.length
        ? { ...toSeries(others), groupCount: groupCount - groups.length }
        : undefined,
    ungroupedSpanCount: find(KINDS.ungrouped)?.spanCount ?? 0,
  };
}

interface Series {
  readonly kind: number;
  readonly name: string;
  spanCount: number;
  values: (number | null)[];
  readonly bins: MetricSeries['bins'][number][];
}

const toSeries = ({ spanCount, values, bins }: Series): MetricSeries => ({ spanCount, values, bins });

/** Greatest first value first. Names are unique. */
const byRank = (a: Series, b: Series): number =>
  Number(b.values[0] ?? 0) - Number(a.values[0] ?? 0) || (a.name < b.name ? -1 : 1);

/** Kinds and statuses are stored as numbers. */
function nameOf(source: SpanGroupSource | undefined, name: string): string {
  const column = source && 'column' in source ? source.column : undefined;
  if (column === 'kind') return SPAN_KINDS[Number(name)] ?? name;
  return column === 'status' ? (STATUS_CODES[Number(name)] ?? name) : name;
}
