import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import type { CutText } from '../compared.ts';

/** Value of a JSON text. Undefined for another text and for one that is cut off. */
export function parseCell({ text, isJson, isCut }: CutText): Json | undefined {
  if (!isJson || isCut) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Keys under which applications keep the one text that people read. */
const TEXT_KEYS = ['output', 'answer', 'text', 'content', 'result', 'input', 'question', 'query'] as const;

/** The text that people read: the only string of an object, or the last message of a conversation, else the JSON text. */
export function toReadable(cell: CutText): string {
  const value = parseCell(cell);
  return value === undefined ? cell.text : (readableOf(value) ?? cell.text);
}

function readableOf(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return undefined;
  const { messages } = value;
  if (Array.isArray(messages)) {
    const last = messages.at(-1);
    return isObject(last) && typeof last.content === 'string' ? last.content : undefined;
  }
  const keys = Object.keys(value);
  const [first] = Object.values(value);
  if (keys.length === 1 && typeof first === 'string') return first;
  const known = TEXT_KEYS.find((key) => Object.hasOwn(value, key) && typeof value[key] === 'string');
  return known !== undefined && keys.length <= 2 ? (value[known] as string) : undefined;
}

export function toPretty(cell: CutText): string {
  const value = parseCell(cell);
  return value === undefined ? cell.text : JSON.stringify(value, undefined, 1);
}

/** Both sides as objects, which are compared by their paths. Undefined if one of them is not an object. */
export function toObjects(left: CutText, right: CutText): readonly [JsonObject, JsonObject] | undefined {
  const [a, b] = [parseCell(left), parseCell(right)];
  return isObject(a) && isObject(b) ? [a, b] : undefined;
}
