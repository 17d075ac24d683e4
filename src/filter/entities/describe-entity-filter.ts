import { expectPresent } from '../../base/expect-present.ts';
import { formatText } from '../syntax/format-filter.ts';
import { type Collection, type Fields, type FieldType, SESSION_VOCABULARY, TRACE_VOCABULARY } from '../vocabulary.ts';

/** A name that a strict filter may use, for completion. */
export interface FilterTerm {
  /** The name as it is written in a filter. For a field of an element, only the part after the dot. */
  readonly name: string;
  readonly type: FieldType | 'attribute' | 'annotation' | 'collection';
  readonly description: string;
  readonly category: 'field' | 'search' | 'attribute' | 'annotation' | 'collection' | 'element';
  /** The collection whose elements have the field. */
  readonly iterableName: string | null;
}

/** Names from the data of a project. */
export interface ObservedNames {
  readonly annotations: readonly string[];
  /** Flat names of attributes of root spans, without metadata. */
  readonly attributes: readonly string[];
  readonly metadata: readonly string[];
}

/** All terms of the language: first the fixed ones, then the observed ones. */
export function describeEntityFilter(language: 'session' | 'trace', observed: ObservedNames): FilterTerm[] {
  const { fields, containment, annotations, collections } =
    language === 'session' ? SESSION_VOCABULARY : TRACE_VOCABULARY;
  return [
    ...fieldTerms(fields),
    ...containment.map((name) => term(name, 'text', 'search', meaningOf(name))),
    ...Object.entries(collections).flatMap(([name, collection]) => [
      term(name, 'collection', 'collection', meaningOf(name)),
      ...elementTerms(name, collection),
    ]),
    term('user.id', 'attribute', 'attribute', 'User of the root span'),
    ...observed.attributes
      .filter((key) => key !== 'user.id')
      .map((key) => term(`attributes[${formatText(key)}]`, 'attribute', 'attribute', 'Attribute of the root span')),
    ...observed.metadata.map((key) =>
      term(`metadata[${formatText(key)}]`, 'attribute', 'attribute', 'Metadata of the root span'),
    ),
    ...observed.annotations.flatMap((name) => {
      const subscripted = `${annotations}[${formatText(name)}]`;
      return [
        term(subscripted, 'annotation', 'annotation', `Whether the ${language} has this annotation`),
        term(`${subscripted}.score`, 'number', 'annotation', 'Score of the annotation'),
        term(`${subscripted}.label`, 'text', 'annotation', 'Label of the annotation'),
        term(`${subscripted}.explanation`, 'text', 'annotation', 'Explanation of the annotation'),
      ];
    }),
  ];
}

const term = (
  name: string,
  type: FilterTerm['type'],
  category: FilterTerm['category'],
  description: string,
  iterableName: string | null = null,
): FilterTerm => ({ name, type, description, category, iterableName });

const meaningOf = (name: string): string =>
  expectPresent(MEANINGS.get(name), 'each name of the vocabulary has a meaning');

const fieldTerms = (fields: Fields): FilterTerm[] =>
  Object.entries(fields).map(([name, type]) => term(name, type, 'field', meaningOf(name)));

/** Fields of a collection's elements, and their collections. */
function elementTerms(collection: string, { fields, nested, hasParentSpan }: Collection): FilterTerm[] {
  return [
    ...Object.entries(fields).map(([name, type]) => term(name, type, 'element', meaningOf(name), collection)),
    ...Object.keys(nested?.() ?? {}).map((name) => term(name, 'collection', 'element', meaningOf(name), collection)),
    ...(hasParentSpan ? [term('parent_span', 'condition', 'element', meaningOf('parent_span'), collection)] : []),
  ];
}

const MEANINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    session_id: 'ID that the application gave the session',
    first_input: 'Input of the first root span',
    last_output: 'Output of the last root span',
    any_input: 'Inputs of all root spans, for a text search',
    any_output: 'Outputs of all root spans, for a text search',
    trace_id: 'ID of the trace',
    input: 'Input of the root span',
    output: 'Output of the root span',
    duration_ms: 'Time from start to end, in milliseconds',
    latency_ms: 'Time from start to end, in milliseconds',
    start_time: 'Start time',
    end_time: 'End time',
    num_traces: 'Number of traces',
    num_traces_with_error: 'Number of traces with a failed span',
    num_spans: 'Number of spans',
    error_count: 'Number of failed spans',
    token_count_prompt: 'Prompt tokens of all model calls',
    token_count_completion: 'Completion tokens of all model calls',
    token_count_total: 'Tokens of all model calls',
    prompt_cost: 'Cost of prompts, in US dollars',
    completion_cost: 'Cost of completions, in US dollars',
    total_cost: 'Cost, in US dollars',
    tool_span_count: 'Number of tool calls',
    llm_span_count: 'Number of model calls',
    spans: 'Spans, for any, all, len, sum, max and min',
    traces: 'Traces, for any, all, len, sum, max and min',
    session_annotations: 'Annotations of the session, by name or for any, all, len, sum, max and min',
    trace_annotations: 'Annotations of the trace, by name or for any, all, len, sum, max and min',
    span_annotations: 'Annotations of its spans, for any, all, len, sum, max and min',
    span_cost_details: 'Costs of its spans by token type, for any, all, len, sum, max and min',
    children: 'Spans that name the span as their parent',
    siblings: 'Other spans of the same parent',
    annotations: 'Annotations of the span',
    cost_details: 'Costs of the span by token type',
    parent_span: 'The parent span, if it is stored; its fields follow a dot',
    name: 'Name',
    label: 'Label of the annotation',
    score: 'Score of the annotation',
    parent_id: 'ID of the parent span',
    span_kind: 'Kind of the span',
    status_code: 'Status of the span',
    cumulative_error_count: 'Failed spans, descendants included',
    cumulative_llm_token_count_prompt: 'Prompt tokens including descendants',
    cumulative_llm_token_count_completion: 'Completion tokens including descendants',
    cumulative_llm_token_count_total: 'Tokens including descendants',
    llm_token_count_prompt: 'Prompt tokens of the span',
    llm_token_count_completion: 'Completion tokens of the span',
    llm_token_count_total: 'Tokens of the span',
    token_type: 'Token type, for example cache_read',
    is_prompt: 'Whether these are prompt tokens',
    cost: 'Cost, in US dollars',
    tokens: 'Number of tokens',
    cost_per_token: 'Price of one token, in US dollars',
  }),
);
