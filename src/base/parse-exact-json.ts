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
  const reader = new ExactJsonReader([text], options);
  try {
    while (!reader.read(Number.POSITIVE_INFINITY));
    return reader.value;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new JsonSyntaxError(error.message, countCharacters(text, error.place));
  }
}

const TURN_VALUE_COUNT = 500;
const TURN_MS_MAX = 5;
/** UTF-16 units of a number that begins in one piece and ends in another, and of a key where those are counted. */
const NUMBER_CHARS_MAX = 1024 * 1024;
const KEY_CHARS_MAX = 1024 * 1024;

/**
 * As `parseExactJson`, of a text in pieces that begin and end with whole characters, and the event loop turns while they
 * are read. One text is read at a time, so that many hold up others no longer than one.
 *
 * @param beforeValues called with the maximum number of values of the next step, which starts when its promise resolves
 * @param pieces begins the text anew each time, since the place of a fault is counted in a second pass
 * @throws {JsonSizeError} also for a number of more than a million digits
 */
export async function parseExactJsonInTurns(
  pieces: () => Iterable<string>,
  options: ExactJsonOptions,
  beforeValues?: (valueCount: number) => Promise<void> | undefined,
): Promise<ExactJson> {
  return oneAtATime(async () => {
    const reader = new ExactJsonReader(pieces(), options);
    try {
      for (;;) {
        // First of all: to receive a long text took a good part of this turn.
        await nextTurn();
        const startedAt = performance.now();
        do {
          await beforeValues?.(TURN_VALUE_COUNT);
          if (reader.read(TURN_VALUE_COUNT)) return reader.value;
        } while (performance.now() - startedAt < TURN_MS_MAX);
      }
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      throw new JsonSyntaxError(error.message, await countCharactersInTurns(pieces(), error.place));
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

/** Unicode characters that begin in the first so many UTF-16 units of a text. */
function countCharacters(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at++) if (!isLowSurrogate(text.charCodeAt(at))) count++;
  return count;
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Goes on behind that place: that the text can be read at all is found out at its end. */
async function countCharactersInTurns(pieces: Iterable<string>, end: number): Promise<number> {
  let count = 0;
  let from = 0;
  let startedAt = performance.now();
  for (const piece of pieces) {
    if (from < end) count += countCharacters(piece, Math.min(piece.length, end - from));
    from += piece.length;
    if (performance.now() - startedAt < TURN_MS_MAX) continue;
    await nextTurn();
    startedAt = performance.now();
  }
  return count;
}

let lastRead: Promise<unknown> = Promise.resolve();

function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = lastRead.then(work);
  lastRead = result.catch(() => {});
  return result;
}

/**
 * Reads a JSON text that comes in pieces. A value is read in a window: what is left of the pieces before, and the newest
 * one. Only texts, numbers and blanks may be longer than what is left.
 */
class ExactJsonReader {
  readonly #pieces: Iterator<string>;
  readonly #options: ExactJsonOptions;
  #text = '';
  #at = 0;
  /** UTF-16 units of the pieces before the window. */
  #base = 0;
  #hasMore = true;
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
  /** A text that is longer than the window: where it starts in all pieces, and what was read. */
  #longText: { readonly start: number; readonly pieces: string[] } | undefined;

  constructor(pieces: Iterable<string>, options: ExactJsonOptions) {
    this.#pieces = pieces[Symbol.iterator]();
    this.#options = options;
    this.#extend();
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

  /** Has so many units ahead, or all that there are. */
  #look(charCount: number): void {
    while (this.#text.length - this.#at < charCount && this.#extend());
  }

  /** Puts the next piece behind what is left of the window; false when there is none. */
  #extend(): boolean {
    if (!this.#hasMore) return false;
    const { value: piece, done } = this.#pieces.next();
    if (done) {
      this.#hasMore = false;
      return false;
    }
    this.#text = this.#at === this.#text.length ? piece : this.#text.slice(this.#at) + piece;
    this.#base += this.#at;
    this.#at = 0;
    return true;
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
    const start = this.#base + this.#at;
    let key: string | undefined;
    do {
      key = this.#readText();
      if (this.#options.keyCountMax !== undefined && this.#base + this.#at - start > KEY_CHARS_MAX) {
        throw new JsonSizeError('JSON with a key that is too long');
      }
    } while (key === undefined);
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

  /** Undefined where it goes on behind the window, and in the next call. */
  #readText(): string | undefined {
    const long = this.#longText ?? { start: this.#base + this.#at++, pieces: [] };
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
    const piece = hasEscapes ? this.#unescape(from, at, long.start) : text.slice(from, at);
    this.#at = at;
    if (text[at] === '"') {
      this.#at++;
      this.#longText = undefined;
      return long.pieces.length === 0 ? piece : long.pieces.join('') + piece;
    }
    long.pieces.push(piece);
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

  /** Says what is wrong in the window with the string that starts at `start`. */
  #failInString(start: number): never {
    const text = this.#text;
    // From here on nothing was found wrong so far.
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
    // `1` may go on with `.5` or `e+5`.
    while (this.#text.length - this.#at < written.length + 3 && this.#extend()) {
      if (written.length > NUMBER_CHARS_MAX) throw new JsonSizeError('JSON with a number that is too long');
      written = this.#match(NUMBER)!;
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

  #fail(message: string, place = this.#at): never {
    throw new Malformed(message, this.#base + place);
  }
}

/** Words and what begins a number are read with so many units ahead. */
const AHEAD_CHARS = 16;
/** `\uXXXX` */
const ESCAPE_CHARS_MAX = 6;
// Sticky: these match at `lastIndex` only.
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NON_FINITE = /NaN|-?Infinity/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
