import { randomBytes } from 'node:crypto';
import { type ExactJson, type ExactJsonObject, newJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import { CACHED_RESPONSE } from '../../semconv/cached-response.ts';
import { toPromptVersionValue } from '../../semconv/prompt-attributes.ts';
import { CHAT_SPAN_TEXT_CHARS_MAX } from '../../model/limits/chat.ts';
import type { ChatMessage, ChatModel, ChatResponse, SentRequest, TokenUsage } from '../../llm/contract/chat-model.ts';
import type { NewSpan } from '../spans/new-span.ts';
import { newSpanProblem } from '../spans/new-span-problem.ts';
import { messageAttributes } from './message-attributes.ts';

/** Everything that is known about a call when it has ended. */
export interface RecordedCall {
  readonly model: Pick<ChatModel, 'modelName' | 'provider' | 'system'>;
  /** After rendering. */
  readonly messages: readonly ChatMessage[];
  /** Undefined when nothing was sent. */
  readonly sent: SentRequest | undefined;
  readonly response: ChatResponse | undefined;
  /** What arrived before a failure. */
  readonly partialText: string;
  /** The response is that of an earlier call with the same request. */
  readonly isCached?: boolean;
  readonly error: Error | undefined;
  /** Undefined when the messages were not rendered. */
  readonly template: { readonly text: string; readonly variables: ExactJsonObject } | undefined;
  readonly promptVersionRowId: number | null;
  readonly metadata: ExactJsonObject | undefined;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
}

/** The span of a call: the root of a trace of its own. */
export function toChatSpan(call: RecordedCall): NewSpan {
  let span: NewSpan = {
    name: 'ChatCompletion',
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    parentId: null,
    spanKind: 'LLM',
    statusCode: call.error ? 'ERROR' : 'OK',
    statusMessage: call.error?.message ?? '',
    startTimeUnixNano: call.startTimeUnixNano,
    endTimeUnixNano: call.endTimeUnixNano,
    attributes: toAttributes(call),
    events: call.error ? [toException(call.error, call.endTimeUnixNano)] : [],
  };
  // A span has fewer attributes than an example may have messages, or a prompt tools. The body in `input.value` contains them.
  const smaller = [{ messages: [] }, { messages: [], sent: undefined, metadata: undefined }];
  for (const parts of smaller) {
    if (newSpanProblem(span) === undefined) break;
    span = { ...span, attributes: toAttributes({ ...call, ...parts }) };
  }
  return span;
}

function toAttributes(call: RecordedCall): ExactJsonObject {
  const { model, messages, sent, response, template, promptVersionRowId, metadata } = call;
  return cutTexts({
    'openinference.span.kind': 'LLM',
    'llm.model_name': model.modelName,
    'llm.provider': model.provider,
    'llm.system': model.system,
    ...messageAttributes('llm.input_messages', messages),
    ...(sent && sentAttributes(sent)),
    ...(template && {
      'llm.prompt_template.template': template.text,
      'llm.prompt_template.variables': toExactJsonText(template.variables),
    }),
    ...(promptVersionRowId !== null && { 'llm.prompt_template.version': toPromptVersionValue(promptVersionRowId) }),
    ...messageAttributes('llm.output_messages', outputMessages(call)),
    ...(response && {
      'output.value': response.output.text,
      'output.mime_type': response.output.isJson ? 'application/json' : 'text/plain',
      ...tokenAttributes(response.usage),
    }),
    ...(!response && call.partialText !== '' && { 'output.value': call.partialText, 'output.mime_type': 'text/plain' }),
    ...(call.isCached && { [CACHED_RESPONSE]: true }),
    ...(metadata && { metadata }),
  });
}

function sentAttributes({ bodyText, parameters, tools, url }: SentRequest): ExactJsonObject {
  const attributes: ExactJsonObject = {
    'input.value': bodyText,
    'input.mime_type': 'application/json',
    'llm.invocation_parameters': toExactJsonText(parameters),
  };
  tools.forEach((tool, index) => {
    attributes[`llm.tools.${index}.tool.json_schema`] = toExactJsonText(tool);
  });
  return url ? { ...attributes, 'url.full': url.full, 'url.path': url.path } : attributes;
}

function outputMessages({ response, partialText }: RecordedCall): readonly ChatMessage[] {
  const text = response?.text ?? partialText;
  const toolCalls = response?.toolCalls ?? [];
  if (response === undefined && text === '') return [];
  const texts = text === '' ? [] : [{ type: 'text' as const, text }];
  return [
    { role: 'assistant', parts: [...texts, ...toolCalls.map((toolCall) => ({ type: 'toolCall' as const, toolCall }))] },
  ];
}

/** Counts by the names of OpenInference. A count that the vendor does not state is absent. */
function tokenAttributes(usage: TokenUsage): ExactJsonObject {
  const counts: Readonly<Record<string, number | undefined>> = {
    prompt: usage.prompt,
    completion: usage.completion,
    total: usage.total,
    'prompt_details.cache_read': usage.promptCacheRead,
    'prompt_details.cache_write': usage.promptCacheWrite,
    'prompt_details.audio': usage.promptAudio,
    'completion_details.reasoning': usage.completionReasoning,
    'completion_details.audio': usage.completionAudio,
  };
  const attributes = newJsonObject();
  for (const [name, count] of Object.entries(counts)) {
    if (count !== undefined) attributes[`llm.token_count.${name}`] = count;
  }
  return attributes;
}

const toException = ({ name, message }: Error, timeUnixNano: bigint): NewSpan['events'][number] => ({
  name: 'exception',
  timeUnixNano,
  attributes: { 'exception.type': name, 'exception.message': message },
});

function cutTexts(attributes: ExactJsonObject): ExactJsonObject {
  const isLong = (value: ExactJson) => typeof value === 'string' && value.length > CHAT_SPAN_TEXT_CHARS_MAX;
  if (!Object.values(attributes).some(isLong)) return attributes;
  const cut = newJsonObject();
  for (const [name, value] of Object.entries(attributes)) {
    cut[name] = isLong(value) ? `${String(value).slice(0, CHAT_SPAN_TEXT_CHARS_MAX)}…` : value;
  }
  return cut;
}
