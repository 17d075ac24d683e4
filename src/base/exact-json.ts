/**
 * JSON read and written so that numbers come out as they came in: `JSON.parse` turns 9007199254740993 into
 * ...992, and `1.0` into `1`. A number that a double does not print back as it was written is kept as its text.
 */
export type ExactJson = null | boolean | number | string | ExactNumber | ExactJson[] | ExactJsonObject;

/** Without a prototype, so that a key `__proto__` or `constructor` is a key like any other. */
export interface ExactJsonObject {
  [key: string]: ExactJson;
}

/** A number kept as it was written: an integer beyond 2^53, `1.0`, `1e5`, `-0`. */
export class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  valueOf(): number {
    return Number(this.text);
  }
  /** `JSON.stringify` cannot print it; `toExactJsonText` can. */
  toJSON(): never {
    throw EXACT_NUMBER_MET;
  }
}

/** A number of parsed JSON, whichever way it was written. */
export type ExactNumeric = number | ExactNumber;

/** The text is no JSON. `offset` counts Unicode characters, as the public clients' JSON readers do. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** The text nests deeper than the caller allows. */
export class JsonDepthError extends Error {
  override readonly name = 'JsonDepthError';
}

/** The text has more values or more different keys than the caller allows. */
export class JsonSizeError extends Error {
  override readonly name = 'JsonSizeError';
}

export interface ExactJsonOptions {
  /** Lists and objects inside each other. */
  readonly depthMax: number;
  /** `NaN`, `Infinity` and `-Infinity`, which Python writes and JSON does not know, are read as null. */
  readonly takesNonFinite?: boolean;
  /** Values of the text, and different keys: one that no other object has takes microseconds to keep, and to print again. */
  readonly valueCountMax?: number;
  readonly keyCountMax?: number;
  /** The values of other keys are read and dropped. */
  readonly keys?: ReadonlySet<string>;
}

/** Compact JSON text; exact numbers as they were written. */
export function toExactJsonText(value: ExactJson): string {
  try {
    // Several times as fast, and most values hold no exact number.
    return JSON.stringify(value);
  } catch (error) {
    if (error !== EXACT_NUMBER_MET) throw error;
    return beginExactJsonText(value, Number.POSITIVE_INFINITY);
  }
}

/** The text of a value, or where that is longer than `charsMax` a beginning of it that is longer too. */
export function beginExactJsonText(value: ExactJson, charsMax: number): string {
  if (typeof value === 'string') return JSON.stringify(value.length > charsMax ? value.slice(0, charsMax + 1) : value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof ExactNumber) return value.text;
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  let separator = '';
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const item = (value as Record<string | number, ExactJson | undefined>)[key];
    if (item === undefined && !isList) continue;
    text += isList ? separator : `${separator}${JSON.stringify(key)}:`;
    if (text.length > charsMax) return text;
    text += beginExactJsonText(item as ExactJson, charsMax - text.length);
    separator = ',';
  }
  return text + (isList ? ']' : '}');
}

const EXACT_NUMBER_MET = new Error('JSON.stringify met an ExactNumber: print it with toExactJsonText');

/** An object, not a list, number or null. */
export const isJsonObject = (value: unknown): value is ExactJsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** `Object.create(null)` would do, but V8 keeps such objects as hash tables, which take five times as long to fill and walk. */
const Keys = function Keys() {} as unknown as new () => object;
Keys.prototype = Object.create(null);

/** For objects made key by key from what came from outside. */
export const newJsonObject = (): ExactJsonObject => new Keys() as ExactJsonObject;
