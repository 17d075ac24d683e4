import { ArgumentError } from '../http/errors.ts';

/** A value that spans are filtered by. */
export type AttributeValue = string | number | boolean;

/** `key:value` of the query `attribute`. Texts that read as another JSON value are quoted, so that texts are compared. */
export function toAttributeFilters(
  attributes: Readonly<Record<string, AttributeValue>> | undefined,
): string[] | undefined {
  const filters = Object.entries(attributes ?? {}).map(([key, value]) => `${key}:${toFilterText(key, value)}`);
  return filters.length > 0 ? filters : undefined;
}

function toFilterText(key: string, value: AttributeValue): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ArgumentError(`The value of the attribute ${key} must be a finite number, and is ${value}.`);
  }
  if (typeof value !== 'string') return String(value);
  return isOtherJson(value) ? JSON.stringify(value) : value;
}

function isOtherJson(text: string): boolean {
  if (text === '') return true;
  try {
    return typeof JSON.parse(text) !== 'string';
  } catch {
    return false;
  }
}
