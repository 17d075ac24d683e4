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

export interface ExactJsonOptions {
  /** Lists and objects inside each other. */
  readonly depthMax: number;
  /** `NaN`, `Infinity` and `-Infinity`, which Python writes and JSON does not know, are read as null. */
  readonly takesNonFinite?: boolean;
}

/**
 * Reads a JSON text. Of a repeated key the last value stays.
 *
 * @throws {JsonSyntaxError}
 * @throws {JsonDepthError} when lists and objects nest deeper than `depthMax`
 */
export function parseExactJson(text: string, { depthMax, takesNonFinite = false }: ExactJsonOptions): ExactJson {
  let at = 0;

  const fail = (message: string, place = at): never => {
    let offset = 0;
    for (let i = 0; i < place; i++) if (!isLowSurrogate(text.charCodeAt(i))) offset++;
    throw new JsonSyntaxError(message, offset);
  };
  const skipBlanks = () => {
    for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; ) {
      code = text.charCodeAt(++at);
    }
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const readWord = <Value>(word: string, value: Value): Value => {
    if (!text.startsWith(word, at)) fail('Expecting value');
    at += word.length;
    return value;
  };

  const readValue = (depth: number): ExactJson => {
    if (depth > depthMax) throw new JsonDepthError(`JSON nested deeper than ${depthMax}`);
    switch (text[at]) {
      case '"':
        return readString();
      case '{':
        return readObject(depth);
      case '[':
        return readList(depth);
      case 't':
        return readWord('true', true);
      case 'f':
        return readWord('false', false);
      case 'n':
        return readWord('null', null);
      default:
        return readNumber();
    }
  };

  const readObject = (depth: number): ExactJsonObject => {
    const object = new Keys() as ExactJsonObject;
    at++;
    skipBlanks();
    if (text[at] === '}') {
      at++;
      return object;
    }
    for (;;) {
      if (text[at] !== '"') fail('Expecting property name enclosed in double quotes');
      const key = readString();
      skipBlanks();
      if (text[at] !== ':') fail("Expecting ':' delimiter");
      at++;
      skipBlanks();
      object[key] = readValue(depth + 1);
      skipBlanks();
      const sign = text[at++];
      if (sign === '}') return object;
      if (sign !== ',') fail("Expecting ',' delimiter", at - 1);
      skipBlanks();
    }
  };

  const readList = (depth: number): ExactJson[] => {
    const list: ExactJson[] = [];
    at++;
    skipBlanks();
    if (text[at] === ']') {
      at++;
      return list;
    }
    for (;;) {
      list.push(readValue(depth + 1));
      skipBlanks();
      const sign = text[at++];
      if (sign === ']') return list;
      if (sign !== ',') fail("Expecting ',' delimiter", at - 1);
      skipBlanks();
    }
  };

  const readString = (): string => {
    const start = at;
    let hasEscapes = false;
    for (;;) {
      const code = text.charCodeAt(++at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        hasEscapes = true;
        at++;
      } else if (!(code >= 0x20)) failInString(start);
    }
    at++;
    if (!hasEscapes) return text.slice(start + 1, at - 1);
    try {
      return JSON.parse(text.slice(start, at));
    } catch {
      return failInString(start);
    }
  };

  /** Says what is wrong with the string that starts at `start`. */
  const failInString = (start: number): never => {
    for (at = start + 1; at < text.length && text[at] !== '"'; ) {
      if (text.charCodeAt(at) < 0x20) fail('Invalid control character at');
      if (text[at] !== '\\') at++;
      else at += match(ESCAPE)?.length ?? fail(text[at + 1] === 'u' ? 'Invalid \\uXXXX escape' : 'Invalid \\escape');
    }
    return fail('Unterminated string starting at', start);
  };

  const readNumber = (): number | ExactNumber | null => {
    const nonFinite = takesNonFinite ? match(NON_FINITE) : undefined;
    if (nonFinite !== undefined) {
      at += nonFinite.length;
      return null;
    }
    const written = match(NUMBER) ?? fail('Expecting value');
    at += written.length;
    const value = Number(written);
    return String(value) === written ? value : new ExactNumber(written);
  };

  skipBlanks();
  const value = readValue(0);
  skipBlanks();
  if (at < text.length) fail('Extra data');
  return value;
}

/** Compact JSON text; exact numbers as they were written. */
export function toExactJsonText(value: ExactJson): string {
  try {
    // Several times as fast, and most values hold no exact number.
    return JSON.stringify(value);
  } catch (error) {
    if (error !== EXACT_NUMBER_MET) throw error;
    return writeExact(value);
  }
}

function writeExact(value: ExactJson): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeExact).join(',')}]`;
  let text = '';
  for (const key in value) {
    if (value[key] !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${writeExact(value[key])}`;
  }
  return `{${text}}`;
}

const EXACT_NUMBER_MET = new Error('JSON.stringify met an ExactNumber: print it with toExactJsonText');

/** `Object.create(null)` would do, but V8 keeps such objects as hash tables, which take five times as long to fill and walk. */
const Keys = function Keys() {} as unknown as new () => object;
Keys.prototype = Object.create(null);

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

// Sticky: these match at `lastIndex` only.
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NON_FINITE = /NaN|-?Infinity/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
