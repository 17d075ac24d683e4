import { ArgumentError } from '../errors.ts';
import type { Filter, FilterPath, FunctionCall, Operand, Operator, Segment, Selector } from './json-path-nodes.ts';

const PATH_CHARS_MAX = 2_000;
const DEPTH_MAX = 32;
/** A name after a dot: RFC 9535, `member-name-shorthand`. */
const SHORTHAND = /[A-Za-z_\u0080-\ud7ff\ue000-\u{10ffff}][\w\u0080-\ud7ff\ue000-\u{10ffff}]*/uy;
const INTEGER = /-?(?:0|[1-9]\d*)/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const FUNCTIONS = new Map([
  ['length', 1],
  ['count', 1],
  ['value', 1],
  ['match', 2],
  ['search', 2],
]);
/** Functions whose result is a truth and cannot be compared. */
const TESTS = new Set(['match', 'search']);
const ESCAPES = new Map([
  ...[...'"\'\\/'].map((each) => [each, each] as const),
  ...([
    ['b', '\b'],
    ['f', '\f'],
    ['n', '\n'],
    ['r', '\r'],
    ['t', '\t'],
  ] as const),
]);

/** @throws {ArgumentError} that names the position */
export function parseJsonPath(text: string): readonly Segment[] {
  if (text.length > PATH_CHARS_MAX)
    throw new ArgumentError(`A JSONPath has at most ${PATH_CHARS_MAX} characters, and not ${text.length}.`);
  return new Parser(text).parse();
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): readonly Segment[] {
    this.#expect('$');
    const segments = this.#segments();
    if (this.#at < this.#text.length) this.#fail('expected ".", "[" or the end');
    return segments;
  }

  #segments(): Segment[] {
    const segments: Segment[] = [];
    for (;;) {
      const start = this.#at;
      this.#space();
      if (this.#take('..')) {
        const selectors = this.#text[this.#at] === '[' ? this.#brackets() : [this.#dotted()];
        segments.push({ isDescendant: true, selectors });
      } else if (this.#take('.')) segments.push({ isDescendant: false, selectors: [this.#dotted()] });
      else if (this.#text[this.#at] === '[') segments.push({ isDescendant: false, selectors: this.#brackets() });
      else {
        this.#at = start;
        return segments;
      }
    }
  }

  #dotted(): Selector {
    if (this.#take('*')) return { type: 'wildcard' };
    const name = this.#match(SHORTHAND);
    return name === undefined
      ? this.#fail("expected a name, which needs ['…'] when it has other characters")
      : { type: 'name', name };
  }

  #brackets(): Selector[] {
    this.#expect('[');
    const selectors: Selector[] = [];
    do {
      this.#space();
      selectors.push(this.#selector());
      this.#space();
    } while (this.#take(','));
    this.#expect(']');
    return selectors;
  }

  #selector(): Selector {
    const next = this.#text[this.#at];
    if (next === '"' || next === "'") return { type: 'name', name: this.#string() };
    if (this.#take('*')) return { type: 'wildcard' };
    if (this.#take('?')) {
      this.#space();
      return { type: 'filter', filter: this.#or() };
    }
    const start = this.#integer();
    const afterStart = this.#at;
    this.#space();
    if (!this.#take(':')) {
      this.#at = afterStart;
      return start === undefined
        ? this.#fail('expected a quoted name, an index, a slice, * or ?')
        : { type: 'index', index: start };
    }
    this.#space();
    const end = this.#integer();
    this.#space();
    let step: number | undefined;
    if (this.#take(':')) {
      this.#space();
      step = this.#integer();
    }
    return { type: 'slice', start, end, step };
  }

  #or(): Filter {
    if (++this.#depth > DEPTH_MAX) this.#fail(`expected at most ${DEPTH_MAX} levels`);
    const filters = [this.#and()];
    for (this.#space(); this.#take('||'); this.#space()) {
      this.#space();
      filters.push(this.#and());
    }
    this.#depth--;
    return filters.length === 1 && filters[0] ? filters[0] : { type: 'or', filters };
  }

  #and(): Filter {
    const filters = [this.#basic()];
    for (this.#space(); this.#take('&&'); this.#space()) {
      this.#space();
      filters.push(this.#basic());
    }
    return filters.length === 1 && filters[0] ? filters[0] : { type: 'and', filters };
  }

  #basic(): Filter {
    if (this.#take('!')) {
      this.#space();
      const filter = this.#text[this.#at] === '(' ? this.#group() : this.#test(this.#operand());
      return { type: 'not', filter };
    }
    if (this.#text[this.#at] === '(') return this.#group();
    const left = this.#operand();
    const start = this.#at;
    this.#space();
    const operator = this.#match(/==|!=|<=|>=|<|>/y) as Operator | undefined;
    if (!operator) {
      this.#at = start;
      return this.#test(left);
    }
    this.#space();
    const right = this.#operand();
    for (const side of [left, right]) this.#checkComparable(side);
    return { type: 'compare', operator, left, right };
  }

  #group(): Filter {
    this.#expect('(');
    this.#space();
    const filter = this.#or();
    this.#space();
    this.#expect(')');
    return filter;
  }

  #test(operand: Operand): Filter {
    if (operand.type === 'path') return { type: 'exists', path: operand.path };
    if (operand.type === 'call' && TESTS.has(operand.call.name)) return { type: 'call', call: operand.call };
    return this.#fail('expected a comparison');
  }

  #checkComparable(operand: Operand): void {
    if (operand.type === 'call' && TESTS.has(operand.call.name))
      this.#fail(`the result of ${operand.call.name} cannot be compared`);
    const isSingular =
      operand.type !== 'path' ||
      operand.path.segments.every(
        ({ isDescendant, selectors: [first, ...others] }) =>
          !isDescendant && others.length === 0 && (first?.type === 'name' || first?.type === 'index'),
      );
    if (!isSingular) this.#fail('only a path to one value can be compared');
  }

  #operand(): Operand {
    const next = this.#text[this.#at];
    if (next === '$' || next === '@') return { type: 'path', path: this.#path() };
    if (next === '"' || next === "'") return { type: 'literal', value: this.#string() };
    const number = this.#match(NUMBER);
    if (number !== undefined) return { type: 'literal', value: Number(number) };
    const word = this.#match(/[a-z][a-z0-9_]*/y);
    if (word === 'true' || word === 'false') return { type: 'literal', value: word === 'true' };
    if (word === 'null') return { type: 'literal', value: null };
    if (word === undefined) return this.#fail('expected a path, a value or a function');
    return { type: 'call', call: this.#call(word) };
  }

  #path(): FilterPath {
    const isRoot = this.#text[this.#at] === '$';
    this.#at++;
    return { isRoot, segments: this.#segments() };
  }

  #call(name: string): FunctionCall {
    const count = FUNCTIONS.get(name);
    if (count === undefined) this.#fail(`expected one of the functions ${[...FUNCTIONS.keys()].join(', ')}`);
    this.#expect('(');
    const operands: Operand[] = [];
    do {
      this.#space();
      operands.push(this.#operand());
      this.#space();
    } while (this.#take(','));
    this.#expect(')');
    if (operands.length !== count) this.#fail(`${name} takes ${count} arguments`);
    const needsPath = name === 'count' || name === 'value';
    if (needsPath && operands[0]?.type !== 'path') this.#fail(`${name} takes a path`);
    if (!needsPath) for (const operand of operands) this.#checkComparable(operand);
    return { name: name as FunctionCall['name'], operands };
  }

  #integer(): number | undefined {
    const digits = this.#match(INTEGER);
    if (digits === undefined) return undefined;
    const value = Number(digits);
    if (!Number.isSafeInteger(value) || digits === '-0') this.#fail('expected a safe integer');
    return value;
  }

  #string(): string {
    const quote = this.#text[this.#at++];
    let value = '';
    for (;;) {
      const char = this.#text[this.#at++];
      if (char === undefined) this.#fail(`expected ${quote} at the end of a name`);
      if (char === quote) return value;
      if (char < ' ') this.#fail('expected an escape in place of a control character');
      value += char === '\\' ? this.#escape(quote) : char;
    }
  }

  #escape(quote: string | undefined): string {
    const char = this.#text[this.#at++] ?? '';
    if (char === 'u') {
      const unit = this.#hex();
      if (unit >= 0xdc00 && unit <= 0xdfff) this.#fail('expected a high surrogate first');
      if (unit < 0xd800 || unit > 0xdbff) return String.fromCharCode(unit);
      if (!this.#take('\\u')) this.#fail('expected a low surrogate');
      const low = this.#hex();
      if (low < 0xdc00 || low > 0xdfff) this.#fail('expected a low surrogate');
      return String.fromCharCode(unit, low);
    }
    const value = ESCAPES.get(char);
    const isOtherQuote = (char === '"' || char === "'") && char !== quote;
    return value === undefined || isOtherQuote ? this.#fail('expected an escape of JSON') : value;
  }

  #hex(): number {
    const digits = this.#match(/[0-9a-fA-F]{4}/y);
    return digits === undefined ? this.#fail('expected four hexadecimal digits') : Number.parseInt(digits, 16);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail(`expected "${text}"`);
  }

  #space(): void {
    this.#match(/[ \t\n\r]*/y);
  }

  #fail(expected: string): never {
    throw new ArgumentError(`"${this.#text}" is no JSONPath of RFC 9535: ${expected} at position ${this.#at}.`);
  }
}
