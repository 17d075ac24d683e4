import type { ExactJsonObject, ExactNumeric } from '../../base/exact-json.ts';

export const MODEL_PROVIDERS = [
  'OPENAI',
  'AZURE_OPENAI',
  'ANTHROPIC',
  'GOOGLE',
  'DEEPSEEK',
  'XAI',
  'OLLAMA',
  'AWS',
  'CEREBRAS',
  'FIREWORKS',
  'GROQ',
  'MOONSHOT',
  'PERPLEXITY',
  'TOGETHER',
] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Kinds of parameters with the fields of OpenAI's. They are stored as `openai`. */
export const OPENAI_FAMILY = [
  'openai',
  'azure_openai',
  'deepseek',
  'xai',
  'ollama',
  'cerebras',
  'fireworks',
  'groq',
  'moonshot',
  'perplexity',
  'together',
] as const;

/**
 * Parameters of a model call by family. Fields that were not sent are absent. Vendor fields that are unknown here are
 * in `extra_body`.
 */
export type InvocationParameters =
  | { readonly type: 'openai'; readonly openai: OpenAiParameters }
  | { readonly type: 'anthropic'; readonly anthropic: AnthropicParameters }
  | { readonly type: 'google'; readonly google: GoogleParameters }
  | { readonly type: 'aws'; readonly aws: AwsParameters };

export type ParameterFamily = InvocationParameters['type'];

/** The same parameters under the name of any kind, as clients send them: `{"type": "deepseek", "deepseek": {…}}`. */
export interface SentParameters {
  readonly type: (typeof OPENAI_FAMILY)[number] | ParameterFamily;
  readonly [type: string]: unknown;
}

export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export const OUTPUT_EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export const THINKING_DISPLAYS = ['summarized', 'omitted'] as const;
export const THINKING_LEVELS = ['minimal', 'low', 'medium', 'high'] as const;

export interface OpenAiParameters {
  readonly temperature?: ExactNumeric;
  readonly max_tokens?: ExactNumeric;
  readonly max_completion_tokens?: ExactNumeric;
  readonly frequency_penalty?: ExactNumeric;
  readonly presence_penalty?: ExactNumeric;
  readonly top_p?: ExactNumeric;
  readonly seed?: ExactNumeric;
  readonly stop?: readonly string[];
  readonly reasoning_effort?: (typeof REASONING_EFFORTS)[number];
  readonly extra_body?: ExactJsonObject;
}

export interface AnthropicParameters {
  readonly max_tokens: ExactNumeric;
  readonly temperature?: ExactNumeric;
  readonly top_p?: ExactNumeric;
  readonly stop_sequences?: readonly string[];
  readonly output_config?: { readonly effort?: (typeof OUTPUT_EFFORTS)[number] };
  readonly thinking?: AnthropicThinking;
  readonly extra_body?: ExactJsonObject;
}

type ThinkingDisplay = (typeof THINKING_DISPLAYS)[number];

export type AnthropicThinking =
  | { readonly type: 'disabled' }
  | { readonly type: 'enabled'; readonly budget_tokens: ExactNumeric; readonly display?: ThinkingDisplay }
  | { readonly type: 'adaptive'; readonly display?: ThinkingDisplay };

export const THINKING_BUDGET_TOKENS_MIN = 1_024;

export interface GoogleParameters {
  readonly temperature?: ExactNumeric;
  readonly max_output_tokens?: ExactNumeric;
  readonly stop_sequences?: readonly string[];
  readonly presence_penalty?: ExactNumeric;
  readonly frequency_penalty?: ExactNumeric;
  readonly top_p?: ExactNumeric;
  readonly top_k?: ExactNumeric;
  readonly thinking_config?: {
    readonly thinking_budget?: ExactNumeric;
    readonly thinking_level?: (typeof THINKING_LEVELS)[number];
    readonly include_thoughts?: boolean;
  };
}

export interface AwsParameters {
  readonly max_tokens?: ExactNumeric;
  readonly temperature?: ExactNumeric;
  readonly top_p?: ExactNumeric;
  readonly stop_sequences?: readonly string[];
}

/** Converts every kind of OpenAI's family to its single name. */
export function toFamily(sent: SentParameters): InvocationParameters {
  const { type } = sent;
  const family = type === 'anthropic' || type === 'google' || type === 'aws' ? type : 'openai';
  return { type: family, [family]: sent[type] } as unknown as InvocationParameters;
}

/** The parameter family of a provider's models. */
export function familyOf(provider: ModelProvider): ParameterFamily {
  if (provider === 'ANTHROPIC') return 'anthropic';
  if (provider === 'GOOGLE') return 'google';
  return provider === 'AWS' ? 'aws' : 'openai';
}

/** Returns a contradiction between fields of these parameters, or undefined. */
export function anthropicProblem({ max_tokens, thinking }: AnthropicParameters): string | undefined {
  return thinking?.type === 'enabled' && Number(thinking.budget_tokens) >= Number(max_tokens)
    ? 'The thinking budget must be less than max tokens.'
    : undefined;
}
