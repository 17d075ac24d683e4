import { type ExactJson, ExactNumber, isJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { INDEXED_ITEM_COUNT_MAX, TRANSLATED_JSON_CHARS_MAX, VALUE_DEPTH_MAX } from '../../model/limits/spans.ts';
import { integerOfNumber, integerOfText } from '../attributes/token-count.ts';

/** Attributes by their keys as sent, without nulls. */
export type Attributes = ReadonlyMap<string, ExactJson>;

export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** A span as a dialect reads it: attributes and events with values of any type, which are unchecked. */
export class SpanView {
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];

  constructor(attributes: Attributes, events: readonly SpanEvent[]) {
    this.attributes = attributes;
    this.events = events;
  }

  has(...keys: string[]): boolean {
    return keys.some((key) => this.attributes.has(key));
  }

  hasPrefix(prefix: string): boolean {
    for (const key of this.attributes.keys()) if (key.startsWith(prefix)) return true;
    return false;
  }

  /** The first of these attributes that is present. */
  value(...keys: string[]): ExactJson | undefined {
    for (const key of keys) {
      const value = this.attributes.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The first of these attributes that is a text and not empty. */
  text(...keys: string[]): string | undefined {
    for (const key of keys) {
      const value = this.attributes.get(key);
      if (typeof value === 'string' && value !== '') return value;
    }
    return undefined;
  }

  /** Like `value`, where a text that is JSON is parsed. */
  json(...keys: string[]): ExactJson | undefined {
    const value = this.value(...keys);
    return value === undefined ? undefined : parseIfJson(value);
  }

  /** The first of these attributes that is a whole number, also as text. Negative counts are absent. */
  count(...keys: string[]): bigint | undefined {
    for (const key of keys) {
      const count = countOf(this.attributes.get(key));
      if (count !== undefined) return count;
    }
    return undefined;
  }

  number(...keys: string[]): number | undefined {
    for (const key of keys) {
      const number = numberOf(this.attributes.get(key));
      if (number !== undefined) return number;
    }
    return undefined;
  }

  /** Attributes below a prefix, by the rest of their keys. */
  below(prefix: string): Map<string, ExactJson> {
    const found = new Map<string, ExactJson>();
    for (const [key, value] of this.attributes) if (key.startsWith(prefix)) found.set(key.slice(prefix.length), value);
    return found;
  }

  /** Items of a list that was sent as `<prefix><index>.<key>`, in order. Missing indexes are skipped. */
  indexed(prefix: string): Map<string, ExactJson>[] {
    return indexedItems(this.below(prefix));
  }
}

/** Groups `<index>.<key>` by index. */
export function indexedItems(values: ReadonlyMap<string, ExactJson>): Map<string, ExactJson>[] {
  const items = new Map<number, Map<string, ExactJson>>();
  for (const [key, value] of values) {
    const [, digits, rest] = /^(\d{1,9})(?:\.(.+))?$/s.exec(key) ?? [];
    if (digits === undefined) continue;
    const index = Number(digits);
    let item = items.get(index);
    if (item === undefined) {
      if (items.size === INDEXED_ITEM_COUNT_MAX) continue;
      item = new Map();
      items.set(index, item);
    }
    item.set(rest ?? '', value);
  }
  return [...items].sort(([one], [other]) => one - other).map(([, item]) => item);
}

/** A text that is a JSON object, list or string is parsed, other values are unchanged. */
export function parseIfJson(value: ExactJson): ExactJson {
  if (typeof value !== 'string' || value.length > TRANSLATED_JSON_CHARS_MAX || !/^\s*[[{"]/.test(value)) return value;
  try {
    return parseExactJson(value, { depthMax: VALUE_DEPTH_MAX });
  } catch {
    return value;
  }
}

/** JSON text that is a string becomes that string. Other values are unchanged. */
export function unquoted(value: ExactJson): ExactJson {
  const parsed = parseIfJson(value);
  return typeof parsed === 'string' ? parsed : value;
}

/** A text unchanged, any other value as JSON text. */
export const asText = (value: ExactJson): string => (typeof value === 'string' ? value : toExactJsonText(value));

export const textIn = (object: ExactJson | undefined, ...keys: string[]): string | undefined => {
  if (!isJsonObject(object)) return undefined;
  for (const key of keys) {
    const value = object[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
};

export const fieldOf = (object: ExactJson | undefined, ...keys: string[]): ExactJson | undefined => {
  if (!isJsonObject(object)) return undefined;
  for (const key of keys) {
    const value = object[key];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
};

export function countOf(value: ExactJson | undefined): bigint | undefined {
  const count =
    typeof value === 'string'
      ? integerOfText(value)
      : value instanceof ExactNumber && /^\d{1,19}$/.test(value.text)
        ? BigInt(value.text)
        : typeof value === 'number' || value instanceof ExactNumber
          ? integerOfNumber(Number(value))
          : undefined;
  return count === undefined || count < 0n || BigInt.asIntN(64, count) !== count ? undefined : count;
}

export function numberOf(value: ExactJson | undefined): number | undefined {
  const isNumeric =
    typeof value === 'number' ||
    value instanceof ExactNumber ||
    (typeof value === 'string' && /^-?\d+(\.\d+)?(e-?\d+)?$/i.test(value));
  if (!isNumeric) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

export function stringsOf(value: ExactJson | undefined): string[] | undefined {
  const parsed = value === undefined ? undefined : parseIfJson(value);
  if (typeof parsed === 'string') return [parsed];
  return Array.isArray(parsed) ? parsed.filter((item) => typeof item === 'string') : undefined;
}
