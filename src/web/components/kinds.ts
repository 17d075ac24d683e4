/** Span kinds of the server. */
export const KINDS = [
  'agent',
  'chain',
  'embedding',
  'evaluator',
  'guardrail',
  'llm',
  'prompt',
  'reranker',
  'retriever',
  'tool',
  'unknown',
] as const;
export type KindName = (typeof KINDS)[number];

export const toKind = (text: string): KindName => KINDS.find((kind) => kind === text) ?? 'unknown';
export const kindLabel = (kind: KindName): string => (kind === 'llm' ? 'LLM' : kind);
