import { MODEL_PROVIDERS, type ModelProvider } from '../prompts/prompt-parameters.ts';

export interface KnownModel {
  readonly name: string;
  readonly providerKey: ModelProvider;
}

/**
 * Names that the playground suggests. Any other name works too. Azure's deployments and the models of Fireworks have names
 * of their owners, and every installation of Ollama has others.
 */
const NAMES: Readonly<Record<ModelProvider, readonly string[]>> = {
  OPENAI: [
    ...['gpt-5.1', 'gpt-5.1-chat-latest', 'gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'gpt-5-chat-latest', 'gpt-5-pro'],
    ...['gpt-4.1', 'gpt-4.1-mini', 'gpt-4.1-nano', 'gpt-4o', 'gpt-4o-mini', 'o4-mini', 'o3', 'o3-mini', 'o1', 'o1-pro'],
    ...['gpt-4-turbo', 'gpt-4', 'gpt-3.5-turbo'],
  ],
  AZURE_OPENAI: [],
  ANTHROPIC: [
    ...['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5', 'claude-opus-4-1', 'claude-opus-4-0'],
    ...['claude-sonnet-4-0', 'claude-3-7-sonnet-latest', 'claude-3-5-haiku-latest', 'claude-3-haiku-20240307'],
  ],
  GOOGLE: [
    ...['gemini-3-pro-preview', 'gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.5-flash-lite', 'gemini-2.0-flash'],
    'gemini-2.0-flash-lite',
  ],
  DEEPSEEK: ['deepseek-chat', 'deepseek-reasoner'],
  XAI: ['grok-4', 'grok-4-fast', 'grok-4-1-fast', 'grok-code-fast-1', 'grok-3', 'grok-3-fast', 'grok-3-mini'],
  OLLAMA: ['llama3.3', 'llama3.2', 'llama3.1', 'qwen3', 'qwen2.5', 'gemma3', 'mistral', 'phi4', 'codellama'],
  AWS: [
    ...['anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic.claude-haiku-4-5-20251001-v1:0'],
    ...['anthropic.claude-3-5-sonnet-20240620-v1:0', 'anthropic.claude-3-haiku-20240307-v1:0'],
    ...['amazon.nova-premier-v1:0', 'amazon.nova-pro-v1:0', 'amazon.nova-lite-v1:0', 'amazon.nova-micro-v1:0'],
    ...['meta.llama3-3-70b-instruct-v1:0', 'meta.llama3-1-70b-instruct-v1:0', 'mistral.mistral-large-2407-v1:0'],
  ],
  CEREBRAS: ['llama-3.3-70b', 'llama3.1-8b', 'qwen-3-32b', 'gpt-oss-120b'],
  FIREWORKS: [],
  GROQ: [
    ...['llama-3.3-70b-versatile', 'llama-3.1-8b-instant', 'meta-llama/llama-4-maverick-17b-128e-instruct'],
    ...['meta-llama/llama-4-scout-17b-16e-instruct', 'openai/gpt-oss-120b', 'qwen/qwen3-32b'],
    'moonshotai/kimi-k2-instruct',
  ],
  MOONSHOT: ['kimi-k2-turbo-preview', 'kimi-k2-thinking', 'moonshot-v1-8k', 'moonshot-v1-32k', 'moonshot-v1-128k'],
  PERPLEXITY: ['sonar', 'sonar-pro', 'sonar-reasoning', 'sonar-reasoning-pro', 'sonar-deep-research'],
  TOGETHER: [
    ...['meta-llama/Llama-3.3-70B-Instruct-Turbo', 'meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8'],
    ...['meta-llama/Llama-4-Scout-17B-16E-Instruct', 'Qwen/Qwen2.5-72B-Instruct-Turbo', 'deepseek-ai/DeepSeek-V3'],
    'deepseek-ai/DeepSeek-R1',
  ],
};

/** Known models of a provider, or of all. */
export const listKnownModels = (provider: ModelProvider | null): readonly KnownModel[] =>
  MODEL_PROVIDERS.filter((key) => provider === null || key === provider).flatMap((providerKey) =>
    NAMES[providerKey].map((name) => ({ name, providerKey })),
  );
