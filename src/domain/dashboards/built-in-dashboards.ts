import type { BuiltInDashboard, Panel } from '../../model/dashboards/dashboard.ts';

type Required = Pick<Panel, 'id' | 'title' | 'kind' | 'metric' | 'aggregates'>;

/** A panel with defaults. */
const panel = (fields: Required & Partial<Panel>): Panel => ({
  annotationName: null,
  filter: '',
  groupBy: null,
  groupCount: 8,
  style: 'lines',
  columns: fields.kind === 'figure' ? 1 : 2,
  ...fields,
});

const LLM = "span_kind == 'LLM'";
const ROOT = 'parent_id is None';
const BY_MODEL = { column: 'model' } as const;

const OVERVIEW: BuiltInDashboard = {
  slug: 'overview',
  name: 'Overview',
  description: 'Traffic, errors, latency, cost and quality of the project.',
  panels: [
    panel({ id: 'traces', title: 'Traces', kind: 'figure', metric: 'traces', aggregates: ['count'] }),
    panel({ id: 'error-rate', title: 'Span error rate', kind: 'figure', metric: 'errorRate', aggregates: ['mean'] }),
    panel({
      id: 'latency',
      title: 'Latency P95',
      kind: 'figure',
      metric: 'latency',
      aggregates: ['p95'],
      filter: ROOT,
    }),
    panel({ id: 'cost', title: 'Cost', kind: 'figure', metric: 'cost', aggregates: ['sum'] }),
    panel({ id: 'traffic', title: 'Traffic', kind: 'series', metric: 'traces', aggregates: ['count'], style: 'bars' }),
    panel({
      ...{ id: 'errors', title: 'Errors by kind', kind: 'series', metric: 'errors', aggregates: ['count'] },
      ...{ groupBy: { column: 'kind' }, style: 'bars' },
    }),
    panel({
      ...{ id: 'percentiles', title: 'Latency of traces', kind: 'series', metric: 'latency' },
      ...{ aggregates: ['p50', 'p90', 'p99'], filter: ROOT },
    }),
    panel({
      ...{ id: 'cost-by-model', title: 'Cost by model', kind: 'series', metric: 'cost', aggregates: ['sum'] },
      ...{ groupBy: BY_MODEL, groupCount: 5, style: 'bars' },
    }),
    panel({
      ...{ id: 'models', title: 'Top models', kind: 'list', metric: 'spans', aggregates: ['count'] },
      ...{ filter: LLM, groupBy: BY_MODEL },
    }),
    panel({
      ...{ id: 'annotations', title: 'Annotations', kind: 'series', metric: 'annotation', aggregates: ['mean'] },
      ...{ groupBy: { column: 'annotation' } },
    }),
  ],
};

const COST_AND_TOKENS: BuiltInDashboard = {
  slug: 'cost-and-tokens',
  name: 'Cost and tokens',
  description: 'What the project costs, for which models, traces and users.',
  panels: [
    panel({ id: 'cost', title: 'Cost', kind: 'figure', metric: 'cost', aggregates: ['sum'] }),
    panel({
      id: 'call-cost',
      title: 'Cost per call',
      kind: 'figure',
      metric: 'cost',
      aggregates: ['mean'],
      filter: LLM,
    }),
    panel({ id: 'tokens', title: 'Tokens', kind: 'figure', metric: 'tokens', aggregates: ['sum'], filter: LLM }),
    panel({
      id: 'call-tokens',
      title: 'Tokens per call P95',
      kind: 'figure',
      metric: 'tokens',
      aggregates: ['p95'],
      filter: LLM,
    }),
    panel({
      ...{ id: 'cost-by-model', title: 'Cost by model', kind: 'series', metric: 'cost', aggregates: ['sum'] },
      ...{ groupBy: BY_MODEL, style: 'bars', columns: 4 },
    }),
    panel({
      ...{ id: 'prompt-tokens', title: 'Prompt tokens by model', kind: 'series', metric: 'promptTokens' },
      ...{ aggregates: ['sum'], filter: LLM, groupBy: BY_MODEL, style: 'bars' },
    }),
    panel({
      ...{ id: 'completion-tokens', title: 'Completion tokens by model', kind: 'series', metric: 'completionTokens' },
      ...{ aggregates: ['sum'], filter: LLM, groupBy: BY_MODEL, style: 'bars' },
    }),
    panel({
      ...{ id: 'traces', title: 'Most expensive traces', kind: 'list', metric: 'cost', aggregates: ['sum'] },
      ...{ groupBy: { column: 'trace' } },
    }),
    panel({
      ...{ id: 'users', title: 'Most expensive users', kind: 'list', metric: 'cost', aggregates: ['sum'] },
      ...{ groupBy: { column: 'user' } },
    }),
  ],
};

/** Dashboards of every project, which no user can change or delete. A copy of one can be changed. */
export const BUILT_IN_DASHBOARDS: readonly BuiltInDashboard[] = [OVERVIEW, COST_AND_TOKENS];
