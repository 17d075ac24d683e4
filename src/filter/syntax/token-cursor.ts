import { expectPresent } from '../../base/expect-present.ts';
import { FilterError, quoteSource, sourceOf, syntaxError } from './filter-error.ts';
import { readToken, type Token } from './lexer.ts';
import type { SourceRange } from './syntax-tree.ts';

const OPENING: ReadonlySet<string> = new Set(['(', '[', '{']);

/** Tokens of a filter text, one at a time. */
export class TokenCursor {
  readonly #text: string;
  #current: Token;
  /** End of the previous token. */
  #end = 0;

  constructor(text: string) {
    this.#text = text;
    this.#current = readToken(text, 0);
  }

  get current(): Token {
    return this.#current;
  }

  /** Rejects a dictionary or set. The current token is its opening brace. */
  rejectBraces(): never {
    const { start } = this.#current;
    const open: Token[] = [];
    do {
      const token = this.#current;
      if (token.kind === 'end') throw this.neverClosed(expectPresent(open[0], 'the loop starts at an opening sign'));
      if (token.kind === 'sign' && OPENING.has(token.text)) open.push(token);
      if (token.kind === 'sign' && ')]}'.includes(token.text)) open.pop();
      this.advance();
    } while (open.length > 0);
    throw this.invalid(start);
  }

  /** From `start` to the end of the previous token. */
  since(start: number): SourceRange {
    return { start, end: this.#end };
  }

  /** Moves to the next token, and returns the current one. */
  advance(): Token {
    const token = this.#current;
    this.#end = token.end;
    this.#current = readToken(this.#text, token.end);
    return token;
  }

  isSign(text: string): boolean {
    return this.#current.kind === 'sign' && this.#current.text === text;
  }

  isKeyword(text: string): boolean {
    return this.#current.kind === 'keyword' && this.#current.text === text;
  }

  /** Moves on if the sign is next. */
  takeSign(text: string): boolean {
    const isNext = this.isSign(text);
    if (isNext) this.advance();
    return isNext;
  }

  takeKeyword(text: string): boolean {
    const isNext = this.isKeyword(text);
    if (isNext) this.advance();
    return isNext;
  }

  expectKeyword(text: string): void {
    if (!this.takeKeyword(text)) throw this.unexpected();
  }

  expectName(): string {
    if (this.#current.kind !== 'name') throw this.unexpected();
    const { text } = this.#current;
    this.advance();
    return text;
  }

  /** Expects a comma or closing bracket inside the brackets that `open` started. */
  expectSign(text: string, open: Token): void {
    if (this.takeSign(text)) return;
    throw this.#current.kind === 'end' ? this.neverClosed(open) : this.unexpected();
  }

  neverClosed(open: Token): FilterError {
    return syntaxError(this.#text, `'${this.#text.slice(open.start, open.end)}' was never closed`, open);
  }

  unexpected(): FilterError {
    const token = this.#current;
    if (token.kind === 'end') return syntaxError(this.#text, 'unexpected end', token);
    const hint = this.isSign('=') ? ', use `==` to compare' : '';
    return syntaxError(this.#text, `invalid syntax: unexpected ${quoteSource(this.#text, token)}${hint}`, token);
  }

  invalid(start: number, end = this.#end): FilterError {
    const range = { start, end };
    return new FilterError(`invalid expression: ${sourceOf(this.#text, range)}`, range);
  }
}
