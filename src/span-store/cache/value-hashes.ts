import { LEAF_BYTES_MAX } from '../../model/limits/spans.ts';
import { NUMERIC_TEXT } from '../../filter/spans/span-filter.ts';

// Hashes of pairs of a column or key and a value, from which block filters are built (`block-filter.ts`). The filters are stored,
// so the hashes must not change. A collision costs a scan of rows that do not match.

type Add = (hash: number) => void;

/** Hash of a value of a column that is not an attribute. A span ID and an equal parent ID have the same hash. */
export const hashOfColumn = (column: 'name' | 'span_id', value: string): number =>
  finish(mixText(mixText(SEED, column, 0), value, 0));

/**
 * Hash of a scalar at a key, by its text: the number 5 and the text `5` have the same hash. Only the text after the last dot of
 * the key counts, because `a.b` may be a nested or a single key.
 */
export const hashOfScalar = (key: string, text: string): number =>
  finish(mixText(mixWord(mixText(SEED, key, key.lastIndexOf('.') + 1), DOT), text, 0));

/** Hash of the presence of any scalar at a key. */
export const hashOfKey = (key: string): number => finish(mixText(SEED, key, key.lastIndexOf('.') + 1));

/** Hash of a number at a key, in any notation. */
export const hashOfNumber = (key: string, value: number): number => hashOfScalar(key, String(value));

/** Longer texts have no hash. They are long leaves, which are rarely compared by equality. */
export const hasHash = (text: string): boolean =>
  text.length <= LEAF_BYTES_MAX && Buffer.byteLength(JSON.stringify(text)) <= LEAF_BYTES_MAX;

/** All hashes of a scalar at a key: of its presence, its text, and its number. */
export function addScalar(key: string, text: string, add: Add): void {
  if (text.length > LEAF_BYTES_MAX) return;
  add(hashOfKey(key));
  add(hashOfScalar(key, text));
  if (isDigitOrSign(text.charCodeAt(0)) && NUMERIC_TEXT.test(text)) {
    const plain = String(Number(text));
    if (plain !== text) add(hashOfScalar(key, plain));
  }
}

/**
 * All hashes of the scalars in a JSON object. Nulls and elements of lists have none, because a condition on a key does not
 * read lists. Reads the text once. Every value of a repeated key counts.
 */
export function addScalars(json: string, add: Add): void {
  let key = '';
  let isValue = false;
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfText(json, at);
      const text = textAt(json, at, end);
      if (isValue) addScalar(key, text, add);
      else key = text;
      isValue = false;
      at = end;
    } else if (code === COLON) {
      isValue = true;
      at++;
    } else if (code === OPEN_BRACKET) {
      isValue = false;
      at = endOfList(json, at);
    } else if (isValue && isBare(code)) {
      const from = at;
      while (at < json.length && isBare(json.charCodeAt(at))) at++;
      const text = json.slice(from, at);
      if (text !== 'null') addScalar(key, text, add);
      isValue = false;
    } else {
      if (code === OPEN_BRACE) isValue = false;
      at++;
    }
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const DOT = 0x2e;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** A character of a number, of `true`, `false` or `null`. */
const isBare = (code: number): boolean =>
  code > 0x20 && code !== COMMA && code !== OPEN_BRACE && code !== CLOSE_BRACE && code !== CLOSE_BRACKET;

/** `+`, `-`, `.` or a digit. */
const isDigitOrSign = (code: number): boolean => code >= 0x2b && code <= 0x39;

/** Position after the closing quote of the text that begins at `at`. */
function endOfText(json: string, at: number): number {
  for (let end = at + 1; end < json.length; end++) {
    const code = json.charCodeAt(end);
    if (code === BACKSLASH) end++;
    else if (code === QUOTE) return end + 1;
  }
  return json.length;
}

/** Position after the closing bracket of the list that begins at `at`. */
function endOfList(json: string, at: number): number {
  let depth = 0;
  for (let end = at; end < json.length; ) {
    const code = json.charCodeAt(end);
    if (code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACKET) depth--;
    end = code === QUOTE ? endOfText(json, end) : end + 1;
    if (depth === 0) return end;
  }
  return json.length;
}

function textAt(json: string, at: number, end: number): string {
  const text = json.slice(at + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(json.slice(at, end)) as string) : text;
}

const SEED = 0x2f6b1c3d;

function mixText(seed: number, text: string, from: number): number {
  let hash = seed;
  for (let at = from; at < text.length; at++) hash = mixWord(hash, text.charCodeAt(at));
  return hash;
}

/** One step of FNV-1a, on UTF-16 code units. */
const mixWord = (hash: number, word: number): number => Math.imul(hash ^ word, 0x01000193);

/** The finalizer of MurmurHash3. */
function finish(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
