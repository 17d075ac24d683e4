/** The names of a strict filter language. Every name in a filter must be one of these. */
export interface Vocabulary {
  readonly language: 'session' | 'trace';
  readonly fields: Fields;
  /** Terms in which a filter can only search for a text. */
  readonly containment: readonly ('any_input' | 'any_output')[];
  /** Name with a subscript for an annotation's name. A comprehension may also iterate over it. */
  readonly annotations: 'session_annotations' | 'trace_annotations';
  readonly collections: Collections;
  /** Names of other languages, with the name to use instead. */
  readonly rejected: Readonly<Record<string, string>>;
  /** Whether a comprehension may read the variables of enclosing ones, and one over `spans` may contain another. */
  readonly seesOuterVariables: boolean;
  /** Whether `max` and `min` accept timestamps. */
  readonly reducesTimestamps: boolean;
}

export type FieldType = 'text' | 'number' | 'timestamp' | 'condition';
export type Fields = Readonly<Record<string, FieldType>>;
export type Collections = Readonly<Record<string, Collection>>;

/** A collection for comprehensions: the fields of its elements, and their collections. */
export interface Collection {
  readonly fields: Fields;
  /** Created on demand, because the children of spans are spans. */
  readonly nested?: () => Collections;
  /** Whether elements have a `parent_span`, which has the same fields. */
  readonly hasParentSpan?: boolean;
}

const TOKEN_COUNTS = {
  token_count_prompt: 'number',
  token_count_completion: 'number',
  token_count_total: 'number',
} as const;
const COSTS = { prompt_cost: 'number', completion_cost: 'number', total_cost: 'number' } as const;
const SPAN_COUNTS = { tool_span_count: 'number', llm_span_count: 'number' } as const;
const LLM_TOKEN_COUNTS = {
  llm_token_count_prompt: 'number',
  llm_token_count_completion: 'number',
  llm_token_count_total: 'number',
} as const;

const ANNOTATIONS: Collection = { fields: { name: 'text', label: 'text', score: 'number' } };

const COST_DETAILS: Collection = {
  fields: { token_type: 'text', is_prompt: 'condition', cost: 'number', tokens: 'number', cost_per_token: 'number' },
};

const SPANS_OF_SESSION: Collection = {
  fields: { name: 'text', span_kind: 'text', status_code: 'text', latency_ms: 'number', ...LLM_TOKEN_COUNTS },
};

const SPANS_OF_TRACE: Collection = {
  fields: {
    name: 'text',
    parent_id: 'text',
    span_kind: 'text',
    status_code: 'text',
    start_time: 'timestamp',
    end_time: 'timestamp',
    latency_ms: 'number',
    cumulative_error_count: 'number',
    cumulative_llm_token_count_prompt: 'number',
    cumulative_llm_token_count_completion: 'number',
    cumulative_llm_token_count_total: 'number',
    ...LLM_TOKEN_COUNTS,
  },
  nested: () => ({
    children: SPANS_OF_TRACE,
    siblings: SPANS_OF_TRACE,
    annotations: ANNOTATIONS,
    cost_details: COST_DETAILS,
  }),
  hasParentSpan: true,
};

export const SESSION_VOCABULARY: Vocabulary = {
  language: 'session',
  fields: {
    session_id: 'text',
    first_input: 'text',
    last_output: 'text',
    duration_ms: 'number',
    start_time: 'timestamp',
    end_time: 'timestamp',
    num_traces: 'number',
    num_traces_with_error: 'number',
    ...TOKEN_COUNTS,
    ...COSTS,
    ...SPAN_COUNTS,
  },
  containment: ['any_input', 'any_output'],
  annotations: 'session_annotations',
  collections: {
    spans: SPANS_OF_SESSION,
    traces: {
      fields: { start_time: 'timestamp', end_time: 'timestamp', latency_ms: 'number' },
      nested: () => ({ spans: SPANS_OF_SESSION }),
    },
    session_annotations: ANNOTATIONS,
    span_annotations: ANNOTATIONS,
    span_cost_details: COST_DETAILS,
  },
  rejected: {
    annotations: '`session_annotations["name"]` or `span_annotations`',
    evals: '`session_annotations["name"]` or `span_annotations`',
    trace_annotations: '`session_annotations["name"]` or `span_annotations`',
  },
  seesOuterVariables: false,
  reducesTimestamps: false,
};

export const TRACE_VOCABULARY: Vocabulary = {
  language: 'trace',
  fields: {
    trace_id: 'text',
    input: 'text',
    output: 'text',
    latency_ms: 'number',
    start_time: 'timestamp',
    end_time: 'timestamp',
    num_spans: 'number',
    error_count: 'number',
    ...TOKEN_COUNTS,
    ...COSTS,
    ...SPAN_COUNTS,
  },
  containment: [],
  annotations: 'trace_annotations',
  collections: {
    spans: SPANS_OF_TRACE,
    trace_annotations: ANNOTATIONS,
    span_annotations: ANNOTATIONS,
    span_cost_details: COST_DETAILS,
  },
  rejected: {
    annotations: '`trace_annotations["name"]` or `span_annotations`',
    evals: '`trace_annotations["name"]` or `span_annotations`',
    session_annotations: '`trace_annotations["name"]` or `span_annotations`',
  },
  seesOuterVariables: true,
  reducesTimestamps: true,
};
