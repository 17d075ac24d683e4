import type { PromptVersion, PromptVersionData } from '../generated/api.ts';
import { ArgumentError } from '../http/errors.ts';

export type ModelProvider = PromptVersionData['model_provider'];
export type TemplateFormat = PromptVersionData['template_format'];
export type ChatTemplate = Extract<PromptVersion['template'], { type: 'chat' }>;
/** A message of a prompt, as it is stored. */
export type PromptMessage = ChatTemplate['messages'][number];
export type PromptPart = Exclude<PromptMessage['content'], string>[number];
export type PromptTools = NonNullable<PromptVersionData['tools']>;
export type PromptResponseFormat = NonNullable<PromptVersionData['response_format']>;
type Parameters = PromptVersionData['invocation_parameters'];
type ParametersOf<Type extends Parameters['type']> =
  Extract<Parameters, { type: Type }> extends infer Found ? Found[Type & keyof Found] : never;

/** Provider → the type of its invocation parameters. */
const PARAMETER_TYPES = {
  OPENAI: 'openai',
  AZURE_OPENAI: 'azure_openai',
  ANTHROPIC: 'anthropic',
  GOOGLE: 'google',
  DEEPSEEK: 'deepseek',
  XAI: 'xai',
  OLLAMA: 'ollama',
  AWS: 'aws',
  CEREBRAS: 'cerebras',
  FIREWORKS: 'fireworks',
  GROQ: 'groq',
  MOONSHOT: 'moonshot',
  PERPLEXITY: 'perplexity',
  TOGETHER: 'together',
} as const satisfies Record<ModelProvider, Parameters['type']>;

/** What a version of a prompt is made of. Anthropic needs `invocationParameters` with `max_tokens`. */
export interface PromptVersionInput<Provider extends ModelProvider = ModelProvider> {
  readonly modelProvider: Provider;
  readonly modelName: string;
  readonly template: readonly PromptMessage[];
  /** Default `MUSTACHE`. */
  readonly templateFormat?: TemplateFormat;
  readonly description?: string;
  readonly invocationParameters?: ParametersOf<(typeof PARAMETER_TYPES)[Provider]>;
  readonly tools?: PromptTools;
  readonly responseFormat?: PromptResponseFormat;
}

/**
 * A version of a prompt as the server stores it.
 *
 * @throws {ArgumentError} for an unknown provider, or for Anthropic without `max_tokens`
 */
export function promptVersion<Provider extends ModelProvider>({
  modelProvider,
  modelName,
  template,
  templateFormat = 'MUSTACHE',
  description = '',
  invocationParameters,
  tools,
  responseFormat,
}: PromptVersionInput<Provider>): PromptVersionData {
  if (!Object.hasOwn(PARAMETER_TYPES, modelProvider)) {
    throw new ArgumentError(
      `Unknown model provider ${modelProvider}. Known: ${Object.keys(PARAMETER_TYPES).join(', ')}.`,
    );
  }
  const type = PARAMETER_TYPES[modelProvider];
  const parameters = (invocationParameters ?? {}) as { readonly max_tokens?: number };
  if (type === 'anthropic' && parameters.max_tokens === undefined) {
    throw new ArgumentError('A prompt of ANTHROPIC needs invocationParameters with max_tokens.');
  }
  return {
    description,
    model_provider: modelProvider,
    model_name: modelName,
    template_type: 'CHAT',
    template_format: templateFormat,
    template: { type: 'chat', messages: [...template] },
    invocation_parameters: { type, [type]: parameters } as Parameters,
    ...(tools && { tools }),
    ...(responseFormat && { response_format: responseFormat }),
  };
}
