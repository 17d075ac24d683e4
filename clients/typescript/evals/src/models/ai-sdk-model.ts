import { ModelError } from '../errors.ts';
import { ownValue } from '../own-value.ts';
import type { ChatMessage, ContentPart } from './chat-message.ts';
import { parseDataUrl } from './data-url.ts';
import type { AnswerForm, Model, ModelRequest, ModelResponse, ModelUsage } from './model.ts';
import { parseJson } from './parse-json.ts';

/**
 * A language model of the AI SDK, by its interface: specification v2 (AI SDK 5), v3 (AI SDK 6) and later ones of the same
 * shape. The types of a vendor's package fit without importing any.
 */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  // biome-ignore lint/suspicious/noExplicitAny: options differ between specifications
  readonly doGenerate: (options: any) => PromiseLike<any>;
}

export const isAiSdkModel = (value: unknown): value is AiSdkModel =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<AiSdkModel>).doGenerate === 'function' &&
  typeof (value as Partial<AiSdkModel>).modelId === 'string';

/** Packages of vendors translate a schema to a tool themselves when a vendor has no schemas. */
const FORMS: readonly AnswerForm[] = ['schema', 'tool', 'words'];

export function fromAiSdkModel(model: AiSdkModel): Model {
  return {
    provider: model.provider,
    name: model.modelId,
    address: `ai-sdk:${model.provider}`,
    answerForms: FORMS,
    async call(request) {
      try {
        return toResponse(await model.doGenerate(toOptions(request)), request);
      } catch (error) {
        throw toModelError(error);
      }
    },
  };
}

function toOptions({ messages, answer, parameters, signal }: ModelRequest) {
  const { temperature, maxTokens, topP, seed, ...providerOptions } = parameters;
  return {
    prompt: messages.map(toMessage),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(answer?.form === 'schema' && {
      responseFormat: { type: 'json', schema: answer.schema, name: answer.name, description: answer.description },
    }),
    ...(answer?.form === 'tool' && {
      tools: [{ type: 'function', name: answer.name, description: answer.description, inputSchema: answer.schema }],
      toolChoice: { type: 'tool', toolName: answer.name },
    }),
    ...(Object.keys(providerOptions).length > 0 && { providerOptions }),
    ...(signal && { abortSignal: signal }),
  };
}

function toMessage({ role, content }: ChatMessage) {
  const parts: readonly ContentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (role !== 'system') return { role, content: parts.map(toPart) };
  return { role, content: parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') };
}

function toPart(part: ContentPart) {
  if (part.type === 'text') return part;
  const data = parseDataUrl(part.url);
  const name = part.type === 'file' && part.name !== undefined ? { filename: part.name } : {};
  if (data) return { type: 'file', mediaType: data.mediaType, data: data.base64, ...name };
  return {
    type: 'file',
    mediaType: part.type === 'image' ? 'image/*' : 'application/octet-stream',
    data: new URL(part.url),
    ...name,
  };
}

interface AiSdkResult {
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly toolName?: string;
    readonly input?: unknown;
  }[];
  readonly usage?: {
    readonly inputTokens?: unknown;
    readonly outputTokens?: unknown;
    readonly cachedInputTokens?: unknown;
  };
  readonly finishReason?: unknown;
  readonly response?: { readonly headers?: Readonly<Record<string, string>> };
}

function toResponse(result: AiSdkResult, { answer }: ModelRequest): ModelResponse {
  const text = result.content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
  const call = result.content.find((part) => part.type === 'tool-call' && part.toolName === answer?.name);
  const { finishReason } = result;
  const reason = typeof finishReason === 'string' ? finishReason : ownValue(finishReason, 'unified');
  const value = call ? (typeof call.input === 'string' ? parseJson(call.input) : call.input) : parseJson(text);
  return {
    text,
    ...(answer && { value }),
    usage: toUsage(result.usage),
    ...(typeof reason === 'string' && { finishReason: reason }),
    ...(result.response?.headers && { headers: new Headers(result.response.headers) }),
  };
}

function toUsage(usage: AiSdkResult['usage']): ModelUsage {
  const count = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  const { inputTokens: input, outputTokens: output } = usage ?? {};
  const counts = {
    inputTokens: count(input) ?? count(ownValue(input, 'total')),
    outputTokens: count(output) ?? count(ownValue(output, 'total')),
    cacheReadTokens: count(usage?.cachedInputTokens) ?? count(ownValue(input, 'cacheRead')),
    cacheWriteTokens: count(ownValue(input, 'cacheWrite')),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== undefined));
}

function toModelError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { statusCode, responseHeaders } = error as {
    readonly statusCode?: unknown;
    readonly responseHeaders?: unknown;
  };
  if (typeof statusCode !== 'number') return error;
  const headers =
    typeof responseHeaders === 'object' && responseHeaders !== null
      ? new Headers(responseHeaders as Record<string, string>)
      : undefined;
  return new ModelError(`${error.message} (status ${statusCode})`, {
    status: statusCode,
    ...(headers && { headers }),
    cause: error,
  });
}
