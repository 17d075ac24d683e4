import { type ExactJson, newJsonObject } from '../../base/exact-json.ts';
import type { SpanKind } from '../../semconv/span-kinds.ts';
import type { Dialect, TokenCounts, Translation } from './dialect.ts';
import { toolSchema } from './gen-ai.ts';
import type { Message } from './message.ts';
import { providerOf } from './provider.ts';
import { readMessages } from './read-messages.ts';
import { toMetadata } from './read-values.ts';
import { asText, parseIfJson, type SpanView, unquoted } from './span-view.ts';

/** Spans of the AI SDK of Vercel, versions 4 to 6. Version 7 sends `gen_ai` attributes. */
export const AI_SDK: Dialect = {
  name: 'ai-sdk',
  prefixes: ['ai.operationId', 'ai.model.', 'ai.prompt', 'ai.response.', 'ai.toolCall.', 'ai.usage.', 'ai.telemetry.'],
  kindOf,
  translate(span, kind) {
    const metadata = span.below('ai.telemetry.metadata.');
    const text = (...keys: string[]) => {
      for (const key of keys) if (metadata.has(key)) return asText(metadata.get(key) ?? '');
      return undefined;
    };
    return {
      ...(kind === 'LLM' || kind === 'EMBEDDING' ? modelCall(span) : undefined),
      ...(kind === 'TOOL' ? toolCall(span) : valuesOf(span, kind)),
      agentName: kind === 'AGENT' ? span.text('ai.telemetry.functionId') : undefined,
      firstTokenMs: span.number('ai.response.msToFirstChunk', 'ai.stream.msToFirstChunk'),
      finishReason: span.text('ai.response.finishReason', 'ai.finishReason'),
      sessionId: text('sessionId', 'session_id', 'threadId'),
      userId: text('userId', 'user_id'),
      metadata: toMetadata(metadata),
    };
  },
};

/** A span of one request is named after the operation around it, such as `ai.streamText.doStream`. */
function kindOf(span: SpanView): SpanKind | undefined {
  const operation = span.text('ai.operationId');
  if (operation === undefined) return undefined;
  if (operation === 'ai.toolCall') return 'TOOL';
  const [, of, request] = /^ai\.(\w+)(?:\.(do\w+))?/.exec(operation) ?? [];
  if (of === undefined) return 'CHAIN';
  if (request === undefined) return of === 'generateText' || of === 'streamText' ? 'AGENT' : 'CHAIN';
  if (of.startsWith('embed')) return 'EMBEDDING';
  return of === 'rerank' ? 'RERANKER' : 'LLM';
}

function modelCall(span: SpanView): Translation {
  const parameters = newJsonObject();
  for (const [name, value] of span.below('ai.settings.')) if (name !== 'maxRetries') parameters[name] = value;
  return {
    model: span.text('ai.response.model', 'gen_ai.response.model', 'ai.model.id'),
    ...providerOf(span.text('ai.model.provider')),
    tokens: tokensOf(span),
    ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
    tools: toolsOf(span),
  };
}

function tokensOf(span: SpanView): TokenCounts {
  const usage = (...names: string[]) => span.count(...names.map((name) => `ai.usage.${name}`));
  const prompt = usage('inputTokens', 'promptTokens', 'tokens') ?? span.count('gen_ai.usage.input_tokens');
  const completion = usage('outputTokens', 'completionTokens') ?? span.count('gen_ai.usage.output_tokens');
  return {
    prompt,
    completion,
    total: prompt !== undefined && completion !== undefined ? prompt + completion : usage('totalTokens'),
    cacheRead: usage('inputTokenDetails.cacheReadTokens', 'cachedInputTokens'),
    cacheWrite: usage('inputTokenDetails.cacheWriteTokens'),
    reasoning: usage('outputTokenDetails.reasoningTokens', 'reasoningTokens'),
  };
}

function toolsOf(span: SpanView): ExactJson[] | undefined {
  const tools = span.json('ai.prompt.tools');
  return Array.isArray(tools) ? tools.map(toolSchema) : undefined;
}

function toolCall(span: SpanView): Translation {
  const given = span.value('ai.toolCall.args', 'ai.toolCall.input');
  const result = span.value('ai.toolCall.result', 'ai.toolCall.output');
  return {
    tool: { name: span.text('ai.toolCall.name'), id: span.text('ai.toolCall.id'), parameters: given },
    input: given,
    output: result === undefined ? undefined : unquoted(result),
  };
}

function valuesOf(span: SpanView, kind: SpanKind | undefined): Translation {
  if (kind === 'EMBEDDING' || span.has('ai.value', 'ai.values')) {
    const value = span.value('ai.value', 'ai.values');
    return { input: Array.isArray(value) ? value.map(parseIfJson) : value && unquoted(value) };
  }
  const inputMessages =
    readMessages(span.value('ai.prompt.messages'), 'user') ?? readMessages(span.value('ai.prompt'), 'user');
  const outputMessages = responseOf(span);
  return kind === 'LLM' ? { inputMessages, outputMessages } : withoutMessages(span, inputMessages, outputMessages);
}

function responseOf(span: SpanView): Message[] | undefined {
  const text = span.text('ai.response.text', 'ai.result.text');
  const reasoning = span.text('ai.response.reasoning');
  const object = span.value('ai.response.object', 'ai.result.object');
  const calls = span.json('ai.response.toolCalls', 'ai.result.toolCalls');
  const content: ExactJson[] = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...(object === undefined ? [] : [{ type: 'text', text: asText(object) }]),
  ];
  const toolCalls = Array.isArray(calls) ? calls : [];
  if (content.length === 0 && toolCalls.length === 0) return undefined;
  return readMessages([{ role: 'assistant', content, tool_calls: toolCalls }], 'assistant');
}

/** An agent or a chain has the texts of the conversation, and its model calls have the messages. */
function withoutMessages(span: SpanView, input: Message[] | undefined, output: Message[] | undefined): Translation {
  const last = (messages: Message[] | undefined, role: string) => {
    const texts = messages?.findLast((message) => message.role === role)?.contents ?? [];
    return texts.flatMap((content) => (content.type === 'text' ? [content.text] : [])).join('\n\n') || undefined;
  };
  return {
    input: last(input, 'user') ?? span.value('ai.prompt', 'ai.prompt.messages'),
    output: last(output, 'assistant') ?? span.value('ai.response.toolCalls'),
  };
}
