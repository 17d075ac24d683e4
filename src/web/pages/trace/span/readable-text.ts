import { at, type Json, list, parseIfJson, text } from '../../../../semconv/read-open-inference.ts';

/** Input or output of a span. */
export interface SpanValue {
  readonly mimeType: 'text' | 'json';
  readonly value: string;
}

/** The words of a side, for a list. */
export function listText(side: SpanValue | null | undefined): string {
  if (!side) return '';
  return readableText(side) ?? side.value;
}

/** What was said, where that can be told from how it was wrapped. */
export const readableText = (side: SpanValue): string | undefined =>
  side.mimeType === 'json' ? sayings(parseIfJson(side.value)) : side.value;

/** Where frameworks put what was said; undefined when it is nowhere. */
const PLACES = ['input', 'query', 'question', 'message', 'content', 'text', 'output', 'answer', 'response', 'result'];

function sayings(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  const messages = list(at(value, 'messages'));
  const last = messages.at(-1);
  const content = text(at(last, 'content'));
  if (content !== undefined) return content;
  for (const place of PLACES) {
    const found = at(value, place);
    if (typeof found === 'string') return found;
  }
  return undefined;
}
