import type { AnnotationReference, DatetimeField, NumberField, TextField } from './span-filter.ts';

/** The meaning of a name of the span filter that is not just an attribute. */
export type SpanField =
  | { readonly type: 'text'; readonly field: TextField }
  | { readonly type: 'number'; readonly field: NumberField }
  | { readonly type: 'datetime'; readonly field: DatetimeField };

const text = (field: TextField): SpanField => ({ type: 'text', field });
const number = (field: NumberField): SpanField => ({ type: 'number', field });
const datetime = (field: DatetimeField): SpanField => ({ type: 'datetime', field });

/** Fields by their names in filters, including aliases. */
export const SPAN_FIELDS: ReadonlyMap<string, SpanField> = new Map([
  ['span_id', text('span_id')],
  ['context.span_id', text('span_id')],
  ['trace_id', text('trace_id')],
  ['context.trace_id', text('trace_id')],
  ['parent_id', text('parent_id')],
  ['span_kind', text('span_kind')],
  ['name', text('name')],
  ['status_code', text('status_code')],
  ['status_message', text('status_message')],
  ['latency_ms', number('latency_ms')],
  ['cumulative_llm_token_count_prompt', number('cumulative_llm_token_count_prompt')],
  ['cumulative_llm_token_count_completion', number('cumulative_llm_token_count_completion')],
  ['cumulative_llm_token_count_total', number('cumulative_llm_token_count_total')],
  ['cumulative_token_count.prompt', number('cumulative_llm_token_count_prompt')],
  ['cumulative_token_count.completion', number('cumulative_llm_token_count_completion')],
  ['cumulative_token_count.total', number('cumulative_llm_token_count_total')],
  ['start_time', datetime('start_time')],
  ['end_time', datetime('end_time')],
]);

/** Name of the condition that a span of the same trace has the status ERROR. */
export const ERROR_IN_TRACE = 'error_in_trace';

/** Attributes whose values are numbers, by their keys joined with dots. */
export const NUMBER_ATTRIBUTES: ReadonlySet<string> = new Set([
  'llm.token_count.prompt',
  'llm.token_count.completion',
  'llm.token_count.total',
]);

/** Names under which annotations are subscripted. */
export const ANNOTATION_SCOPES: ReadonlyMap<string, AnnotationReference['scope']> = new Map([
  ['annotations', 'span'],
  ['evals', 'span'],
  ['trace_annotations', 'trace'],
]);

export const ANNOTATION_MEMBERS = ['score', 'label', 'explanation'] as const;

/** Fields whose values are upper-case, so that literals compared with them are upper-cased first. */
export const UPPER_CASE_FIELDS: ReadonlySet<TextField> = new Set(['span_kind', 'status_code']);
