import type { Json, JsonObject } from '../../../semconv/read-open-inference.ts';

/** What a version sends to a model, as the REST API names it. The server has checked its form. */
export interface VersionContent {
  readonly model_provider: string;
  readonly model_name: string;
  readonly template_format: 'MUSTACHE' | 'F_STRING' | 'NONE';
  readonly template:
    | { readonly type: 'chat'; readonly messages: readonly ContentMessage[] }
    | { readonly type: 'string'; readonly template: string };
  readonly invocation_parameters: { readonly type: string } & Readonly<Record<string, Json>>;
  readonly tools: ContentTools | null;
  readonly response_format: { readonly type: string; readonly json_schema: ContentSchema } | null;
}

export interface ContentMessage {
  readonly role: string;
  readonly content: string | readonly MessagePart[];
}

export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_call'; readonly tool_call_id: string; readonly tool_call: ContentToolCall }
  | { readonly type: 'tool_result'; readonly tool_call_id: string; readonly tool_result: Json }
  | { readonly type: 'image'; readonly image: { readonly url: string } };

interface ContentToolCall {
  readonly name: string;
  readonly arguments: string;
}

export interface ContentTools {
  readonly tools: readonly ContentTool[];
  readonly tool_choice?: { readonly type: string; readonly function_name?: string };
  readonly disable_parallel_tool_calls?: boolean;
}

export type ContentTool =
  | { readonly type: 'function'; readonly function: ContentFunction }
  | { readonly type: 'raw'; readonly raw: JsonObject };

export interface ContentFunction {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
}

export interface ContentSchema {
  readonly name: string;
  readonly description?: string;
  readonly schema?: JsonObject;
  readonly strict?: boolean;
}

export const toVersionContent = (content: unknown): VersionContent => content as VersionContent;

/** Messages of a template. A text template is one message of the user. */
export const messagesOf = ({ template }: VersionContent): readonly ContentMessage[] =>
  template.type === 'chat' ? template.messages : [{ role: 'user', content: template.template }];

/** Parts of a message. A text is one part. */
export const partsOf = ({ content }: ContentMessage): readonly MessagePart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** Parameters of the call without the name of their family. */
export function parametersOf({ invocation_parameters: parameters }: VersionContent): JsonObject {
  const { type } = parameters;
  return Object.hasOwn(parameters, type) ? (parameters[type] as JsonObject) : {};
}

const ROLE_LABELS: ReadonlyMap<string, string> = new Map([
  ['user', 'User'],
  ['system', 'System'],
  ['developer', 'System'],
  ['assistant', 'AI'],
  ['model', 'AI'],
  ['ai', 'AI'],
  ['tool', 'Tool'],
]);

export const roleLabel = (role: string): string => ROLE_LABELS.get(role) ?? role;

const PROVIDER_LABELS: ReadonlyMap<string, string> = new Map([
  ['OPENAI', 'OpenAI'],
  ['AZURE_OPENAI', 'Azure OpenAI'],
  ['ANTHROPIC', 'Anthropic'],
  ['GOOGLE', 'Google'],
  ['DEEPSEEK', 'DeepSeek'],
  ['XAI', 'xAI'],
  ['OLLAMA', 'Ollama'],
  ['AWS', 'AWS Bedrock'],
  ['CEREBRAS', 'Cerebras'],
  ['FIREWORKS', 'Fireworks'],
  ['GROQ', 'Groq'],
  ['MOONSHOT', 'Moonshot'],
  ['PERPLEXITY', 'Perplexity'],
  ['TOGETHER', 'Together'],
]);

export const providerLabel = (provider: string): string => PROVIDER_LABELS.get(provider) ?? provider;
