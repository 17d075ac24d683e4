import { SPAN_KINDS, STATUS_CODES } from '../../semconv/span-kinds.ts';

/** Names and conditions that a filter field suggests. */
export interface FilterDescription {
  readonly names: readonly DescribedName[];
  /** Example conditions. */
  readonly snippets: readonly Snippet[];
}

export interface DescribedName {
  /** The name as it is written in a filter. */
  readonly name: string;
  /** `annotation` is subscripted with a name, `object` with keys, `any` has the type of the value that it is compared with. */
  readonly type: 'string' | 'number' | 'datetime' | 'annotation' | 'object' | 'any';
  readonly meaning: string;
  /** All values, if there are few. */
  readonly values?: readonly string[];
}

export interface Snippet {
  readonly label: string;
  readonly text: string;
}

/** Names of the span filter, the most frequent first. Any other name is an attribute. Annotation names depend on the project. */
export const SPAN_FILTER: FilterDescription = {
  names: [
    { name: 'span_kind', type: 'string', meaning: 'Kind of the span', values: SPAN_KINDS },
    { name: 'status_code', type: 'string', meaning: 'Status of the span', values: STATUS_CODES },
    { name: 'name', type: 'string', meaning: 'Name of the span' },
    { name: 'latency_ms', type: 'number', meaning: 'Time from start to end in milliseconds' },
    { name: 'start_time', type: 'datetime', meaning: 'Start time of the span' },
    { name: 'end_time', type: 'datetime', meaning: 'End time of the span' },
    { name: 'parent_id', type: 'string', meaning: 'ID of the parent span; None for a root span' },
    { name: 'parent_span', type: 'any', meaning: 'None for a root span and for a span whose parent is not stored' },
    { name: 'status_message', type: 'string', meaning: 'Description of the status' },
    { name: 'span_id', type: 'string', meaning: 'ID of the span' },
    { name: 'trace_id', type: 'string', meaning: 'ID of the trace' },
    { name: 'annotations', type: 'annotation', meaning: 'Annotations of the span by name' },
    { name: 'evals', type: 'annotation', meaning: 'The same as annotations' },
    { name: 'trace_annotations', type: 'annotation', meaning: 'Annotations of the trace by name' },
    { name: 'metadata', type: 'object', meaning: 'Metadata of the span by key' },
    { name: 'attributes', type: 'object', meaning: 'Attributes of the span by key' },
    { name: 'input.value', type: 'any', meaning: 'Input of the span' },
    { name: 'input.mime_type', type: 'any', meaning: 'Type of the input', values: ['text/plain', 'application/json'] },
    { name: 'output.value', type: 'any', meaning: 'Output of the span' },
    {
      name: 'output.mime_type',
      type: 'any',
      meaning: 'Type of the output',
      values: ['text/plain', 'application/json'],
    },
    { name: 'session.id', type: 'any', meaning: 'ID of the session' },
    { name: 'user.id', type: 'any', meaning: 'ID of the user' },
    { name: 'tag.tags', type: 'any', meaning: 'Tags of the span' },
    { name: 'llm.model_name', type: 'any', meaning: 'Model that was called' },
    { name: 'llm.provider', type: 'any', meaning: 'Provider that hosts the model' },
    { name: 'llm.system', type: 'any', meaning: 'Vendor of the model' },
    { name: 'llm.token_count.prompt', type: 'number', meaning: 'Prompt tokens of the span' },
    { name: 'llm.token_count.completion', type: 'number', meaning: 'Completion tokens of the span' },
    { name: 'llm.token_count.total', type: 'number', meaning: 'Tokens of the span' },
    { name: 'cumulative_token_count.prompt', type: 'number', meaning: 'Prompt tokens including descendants' },
    {
      name: 'cumulative_token_count.completion',
      type: 'number',
      meaning: 'Completion tokens including descendants',
    },
    { name: 'cumulative_token_count.total', type: 'number', meaning: 'Tokens including descendants' },
    { name: 'llm.input_messages', type: 'object', meaning: 'Messages to the model by index' },
    { name: 'llm.output_messages', type: 'object', meaning: 'Messages from the model by index' },
    { name: 'llm.invocation_parameters', type: 'any', meaning: 'Parameters of the call, as JSON text' },
    { name: 'llm.prompt_template.template', type: 'any', meaning: 'Template of the prompt' },
    { name: 'llm.prompt_template.variables', type: 'any', meaning: 'Values of the variables in the template' },
    { name: 'llm.prompt_template.version', type: 'any', meaning: 'Version of the template' },
    { name: 'tool.name', type: 'any', meaning: 'Tool that was called' },
    { name: 'tool.description', type: 'any', meaning: 'Description of the tool' },
    { name: 'tool.parameters', type: 'any', meaning: 'Parameters of the tool' },
    { name: 'retrieval.documents', type: 'object', meaning: 'Retrieved documents by index' },
    { name: 'embedding.model_name', type: 'any', meaning: 'Embedding model' },
    { name: 'reranker.model_name', type: 'any', meaning: 'Reranking model' },
    { name: 'reranker.query', type: 'any', meaning: 'Query of the reranker' },
    { name: 'reranker.top_k', type: 'any', meaning: 'Maximum number of documents after reranking' },
  ],
  snippets: [
    { label: 'Root spans', text: 'parent_id is None' },
    { label: 'Root spans and spans whose parent is not stored', text: 'parent_span is None' },
    { label: 'Model calls', text: "span_kind == 'LLM'" },
    { label: 'Failed spans', text: "status_code == 'ERROR'" },
    { label: 'Slow spans', text: 'latency_ms >= 10_000' },
    { label: 'Many tokens', text: 'llm.token_count.total >= 1_000' },
    { label: 'Text in the input', text: "'agent' in input.value" },
    { label: 'Text in the output', text: "'agent' in output.value" },
    { label: 'A value of the metadata', text: "metadata['topic'] == 'agent'" },
    { label: 'Annotated with a label', text: "annotations['Hallucination'].label == 'hallucinated'" },
    { label: 'Annotated with a score', text: "annotations['Hallucination'].score >= 0.5" },
    { label: 'Without an annotation', text: "not annotations['Hallucination']" },
  ],
};
