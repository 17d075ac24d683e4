/**
 * JSON that keeps numbers as they were written: `JSON.parse` turns 9007199254740993 into ...992, and `1.0` into `1`. A
 * number that a double would print differently becomes a text.
 */
export type ExactJson = null | boolean | number | string | ExactNumber | ExactJson[] | ExactJsonObject;

/** An object without a prototype, so that `__proto__` and `constructor` are ordinary keys. */
export interface ExactJsonObject {
  [key: string]: ExactJson;
}

/** A number as written: an integer beyond 2^53, `1.0`, `1e5`, `-0`. */
export class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  valueOf(): number {
    return Number(this.text);
  }
  /** `JSON.stringify` cannot print this number; `toExactJsonText` can. */
  toJSON(): never {
    throw EXACT_NUMBER_MET;
  }
}

/** A number of parsed JSON in either form. */
export type ExactNumeric = number | ExactNumber;

/** The text is not JSON. `offset` counts Unicode characters, as the JSON readers of the public clients do. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** The text is nested more deeply than the caller allows. */
export class JsonDepthError extends Error {
  override readonly name = 'JsonDepthError';
}

/** The text has more values or more distinct keys than the caller allows. */
export class JsonSizeError extends Error {
  override readonly name = 'JsonSizeError';
}

export interface ExactJsonOptions {
  /** Maximum nesting of lists and objects. */
  readonly depthMax: number;
  /** Reads `NaN`, `Infinity` and `-Infinity`, which Python writes but JSON does not allow, as null. */
  readonly takesNonFinite?: boolean;
  /**
   * Maximum number of values, and of distinct keys. A key that no other object has takes microseconds to store and to
   * print.
   */
  readonly valueCountMax?: number;
  readonly keyCountMax?: number;
  /** Values of other keys are read and dropped. */
  readonly keys?: ReadonlySet<string>;
  /** The text was written by this program, so its strings have no control characters and are not searched for them. */
  readonly isStored?: boolean;
}

/** Compact JSON text. Exact numbers keep their digits. */
export function toExactJsonText(value: ExactJson): string {
  try {
    // `JSON.stringify` is several times as fast, and most values contain no exact number.
    return JSON.stringify(value);
  } catch (error) {
    if (error !== EXACT_NUMBER_MET) throw error;
    return beginExactJsonText(value, Number.POSITIVE_INFINITY);
  }
}

/**
 * The text of a value. If it is longer than `charsMax`, the result may be a prefix that is longer than `charsMax` too.
 */
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

/** True for an object, but not for a list, a number or null. */
export const isJsonObject = (value: unknown): value is ExactJsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/**
 * A constructor, because V8 stores the objects of `Object.create(null)` as hash tables, which are five times slower to
 * fill and iterate.
 */
const Keys = function Keys() {} as unknown as new () => object;
Keys.prototype = Object.create(null);

/** Returns an empty object for keys that come from outside. */
export const newJsonObject = (): ExactJsonObject => new Keys() as ExactJsonObject;
