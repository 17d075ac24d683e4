import { at, type Json, list, parseIfJson, text } from '../../../../semconv/read-open-inference.ts';

/** Input or output of a span. */
export interface SpanValue {
  readonly mimeType: 'text' | 'json';
  readonly value: string;
}

/** Text of a span's input or output for a list. Empty without one. */
export function listText(value: SpanValue | null | undefined): string {
  if (!value) return '';
  return readableText(value) ?? value.value;
}

/** Extracts the text of an input or output from the JSON of known frameworks. Undefined if there is none. */
export const readableText = (value: SpanValue): string | undefined =>
  value.mimeType === 'json' ? textIn(parseIfJson(value.value)) : value.value;

/** Keys in which frameworks store the text. */
const TEXT_KEYS = [
  'input',
  'query',
  'question',
  'message',
  'content',
  'text',
  'output',
  'answer',
  'response',
  'result',
];

function textIn(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  const messages = list(at(value, 'messages'));
  const last = messages.at(-1);
  const content = text(at(last, 'content'));
  if (content !== undefined) return content;
  for (const key of TEXT_KEYS) {
    const found = at(value, key);
    if (typeof found === 'string') return found;
  }
  return undefined;
}
