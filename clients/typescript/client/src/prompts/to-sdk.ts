import type { PromptVersionData } from '../generated/api.ts';
import { ArgumentError } from '../http/errors.ts';
import { renderMessages, type Variables } from './render-template.ts';
import { type AiSdkArguments, toAiSdk } from './to-ai-sdk.ts';
import { type AnthropicArguments, toAnthropic } from './to-anthropic.ts';
import { type BedrockArguments, toBedrock } from './to-bedrock.ts';
import { type GoogleArguments, toGoogle } from './to-google.ts';
import { type OpenAiArguments, toOpenAi } from './to-openai.ts';
import { type ResponsesArguments, toResponses } from './to-responses.ts';

/** Name of a vendor's library → the arguments of its call. */
export interface SdkArguments {
  openai: OpenAiArguments;
  'openai-responses': ResponsesArguments;
  anthropic: AnthropicArguments;
  ai: AiSdkArguments;
  google: GoogleArguments;
  bedrock: BedrockArguments;
}

const CONVERSIONS = new Map<string, (rendered: Parameters<typeof toOpenAi>[0]) => SdkArguments[keyof SdkArguments]>([
  ['openai', toOpenAi],
  ['openai-responses', toResponses],
  ['anthropic', toAnthropic],
  ['ai', toAiSdk],
  ['google', toGoogle],
  ['bedrock', toBedrock],
]);

/** The library that fits the provider of a prompt. Azure and vendors with the interface of OpenAI use its library. */
export const PROVIDER_TO_SDK = {
  OPENAI: 'openai',
  AZURE_OPENAI: 'openai',
  ANTHROPIC: 'anthropic',
  GOOGLE: 'google',
  AWS: 'bedrock',
  DEEPSEEK: 'openai',
  XAI: 'openai',
  OLLAMA: 'openai',
  CEREBRAS: 'openai',
  FIREWORKS: 'openai',
  GROQ: 'openai',
  MOONSHOT: 'openai',
  PERPLEXITY: 'openai',
  TOGETHER: 'openai',
} as const;

/**
 * The arguments of a call of a vendor's library, with values in place of the variables.
 *
 * @throws {MissingVariableError} when a variable has no value, unless `missingVariables` is `keep`
 * @throws {ArgumentError} when the library has no place for a part of the prompt
 */
export function toSDK<Sdk extends keyof SdkArguments>({
  sdk,
  prompt,
  variables = {},
  missingVariables = 'error',
}: {
  readonly sdk: Sdk;
  readonly prompt: PromptVersionData;
  readonly variables?: Variables;
  readonly missingVariables?: 'error' | 'keep';
}): SdkArguments[Sdk] {
  const convert = CONVERSIONS.get(sdk);
  if (!convert) throw new ArgumentError(`Unknown sdk ${sdk}. Known: ${[...CONVERSIONS.keys()].join(', ')}.`);
  const { template, template_format: format } = prompt;
  if (template.type !== 'chat') throw new ArgumentError('The prompt is one text; calls of models need messages.');
  const messages = renderMessages(template.messages, { format, variables, missingVariables });
  return convert({ version: prompt, messages }) as SdkArguments[Sdk];
}
