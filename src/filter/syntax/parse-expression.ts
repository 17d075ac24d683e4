import { expectPresent } from '../../base/expect-present.ts';
import { FILTER_CHARS_MAX, FILTER_DEPTH_MAX, FILTER_NODE_COUNT_MAX } from '../../model/limits.ts';
import { FilterError, quoteSource, sourceOf, syntaxError } from './filter-error.ts';
import { readToken, type SignToken, type Token } from './lexer.ts';
import type {
  ArithmeticOperator,
  CallExpression,
  ComparisonLink,
  ComparisonOperator,
  Expression,
  LiteralExpression,
  SourceRange,
  UnaryOperator,
} from './syntax-tree.ts';

/**
 * Parses a filter text as one Python expression. Forms of Python that no filter language has (lambda, conditional,
 * dictionaries, formatted strings, keyword arguments, slices) are rejected by name.
 *
 * @throws {FilterError} also for a text that is too long, too large or nested too deeply
 */
export function parseExpression(text: string): Expression {
  const all = { start: 0, end: text.length };
  if (text.length > FILTER_CHARS_MAX) {
    throw new FilterError(`filter condition is longer than ${FILTER_CHARS_MAX} characters`, all);
  }
  const nul = text.indexOf('\0');
  if (nul >= 0) throw new FilterError('condition cannot contain a NUL character', { start: nul, end: nul + 1 });
  const expression = new Parser(text).parse();
  assertDepth(expression);
  return expression;
}

/** The direct sub-expressions of an expression, from left to right. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'name':
    case 'text':
    case 'number':
    case 'boolean':
    case 'none':
      return [];
    case 'list':
    case 'tuple':
      return expression.elements;
    case 'member':
      return [expression.object];
    case 'subscript':
      return [expression.object, expression.index];
    case 'call':
      return [expression.callee, ...expression.arguments];
    case 'unary':
    case 'not':
      return [expression.operand];
    case 'arithmetic':
      return [expression.left, expression.right];
    case 'comparison':
      return [expression.first, ...expression.links.map(({ operand }) => operand)];
    case 'and':
    case 'or':
      return expression.operands;
    case 'generator':
    case 'listComprehension': {
      const { element, collection, condition } = expression;
      return condition ? [element, collection, condition] : [element, collection];
    }
  }
}

/**
 * Chains such as `a + b + c` nest without brackets. The parser reads them in a loop, but code that walks the tree is
 * recursive.
 */
function assertDepth(root: Expression): void {
  let level: readonly Expression[] = [root];
  for (let depth = 1; ; depth++) {
    const [first] = level;
    if (!first) return;
    if (depth > FILTER_DEPTH_MAX) throw tooDeep(first);
    level = level.flatMap(childrenOf);
  }
}

const tooDeep = (range: SourceRange) => new FilterError('filter condition is nested too deeply', range);

/** Precedence of binary operators, which are all left-associative. `**` binds more tightly than a sign before it. */
const BINDING: ReadonlyMap<string, number> = new Map(
  Object.entries({
    '|': 1,
    '^': 2,
    '&': 3,
    '<<': 4,
    '>>': 4,
    '+': 5,
    '-': 5,
    '*': 6,
    '/': 6,
    '%': 6,
    '//': 6,
    '@': 6,
  }),
);

const OPENING: ReadonlySet<string> = new Set(['(', '[', '{']);

/** Recursive descent with one method per precedence level of Python, lowest first. */
class Parser {
  readonly #text: string;
  #token: Token;
  /** End of the previous token. */
  #end = 0;
  #depth = 0;
  #nodeCount = 0;

  constructor(text: string) {
    this.#text = text;
    this.#token = readToken(text, 0);
  }

  parse(): Expression {
    const expression = this.#expression();
    if (this.#token.kind !== 'end') throw this.#unexpected();
    return expression;
  }

  /** Parses a complete expression, alone or between brackets. */
  #expression(): Expression {
    if (this.#isKeyword('lambda')) return this.#rejectLambda();
    const { start } = this.#token;
    const expression = this.#or();
    if (this.#isSign(':=') && expression.kind === 'name') {
      this.#advance();
      this.#nested(() => this.#expression());
      throw this.#invalid(start);
    }
    if (!this.#isKeyword('if')) return expression;
    this.#advance();
    this.#or();
    this.#expectKeyword('else');
    this.#nested(() => this.#expression());
    throw this.#invalid(start);
  }

  #or(): Expression {
    return this.#logical('or', () => this.#and());
  }

  #and(): Expression {
    return this.#logical('and', () => this.#not());
  }

  #logical(kind: 'and' | 'or', parseOperand: () => Expression): Expression {
    const { start } = this.#token;
    const first = parseOperand();
    if (!this.#isKeyword(kind)) return first;
    const operands = [first];
    while (this.#takeKeyword(kind)) operands.push(parseOperand());
    return this.#node({ kind, operands, ...this.#since(start) });
  }

  #not(): Expression {
    const { start } = this.#token;
    if (!this.#takeKeyword('not')) return this.#comparison();
    const operand = this.#nested(() => this.#not());
    return this.#node({ kind: 'not', operand, ...this.#since(start) });
  }

  #comparison(): Expression {
    const { start } = this.#token;
    const first = this.#binary(1);
    const links: ComparisonLink[] = [];
    for (let operator = this.#takeComparison(); operator; operator = this.#takeComparison()) {
      const operandStart = this.#token.start;
      links.push({ operator, operand: this.#binary(1), ...this.#since(operandStart) });
    }
    return links.length === 0 ? first : this.#node({ kind: 'comparison', first, links, ...this.#since(start) });
  }

  #takeComparison(): ComparisonOperator | undefined {
    if (this.#takeKeyword('in')) return 'in';
    if (this.#takeKeyword('is')) return this.#takeKeyword('not') ? 'is not' : 'is';
    if (this.#isKeyword('not')) {
      this.#advance();
      this.#expectKeyword('in');
      return 'not in';
    }
    for (const operator of ['==', '!=', '<=', '>=', '<', '>'] as const) {
      if (this.#takeSign(operator)) return operator;
    }
    return undefined;
  }

  #binary(bindingMin: number): Expression {
    const { start } = this.#token;
    let left = this.#unary();
    for (;;) {
      const operator = this.#token.kind === 'sign' ? this.#token.text : '';
      const binding = BINDING.get(operator) ?? 0;
      if (binding < bindingMin) return left;
      this.#advance();
      const right = this.#binary(binding + 1);
      left = this.#node({
        kind: 'arithmetic',
        operator: operator as ArithmeticOperator,
        left,
        right,
        ...this.#since(start),
      });
    }
  }

  #unary(): Expression {
    const { start } = this.#token;
    for (const operator of ['-', '+', '~'] as const satisfies readonly UnaryOperator[]) {
      if (!this.#takeSign(operator)) continue;
      const operand = this.#nested(() => this.#unary());
      return this.#node({ kind: 'unary', operator, operand, ...this.#since(start) });
    }
    const left = this.#primary();
    if (!this.#takeSign('**')) return left;
    const right = this.#nested(() => this.#unary());
    return this.#node({ kind: 'arithmetic', operator: '**', left, right, ...this.#since(start) });
  }

  /** Parses a name or a value with its members, subscripts and calls. */
  #primary(): Expression {
    const { start } = this.#token;
    let expression = this.#atom();
    for (;;) {
      if (this.#takeSign('.')) {
        const name = this.#expectName();
        expression = this.#node({ kind: 'member', object: expression, name, ...this.#since(start) });
      } else if (this.#isSign('[')) expression = this.#subscript(expression, start);
      else if (this.#isSign('(')) expression = this.#call(expression, start);
      else return expression;
    }
  }

  #subscript(object: Expression, start: number): Expression {
    const open = this.#advance();
    let isSlice = false;
    const indices: Expression[] = [];
    while (!this.#isSign(']')) {
      if (this.#takeSign(':')) isSlice = true;
      else {
        indices.push(this.#nested(() => this.#expression()));
        if (!this.#isSign(']') && !this.#isSign(':')) this.#expectSign(',', open);
      }
    }
    this.#expectSign(']', open);
    const [index] = indices;
    if (isSlice || indices.length !== 1 || !index) throw this.#invalid(start);
    return this.#node({ kind: 'subscript', object, index, ...this.#since(start) });
  }

  #call(callee: Expression, start: number): Expression {
    const open = this.#advance();
    let isPlain = true;
    const args: Expression[] = [];
    while (!this.#isSign(')')) {
      if (this.#takeSign('*') || this.#takeSign('**')) isPlain = false;
      const argument = this.#nested(() => this.#expression());
      if (argument.kind === 'name' && this.#takeSign('=')) {
        isPlain = false;
        this.#nested(() => this.#expression());
      }
      if (args.length === 0 && this.#isKeyword('for')) {
        args.push(this.#comprehension('generator', argument, argument.start));
        break;
      }
      args.push(argument);
      if (!this.#isSign(')')) this.#expectSign(',', open);
    }
    this.#expectSign(')', open);
    if (!isPlain) throw this.#invalid(start);
    const call: CallExpression = { kind: 'call', callee, arguments: args, ...this.#since(start) };
    return this.#node(call);
  }

  #atom(): Expression {
    const token = this.#token;
    switch (token.kind) {
      case 'text':
        return this.#strings();
      case 'number':
        this.#advance();
        return this.#node(token);
      case 'name':
        this.#advance();
        return this.#node({ kind: 'name', name: token.text, start: token.start, end: token.end });
      case 'keyword':
        return this.#constant(token);
      case 'end':
        throw this.#unexpected();
      case 'sign':
        break;
    }
    if (token.text === '(') return this.#parenthesized();
    if (token.text === '[') return this.#list();
    if (token.text === '{') return this.#rejectBraces();
    if (token.text !== '...') throw this.#unexpected();
    throw new FilterError('unsupported literal: ...', token);
  }

  #constant({ text, start, end }: SignToken): LiteralExpression {
    if (text !== 'True' && text !== 'False' && text !== 'None') throw this.#unexpected();
    this.#advance();
    if (text === 'None') return this.#node({ kind: 'none', start, end });
    return this.#node({ kind: 'boolean', value: text === 'True', start, end });
  }

  /** Parses adjacent strings as one. */
  #strings(): Expression {
    const { start } = this.#token;
    let value = '';
    while (this.#token.kind === 'text') {
      value += this.#token.value;
      this.#advance();
    }
    return this.#node({ kind: 'text', value, ...this.#since(start) });
  }

  #parenthesized(): Expression {
    const { start } = this.#token;
    const open = this.#advance();
    if (this.#takeSign(')')) return this.#node({ kind: 'tuple', elements: [], ...this.#since(start) });
    const first = this.#nested(() => this.#expression());
    if (this.#isKeyword('for')) {
      const generator = this.#comprehension('generator', first, first.start);
      this.#expectSign(')', open);
      return generator;
    }
    if (this.#takeSign(')')) return first;
    this.#expectSign(',', open);
    const elements = [first, ...this.#elements(')', open)];
    return this.#node({ kind: 'tuple', elements, ...this.#since(start) });
  }

  #list(): Expression {
    const { start } = this.#token;
    const open = this.#advance();
    if (this.#takeSign(']')) return this.#node({ kind: 'list', elements: [], ...this.#since(start) });
    const first = this.#nested(() => this.#expression());
    if (this.#isKeyword('for')) {
      const comprehension = this.#comprehension('listComprehension', first, start);
      this.#expectSign(']', open);
      return { ...comprehension, ...this.#since(start) };
    }
    if (this.#takeSign(']')) return this.#node({ kind: 'list', elements: [first], ...this.#since(start) });
    this.#expectSign(',', open);
    const elements = [first, ...this.#elements(']', open)];
    return this.#node({ kind: 'list', elements, ...this.#since(start) });
  }

  /** Parses the elements after the first comma, including the closing bracket. */
  #elements(close: string, open: Token): Expression[] {
    const elements: Expression[] = [];
    while (!this.#takeSign(close)) {
      elements.push(this.#nested(() => this.#expression()));
      if (!this.#isSign(close)) this.#expectSign(',', open);
    }
    return elements;
  }

  /** Parses a comprehension from `for` on, after `element`. */
  #comprehension(kind: 'generator' | 'listComprehension', element: Expression, start: number): Expression {
    this.#expectKeyword('for');
    const variable = this.#expectName();
    this.#expectKeyword('in');
    const collection = this.#or();
    const conditions: Expression[] = [];
    while (this.#takeKeyword('if')) conditions.push(this.#or());
    if (this.#isKeyword('for')) throw this.#invalid(start, this.#token.end);
    const [first, ...further] = conditions;
    const range = this.#since(start);
    if (!first) return this.#node({ kind, element, variable, collection, ...range });
    const condition: Expression =
      further.length === 0 ? first : this.#node({ kind: 'and', operands: conditions, ...this.#since(first.start) });
    return this.#node({ kind, element, variable, collection, condition, ...range });
  }

  #rejectLambda(): never {
    const { start } = this.#token;
    while (!this.#isSign(':')) {
      if (this.#token.kind === 'end') throw this.#unexpected();
      this.#advance();
    }
    this.#advance();
    this.#nested(() => this.#expression());
    throw this.#invalid(start);
  }

  #rejectBraces(): never {
    const { start } = this.#token;
    const open: Token[] = [];
    do {
      const token = this.#token;
      if (token.kind === 'end') throw this.#neverClosed(expectPresent(open[0], 'the loop starts at an opening sign'));
      if (token.kind === 'sign' && OPENING.has(token.text)) open.push(token);
      if (token.kind === 'sign' && ')]}'.includes(token.text)) open.pop();
      this.#advance();
    } while (open.length > 0);
    throw this.#invalid(start);
  }

  #nested<Result>(parse: () => Result): Result {
    if (this.#depth >= FILTER_DEPTH_MAX) throw tooDeep(this.#token);
    this.#depth++;
    const result = parse();
    this.#depth--;
    return result;
  }

  #node<Node extends Expression>(node: Node): Node {
    if (this.#nodeCount++ < FILTER_NODE_COUNT_MAX) return node;
    throw new FilterError(`filter condition has more than ${FILTER_NODE_COUNT_MAX} parts`, node);
  }

  #since(start: number): SourceRange {
    return { start, end: this.#end };
  }

  #advance(): Token {
    const token = this.#token;
    this.#end = token.end;
    this.#token = readToken(this.#text, token.end);
    return token;
  }

  #isSign(text: string): boolean {
    return this.#token.kind === 'sign' && this.#token.text === text;
  }

  #isKeyword(text: string): boolean {
    return this.#token.kind === 'keyword' && this.#token.text === text;
  }

  #takeSign(text: string): boolean {
    const isNext = this.#isSign(text);
    if (isNext) this.#advance();
    return isNext;
  }

  #takeKeyword(text: string): boolean {
    const isNext = this.#isKeyword(text);
    if (isNext) this.#advance();
    return isNext;
  }

  #expectKeyword(text: string): void {
    if (!this.#takeKeyword(text)) throw this.#unexpected();
  }

  #expectName(): string {
    if (this.#token.kind !== 'name') throw this.#unexpected();
    const { text } = this.#token;
    this.#advance();
    return text;
  }

  /** Expects a comma or closing bracket inside the brackets that `open` started. */
  #expectSign(text: string, open: Token): void {
    if (this.#takeSign(text)) return;
    throw this.#token.kind === 'end' ? this.#neverClosed(open) : this.#unexpected();
  }

  #neverClosed(open: Token): FilterError {
    return syntaxError(this.#text, `'${this.#text.slice(open.start, open.end)}' was never closed`, open);
  }

  #unexpected(): FilterError {
    const token = this.#token;
    if (token.kind === 'end') return syntaxError(this.#text, 'unexpected end', token);
    const hint = this.#isSign('=') ? ', use `==` to compare' : '';
    return syntaxError(this.#text, `invalid syntax: unexpected ${quoteSource(this.#text, token)}${hint}`, token);
  }

  #invalid(start: number, end = this.#end): FilterError {
    const range = { start, end };
    return new FilterError(`invalid expression: ${sourceOf(this.#text, range)}`, range);
  }
}
