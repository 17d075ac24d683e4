import { type ExactJson, type ExactJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { type ContentPart, MESSAGE_ROLES, type PromptMessage } from '../../../model/prompts/prompt-template.ts';
import { isJsonObject } from '../../../model/spans/nested-attributes.ts';
import { decodeJson, textAt } from './attribute-at.ts';

/**
 * Messages of a span (`llm.input_messages`) as messages of a prompt. Undefined when one of them cannot be read; an absent
 * list is empty.
 */
export function readSpanMessages(list: ExactJson | undefined): PromptMessage[] | undefined {
  const decoded = decodeJson(list);
  if (decoded === undefined || decoded === null) return list === undefined || list === null ? [] : undefined;
  if (!Array.isArray(decoded)) return undefined;
  const messages = decoded.map((item) => (isJsonObject(item) ? readMessage(item.message ?? item) : undefined));
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

function readMessage(message: ExactJson): PromptMessage | undefined {
  if (!isJsonObject(message)) return undefined;
  const toolCallId = textAt(message, 'tool_call_id');
  const role = readRole(message.role, toolCallId !== undefined);
  const texts = readContent(message);
  if (texts === undefined) return undefined;
  if (toolCallId !== undefined) {
    const text = texts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
    return { role: 'tool', content: [{ type: 'tool_result', tool_call_id: toolCallId, tool_result: text }] };
  }
  const parts = [...texts, ...readToolCalls(message)];
  const [only] = parts;
  if (parts.length === 0) return { role, content: '' };
  return { role, content: parts.length === 1 && only?.type === 'text' ? only.text : parts };
}

function readRole(role: ExactJson | undefined, isToolResult: boolean): PromptMessage['role'] {
  const word = typeof role === 'string' ? role.toLowerCase() : '';
  if (isToolResult || word === 'function') return 'tool';
  return MESSAGE_ROLES.find((known) => known === word) ?? 'user';
}

/** Texts and images. Undefined when the content has another form. */
function readContent({ content, contents }: ExactJsonObject): ContentPart[] | undefined {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  const list = contents ?? content;
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) return undefined;
  const parts = list.map((item) => readPart(isJsonObject(item) ? (item.message_content ?? item) : item));
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function readPart(part: ExactJson): ContentPart | undefined {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isJsonObject(part)) return undefined;
  if (typeof part.text === 'string') return { type: 'text', text: part.text };
  const url = textAt(part, 'image.image.url') ?? textAt(part, 'image.url') ?? textAt(part, 'image_url.url');
  return url === undefined ? undefined : { type: 'image', image: { url } };
}

function readToolCalls(message: ExactJsonObject): ContentPart[] {
  const list = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return list.flatMap((item, index): ContentPart[] => {
    const call = isJsonObject(item) ? (item.tool_call ?? item) : undefined;
    const name = textAt(call, 'function.name');
    if (!isJsonObject(call) || name === undefined) return [];
    const given = isJsonObject(call.function) ? call.function.arguments : undefined;
    const text = typeof given === 'string' ? given : given === undefined ? '{}' : toExactJsonText(given);
    // Vendors need an ID that results can name.
    const id = textAt(call, 'id') ?? `call_${index}`;
    return [{ type: 'tool_call', tool_call_id: id, tool_call: { type: 'function', name, arguments: text } }];
  });
}
