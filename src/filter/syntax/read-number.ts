import { FilterError, sourceOf } from './filter-error.ts';
import type { NumberLiteral } from './syntax-tree.ts';

export const NUMBER_START = /\d|\.\d/y;

/**
 * Reads the number at `start`, where `NUMBER_START` has matched: decimal, hexadecimal, octal or binary, with single
 * underscores between digits.
 *
 * @throws {FilterError} for a number that is invalid in Python, imaginary, or beyond the range of doubles
 */
export function readNumber(text: string, start: number): NumberLiteral {
  const written = match(RUN, text, start);
  const range = { start, end: start + written.length };
  const digits = written.replaceAll('_', '');
  if (IMAGINARY.test(written)) throw new FilterError(`unsupported literal: ${sourceOf(text, range)}`, range);
  if (!NUMBER.test(written) || LEADING_ZERO.test(digits)) {
    throw new FilterError(`invalid numeric literal: ${sourceOf(text, range)}`, range);
  }
  const isInteger = INTEGER.test(digits);
  const value = Number(digits);
  if (!Number.isFinite(value)) {
    const problem = isInteger ? 'too many digits' : sourceOf(text, range);
    throw new FilterError(`invalid numeric literal: ${problem}`, range);
  }
  return { kind: 'number', value, isInteger, ...range };
}

/** All characters attached to a number, so that an error names `1_000abc` completely. */
const RUN = /(?:0[xXoObB]\w*|(?:[\d_]+\.?[\d_]*|\.[\d_]+)(?:[eE][+-]?\d[\d_]*)?[\p{L}\p{N}_]*)/uy;
const NUMBER =
  /^(?:0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?)$/;
const IMAGINARY = /^[\d_.]+(?:[eE][+-]?[\d_]+)?[jJ]$/;
const INTEGER = /^(?:\d+|0[xXoObB].*)$/;
/** Python rejects `012`, which was octal in Python 2, but accepts `00` and `012.5`. */
const LEADING_ZERO = /^0\d*[1-9]\d*$/;

function match(pattern: RegExp, text: string, start: number): string {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0] ?? text.slice(start, start + 1);
}
