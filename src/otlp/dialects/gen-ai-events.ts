import { type ExactJson, isJsonObject, newJsonObject } from '../../base/exact-json.ts';
import type { Message } from './message.ts';
import { readMessages } from './read-messages.ts';
import { type Attributes, fieldOf, parseIfJson, type SpanView } from './span-view.ts';

/** Roles of the events with one message each, of the conventions from 1.28 to 1.36. */
const ROLE_OF_EVENT: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};

/** Names of the event that contains all messages of a call. */
const DETAILS = ['gen_ai.client.inference.operation.details', 'gen_ai.client.operation.details'];

export interface EventMessages {
  input: Message[] | undefined;
  output: Message[] | undefined;
}

/** Messages in the events of a span, and in the attribute `events` of Logfire, which contains the same as JSON. */
export function messagesOfEvents(span: SpanView): EventMessages {
  const input: Message[] = [];
  const output: Message[] = [];
  for (const { name, body } of eventsOf(span)) {
    if (DETAILS.includes(name)) {
      input.push(...(readMessages(fieldOf(body, 'gen_ai.input.messages'), 'user') ?? []));
      output.push(...(readMessages(fieldOf(body, 'gen_ai.output.messages'), 'assistant') ?? []));
    } else if (name === 'gen_ai.content.prompt') input.push(...messageOf('user', fieldOf(body, 'gen_ai.prompt')));
    else if (name === 'gen_ai.content.completion')
      output.push(...messageOf('assistant', fieldOf(body, 'gen_ai.completion')));
    else if (name === 'gen_ai.choice') output.push(...choiceOf(body));
    else if (Object.hasOwn(ROLE_OF_EVENT, name)) input.push(...one(ROLE_OF_EVENT[name] ?? 'user', body));
  }
  // Logfire sends the response of the Responses API as one more message of the assistant.
  const last = input.at(-1);
  if (output.length === 0 && last?.role === 'assistant' && span.has('events')) output.push(...input.splice(-1));
  return { input: input.length === 0 ? undefined : input, output: output.length === 0 ? undefined : output };
}

function* eventsOf(span: SpanView): Generator<{ name: string; body: ExactJson }> {
  for (const { name, attributes } of span.events) yield { name, body: toObject(attributes) };
  const listed = span.json('events');
  for (const event of Array.isArray(listed) ? listed : []) {
    const name = fieldOf(event, 'event.name', 'name');
    if (typeof name === 'string') yield { name, body: fieldOf(event, 'body') ?? event };
  }
}

function toObject(attributes: Attributes): ExactJson {
  const object = newJsonObject();
  for (const [key, value] of attributes) object[key] = value;
  return object;
}

function messageOf(role: 'user' | 'assistant', value: ExactJson | undefined): Message[] {
  if (value === undefined) return [];
  return readMessages(value, role) ?? one(role, { content: value });
}

/** A message whose content may be a text, parts, or JSON text of either. */
function one(role: string, body: ExactJson): Message[] {
  if (!isJsonObject(body)) return [];
  const content = fieldOf(body, 'content', 'gen_ai.event.content');
  const toolCalls = fieldOf(body, 'tool_calls');
  const message = {
    ...body,
    role: typeof body.role === 'string' ? body.role : role,
    ...(content === undefined ? {} : { content: contentOf(content) }),
    ...(toolCalls === undefined ? {} : { tool_calls: parseIfJson(toolCalls) }),
  };
  return readMessages([message], role === 'assistant' ? 'assistant' : 'user') ?? [];
}

/** Parts, or a text. An object that is no message is the input of a tool, and shown as JSON. */
function contentOf(content: ExactJson): ExactJson {
  const parsed = parseIfJson(content);
  return Array.isArray(parsed) ? parsed : content;
}

function choiceOf(body: ExactJson): Message[] {
  const message = fieldOf(body, 'message');
  const parsed = message === undefined ? body : parseIfJson(message);
  if (isJsonObject(parsed)) return one('assistant', parsed);
  return one('assistant', { ...(isJsonObject(body) ? body : {}), content: parsed });
}
