import { familyOf, type ModelProvider, type ParameterFamily } from '../prompts/prompt-parameters.ts';
import type { OpenAIApiType } from './custom-provider.ts';

/** Parameters that several vendors have under different names. */
export type CanonicalParameter =
  | 'TEMPERATURE'
  | 'MAX_COMPLETION_TOKENS'
  | 'STOP_SEQUENCES'
  | 'TOP_P'
  | 'RANDOM_SEED'
  | 'RESPONSE_FORMAT'
  | 'REASONING_EFFORT'
  | 'ANTHROPIC_EXTENDED_THINKING';

/** A parameter of a model call that a user may set, as the vendor's API defines it. */
export interface OfferedParameter {
  readonly type: 'boundedFloat' | 'int' | 'json' | 'string' | 'stringList';
  readonly name: string;
  readonly canonicalName: CanonicalParameter | null;
  readonly label: string;
  readonly isRequired?: true;
  readonly default?: number;
  /** Minimum and maximum of a `boundedFloat`. */
  readonly bounds?: readonly [number, number];
}

const temperature = (greatest: number): OfferedParameter => ({
  type: 'boundedFloat',
  name: 'temperature',
  canonicalName: 'TEMPERATURE',
  label: 'Temperature',
  default: 1,
  bounds: [0, greatest],
});
const maxTokens = (name: string): OfferedParameter => ({
  type: 'int',
  name,
  canonicalName: 'MAX_COMPLETION_TOKENS',
  label:
    name === 'max_tokens' ? 'Max tokens' : name === 'max_output_tokens' ? 'Max output tokens' : 'Max completion tokens',
});
const stop = (name: string): OfferedParameter => ({
  type: 'stringList',
  name,
  canonicalName: 'STOP_SEQUENCES',
  label: 'Stop sequences',
});
const penalty = (kind: 'frequency' | 'presence'): OfferedParameter => ({
  type: 'boundedFloat',
  name: `${kind}_penalty`,
  canonicalName: null,
  label: kind === 'frequency' ? 'Frequency penalty' : 'Presence penalty',
  default: 0,
  bounds: [-2, 2],
});
const TOP_P: OfferedParameter = {
  type: 'boundedFloat',
  name: 'top_p',
  canonicalName: 'TOP_P',
  label: 'Top P',
  default: 1,
  bounds: [0, 1],
};
const SEED: OfferedParameter = { type: 'int', name: 'seed', canonicalName: 'RANDOM_SEED', label: 'Seed' };
const EXTRA_BODY: OfferedParameter = { type: 'json', name: 'extra_body', canonicalName: null, label: 'Extra body' };

/** Parameters of OpenAI's reasoning models, which reject sampling parameters. */
const OPENAI_REASONING: readonly OfferedParameter[] = [
  { type: 'string', name: 'reasoning_effort', canonicalName: 'REASONING_EFFORT', label: 'Reasoning effort' },
  maxTokens('max_completion_tokens'),
  SEED,
  EXTRA_BODY,
];

const OF_FAMILY: Readonly<Record<ParameterFamily, readonly OfferedParameter[]>> = {
  openai: [
    temperature(2),
    maxTokens('max_tokens'),
    maxTokens('max_completion_tokens'),
    penalty('frequency'),
    penalty('presence'),
    stop('stop'),
    TOP_P,
    SEED,
    EXTRA_BODY,
  ],
  anthropic: [
    { ...maxTokens('max_tokens'), isRequired: true, default: 1_024 },
    temperature(1),
    stop('stop_sequences'),
    TOP_P,
    { type: 'json', name: 'thinking', canonicalName: 'ANTHROPIC_EXTENDED_THINKING', label: 'Thinking' },
    EXTRA_BODY,
  ],
  google: [
    temperature(2),
    maxTokens('max_output_tokens'),
    stop('stop_sequences'),
    penalty('presence'),
    penalty('frequency'),
    TOP_P,
    { type: 'int', name: 'top_k', canonicalName: null, label: 'Top K' },
    { type: 'json', name: 'thinking_config', canonicalName: null, label: 'Thinking' },
  ],
  aws: [maxTokens('max_tokens'), temperature(1), TOP_P, stop('stop_sequences')],
};

/**
 * Parameters of a model call. Without a provider, those of OpenAI's API, which most vendors use. The API of responses
 * accepts sampling parameters for every model.
 */
export function offeredParameters(
  provider: ModelProvider | undefined,
  name: string,
  api: OpenAIApiType = 'chat_completions',
): readonly OfferedParameter[] {
  const family = familyOf(provider ?? 'OPENAI');
  if (family === 'openai') {
    if (api === 'responses') return [...OPENAI_REASONING, temperature(2), TOP_P];
    return isReasoningModel(name) ? OPENAI_REASONING : OF_FAMILY.openai;
  }
  const offered = OF_FAMILY[family];
  if (family === 'anthropic' && isBeforeThinking(name)) return offered.filter((one) => one.name !== 'thinking');
  // Newer models reject penalties.
  if (/gemini-(?:2\.5|[3-9])/.test(name)) return offered.filter((one) => !one.name.endsWith('_penalty'));
  return offered;
}

/** Whether a name is one of OpenAI's reasoning models. */
export const isReasoningModel = (name: string): boolean => /^(?:o\d|gpt-5)(?!.*-chat)/.test(name);

/** Claude thinks from version 3.7 on. */
const isBeforeThinking = (name: string): boolean => /claude-(?:2|v2|instant|3-(?:5|opus|sonnet|haiku))/i.test(name);
