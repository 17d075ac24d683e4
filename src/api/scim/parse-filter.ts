import { COMPARE_OPERATORS, type CompareOperator } from '../../model/access/directory-filter.ts';
import {
  SCIM_FILTER_COMPARISON_COUNT_MAX,
  SCIM_FILTER_DEPTH_MAX,
  SCIM_FILTER_LENGTH_MAX,
} from '../../model/limits/identity-providers.ts';
import { ScimError, type ScimType } from './scim-error.ts';

export type FilterValue = string | number | boolean | null;

/** A filter of RFC 7644, section 3.4.2.2. Paths of attributes are in lower case. */
export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly part: FilterNode }
  | { readonly kind: 'present'; readonly path: string }
  | {
      readonly kind: 'compare';
      readonly path: string;
      readonly operator: CompareOperator;
      readonly value: FilterValue;
    }
  /** `emails[type eq "work"]`: one value of the attribute fits. */
  | { readonly kind: 'values'; readonly path: string; readonly filter: FilterNode };

/** Target of an operation: `name.givenName`, `emails[type eq "work"].value`. Names are in lower case. */
export interface AttributePath {
  readonly path: string;
  readonly filter: FilterNode | undefined;
  /** Name after the brackets. */
  readonly sub: string | undefined;
}

/** @throws {ScimError} `invalidFilter` */
export function parseFilter(text: string): FilterNode {
  const parser = new FilterParser(text, 'invalidFilter');
  const filter = parser.parseOr();
  parser.expectEnd();
  return filter;
}

/** @throws {ScimError} `invalidPath` */
export function parsePath(text: string): AttributePath {
  const parser = new FilterParser(text, 'invalidPath');
  const path = parser.parsePath();
  parser.expectEnd();
  return path;
}

/** With the URN of a schema before it, as in `urn:ietf:params:scim:schemas:core:2.0:User:userName`. */
const PATH = /[a-z$][\w$:.-]*/iy;
const WORD = /[a-z]+/iy;
const TEXT = /"(?:[^"\\]|\\.)*"/sy;
const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy;
const CORE_SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

class FilterParser {
  readonly #text: string;
  readonly #scimType: ScimType;
  #at = 0;
  #depth = 0;
  #comparisonCount = 0;

  constructor(text: string, scimType: ScimType) {
    this.#text = text;
    this.#scimType = scimType;
    if (text.length > SCIM_FILTER_LENGTH_MAX) {
      throw this.#error(`has more than ${SCIM_FILTER_LENGTH_MAX} characters`);
    }
  }

  parseOr(): FilterNode {
    if (++this.#depth > SCIM_FILTER_DEPTH_MAX) throw this.#error(`has more than ${SCIM_FILTER_DEPTH_MAX} levels`);
    const parts = [this.#parseAnd()];
    while (this.#takeWord('or')) parts.push(this.#parseAnd());
    this.#depth--;
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'or', parts };
  }

  parsePath(): AttributePath {
    const path = this.#attribute();
    if (!this.#takeSign('[')) return { path, filter: undefined, sub: undefined };
    const filter = this.parseOr();
    this.#expectSign(']');
    return { path, filter, sub: this.#takeSign('.') ? this.#attribute() : undefined };
  }

  expectEnd(): void {
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#error('has a part that does not belong there');
  }

  #parseAnd(): FilterNode {
    const parts = [this.#parseTerm()];
    while (this.#takeWord('and')) parts.push(this.#parseTerm());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'and', parts };
  }

  #parseTerm(): FilterNode {
    if (this.#takeSign('(')) return this.#closed();
    const start = this.#at;
    if (this.#takeWord('not')) {
      if (this.#takeSign('(')) return { kind: 'not', part: this.#closed() };
      this.#at = start;
    }
    const { path, filter, sub } = this.parsePath();
    if (filter === undefined) return this.#parseComparison(path);
    const values: FilterNode = { kind: 'values', path, filter };
    if (sub === undefined) return values;
    // Not in the RFC, and sent by Microsoft Entra.
    return { kind: 'values', path, filter: { kind: 'and', parts: [filter, this.#parseComparison(sub)] } };
  }

  #closed(): FilterNode {
    const inner = this.parseOr();
    this.#expectSign(')');
    return inner;
  }

  #parseComparison(path: string): FilterNode {
    if (++this.#comparisonCount > SCIM_FILTER_COMPARISON_COUNT_MAX) {
      throw this.#error(`has more than ${SCIM_FILTER_COMPARISON_COUNT_MAX} comparisons`);
    }
    const word = this.#take(WORD)?.toLowerCase();
    if (word === 'pr') return { kind: 'present', path };
    const operator = COMPARE_OPERATORS.find((one) => one === word);
    if (operator === undefined) throw this.#error(`has no known operator after ${path}`);
    return { kind: 'compare', path, operator, value: this.#value() };
  }

  #value(): FilterValue {
    const text = this.#take(TEXT);
    const json = text ?? this.#take(NUMBER) ?? this.#take(WORD)?.toLowerCase() ?? '';
    try {
      const value: unknown = JSON.parse(json);
      if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as FilterValue;
    } catch {
      // Reported below.
    }
    throw this.#error('compares with a value that is not a JSON string, number, true, false or null');
  }

  #attribute(): string {
    const path = this.#take(PATH)?.toLowerCase();
    if (path === undefined) throw this.#error('lacks the name of an attribute');
    return path.replace(CORE_SCHEMA, '');
  }

  #take(pattern: RegExp): string | undefined {
    this.#skipBlanks();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #takeWord(word: string): boolean {
    const start = this.#at;
    if (this.#take(WORD)?.toLowerCase() === word && !/[\w$:.-]/.test(this.#text[this.#at] ?? '')) return true;
    this.#at = start;
    return false;
  }

  #takeSign(sign: string): boolean {
    this.#skipBlanks();
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #expectSign(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#error(`lacks a ${sign}`);
  }

  #skipBlanks(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at++;
  }

  #error(problem: string): ScimError {
    const name = this.#scimType === 'invalidPath' ? 'path' : 'filter';
    return new ScimError(this.#scimType, `The ${name} ${problem}, at character ${this.#at + 1}`);
  }
}
