/**
 * Span kinds of OpenInference (`openinference.span.kind`). The index of a kind is what the store keeps: append
 * new ones at the end, never reorder. `UNKNOWN` comes first, for spans that name none.
 */
export const SPAN_KINDS = [
  'UNKNOWN',
  'LLM',
  'CHAIN',
  'TOOL',
  'RETRIEVER',
  'EMBEDDING',
  'AGENT',
  'RERANKER',
  'EVALUATOR',
  'GUARDRAIL',
  'PROMPT',
] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

/** OTLP status codes by their number on the wire. */
export const STATUS_CODES = ['UNSET', 'OK', 'ERROR'] as const;
export type StatusCode = (typeof STATUS_CODES)[number];
