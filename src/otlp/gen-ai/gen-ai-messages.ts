import type { ExactJson } from '../../base/exact-json.ts';
import { asText, isObject } from './json-values.ts';

type MessageAttributes = (readonly [string, string])[];

/**
 * Messages of the `gen_ai` conventions, `{role, parts}`, as OpenInference attributes below `prefix`. Undefined if one
 * of them is malformed.
 */
export function toMessageAttributes(
  messages: readonly ExactJson[],
  prefix: string,
  firstIndex: number,
): MessageAttributes | undefined {
  const attributes: MessageAttributes = [];
  for (const [i, message] of messages.entries()) {
    const one = toOneMessage(message);
    if (one === undefined) return undefined;
    for (const [key, value] of one) attributes.push([`${prefix}.${firstIndex + i}.message.${key}`, value]);
  }
  return attributes;
}

function toOneMessage(message: ExactJson): MessageAttributes | undefined {
  if (!isObject(message) || typeof message.role !== 'string') return undefined;
  const parts = message.parts ?? (typeof message.content === 'string' ? [message.content] : undefined);
  if (!Array.isArray(parts)) return undefined;
  const attributes: MessageAttributes = [['role', message.role]];
  const contents: MessageAttributes[] = [];
  let toolCallCount = 0;
  for (const part of parts) {
    const content = toContent(part);
    if (content !== undefined) contents.push(content);
    else if (!isObject(part) || typeof part.type !== 'string') return undefined;
    else if (part.type === 'tool_call') {
      attributes.push(...underPrefix(`tool_calls.${toolCallCount++}.tool_call`, toToolCall(part)));
    } else if (part.type === 'tool_call_response') {
      if (typeof part.id === 'string') attributes.push(['tool_call_id', part.id]);
      contents.push([
        ['type', 'text'],
        ['text', asText(part.response ?? part.result ?? '')],
      ]);
    }
  }
  const [only, ...others] = contents;
  const [type, text] = only ?? [];
  if (others.length === 0 && type?.[1] === 'text' && text) attributes.push(['content', text[1]]);
  else {
    for (const [i, content] of contents.entries()) {
      attributes.push(...underPrefix(`contents.${i}.message_content`, content));
    }
  }
  return attributes;
}

/** Content of a text or image part, with its type first. Undefined for other parts. */
function toContent(part: ExactJson): MessageAttributes | undefined {
  if (typeof part === 'string') return textContent(part);
  if (!isObject(part)) return undefined;
  if ((part.type === 'text' || part.type === 'reasoning') && typeof part.content === 'string') {
    return textContent(part.content);
  }
  const url = imageUrl(part);
  return url === undefined
    ? undefined
    : [
        ['type', 'image'],
        ['image.image.url', url],
      ];
}

const textContent = (text: string): MessageAttributes => [
  ['type', 'text'],
  ['text', text],
];

/** URL of an image, or a data URL if the part contains the image itself. */
function imageUrl(part: { readonly [key: string]: ExactJson }): string | undefined {
  const { type, modality, uri, url, content, data } = part;
  const mimeType = typeof part.mime_type === 'string' ? part.mime_type : undefined;
  const isImage = type === 'image' || modality === 'image' || mimeType?.startsWith('image/');
  if (!isImage) return undefined;
  const address = uri ?? url;
  if (typeof address === 'string') return address;
  const bytes = content ?? data;
  return typeof bytes === 'string' ? `data:${mimeType ?? 'image/png'};base64,${bytes}` : undefined;
}

function toToolCall(part: { readonly [key: string]: ExactJson }): MessageAttributes {
  const call: MessageAttributes = [];
  if (typeof part.id === 'string') call.push(['id', part.id]);
  if (typeof part.name === 'string') call.push(['function.name', part.name]);
  if (part.arguments !== undefined && part.arguments !== null)
    call.push(['function.arguments', asText(part.arguments)]);
  return call;
}

const underPrefix = (prefix: string, attributes: MessageAttributes): MessageAttributes =>
  attributes.map(([key, value]) => [`${prefix}.${key}`, value]);
