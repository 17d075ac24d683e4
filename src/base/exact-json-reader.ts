import {
  type ExactJson,
  type ExactJsonObject,
  type ExactJsonOptions,
  ExactNumber,
  JsonDepthError,
  JsonSizeError,
  newJsonObject,
} from './exact-json.ts';
import { expectPresent } from './expect-present.ts';

/** The UTF-16 offset at which a text is not JSON. The caller converts it to characters, which takes a second pass. */
export class Malformed extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Maximum UTF-16 units of a number that crosses chunks, and of a key if keys are counted. */
const NUMBER_CHARS_MAX = 1024 * 1024;
const KEY_CHARS_MAX = 1024 * 1024;

/**
 * Reads a JSON text that arrives in chunks. A value is read from a window: the remainder of the previous chunks and the
 * newest chunk. Only texts, numbers and blanks may be longer than the remainder.
 */
export class ExactJsonReader {
  readonly #chunks: Iterator<string>;
  readonly #options: ExactJsonOptions;
  #text = '';
  #at = 0;
  /** UTF-16 units of the chunks before the window. */
  #base = 0;
  #hasMore = true;
  /** The list or object that is being read, the key of its next value, and the enclosing ones. */
  #container: ExactJson[] | ExactJsonObject | undefined;
  /** Undefined if the value of the key is dropped. */
  #key: string | undefined;
  readonly #keys = new Map<string, string>();
  #valueCount = 0;
  readonly #outer: {
    readonly container: ExactJson[] | ExactJsonObject;
    readonly key: string | undefined;
  }[] = [];
  #value: ExactJson = null;
  /** An escape in the window at or before the first one that was not read; infinite if there is none. */
  #escapeAt = -1;
  /** A text that is longer than the window: its start offset in all chunks, and the parts that were read. */
  #longText: { readonly start: number; readonly chunks: string[] } | undefined;

  constructor(chunks: Iterable<string>, options: ExactJsonOptions) {
    this.#chunks = chunks[Symbol.iterator]();
    this.#options = options;
    this.#extend();
  }

  /** The complete value, after `read` has returned true. */
  get value(): ExactJson {
    return this.#value;
  }

  /**
   * Reads up to `valueCount` values, or a part of a long one, from the current offset. Returns true at the end of the
   * text.
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
        this.#look(AHEAD_CHARS);
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

  /** Extends the window to at least this many units, if the text has them. */
  #look(charCount: number): void {
    while (this.#text.length - this.#at < charCount && this.#extend());
  }

  /** Appends the next chunk to the remainder of the window. Returns false when there is none. */
  #extend(): boolean {
    if (!this.#hasMore) return false;
    const { value: chunk, done } = this.#chunks.next();
    if (done) {
      this.#hasMore = false;
      return false;
    }
    this.#text = this.#at === this.#text.length ? chunk : this.#text.slice(this.#at) + chunk;
    this.#base += this.#at;
    this.#at = 0;
    this.#escapeAt = -1;
    return true;
  }

  get #depth(): number {
    return this.#container === undefined ? 0 : this.#outer.length + 1;
  }

  /** Enters a list or object. Returns false when it is empty. */
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

  /**
   * Stores the value in its container, and closes containers that it completes. Returns true at the end of the text.
   */
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
    const start = this.#base + this.#at;
    let key: string | undefined;
    do {
      key = this.#readText();
      if (this.#options.keyCountMax !== undefined && this.#base + this.#at - start > KEY_CHARS_MAX) {
        throw new JsonSizeError('JSON has a key that is too long');
      }
    } while (key === undefined);
    this.#key = this.#internedKey(key);
    this.#skipBlanks();
    if (this.#text[this.#at] !== ':') this.#fail("Expecting ':' delimiter");
    this.#at++;
  }

  #internedKey(key: string): string | undefined {
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

  /** Undefined when the text continues past the window; the next call continues it. */
  #readText(): string | undefined {
    return (this.#options.isStored && !this.#longText ? this.#readStoredText() : undefined) ?? this.#readAnyText();
  }

  /** A text that ends in the window, found by native searches instead of a loop over its units. Undefined for another one. */
  #readStoredText(): string | undefined {
    const text = this.#text;
    const from = this.#at + 1;
    let end = text.indexOf('"', from);
    if (this.#escapeAt < from) {
      const at = text.indexOf('\\', from);
      this.#escapeAt = at < 0 ? Number.POSITIVE_INFINITY : at;
    }
    const hasEscapes = this.#escapeAt < end;
    if (hasEscapes) while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
    if (end < 0) return undefined;
    this.#at = from;
    const value = hasEscapes ? this.#unescape(from, end, this.#base + from - 1) : text.slice(from, end);
    this.#at = end + 1;
    return value;
  }

  #readAnyText(): string | undefined {
    const long = this.#longText ?? { start: this.#base + this.#at++, chunks: [] };
    if (this.#longText) this.#look(ESCAPE_CHARS_MAX);
    const text = this.#text;
    const from = this.#at;
    let at = from;
    let hasEscapes = false;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        if (text.length - at < ESCAPE_CHARS_MAX && this.#hasMore) break;
        hasEscapes = true;
        at += text[at + 1] === 'u' ? 5 : 1;
      } else if (code < 0x20) this.#failInString(long.start);
    }
    if (at >= text.length && !this.#hasMore) this.#failInString(long.start);
    const chunk = hasEscapes ? this.#unescape(from, at, long.start) : text.slice(from, at);
    this.#at = at;
    if (text[at] === '"') {
      this.#at++;
      this.#longText = undefined;
      return long.chunks.length === 0 ? chunk : long.chunks.join('') + chunk;
    }
    long.chunks.push(chunk);
    this.#longText = long;
    this.#extend();
    return undefined;
  }

  #unescape(from: number, to: number, start: number): string {
    try {
      return JSON.parse(`"${this.#text.slice(from, to)}"`);
    } catch {
      return this.#failInString(start);
    }
  }

  /** Throws an error that describes what is wrong with the string that starts at `start`. */
  #failInString(start: number): never {
    const text = this.#text;
    // The string is valid up to this offset.
    while (this.#at < text.length && text[this.#at] !== '"') {
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
    throw new Malformed('Unterminated string starting at', start);
  }

  #readNumber(): number | ExactNumber | null {
    const nonFinite = this.#options.takesNonFinite ? this.#match(NON_FINITE) : undefined;
    if (nonFinite !== undefined) {
      this.#at += nonFinite.length;
      return null;
    }
    let written = this.#match(NUMBER) ?? this.#fail('Expecting value');
    // `1` may continue with `.5` or `e+5`.
    while (this.#text.length - this.#at < written.length + 3 && this.#extend()) {
      if (written.length > NUMBER_CHARS_MAX) throw new JsonSizeError('JSON has a number that is too long');
      written = expectPresent(
        this.#match(NUMBER),
        'the text begins with a number, before and after more of it is read',
      );
    }
    this.#at += written.length;
    const value = Number(written);
    return String(value) === written ? value : new ExactNumber(written);
  }

  #skipBlanks(): void {
    do {
      const text = this.#text;
      for (let code = text.charCodeAt(this.#at); code === 32 || code === 10 || code === 13 || code === 9; ) {
        code = text.charCodeAt(++this.#at);
      }
    } while (this.#at === this.#text.length && this.#extend());
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #fail(message: string, offset = this.#at): never {
    throw new Malformed(message, this.#base + offset);
  }
}

/** Whether the sign at an offset is part of an escape: an odd number of backslashes is before it. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charCodeAt(from - 1) === 0x5c) from--;
  return (at - from) % 2 === 1;
}

/** Words and the first units of a number are read with this lookahead. */
const AHEAD_CHARS = 16;
/** `\uXXXX` */
const ESCAPE_CHARS_MAX = 6;
// Sticky: these expressions match only at `lastIndex`.
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NON_FINITE = /NaN|-?Infinity/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
