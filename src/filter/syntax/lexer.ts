import { expectPresent } from '../../base/expect-present.ts';
import { FilterError, syntaxError } from './filter-error.ts';
import { NUMBER_START, readNumber } from './read-number.ts';
import { readString, STRING_START, type StringToken } from './read-string.ts';
import type { NumberLiteral, SourceRange } from './syntax-tree.ts';

export type Token = StringToken | NumberLiteral | SignToken;

/** Names and keywords (`text` is the word), operators, brackets, and the end of the text. */
export interface SignToken extends SourceRange {
  readonly kind: 'name' | 'keyword' | 'sign' | 'end';
  readonly text: string;
}

/**
 * Reads the token at or after `from`. Skips blanks, line ends, and comments from `#` to the end of the line.
 *
 * @throws {FilterError}
 */
export function readToken(text: string, from: number): Token {
  BLANKS.lastIndex = from;
  BLANKS.test(text);
  const start = BLANKS.lastIndex;
  if (start >= text.length) return { kind: 'end', text: '', start: text.length, end: text.length };
  const string = match(STRING_START, text, start);
  if (string) return readString(text, start, string[1] ?? '', string[2] ?? '');
  const word = match(WORD, text, start);
  if (word) return readWord(start, word[0]);
  if (match(NUMBER_START, text, start)) return readNumber(text, start);
  const sign = match(SIGN, text, start);
  if (sign) return { kind: 'sign', text: sign[0], start, end: start + sign[0].length };
  const char = String.fromCodePoint(expectPresent(text.codePointAt(start), 'the text has not ended'));
  throw syntaxError(text, 'invalid character', { start, end: start + char.length });
}

function readWord(start: number, word: string): SignToken {
  const range = { start, end: start + word.length };
  if (ASCII_WORD.test(word)) return { kind: KEYWORDS.has(word) ? 'keyword' : 'name', text: word, ...range };
  // Python reads a name in its compatibility form, which may differ from the visible name.
  const normalized = word.normalize('NFKC');
  const problem = normalized === word ? 'has characters beyond ASCII' : `is interpreted as \`${normalized}\``;
  throw new FilterError(`\`${word}\` ${problem}, use unaccented ASCII for field names`, range);
}

function match(pattern: RegExp, text: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = start;
  return pattern.exec(text);
}

// Sticky: these expressions match only at `lastIndex`.
const BLANKS = /(?:[ \t\f\r\n]+|#[^\r\n]*)*/y;
const WORD = /[\p{XID_Start}_][\p{XID_Continue}]*/uy;
const ASCII_WORD = /^\w+$/;
const SIGN = /\*\*|\/\/|<<|>>|<=|>=|==|!=|:=|\.\.\.|[-+*/%@&|^~<>()[\]{},:.=]/y;

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);
