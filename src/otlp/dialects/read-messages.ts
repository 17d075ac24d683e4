import { type ExactJson, type ExactJsonObject, isJsonObject } from '../../base/exact-json.ts';
import { MESSAGE_NESTING_MAX, TRANSLATED_MESSAGE_COUNT_MAX } from '../../model/limits/spans.ts';
import type { Content, Message, ToolCall } from './message.ts';
import { readPart } from './read-parts.ts';
import { asText, fieldOf, parseIfJson, textIn } from './span-view.ts';

/** Members that contain the messages of a request or response, by preference. */
const LISTS_OF_MESSAGES = ['messages', 'input', 'contents', 'choices', 'output', 'candidates', 'generations'] as const;
/** Members that contain one message. */
const MESSAGES = ['message', 'kwargs', 'data', 'delta', 'content'] as const;

/**
 * Messages in any of the forms that libraries send: a list of messages or items, one message, or the body of a request to or response
 * of a vendor (OpenAI, Anthropic, Google, Bedrock, LangChain). A value that has no such form is no message; an element of a list
 * that has none becomes a message with its JSON, so that the others stay.
 *
 * @param role of messages that name none
 */
export function readMessages(value: ExactJson | undefined, role: 'user' | 'assistant'): Message[] | undefined {
  if (value === undefined) return undefined;
  const messages = find(parseIfJson(value), role, 0);
  if (messages === undefined || messages.length === 0) return undefined;
  return messages.length > TRANSLATED_MESSAGE_COUNT_MAX ? messages.slice(-TRANSLATED_MESSAGE_COUNT_MAX) : messages;
}

function find(value: ExactJson, role: string, depth: number): Message[] | undefined {
  if (depth > MESSAGE_NESTING_MAX) return undefined;
  if (Array.isArray(value)) return readList(value, role, depth);
  if (!isJsonObject(value)) return undefined;
  if (isMessage(value)) return toMessages(value, role);
  for (const name of LISTS_OF_MESSAGES) {
    const list = fieldOf(value, name);
    if (list === undefined) continue;
    const text = typeof list === 'string' ? [textMessage(role, list)] : undefined;
    const messages = text ?? (typeof list === 'object' ? find(list, roleOfList(name, role), depth + 1) : undefined);
    if (messages !== undefined && messages.length > 0) return [...readSystem(value), ...messages];
  }
  for (const name of MESSAGES) {
    const inner = fieldOf(value, name);
    if (isJsonObject(inner)) {
      const messages = find({ ...inner, role: inner.role ?? roleOfType(value) ?? null }, role, depth + 1);
      if (messages !== undefined) return messages;
    }
  }
  const prompt = textIn(value, 'prompt');
  return prompt === undefined ? undefined : [...readSystem(value), textMessage('user', prompt)];
}

function readList(items: readonly ExactJson[], role: string, depth: number): Message[] | undefined {
  // Batches of LangChain: a list of lists of messages.
  const [only] = items;
  if (items.length === 1 && Array.isArray(only)) return readList(only, role, depth + 1);
  if (items.length > 0 && items.every((item) => isPart(item))) return toMessages({ role, content: [...items] }, role);
  const messages: Message[] = [];
  let readable = 0;
  for (const item of items) {
    const found = typeof item === 'string' ? [textMessage(role, item)] : find(item, role, depth + 1);
    if (found === undefined) messages.push(jsonMessage(role, item));
    else {
      readable += typeof item === 'string' ? 0 : 1;
      messages.push(...found);
    }
  }
  return readable > 0 ? messages : undefined;
}

const textMessage = (role: string, text: string): Message => ({
  role,
  contents: [{ type: 'text', text }],
  toolCalls: [],
});

const jsonMessage = (role: string, json: ExactJson): Message => ({
  role: textIn(json, 'role') ?? role,
  contents: [{ type: 'other', name: 'json', json }],
  toolCalls: [],
});

/** The system prompt beside the messages of a request (Anthropic, Google, AI SDK). */
function readSystem(request: ExactJsonObject): Message[] {
  const system = fieldOf(request, 'system', 'instructions', 'system_instruction', 'systemInstruction', 'config');
  if (system === undefined) return [];
  if (typeof system === 'string') return [textMessage('system', system)];
  if (isJsonObject(system) && !isMessage(system)) return readSystem(system);
  const [message] = toMessages({ role: 'system', ...(isJsonObject(system) ? system : { content: system }) }, 'system');
  return message === undefined ? [] : [{ ...message, role: 'system' }];
}

const roleOfList = (name: string, role: string): string => {
  if (name === 'choices' || name === 'candidates' || name === 'generations' || name === 'output') return 'assistant';
  return name === 'contents' || name === 'input' ? 'user' : role;
};

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  HumanMessage: 'user',
  ai: 'assistant',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  model: 'assistant',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  function: 'tool',
};

const namedRole = (name: string): string => (Object.hasOwn(ROLES, name) ? (ROLES[name] ?? name) : name);

/** Role by the class of a LangChain message: `{"id": ["langchain", …, "HumanMessage"]}` or `{"type": "human"}`. */
function roleOfType(value: ExactJsonObject): string | undefined {
  const path = value.id;
  const last = Array.isArray(path) ? path.at(-1) : value.type;
  return typeof last === 'string' && (Object.hasOwn(ROLES, last) || last === 'system' || last === 'tool')
    ? namedRole(last)
    : undefined;
}

/** An item of OpenAI's Responses API that is no message but stands among them. */
const ITEMS = ['function_call', 'function_call_output', 'reasoning'];

function isMessage(value: ExactJsonObject): boolean {
  if (Array.isArray(value.id) || (isJsonObject(value.data) && roleOfType(value) !== undefined)) return false;
  const hasContent =
    typeof value.content === 'string' ||
    Array.isArray(value.content) ||
    isJsonObject(value.content) ||
    value.content === null;
  if (typeof value.role === 'string')
    return hasContent || hasAny(value, ['parts', 'tool_calls', 'toolCalls', 'function_call']);
  if (typeof value.type === 'string' && ITEMS.includes(value.type)) return true;
  if (Array.isArray(value.parts)) return true;
  if (isJsonObject(value.content) && Array.isArray(value.content.parts)) return false;
  return hasContent && (roleOfType(value) !== undefined || value.type === 'message');
}

const hasAny = (value: ExactJsonObject, names: readonly string[]): boolean =>
  names.some((name) => value[name] !== undefined && value[name] !== null);

/** Whether a value is a part of a message rather than a message. */
const isPart = (value: ExactJson): boolean =>
  isJsonObject(value) &&
  value.role === undefined &&
  !isMessage(value) &&
  ((typeof value.type === 'string' &&
    !hasAny(value, ['content', 'message']) &&
    hasAny(value, ['text', 'thinking', 'input', 'image_url'])) ||
    (typeof value.text === 'string' && Object.keys(value).length === 1) ||
    (typeof value.type === 'string' && value.type === 'text' && typeof value.content === 'string') ||
    isJsonObject(value.toolUse) ||
    isJsonObject(value.toolResult));

/** One message in the result, and one more of the role `tool` for each tool result among its parts. */
function toMessages(value: ExactJsonObject, defaultRole: string): Message[] {
  if (value.type === 'function_call_output') {
    return [{ ...textMessage('tool', asText(fieldOf(value, 'output') ?? '')), toolCallId: textIn(value, 'call_id') }];
  }
  const isItem = value.type === 'function_call' || value.type === 'reasoning';
  const isNamed = typeof value.role === 'string' && value.role !== '' && value.role !== 'unknown';
  const named = isNamed ? String(value.role) : roleOfType(value);
  const role = namedRole(named ?? (isItem ? 'assistant' : defaultRole));
  const contents: Content[] = [];
  const toolCalls: ToolCall[] = [];
  const toolMessages: Message[] = [];
  const thinking = textIn(value, 'reasoning_content', 'reasoning', 'thinking');
  if (thinking !== undefined) contents.push({ type: 'reasoning', text: thinking });
  for (const part of isItem ? [value] : partsOf(value)) {
    const read = readPart(part);
    if (read.kind === 'content') contents.push(read.content);
    else if (read.kind === 'toolCall') toolCalls.push(read.toolCall);
    else
      toolMessages.push({ role: 'tool', name: read.name, toolCallId: read.id, contents: read.contents, toolCalls: [] });
  }
  const calls = fieldOf(value, 'tool_calls', 'toolCalls');
  for (const call of Array.isArray(calls) ? calls : []) {
    const read = readToolCall(call);
    // LangChain repeats the calls among the parts of the content.
    if (!toolCalls.some(({ id }) => id !== undefined && id === read.id)) toolCalls.push(read);
  }
  const legacyCall = fieldOf(value, 'function_call');
  if (isJsonObject(legacyCall)) toolCalls.push(readToolCall(legacyCall));
  const toolCallId = textIn(value, 'tool_call_id', 'toolCallId', ...(role === 'tool' ? ['id'] : []));
  const isResult = role === 'tool' || toolMessages.length > 0;
  if (isResult && contents.length === 0 && toolCalls.length === 0 && toolMessages.length > 0) return toolMessages;
  const message = { role, name: isItem ? undefined : textIn(value, 'name'), toolCallId, contents, toolCalls };
  return [message, ...toolMessages];
}

function partsOf(value: ExactJsonObject): readonly ExactJson[] {
  const parts = fieldOf(value, 'parts', 'content');
  if (parts === undefined) return [];
  if (Array.isArray(parts)) return parts;
  // A list of parts as text (Strands, OpenLLMetry).
  const parsed = typeof parts === 'string' && /^\s*\[\s*\{/.test(parts) ? parseIfJson(parts) : parts;
  return Array.isArray(parsed) && parsed.every(isJsonObject) ? parsed : [parts];
}

/** A tool call of OpenAI (`{id, function: {name, arguments}}`), LangChain (`{id, name, args}`) or the AI SDK. */
function readToolCall(call: ExactJson): ToolCall {
  const target = isJsonObject(call) && isJsonObject(call.function) ? call.function : call;
  return {
    id: textIn(call, 'id', 'toolCallId', 'call_id'),
    name: textIn(target, 'name', 'toolName'),
    arguments: fieldOf(target, 'arguments', 'args', 'input'),
  };
}
