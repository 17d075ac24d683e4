import type { CodeLanguage } from '../../model/evaluators/sandbox-config.ts';

/** A token of source code. Comments are left out. */
export interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'sign';
  /** The code as it is written. For a text, its content with escapes. */
  readonly text: string;
  /** Whether it begins its line without indentation. */
  readonly isAtMargin: boolean;
}

/** Signs of several characters. Others are single characters. */
const SIGNS = /\.\.\.|=>|->|\*\*|\?\.|[^\s]/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\w.]*/y;
const SPACE = /(?:\s|\\\n)+/y;
/** Ends with its line if it is not closed, so that no text is read twice. */
const SHORT_TEXT = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/y;
const REGEX = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,200}\/\w*/y;

/** Parts of a language that are no code, in the order in which they are tried. */
const SKIPPED: Readonly<Record<CodeLanguage, readonly RegExp[]>> = {
  PYTHON: [SPACE, /#[^\n]*/y],
  TYPESCRIPT: [SPACE, /\/\/[^\n]*/y, /\/\*[\s\S]*?(?:\*\/|$)/y],
};
const TEXTS: Readonly<Record<CodeLanguage, readonly RegExp[]>> = {
  PYTHON: [
    /[rbfuRBFU]{0,2}"""[\s\S]*?(?:"""|$)/y,
    /[rbfuRBFU]{0,2}'''[\s\S]*?(?:'''|$)/y,
    /[rbfuRBFU]{1,2}(?=["'])/y,
    SHORT_TEXT,
  ],
  TYPESCRIPT: [/`(?:[^`\\]|\\[\s\S])*`?/y, SHORT_TEXT],
};
/** A slash after these begins a regular expression. */
const BEFORE_REGEX = /^(?:[([{,;:=!&|?+\-*%<>~^]|=>|return|typeof|case)$/;

/** Reads source code in one pass. Every step goes forward, so its time is linear for any text. */
export function readTokens(source: string, language: CodeLanguage): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    if (found) at += found.length;
    return found || undefined;
  };
  const takeAny = (patterns: readonly RegExp[]): string | undefined => {
    for (const pattern of patterns) {
      const found = take(pattern);
      if (found) return found;
    }
    return undefined;
  };
  while (at < source.length) {
    const isAtMargin = at === 0 || source[at - 1] === '\n';
    if (takeAny(SKIPPED[language])) continue;
    const text = takeAny(TEXTS[language]);
    if (text) {
      tokens.push({ kind: 'text', text: text.replace(/^["'`]+|["'`]+$/g, ''), isAtMargin });
      continue;
    }
    const previous = tokens.at(-1)?.text;
    if (language === 'TYPESCRIPT' && (!previous || BEFORE_REGEX.test(previous)) && take(REGEX)) {
      tokens.push({ kind: 'text', text: '', isAtMargin });
      continue;
    }
    const name = take(NAME);
    const number = name ? undefined : take(NUMBER);
    const sign = name || number ? undefined : take(SIGNS);
    const kind = name ? 'name' : number ? 'number' : 'sign';
    const found = name ?? number ?? sign;
    if (found) tokens.push({ kind, text: found, isAtMargin });
    else at++;
  }
  return tokens;
}

const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);

/** Index of the bracket that closes the one at `start`, or -1. */
export function closingIndex(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.kind !== 'sign') continue;
    if (OPENING.has(token.text)) depth++;
    else if (CLOSING.has(token.text) && --depth === 0) return index;
  }
  return -1;
}

/** Parts between separators that are in no bracket. `<` and `>` are brackets too when `withAngles` is set. */
export function splitAt(
  tokens: readonly Token[],
  separators: ReadonlySet<string>,
  withAngles = false,
): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'sign') {
      if (OPENING.has(token.text) || (withAngles && token.text === '<')) depth++;
      else if (CLOSING.has(token.text) || (withAngles && token.text === '>')) depth--;
      else if (depth === 0 && separators.has(token.text)) {
        parts.push([]);
        continue;
      }
    }
    parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}
