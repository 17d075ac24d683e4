import { type ExactJson, ExactNumber, toExactJsonText } from '../base/exact-json.ts';
import { type AttributePath, NUMERIC_TEXT } from './spans/span-filter.ts';

/** The value at a path. Undefined if there is none, and for JSON null. */
export function attributeAt(attributes: ExactJson, path: AttributePath): ExactJson | undefined {
  let value: ExactJson | undefined = attributes;
  for (const step of path) {
    if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return undefined;
    if (Array.isArray(value)) value = typeof step === 'number' ? value[step] : undefined;
    else value = typeof step === 'string' && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value ?? undefined;
}

/** A text unchanged; any other value as JSON without blanks, with numbers as they were written. */
export const attributeToText = (value: ExactJson): string =>
  typeof value === 'string' ? value : toExactJsonText(value);

/** A number, or a text that contains one, as a finite double. Null for other values. */
export function attributeToNumber(value: ExactJson): number | null {
  if (typeof value === 'number') return value;
  const text = value instanceof ExactNumber ? value.text : value;
  if (typeof text !== 'string' || !NUMERIC_TEXT.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** `true` or `1`, `false` or `0`, as a value or a text in any case. Null for other values. */
export function attributeToBoolean(value: ExactJson): boolean | null {
  switch (attributeToText(value).toLowerCase()) {
    case 'true':
    case '1':
      return true;
    case 'false':
    case '0':
      return false;
    default:
      return null;
  }
}
