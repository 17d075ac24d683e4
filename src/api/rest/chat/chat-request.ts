import { type Static, Type } from '@sinclair/typebox';
import type { ExactNumeric } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { ProviderSdk } from '../../../model/models/custom-provider.ts';
import type { ChatTask } from '../../../model/playground/chat-task.ts';
import {
  familyOf,
  type InvocationParameters,
  MODEL_PROVIDERS,
  type ModelProvider,
} from '../../../model/prompts/prompt-parameters.ts';
import type { Domain } from '../../../domain/domain.ts';
import { rowIdOf } from '../../contract/global-id.ts';
import { AnyJson, ExactFloat, ExactInteger, JsonObject, Nullable, OneOf, TextOr } from '../schema.ts';

const Part = Type.Object({ type: OneOf(['text']), text: Type.String() });

const Message = Type.Object({
  role: OneOf(['system', 'developer', 'user', 'assistant']),
  content: TextOr<Static<typeof Part>[]>(Type.Array(Part)),
});

const optional = <Schema extends Parameters<typeof Nullable>[0]>(schema: Schema) => Type.Optional(Nullable(schema));

/** Other fields that clients of OpenAI send are ignored. */
export const ChatRequest = Type.Object({
  model: Type.String({ description: '`<provider>:<model>`, or `custom:<ID of a custom provider>:<model>`.' }),
  messages: Type.Array(Message, { minItems: 1 }),
  stream: optional(Type.Boolean()),
  stream_options: optional(Type.Object({ include_usage: optional(Type.Boolean()) })),
  temperature: optional(ExactFloat()),
  top_p: optional(ExactFloat()),
  max_tokens: optional(ExactInteger()),
  max_completion_tokens: optional(ExactInteger()),
  stop: optional(TextOr<string[]>(Type.Array(Type.String()))),
  frequency_penalty: optional(ExactFloat()),
  presence_penalty: optional(ExactFloat()),
  seed: optional(ExactInteger()),
  n: optional(Type.Integer()),
  tools: optional(AnyJson({ description: 'Not supported.' })),
  tool_choice: optional(AnyJson({ description: 'Not supported.' })),
  response_format: optional(JsonObject({ description: 'Only `{"type": "text"}`.' })),
});
export type ChatRequest = Static<typeof ChatRequest>;

/** Why this server does not carry out a valid request. */
export function unsupportedPart({ tools, tool_choice, n, response_format, stream, stream_options }: ChatRequest) {
  if (isGiven(tools) || isGiven(tool_choice)) return 'tools and tool_choice are not supported';
  if (isGiven(n) && n !== 1) return 'n must be 1';
  if (response_format && response_format.type !== 'text') return 'response_format must be of the type text';
  if (stream_options && stream !== true) return 'stream_options needs stream';
  return undefined;
}

const isGiven = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined;

/** @throws {SpandrelError} `MODEL_NOT_FOUND` when the name leads to no provider */
export async function toChatTask(request: ChatRequest, { providers }: Pick<Domain, 'providers'>): Promise<ChatTask> {
  const [head = '', ...rest] = request.model.split(':');
  const isCustom = head.toLowerCase() === 'custom';
  const found = isCustom ? await findCustom(rest.shift() ?? '', providers) : findProvider(head);
  const modelName = rest.join(':');
  if (found === undefined || modelName === '') {
    throw new SpandrelError('MODEL_NOT_FOUND', `The model '${request.model}' does not exist`);
  }
  const { modelProvider, customProviderId } = found;
  return {
    prompt: {
      modelProvider,
      modelName,
      customProviderId,
      template: { type: 'chat', messages: request.messages.map(toMessage) },
      templateFormat: 'NONE',
      invocationParameters: toParameters(request, modelProvider),
      tools: null,
      responseFormat: null,
    },
    promptVersionRowId: null,
    promptName: null,
    connection: null,
    headers: null,
    isStreamed: request.stream === true,
  };
}

const toMessage = ({ role, content }: ChatRequest['messages'][number]) => ({
  role,
  content:
    typeof content === 'string' || content.length === 0 ? [{ type: 'text' as const, text: String(content) }] : content,
});

interface FoundProvider {
  readonly modelProvider: ModelProvider;
  readonly customProviderId: number | null;
}

function findProvider(name: string): FoundProvider | undefined {
  const modelProvider = MODEL_PROVIDERS.find((one) => one === name.toUpperCase());
  return modelProvider && { modelProvider, customProviderId: null };
}

/** The first provider whose prompts an SDK serves. */
const PROVIDER_OF_SDK: Readonly<Record<ProviderSdk, ModelProvider>> = {
  openai: 'OPENAI',
  azure_openai: 'AZURE_OPENAI',
  anthropic: 'ANTHROPIC',
  aws_bedrock: 'AWS',
  google_genai: 'GOOGLE',
};

async function findCustom(id: string, providers: Domain['providers']): Promise<FoundProvider | undefined> {
  const rowId = rowIdOf('GenerativeModelCustomProvider', id);
  const provider = rowId === undefined ? undefined : (await providers.findByRowIds([rowId])).get(rowId);
  return provider && { modelProvider: PROVIDER_OF_SDK[provider.sdk], customProviderId: provider.rowId };
}

/** Largest response of a model of Anthropic for a request that states none. */
const ANTHROPIC_MAX_TOKENS = 1_024;

/** Parameters that the family of the model does not know are left out. */
function toParameters(request: ChatRequest, provider: ModelProvider): InvocationParameters {
  const { temperature, top_p, frequency_penalty, presence_penalty, seed } = request;
  const maxTokens = request.max_completion_tokens ?? request.max_tokens;
  const stop = typeof request.stop === 'string' ? [request.stop] : request.stop;
  const common = { temperature, top_p };
  switch (familyOf(provider)) {
    case 'anthropic':
      return {
        type: 'anthropic',
        anthropic: {
          max_tokens: (maxTokens ?? ANTHROPIC_MAX_TOKENS) as ExactNumeric,
          ...given({ ...common, stop_sequences: stop }),
        },
      };
    case 'google':
      return {
        type: 'google',
        google: given({
          ...common,
          ...{ frequency_penalty, presence_penalty, max_output_tokens: maxTokens, stop_sequences: stop },
        }),
      };
    case 'aws':
      return { type: 'aws', aws: given({ ...common, max_tokens: maxTokens, stop_sequences: stop }) };
    default:
      return {
        type: 'openai',
        openai: given({ ...common, frequency_penalty, presence_penalty, seed, max_completion_tokens: maxTokens, stop }),
      };
  }
}

type Given<Fields> = { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> };
const given = <Fields extends object>(fields: Fields): Given<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value))) as Given<Fields>;
