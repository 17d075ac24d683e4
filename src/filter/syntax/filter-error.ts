import { SpandrelError } from '../../model/errors.ts';
import { FILTER_MESSAGE_CHARS_MAX, FILTER_SOURCE_CHARS_MAX } from '../../model/limits.ts';
import type { SourceRange } from './syntax-tree.ts';

/** A filter that is no filter: the message says what is wrong, `range` where (offsets into the text as it was given). */
export class FilterError extends SpandrelError {
  readonly range: SourceRange;
  constructor(message: string, { start, end }: SourceRange) {
    super('FILTER_INVALID', shorten(message, FILTER_MESSAGE_CHARS_MAX));
    this.range = { start, end };
  }
}

/** What the parser cannot read, with the position as people count: Unicode characters, from 1. */
export function syntaxError(text: string, message: string, range: SourceRange): FilterError {
  const position = [...text.slice(0, range.start)].length + 1;
  return new FilterError(`${message} at character ${position}`, range);
}

/** The part of the text that an error is about, of bounded length. */
export const sourceOf = (text: string, { start, end }: SourceRange): string =>
  shorten(text.slice(start, end), FILTER_SOURCE_CHARS_MAX);

export const quoteSource = (text: string, range: SourceRange): string => `\`${sourceOf(text, range)}\``;

/** At most so many characters, an ellipsis in place of the rest. */
export function shorten(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const kept = text.slice(0, charsMax - 1);
  // Half of a surrogate pair would not be a text any more.
  return `${LONE_SURROGATE.test(kept) ? kept.slice(0, -1) : kept}…`;
}

/** Half of a pair, which no UTF-8 can hold. */
export const LONE_SURROGATE = /\p{Surrogate}/u;
