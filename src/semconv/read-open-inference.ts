// Reads what OpenInference lays down in a span's attributes, for the pages of a span and for the previews in lists. Nothing here trusts them: what does not have the expected
// shape is left out, and stays to be seen among the attributes.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface ToolCall {
  readonly id: string | undefined;
  readonly name: string;
  /** Text as it was sent, usually JSON. */
  readonly arguments: string | undefined;
}

export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'image'; readonly url: string }
  | { readonly type: 'other'; readonly value: Json };

export interface Message {
  readonly role: string;
  readonly name: string | undefined;
  /** ID of the call that the message of a tool responds to. */
  readonly toolCallId: string | undefined;
  readonly parts: readonly MessagePart[];
  readonly toolCalls: readonly ToolCall[];
}

export interface RetrievedDocument {
  readonly id: string | undefined;
  readonly content: string;
  readonly score: number | undefined;
  readonly metadata: Json | undefined;
}

export function parseAttributes(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a dotted path; keys that hold dots are found too. */
export function at(value: Json | undefined, path: string): Json | undefined {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  const dot = path.indexOf('.');
  if (dot < 0) return undefined;
  const head = path.slice(0, dot);
  return Object.hasOwn(value, head) ? at(value[head], path.slice(dot + 1)) : undefined;
}

export function text(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A list; also one that came as an object with indices for keys. */
export function list(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value) || !Object.keys(value).every((key) => /^\d+$/.test(key))) return [];
  return Object.entries(value)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, item]) => item);
}

export function readMessages(value: Json | undefined): readonly Message[] {
  return list(value).flatMap((item) => {
    const message = at(item, 'message') ?? item;
    return isObject(message) ? [readMessage(message)] : [];
  });
}

function readMessage(message: JsonObject): Message {
  const content = message.content;
  const contents = list(at(message, 'contents') ?? (Array.isArray(content) ? content : undefined));
  const plain = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content } as const] : [];
  const legacy = text(at(message, 'function_call_name'));
  return {
    role: text(message.role) ?? 'unknown',
    name: text(message.name),
    toolCallId: text(message.tool_call_id),
    parts: [...contents.map(readPart), ...plain],
    toolCalls: [
      ...list(at(message, 'tool_calls')).flatMap(readToolCall),
      ...(legacy === undefined
        ? []
        : [{ id: undefined, name: legacy, arguments: text(at(message, 'function_call_arguments_json')) }]),
    ],
  };
}

function readPart(item: Json): MessagePart {
  const part = at(item, 'message_content') ?? item;
  const type = text(at(part, 'type'));
  const content = text(at(part, 'text'));
  if (type === 'reasoning' || type === 'thinking') {
    return { type: 'reasoning', text: content ?? text(at(part, 'thinking')) ?? text(at(part, 'reasoning')) ?? '' };
  }
  const url = text(at(part, 'image.image.url')) ?? text(at(part, 'image_url.url')) ?? text(at(part, 'image.url'));
  if (url !== undefined) return { type: 'image', url };
  return content === undefined ? { type: 'other', value: part } : { type: 'text', text: content };
}

function readToolCall(item: Json): readonly ToolCall[] {
  const call = at(item, 'tool_call') ?? item;
  const name = text(at(call, 'function.name')) ?? text(at(call, 'name'));
  if (name === undefined) return [];
  return [{ id: text(at(call, 'id')), name, arguments: text(at(call, 'function.arguments') ?? at(call, 'arguments')) }];
}

/** Text of the last message in a list, optionally of one role. Undefined when no such message has text. */
export function lastMessageText(messages: Json | undefined, role?: string): string | undefined {
  const texts = findLast(messages, role)?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? [];
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}

/** One-line summary of the last message: its text, or else the tools that it calls. */
export function lastGist(messages: Json | undefined, role?: string): string | undefined {
  const calls = findLast(messages, role)?.toolCalls ?? [];
  return (
    lastMessageText(messages, role) ??
    (calls.length > 0 ? calls.map(({ name, arguments: given }) => `${name}(${given ?? ''})`).join(', ') : undefined)
  );
}

const findLast = (messages: Json | undefined, role: string | undefined): Message | undefined =>
  readMessages(parseIfJson(messages)).findLast((message) => role === undefined || message.role === role);

export function readDocuments(value: Json | undefined): readonly RetrievedDocument[] {
  return list(value).flatMap((item) => {
    const document = at(item, 'document') ?? item;
    if (!isObject(document)) return [];
    const score = document.score;
    return [
      {
        id: text(document.id),
        content: text(document.content) ?? '',
        score: typeof score === 'number' ? score : undefined,
        metadata: parseIfJson(document.metadata),
      },
    ];
  });
}

/** Documents in a line, each with its score; undefined for none. */
export function documentsGist(value: Json | undefined): string | undefined {
  const texts = readDocuments(value).map(({ score, content }) =>
    score === undefined ? content : `${score.toFixed(2)} ${content}`,
  );
  return texts.length > 0 ? texts.join(' · ') : undefined;
}

/** A text that holds JSON is read; anything else stays. */
export function parseIfJson(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value;
  if (!/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}
