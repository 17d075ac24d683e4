import { InputError } from '../../errors.ts';
import { JSON_CHARS_MAX } from '../limits.ts';

/** Reads a text as JSON. @throws {InputError} when it is too long or no JSON */
export function parseJson(text: string, name: string): unknown {
  if (text.length > JSON_CHARS_MAX) {
    throw new InputError(
      `Expected at most ${JSON_CHARS_MAX} characters of JSON as '${name}', received ${text.length}. Compare a part of it.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`'${name}' is not valid JSON: ${(error as Error).message}`);
  }
}

export type ParsedJson =
  | { readonly isJson: true; readonly value: unknown }
  | { readonly isJson: false; readonly problem: string };

/** Reads the field `output` as JSON, or says why it is none. */
export function tryParseJson(text: string): ParsedJson {
  try {
    return { isJson: true, value: parseJson(text, 'output') };
  } catch (error) {
    if (error instanceof InputError) return { isJson: false, problem: error.message };
    throw error;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text that is equal for equal JSON values: without white space, keys in order. */
export function toCanonicalText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
