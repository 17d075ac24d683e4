import type { PanelMetricVariables } from './generated/dashboards.ts';

export type Metric = PanelMetricVariables['metric'];
export type Aggregate = PanelMetricVariables['aggregates'][number];
export type GroupColumn = NonNullable<NonNullable<PanelMetricVariables['groupBy']>['column']>;
export type Grouping = { readonly column: GroupColumn } | { readonly attribute: string };

/** A panel as the server and files have it. The server has checked its fields. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly kind: 'figure' | 'series' | 'list';
  readonly metric: Metric;
  readonly aggregates: readonly Aggregate[];
  readonly annotationName: string | null;
  readonly filter: string;
  readonly groupBy: Grouping | null;
  readonly groupCount: number;
  readonly style: 'lines' | 'bars';
  readonly columns: number;
}

const OF_VALUES = ['sum', 'mean', 'p50', 'p75', 'p90', 'p95', 'p99'] as const;

/** Names of metrics, and the aggregates that the server accepts for them. */
export const METRICS: Readonly<Record<Metric, { readonly label: string; readonly aggregates: readonly Aggregate[] }>> =
  {
    traces: { label: 'Traces', aggregates: ['count'] },
    spans: { label: 'Spans', aggregates: ['count'] },
    errors: { label: 'Spans with errors', aggregates: ['count'] },
    errorRate: { label: 'Span error rate', aggregates: ['mean'] },
    latency: { label: 'Latency', aggregates: ['p50', 'p75', 'p90', 'p95', 'p99', 'mean', 'sum'] },
    tokens: { label: 'Tokens', aggregates: OF_VALUES },
    promptTokens: { label: 'Prompt tokens', aggregates: OF_VALUES },
    completionTokens: { label: 'Completion tokens', aggregates: OF_VALUES },
    cost: { label: 'Cost', aggregates: OF_VALUES },
    annotation: { label: 'Annotation score', aggregates: ['mean', 'count', 'p50', 'p90'] },
  };

export const AGGREGATES: Readonly<Record<Aggregate, string>> = {
  count: 'Count',
  sum: 'Sum',
  mean: 'Mean',
  p50: 'P50',
  p75: 'P75',
  p90: 'P90',
  p95: 'P95',
  p99: 'P99',
};

/** Names of columns, and their fields in a filter. */
export const GROUP_COLUMNS: Readonly<
  Record<GroupColumn, { readonly label: string; readonly field: string | undefined }>
> = {
  name: { label: 'Span name', field: 'name' },
  kind: { label: 'Span kind', field: 'span_kind' },
  status: { label: 'Status', field: 'status_code' },
  model: { label: 'Model', field: 'llm.model_name' },
  provider: { label: 'Provider', field: 'llm.provider' },
  user: { label: 'User', field: 'user.id' },
  session: { label: 'Session', field: 'session.id' },
  trace: { label: 'Trace', field: undefined },
  annotation: { label: 'Annotation', field: undefined },
};

export const KINDS = { figure: 'Number', series: 'Chart', list: 'Top list' } as const;

export const isAdditive = ({ aggregates }: Panel): boolean =>
  aggregates.every((aggregate) => aggregate === 'count' || aggregate === 'sum');

export const groupLabel = (groupBy: Grouping): string =>
  'column' in groupBy ? GROUP_COLUMNS[groupBy.column].label.toLowerCase() : groupBy.attribute;

/** For example `P95 latency` or `Cost`, without the filter and groups. */
function metricLabel({ metric, aggregates, annotationName }: Panel): string {
  const { label, aggregates: possible } = METRICS[metric];
  const name = annotationName ?? label;
  const [first] = aggregates;
  // A sum needs no word, because the metric names what is added.
  if (possible.length === 1 || (aggregates.length === 1 && first === 'sum')) return name;
  const values = aggregates.map((aggregate) => AGGREGATES[aggregate]).join(', ');
  return `${values} of ${annotationName ?? label.toLowerCase()}`;
}

/** Title of a panel that has none. */
export const describePanel = (panel: Panel): string =>
  metricLabel(panel) + (panel.groupBy ? ` by ${groupLabel(panel.groupBy)}` : '');

export const titleOf = (panel: Panel): string => panel.title || describePanel(panel);

/** What the values are, unless the title says it. */
export function aboutOf(panel: Panel): string {
  const described = describePanel(panel);
  const isSaid = panel.title === '' || panel.title.toLowerCase() === described.toLowerCase();
  return [isSaid ? '' : described, panel.filter].filter((text) => text !== '').join(' · ');
}

/** A panel with valid fields: those that do not fit the others are changed. */
export function fitPanel(panel: Panel): Panel {
  const { metric, kind } = panel;
  const { aggregates: possible } = METRICS[metric];
  const isByAnnotation = panel.groupBy !== null && 'column' in panel.groupBy && panel.groupBy.column === 'annotation';
  const kept = isByAnnotation && metric !== 'annotation' ? null : panel.groupBy;
  const groupBy = kind === 'figure' ? null : kind === 'list' ? (kept ?? firstGroup(metric)) : kept;
  const known = panel.aggregates.filter((aggregate) => possible.includes(aggregate));
  const chosen = known.length > 0 ? known : [possible[0]!];
  const aggregates = kind === 'series' && !groupBy ? chosen : chosen.slice(0, 1);
  const style = isAdditive({ ...panel, aggregates }) ? panel.style : 'lines';
  const annotationName = metric === 'annotation' ? panel.annotationName : null;
  return { ...panel, groupBy, aggregates, style, annotationName };
}

const firstGroup = (metric: Metric): Grouping => ({ column: metric === 'annotation' ? 'annotation' : 'name' });

/** Why the panel cannot be shown yet. */
export function missingInput({ metric, annotationName, groupBy }: Panel): string | undefined {
  if (groupBy && 'attribute' in groupBy && !isAttributeKey(groupBy.attribute)) {
    return 'Enter the key of an attribute, such as metadata.tenant.';
  }
  const isByAnnotation = groupBy && 'column' in groupBy && groupBy.column === 'annotation';
  if (metric === 'annotation' && !annotationName && !isByAnnotation) {
    return 'Choose an annotation, or group by annotation.';
  }
  return undefined;
}

const isAttributeKey = (key: string): boolean =>
  key.split('.').every((step) => step !== '' && step === step.trim()) &&
  !['metadata', 'llm', 'attributes'].includes(key);

export function newPanel(panels: readonly Panel[]): Panel {
  return {
    ...({ title: '', kind: 'series', metric: 'spans', aggregates: ['count'], annotationName: null } as const),
    ...({ filter: '', groupBy: null, groupCount: 8, style: 'bars', columns: 2 } as const),
    id: newId(panels),
  };
}

export function newId(panels: readonly Panel[]): string {
  let number = panels.length + 1;
  while (panels.some(({ id }) => id === `panel-${number}`)) number++;
  return `panel-${number}`;
}

/** Moves a panel to the place of another index. */
export function movePanel(panels: readonly Panel[], id: string, to: number): readonly Panel[] {
  const panel = panels.find((each) => each.id === id);
  if (!panel || to < 0 || to >= panels.length) return panels;
  const rest = panels.filter((each) => each !== panel);
  return [...rest.slice(0, to), panel, ...rest.slice(to)];
}
