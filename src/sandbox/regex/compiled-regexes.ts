import { RE2JS } from 're2js';
import type { RegexMatch } from '../contract/regexes.ts';

/** Compiled expressions, the least recently used first: all targets of an evaluator usually have the same one. */
export class CompiledRegexes {
  readonly #compiled = new Map<string, RE2JS>();
  readonly #countMax: number;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** Its time is linear in the text, times the size of the expression. */
  match(pattern: string, text: string, isFull: boolean): RegexMatch {
    const expression = this.#compile(pattern);
    if (typeof expression === 'string') return { ok: false, problem: expression };
    return { ok: true, isMatch: isFull ? expression.testExact(text) : expression.test(text) };
  }

  /** The problem of an invalid expression. */
  #compile(pattern: string): RE2JS | string {
    const known = this.#compiled.get(pattern);
    let expression: RE2JS;
    try {
      expression = known ?? RE2JS.compile(pattern);
    } catch (error) {
      return `Invalid regular expression: ${(error as Error).message}`;
    }
    this.#compiled.delete(pattern);
    this.#compiled.set(pattern, expression);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size > this.#countMax && oldest !== undefined) this.#compiled.delete(oldest);
    return expression;
  }
}

/**
 * An upper bound of the size of an expression in instructions, before it is compiled: its characters, multiplied by the counts
 * of repetitions that may be nested. Compiling takes time in proportion to the size.
 */
export function expandedSize(pattern: string): number {
  let nested = 1;
  let size = pattern.length;
  const isNested = /[)\]}]\{/.test(pattern);
  for (const [, least = '', most = ''] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    const count = Math.max(Number(least), Number(most), 1);
    size += count;
    if (isNested) nested *= count;
  }
  return isNested ? size * nested : size;
}
