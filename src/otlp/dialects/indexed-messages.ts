import type { ExactJson } from '../../base/exact-json.ts';
import { TRANSLATED_MESSAGE_COUNT_MAX } from '../../model/limits/spans.ts';
import type { Message, ToolCall } from './message.ts';
import { readMessages } from './read-messages.ts';
import { asText, indexedItems, type SpanView } from './span-view.ts';

/** Messages of `gen_ai.prompt.<index>.<key>` (OpenLLMetry before 0.50, litellm). */
export const indexedPrompt = (span: SpanView): Message[] | undefined => indexed(span, 'gen_ai.prompt.', 'user');

/** Messages of `gen_ai.completion.<index>.<key>`. */
export const indexedCompletion = (span: SpanView): Message[] | undefined =>
  indexed(span, 'gen_ai.completion.', 'assistant');

function indexed(span: SpanView, prefix: string, role: 'user' | 'assistant'): Message[] | undefined {
  const items = span.indexed(prefix).slice(-TRANSLATED_MESSAGE_COUNT_MAX);
  return items.length === 0 ? undefined : items.flatMap((item) => toMessages(item, role));
}

function toMessages(item: ReadonlyMap<string, ExactJson>, defaultRole: 'user' | 'assistant'): Message[] {
  const text = (key: string) => {
    const value = item.get(key);
    return value === undefined ? undefined : asText(value);
  };
  const role = text('role') ?? defaultRole;
  const toolCalls = indexedItems(below(item, 'tool_calls.')).map(toToolCall);
  const functionName = text('function_call.name');
  if (functionName !== undefined)
    toolCalls.push({ name: functionName, arguments: item.get('function_call.arguments') });
  const content = item.get('content');
  const read = content === undefined ? [] : (readMessages([{ role, content }], defaultRole) ?? []);
  const [first, ...others] = read;
  const reasoning = text('reasoning') ?? text('reasoning_content');
  return [
    {
      role: first?.role ?? role,
      toolCallId: text('tool_call_id') ?? first?.toolCallId,
      contents: [
        ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
        ...(first?.contents ?? []),
      ],
      toolCalls: [...(first?.toolCalls ?? []), ...toolCalls],
    },
    ...others,
  ];
}

const below = (item: ReadonlyMap<string, ExactJson>, prefix: string): Map<string, ExactJson> =>
  new Map([...item].flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])));

function toToolCall(call: ReadonlyMap<string, ExactJson>): ToolCall {
  const id = call.get('id');
  const name = call.get('name') ?? call.get('function.name');
  return {
    id: id === undefined ? undefined : asText(id),
    name: name === undefined ? undefined : asText(name),
    arguments: call.get('arguments') ?? call.get('function.arguments'),
  };
}
