import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ExactJson,
  type ExactJsonObject,
  type ExactJsonOptions,
  ExactNumber,
  JsonDepthError,
  JsonSizeError,
  JsonSyntaxError,
  newJsonObject,
} from './exact-json.ts';

/**
 * Reads a JSON text. Of a repeated key the last value stays.
 *
 * @throws {JsonSyntaxError}
 * @throws {JsonDepthError} when lists and objects nest deeper than `depthMax`
 * @throws {JsonSizeError} when it has more than the options allow
 */
export function parseExactJson(text: string, options: ExactJsonOptions): ExactJson {
  const reader = new ExactJsonReader(text, options);
  try {
    while (!reader.read(Number.POSITIVE_INFINITY));
    return reader.value;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new JsonSyntaxError(error.message, countCharacters(text, 0, error.place));
  }
}

/** Texts up to this many UTF-16 units are read at once: some milliseconds, and 20 where no two keys are the same. */
const WHOLE_CHARS_MAX = 256 * 1024;
const TURN_VALUE_COUNT = 500;
const TURN_MS_MAX = 5;
/** UTF-16 units of a text that are read at once. */
const TEXT_PIECE_CHARS = 1_024 * 1_024;

/**
 * As `parseExactJson`, but the event loop turns while a long text is read. One long text is read at a time, so that many
 * hold up others no longer than one.
 */
export async function parseExactJsonInTurns(text: string, options: ExactJsonOptions): Promise<ExactJson> {
  if (text.length <= WHOLE_CHARS_MAX) return parseExactJson(text, options);
  return oneAtATime(async () => {
    const reader = new ExactJsonReader(text, options);
    try {
      for (;;) {
        const startedAt = performance.now();
        do if (reader.read(TURN_VALUE_COUNT)) return reader.value;
        while (performance.now() - startedAt < TURN_MS_MAX);
        await nextTurn();
      }
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      let offset = 0;
      for (let from = 0; from < error.place; from += TEXT_PIECE_CHARS) {
        offset += countCharacters(text, from, Math.min(error.place, from + TEXT_PIECE_CHARS));
        await nextTurn();
      }
      throw new JsonSyntaxError(error.message, offset);
    }
  });
}

/** Where a text is no JSON, in UTF-16 units: its characters are counted by whoever has the time. */
class Malformed extends Error {
  readonly place: number;
  constructor(message: string, place: number) {
    super(message);
    this.place = place;
  }
}

/** Unicode characters that begin in a part of a text. */
function countCharacters(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (!isLowSurrogate(text.charCodeAt(at))) count++;
  return count;
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

let lastRead: Promise<unknown> = Promise.resolve();

function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = lastRead.then(work);
  lastRead = result.catch(() => {});
  return result;
}

/** Reads a JSON text, at once or piece by piece. */
class ExactJsonReader {
  readonly #text: string;
  readonly #options: ExactJsonOptions;
  #at = 0;
  /** The list or object that is being read, the key of its next value, and those around it. */
  #container: ExactJson[] | ExactJsonObject | undefined;
  /** Undefined where its value is dropped. */
  #key: string | undefined;
  readonly #keys = new Map<string, string>();
  #valueCount = 0;
  readonly #outer: {
    readonly container: ExactJson[] | ExactJsonObject;
    readonly key: string | undefined;
  }[] = [];
  #value: ExactJson = null;
  /** A text that is read piece by piece: where it starts, and what was read. */
  #longText: { readonly start: number; readonly pieces: string[] } | undefined;

  constructor(text: string, options: ExactJsonOptions) {
    this.#text = text;
    this.#options = options;
  }

  /** All of it, once `read` has come to the end. */
  get value(): ExactJson {
    return this.#value;
  }

  /**
   * Reads so many values, or a piece of a long one, from where it stopped. True at the end of the text.
   *
   * @throws {Malformed}
   * @throws {JsonDepthError}
   * @throws {JsonSizeError}
   */
  read(valueCount: number): boolean {
    const { depthMax, valueCountMax = Number.POSITIVE_INFINITY } = this.#options;
    for (let left = valueCount; left > 0; left--) {
      if (!this.#longText) {
        if (++this.#valueCount > valueCountMax) throw new JsonSizeError(`JSON of more than ${valueCountMax} values`);
        this.#skipBlanks();
        if (this.#depth > depthMax) throw new JsonDepthError(`JSON nested deeper than ${depthMax}`);
      }
      const sign = this.#longText ? '"' : this.#text[this.#at];
      if (sign === '{' || sign === '[') {
        if (this.#open(sign)) continue;
        this.#value = sign === '{' ? newJsonObject() : [];
      } else {
        const value = this.#readScalar(sign);
        if (value === undefined) return false;
        this.#value = value;
      }
      if (this.#put()) return true;
    }
    return false;
  }

  get #depth(): number {
    return this.#container === undefined ? 0 : this.#outer.length + 1;
  }

  /** Goes into a list or object; false when it is empty. */
  #open(sign: '{' | '['): boolean {
    this.#at++;
    this.#skipBlanks();
    if (this.#text[this.#at] === (sign === '{' ? '}' : ']')) {
      this.#at++;
      return false;
    }
    if (this.#container !== undefined) {
      this.#outer.push({ container: this.#container, key: this.#key });
    }
    this.#container = sign === '{' ? newJsonObject() : [];
    if (sign === '{') this.#readKey();
    return true;
  }

  /** Puts the value that was read where it belongs, and what that completes. True at the end of the text. */
  #put(): boolean {
    for (;;) {
      const container = this.#container;
      if (container === undefined) {
        this.#skipBlanks();
        return this.#at === this.#text.length || this.#fail('Extra data');
      }
      const isList = Array.isArray(container);
      if (isList) container.push(this.#value);
      else if (this.#key !== undefined) container[this.#key] = this.#value;
      this.#skipBlanks();
      const sign = this.#text[this.#at++];
      if (sign === ',') {
        if (isList) return false;
        this.#skipBlanks();
        this.#readKey();
        return false;
      }
      if (sign !== (isList ? ']' : '}')) this.#fail("Expecting ',' delimiter", this.#at - 1);
      this.#value = container;
      const outer = this.#outer.pop();
      this.#container = outer?.container;
      this.#key = outer?.key;
    }
  }

  #readKey(): void {
    if (this.#text[this.#at] !== '"') this.#fail('Expecting property name enclosed in double quotes');
    let key = this.#readText();
    for (; key === undefined; key = this.#readText()) {
      if (this.#options.keyCountMax !== undefined) throw new JsonSizeError('JSON with a key that is too long');
    }
    this.#key = this.#keptKey(key);
    this.#skipBlanks();
    if (this.#text[this.#at] !== ':') this.#fail("Expecting ':' delimiter");
    this.#at++;
  }

  #keptKey(key: string): string | undefined {
    const { keys, keyCountMax } = this.#options;
    if (keys) return keys.has(key) ? key : undefined;
    if (keyCountMax === undefined) return key;
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    if (this.#keys.size === keyCountMax) throw new JsonSizeError(`JSON of more than ${keyCountMax} different keys`);
    this.#keys.set(key, key);
    return key;
  }

  #readScalar(sign: string | undefined): ExactJson | undefined {
    switch (sign) {
      case '"':
        return this.#readText();
      case 't':
        return this.#readWord('true', true);
      case 'f':
        return this.#readWord('false', false);
      case 'n':
        return this.#readWord('null', null);
      default:
        return this.#readNumber();
    }
  }

  #readWord<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('Expecting value');
    this.#at += word.length;
    return value;
  }

  /** Undefined where it is long and goes on in the next call. */
  #readText(): string | undefined {
    const text = this.#text;
    const long = this.#longText ?? { start: this.#at++, pieces: [] };
    const from = this.#at;
    let at = from;
    let hasEscapes = false;
    for (; at - from < TEXT_PIECE_CHARS; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        hasEscapes = true;
        // A piece ends behind an escape, never in it.
        at += text[at + 1] === 'u' ? 5 : 1;
      } else if (!(code >= 0x20)) this.#failInString(long.start);
    }
    const piece = hasEscapes ? this.#unescape(from, at, long.start) : text.slice(from, at);
    this.#at = at;
    if (text[at] === '"') {
      this.#at++;
      this.#longText = undefined;
      return long.pieces.length === 0 ? piece : long.pieces.join('') + piece;
    }
    long.pieces.push(piece);
    this.#longText = long;
    return undefined;
  }

  #unescape(from: number, to: number, start: number): string {
    try {
      return JSON.parse(`"${this.#text.slice(from, to)}"`);
    } catch {
      return this.#failInString(start);
    }
  }

  /** Says what is wrong with the string that starts at `start`. */
  #failInString(start: number): never {
    const text = this.#text;
    for (this.#at = start + 1; this.#at < text.length && text[this.#at] !== '"'; ) {
      if (text.charCodeAt(this.#at) < 0x20) this.#fail('Invalid control character at');
      if (text[this.#at] !== '\\') this.#at++;
      else {
        const sequence = this.#match(ESCAPE);
        if (sequence === undefined) {
          this.#fail(text[this.#at + 1] === 'u' ? 'Invalid \\uXXXX escape' : 'Invalid \\escape');
        }
        this.#at += sequence.length;
      }
    }
    return this.#fail('Unterminated string starting at', start);
  }

  #readNumber(): number | ExactNumber | null {
    const nonFinite = this.#options.takesNonFinite ? this.#match(NON_FINITE) : undefined;
    if (nonFinite !== undefined) {
      this.#at += nonFinite.length;
      return null;
    }
    const written = this.#match(NUMBER) ?? this.#fail('Expecting value');
    this.#at += written.length;
    const value = Number(written);
    return String(value) === written ? value : new ExactNumber(written);
  }

  #skipBlanks(): void {
    const text = this.#text;
    for (let code = text.charCodeAt(this.#at); code === 32 || code === 10 || code === 13 || code === 9; ) {
      code = text.charCodeAt(++this.#at);
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #fail(message: string, place = this.#at): never {
    throw new Malformed(message, place);
  }
}

// Sticky: these match at `lastIndex` only.
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NON_FINITE = /NaN|-?Infinity/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
