import { SpandrelError } from '../../model/errors.ts';
import { FILTER_MESSAGE_CHARS_MAX, FILTER_SOURCE_CHARS_MAX } from '../../model/limits/reads.ts';
import type { SourceRange } from './syntax-tree.ts';

/** An invalid filter. The message states the problem, and `range` its location (offsets in the original text). */
export class FilterError extends SpandrelError {
  readonly range: SourceRange;
  constructor(message: string, { start, end }: SourceRange) {
    super('FILTER_INVALID', shorten(message, FILTER_MESSAGE_CHARS_MAX));
    this.range = { start, end };
  }
}

/** A syntax error, with the position in Unicode characters from 1. */
export function syntaxError(text: string, message: string, range: SourceRange): FilterError {
  const position = [...text.slice(0, range.start)].length + 1;
  return new FilterError(`${message} at character ${position}`, range);
}

/** The part of the text that an error refers to, with limited length. */
export const sourceOf = (text: string, { start, end }: SourceRange): string =>
  shorten(text.slice(start, end), FILTER_SOURCE_CHARS_MAX);

export const quoteSource = (text: string, range: SourceRange): string => `\`${sourceOf(text, range)}\``;

/** Shortens a text to this many characters with an ellipsis. */
export function shorten(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const shortened = text.slice(0, charsMax - 1);
  // Half of a surrogate pair would make the text invalid.
  return `${LONE_SURROGATE.test(shortened) ? shortened.slice(0, -1) : shortened}…`;
}

/** Half of a surrogate pair, which UTF-8 cannot represent. */
export const LONE_SURROGATE = /\p{Surrogate}/u;
