import { ANNOTATION_TARGETS } from '../../../model/annotations/annotation.ts';
import { METRIC_GROUP_CHARS_MAX } from '../../../model/limits/dashboards.ts';
import type { SpanAggregate, SpanGroupColumn, SpanMetric } from '../../../model/spans/span-metric.ts';
import { FilterAttributes } from '../../filter/filter-attributes.ts';
import { FilterRelations } from '../../filter/filter-relations.ts';
import type { SpanGroupSource, SpanMetricQuery } from '../../contract/span-metrics.ts';
import { toItemsOrNull } from '../../duckdb/select-list.ts';
import type { Cell, Parameters } from '../../duckdb/sql.ts';
import { quantileList } from '../aggregates/quantile-sql.ts';
import { LATENCY_NS_INT64 } from '../list-order.ts';

// SQL of the values, groups and aggregates of a metric.

const eitherOf = (a: string, b: string): string =>
  `(CASE WHEN ${a} IS NOT NULL OR ${b} IS NOT NULL THEN coalesce(${a}, 0) + coalesce(${b}, 0) END)`;

/** Value of a span; NULL for a span that has none. */
export const VALUE_SQL = {
  traces: 'trace_row_id',
  spans: 'true',
  errors: '(CASE WHEN status_code = 2 THEN true END)',
  errorRate: '(status_code = 2)::INTEGER',
  latency: LATENCY_NS_INT64,
  tokens: eitherOf('tokens_prompt', 'tokens_completion'),
  promptTokens: 'tokens_prompt',
  completionTokens: 'tokens_completion',
  cost: eitherOf('cost_prompt_pico', 'cost_completion_pico'),
  annotation: 'annotation_score',
} as const satisfies Readonly<Record<SpanMetric, string>>;

/** Units of the database in one unit of the result. */
const SCALE: Partial<Readonly<Record<SpanMetric, number>>> = { latency: 1e6, cost: 1e12 };

/** Aggregates as two columns: a list of numbers, and the quantiles, which DuckDB computes together. */
export function aggregatesSql({ metric, aggregates }: SpanMetricQuery): {
  readonly plain: string;
  readonly quantiles: string;
} {
  const plain = aggregates.filter((aggregate) => !isQuantile(aggregate)).map((each) => plainSql(metric, each));
  const probabilities = aggregates.filter(isQuantile).map(probabilityOf);
  return {
    plain: plain.length === 0 ? 'NULL::DOUBLE[]' : `[${plain.join(', ')}]`,
    quantiles: probabilities.length === 0 ? 'NULL::DOUBLE[]' : `quantile_cont(v, ${quantileList(probabilities)})`,
  };
}

const isQuantile = (aggregate: SpanAggregate): boolean => aggregate.startsWith('p');
const probabilityOf = (aggregate: SpanAggregate): number => Number(aggregate.slice(1)) / 100;

function plainSql(metric: SpanMetric, aggregate: SpanAggregate): string {
  if (metric === 'traces') return 'count(DISTINCT v)::DOUBLE';
  if (aggregate === 'count') return 'count(v)::DOUBLE';
  return aggregate === 'sum' ? 'sum(v)::DOUBLE' : 'avg(v)::DOUBLE';
}

/** Expression of the first aggregate, by which groups are ordered. */
export function rankSql({ metric, aggregates: [first = 'count'] }: SpanMetricQuery): string {
  return isQuantile(first) ? `quantile_cont(v, ${probabilityOf(first)}::DOUBLE)` : plainSql(metric, first);
}

/** Whether a group with 0 has nothing to show. */
export const isAdditive = ({ aggregates: [first] }: SpanMetricQuery): boolean => first === 'count' || first === 'sum';

/** Values in the order of the aggregates. */
export function toValues({ metric, aggregates }: SpanMetricQuery, plain: Cell, quantiles: Cell): (number | null)[] {
  const rest = { plain: [...(toItemsOrNull(plain) ?? [])], quantiles: [...(toItemsOrNull(quantiles) ?? [])] };
  const scale = SCALE[metric] ?? 1;
  return aggregates.map((aggregate) => {
    const value = (isQuantile(aggregate) ? rest.quantiles : rest.plain).shift() ?? null;
    if (value === null) return aggregate === 'count' || aggregate === 'sum' ? 0 : null;
    // Counts have no unit.
    return aggregate === 'count' ? Number(value) : Number(value) / scale;
  });
}

const COLUMN_SQL = {
  name: 'name',
  kind: 'span_kind::VARCHAR',
  status: 'status_code::VARCHAR',
  model: 'model_name',
  provider: 'provider',
  user: 'user_id',
  session: 'session_id',
  trace: 'trace_row_id::VARCHAR',
  annotation: 'annotation_name',
} as const satisfies Readonly<Record<SpanGroupColumn, string>>;

/** Name of the group of a span; NULL for a span without the value. */
export function groupSql(source: SpanGroupSource, parameters: Parameters): string {
  if ('column' in source) return cut(COLUMN_SQL[source.column]);
  const attributes = new FilterAttributes(new FilterRelations(parameters), parameters);
  // A key of metadata may contain dots.
  const [first, ...rest] = source.path;
  const paths = first === 'metadata' && rest.length > 1 ? [source.path, [first, rest.join('.')]] : [source.path];
  return cut(`coalesce(${paths.map((path) => attributes.shortText(path)).join(', ')}, NULL)`);
}

const cut = (text: string): string => `left(${text}, ${METRIC_GROUP_CHARS_MAX})`;

/** Rows of `spans`, once for each annotation name when the metric is the score of annotations. */
export function sourceSql({ metric, projectId, annotationName }: SpanMetricQuery, parameters: Parameters): string {
  if (metric !== 'annotation') return 'store.spans';
  const conditions = [
    `project_id = ${parameters.integer(projectId)}`,
    `target = ${parameters.utinyint(ANNOTATION_TARGETS.indexOf('span'))}`,
    'score IS NOT NULL',
    // One infinite score would be the mean of all.
    'isfinite(score)',
    ...(annotationName === undefined ? [] : [`name = ${parameters.text(annotationName)}`]),
  ];
  return `store.spans JOIN (
    SELECT target_row_id AS annotated_row, name AS annotation_name, avg(score) AS annotation_score
    FROM store.annotations WHERE ${conditions.join(' AND ')} GROUP BY target_row_id, name
  ) ON annotated_row = row_id`;
}
