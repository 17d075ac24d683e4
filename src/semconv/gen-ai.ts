import type { SpanKind } from './span-kinds.ts';

/** `gen_ai.operation.name` of OpenTelemetry and the span kind of OpenInference that says the same. */
export const KIND_OF_OPERATION: Readonly<Record<string, SpanKind>> = {
  chat: 'LLM',
  text_completion: 'LLM',
  generate_content: 'LLM',
  embeddings: 'EMBEDDING',
  execute_tool: 'TOOL',
  retrieval: 'RETRIEVER',
  invoke_agent: 'AGENT',
  create_agent: 'AGENT',
};

/** `gen_ai.provider.name` and what `llm.provider` and `llm.system` call it; a name that is not here is the system. */
export const NAMES_OF_PROVIDER: Readonly<Record<string, { readonly provider?: string; readonly system?: string }>> = {
  openai: { provider: 'openai', system: 'openai' },
  anthropic: { provider: 'anthropic', system: 'anthropic' },
  cohere: { provider: 'cohere', system: 'cohere' },
  mistral_ai: { provider: 'mistralai', system: 'mistralai' },
  deepseek: { provider: 'deepseek' },
  groq: { provider: 'groq' },
  perplexity: { provider: 'perplexity' },
  x_ai: { provider: 'xai' },
  'azure.ai.openai': { provider: 'azure', system: 'openai' },
  'azure.ai.inference': { provider: 'azure' },
  'aws.bedrock': { provider: 'aws' },
  'gcp.vertex_ai': { provider: 'google', system: 'vertexai' },
  'gcp.gen_ai': { provider: 'google' },
  'gcp.gemini': { provider: 'google' },
};

/** `gen_ai.request.<name>` and the invocation parameter that it becomes. */
export const INVOCATION_PARAMETERS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  max_tokens: 'max_tokens',
  frequency_penalty: 'frequency_penalty',
  presence_penalty: 'presence_penalty',
  seed: 'seed',
  stream: 'stream',
  'choice.count': 'n',
  stop_sequences: 'stop',
};
