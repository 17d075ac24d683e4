// Metrics of spans, and the aggregates that have a meaning for each of them.

export const SPAN_METRICS = [
  'traces',
  'spans',
  'errors',
  'errorRate',
  'latency',
  'tokens',
  'promptTokens',
  'completionTokens',
  'cost',
  'annotation',
] as const;

/** A trace counts once where a span of it counts. `errorRate` is the share of spans with the status ERROR. */
export type SpanMetric = (typeof SPAN_METRICS)[number];

export const SPAN_AGGREGATES = ['count', 'sum', 'mean', 'p50', 'p75', 'p90', 'p95', 'p99'] as const;

export type SpanAggregate = (typeof SPAN_AGGREGATES)[number];

const OF_VALUES = ['sum', 'mean', 'p50', 'p75', 'p90', 'p95', 'p99'] as const;

export const AGGREGATES_OF_METRIC = {
  traces: ['count'],
  spans: ['count'],
  errors: ['count'],
  errorRate: ['mean'],
  latency: OF_VALUES,
  tokens: OF_VALUES,
  promptTokens: OF_VALUES,
  completionTokens: OF_VALUES,
  cost: OF_VALUES,
  annotation: ['mean', 'count', 'p50', 'p90'],
} as const satisfies Readonly<Record<SpanMetric, readonly SpanAggregate[]>>;

export const hasAggregate = (metric: SpanMetric, aggregate: SpanAggregate): boolean =>
  (AGGREGATES_OF_METRIC[metric] as readonly SpanAggregate[]).includes(aggregate);

/** Values of spans by which a metric can be grouped, besides any attribute. `annotation` is the name of annotations. */
export const SPAN_GROUP_COLUMNS = [
  'name',
  'kind',
  'status',
  'model',
  'provider',
  'user',
  'session',
  'trace',
  'annotation',
] as const;

export type SpanGroupColumn = (typeof SPAN_GROUP_COLUMNS)[number];

/** `attribute` is a dotted key, such as `metadata.tenant`. */
export type SpanGrouping = { readonly column: SpanGroupColumn } | { readonly attribute: string };

/** Attributes that a filter names with a column. */
const WHOLE_OBJECTS = new Set(['metadata', 'llm', 'attributes']);

/** The steps of a dotted key. Undefined for a text that names no value, such as a whole object. */
export function toAttributePath(key: string): readonly string[] | undefined {
  const steps = key.split('.');
  if (steps.some((step) => step === '' || step !== step.trim()) || steps.length > ATTRIBUTE_STEP_COUNT_MAX) {
    return undefined;
  }
  return WHOLE_OBJECTS.has(key) ? undefined : steps;
}

/** Attributes of OpenInference have about six steps. */
const ATTRIBUTE_STEP_COUNT_MAX = 16;
