import { FilterError, LONE_SURROGATE, sourceOf, syntaxError } from './filter-error.ts';
import type { SourceRange } from './syntax-tree.ts';

export interface StringToken extends SourceRange {
  readonly kind: 'text';
  readonly value: string;
}

/** The start of a string literal: an optional Python prefix and one or three quotes. */
export const STRING_START = /([rRuUbBfFtT]|[rR][bBfFtT]|[bBfFtT][rR])?("""|'''|"|')/y;

/**
 * Reads the string literal at `start`, where `STRING_START` has matched.
 *
 * @throws {FilterError} if it is not closed, contains NUL or half a surrogate pair, or is a bytes or formatted literal
 */
export function readString(text: string, start: number, prefix: string, quote: string): StringToken {
  const bodyStart = start + prefix.length + quote.length;
  const bodyEnd = findQuote(text, bodyStart, quote);
  if (bodyEnd < 0) {
    const what = quote.length === 3 ? 'unterminated triple-quoted string literal' : 'unterminated string literal';
    throw syntaxError(text, what, { start, end: text.length });
  }
  const range = { start, end: bodyEnd + quote.length };
  if (/[bB]/.test(prefix)) throw new FilterError(`unsupported literal: ${sourceOf(text, range)}`, range);
  if (/[fFtT]/.test(prefix)) throw new FilterError(`invalid expression: ${sourceOf(text, range)}`, range);
  const body = text.slice(bodyStart, bodyEnd).replace(/\r\n?/g, '\n');
  const isRaw = /[rR]/.test(prefix);
  const value =
    isRaw || !body.includes('\\') ? body : body.replace(ESCAPE, (written) => resolveEscape(text, written, range));
  if (value.includes('\0')) throw new FilterError('string literals cannot contain a NUL character', range);
  if (LONE_SURROGATE.test(value)) throw new FilterError(`unsupported literal: ${sourceOf(text, range)}`, range);
  return { kind: 'text', value, ...range };
}

/** Offset of the closing quote, or -1. A backslash escapes a quote, in raw strings too. */
function findQuote(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (quote.length === 1 && (char === '\n' || char === '\r')) return -1;
    else if (char === quote[0] && text.startsWith(quote, at)) return at;
  }
  return -1;
}

const ESCAPE = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|N\{[^}]*\}|[\s\S])/g;

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '\n': '',
    '\\': '\\',
    "'": "'",
    '"': '"',
    a: '\x07',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
  }),
);

function resolveEscape(text: string, written: string, range: SourceRange): string {
  const sign = written.charAt(1);
  const simple = SIMPLE_ESCAPES.get(sign);
  if (simple !== undefined) return simple;
  if (sign >= '0' && sign <= '7') return String.fromCodePoint(Number.parseInt(written.slice(1), 8));
  if (written.length === 2 || sign === 'N') {
    // As in Python, an unknown escape stays as written. An incomplete escape, or one with a character name, is rejected.
    if (!'xuUN'.includes(sign)) return written;
    throw syntaxError(text, `invalid escape \\${sign} in string literal`, range);
  }
  const codePoint = Number.parseInt(written.slice(2), 16);
  if (codePoint > 0x10ffff) throw syntaxError(text, 'invalid escape \\U in string literal', range);
  return String.fromCodePoint(codePoint);
}
