import { type ExactJson, type ExactJsonObject, isJsonObject } from '../../base/exact-json.ts';
import type { Content, ToolCall } from './message.ts';
import { asText, fieldOf, parseIfJson, textIn } from './span-view.ts';

export type Part =
  | { readonly kind: 'content'; readonly content: Content }
  | { readonly kind: 'toolCall'; readonly toolCall: ToolCall }
  | {
      readonly kind: 'toolResult';
      readonly id?: string | undefined;
      readonly name?: string | undefined;
      readonly contents: readonly Content[];
    };

const content = (value: Content): Part => ({ kind: 'content', content: value });
const text = (value: string): Part => content({ type: 'text', text: value });

const TEXT_TYPES = ['text', 'input_text', 'output_text', 'refusal', 'text_delta'];
const REASONING_TYPES = ['reasoning', 'thinking', 'reasoning_text', 'summary_text', 'redacted_thinking'];
const CALL_TYPES = [
  'tool_call',
  'tool-call',
  'tool_use',
  'function_call',
  'server_tool_call',
  'server_tool_use',
  'toolUse',
];
const RESULT_TYPES = ['tool_call_response', 'tool-result', 'tool_result', 'server_tool_call_response', 'toolResult'];

/** A part of a message in the form of any vendor. A part of an unknown kind is content with its JSON. */
export function readPart(part: ExactJson): Part {
  if (typeof part === 'string') return text(part);
  if (!isJsonObject(part)) return content({ type: 'other', name: 'json', json: part });
  const type = typeof part.type === 'string' ? part.type : undefined;
  return readTyped(part, type) ?? readUntyped(part) ?? content({ type: 'other', name: type ?? 'json', json: part });
}

function readTyped(part: ExactJsonObject, type: string | undefined): Part | undefined {
  if (type === undefined) return undefined;
  if (TEXT_TYPES.includes(type)) {
    const value = fieldOf(part, 'text', 'content', 'refusal');
    return value === undefined ? undefined : text(asText(fieldOf(value, 'value') ?? value));
  }
  if (REASONING_TYPES.includes(type)) return readReasoning(part);
  if (CALL_TYPES.includes(type)) {
    const id = textIn(part, 'call_id', 'id', 'toolCallId', 'tool_call_id');
    const name = textIn(part, 'name', 'toolName');
    return {
      kind: 'toolCall',
      toolCall: { id, name, arguments: fieldOf(part, 'arguments', 'args', 'input', 'server_tool_call') },
    };
  }
  if (RESULT_TYPES.includes(type)) {
    const id = textIn(part, 'id', 'toolCallId', 'tool_use_id', 'tool_call_id');
    const result = fieldOf(part, 'response', 'result', 'output', 'content', 'server_tool_call_response') ?? '';
    return { kind: 'toolResult', id, name: textIn(part, 'toolName', 'name'), contents: resultContents(result) };
  }
  return readMedia(part, type);
}

function readReasoning(part: ExactJsonObject): Part | undefined {
  const value = fieldOf(part, 'content', 'text', 'thinking', 'reasoning', 'summary');
  if (value === undefined) return undefined;
  const texts = Array.isArray(value) ? value.map((item) => textIn(item, 'text') ?? asText(item)) : [asText(value)];
  return content({ type: 'reasoning', text: texts.join('\n\n') });
}

/** Parts of Google and Bedrock, whose member names their type. */
function readUntyped(part: ExactJsonObject): Part | undefined {
  if (typeof part.text === 'string')
    return part.thought === true ? content({ type: 'reasoning', text: part.text }) : text(part.text);
  const call = fieldOf(part, 'functionCall', 'function_call', 'toolUse');
  if (isJsonObject(call)) {
    const id = textIn(call, 'id', 'toolUseId');
    return {
      kind: 'toolCall',
      toolCall: { id, name: textIn(call, 'name'), arguments: fieldOf(call, 'args', 'input', 'arguments') },
    };
  }
  const result = fieldOf(part, 'functionResponse', 'function_response', 'toolResult');
  if (isJsonObject(result)) {
    const contents = resultContents(fieldOf(result, 'response', 'content') ?? '');
    return { kind: 'toolResult', id: textIn(result, 'id', 'toolUseId'), name: textIn(result, 'name'), contents };
  }
  const reasoning = fieldOf(part, 'reasoningContent');
  if (reasoning !== undefined) {
    const value = textIn(fieldOf(reasoning, 'reasoningText') ?? reasoning, 'text');
    if (value !== undefined) return content({ type: 'reasoning', text: value });
  }
  const inline = fieldOf(part, 'inlineData', 'inline_data', 'fileData', 'file_data', 'image');
  return isJsonObject(inline) ? readMedia(inline, 'blob') : undefined;
}

/** The text of a tool's result: the texts of its parts, or its JSON. */
function resultContents(result: ExactJson): Content[] {
  const value = unwrapResult(result);
  if (!Array.isArray(value)) return [{ type: 'text', text: asText(value) }];
  const contents: Content[] = [];
  for (const item of value) {
    const part = readPart(item);
    if (part.kind !== 'content' || part.content.type === 'other') return [{ type: 'text', text: asText(value) }];
    contents.push(part.content);
  }
  return contents;
}

/** `{type: "json", value}` of the AI SDK, `{json}` of Bedrock, and JSON text that is a string. */
function unwrapResult(result: ExactJson): ExactJson {
  if (typeof result === 'string') {
    const parsed = parseIfJson(result);
    return typeof parsed === 'string' ? parsed : result;
  }
  const isWrapped = isJsonObject(result) && typeof result.type === 'string' && result.value !== undefined;
  return (isWrapped ? result.value : undefined) ?? result;
}

/** Images and audio. The bytes of other files are left out, because the part is also stored as it was sent. */
function readMedia(part: ExactJsonObject, type: string): Part | undefined {
  const source = isJsonObject(part.source) ? part.source : part;
  const mimeType = textIn(source, 'mime_type', 'mimeType', 'media_type', 'mediaType', 'format');
  const modality = textIn(part, 'modality') ?? (mimeType?.includes('/') ? mimeType.split('/')[0] : undefined);
  const nested = fieldOf(part, 'image_url', 'input_audio', 'audio', 'image', 'file');
  const bytes = textIn(source, 'content', 'data', 'bytes') ?? textIn(nested, 'data', 'bytes', 'file_data');
  const address =
    textIn(source, 'uri', 'url', 'fileUri', 'file_uri') ??
    textIn(nested, 'url') ??
    (typeof nested === 'string' ? nested : undefined);
  const isImage = modality === 'image' || type === 'image' || type === 'image_url' || type === 'input_image';
  const isAudio = modality === 'audio' || type === 'audio' || type === 'input_audio';
  const location = address ?? bytes;
  if ((isImage || isAudio) && location !== undefined) {
    const mime = mimeType?.includes('/')
      ? mimeType
      : isImage
        ? 'image/png'
        : `audio/${textIn(nested, 'format') ?? mimeType ?? 'wav'}`;
    const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(location);
    const url = isUrl ? location : `data:${mime};base64,${location}`;
    return content(isImage ? { type: 'image', url } : { type: 'audio', url, mimeType: mime });
  }
  if (bytes === undefined || bytes.length < 1_000) return undefined;
  const { content: _content, data: _data, bytes: _bytes, file: _file, source: _source, ...rest } = part;
  return content({
    type: 'other',
    name: type,
    json: { ...rest, ...(mimeType ? { mime_type: mimeType } : {}), base64_chars: bytes.length },
  });
}
