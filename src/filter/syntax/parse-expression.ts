import { FILTER_CHARS_MAX, FILTER_DEPTH_MAX, FILTER_NODE_COUNT_MAX } from '../../model/limits/reads.ts';
import { FilterError } from './filter-error.ts';
import type { SignToken, Token } from './lexer.ts';
import {
  type ArithmeticOperator,
  type CallExpression,
  type ComparisonLink,
  type ComparisonOperator,
  childrenOf,
  type Expression,
  type LiteralExpression,
  type SourceRange,
  type UnaryOperator,
} from './syntax-tree.ts';
import { TokenCursor } from './token-cursor.ts';

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

/** Recursive descent with one method per precedence level of Python, lowest first. */
class Parser {
  readonly #tokens: TokenCursor;
  #depth = 0;
  #nodeCount = 0;

  constructor(text: string) {
    this.#tokens = new TokenCursor(text);
  }

  parse(): Expression {
    const expression = this.#expression();
    if (this.#tokens.current.kind !== 'end') throw this.#tokens.unexpected();
    return expression;
  }

  /** Parses a complete expression, alone or between brackets. */
  #expression(): Expression {
    if (this.#tokens.isKeyword('lambda')) return this.#rejectLambda();
    const { start } = this.#tokens.current;
    const expression = this.#or();
    if (this.#tokens.isSign(':=') && expression.kind === 'name') {
      this.#tokens.advance();
      this.#nested(() => this.#expression());
      throw this.#tokens.invalid(start);
    }
    if (!this.#tokens.isKeyword('if')) return expression;
    this.#tokens.advance();
    this.#or();
    this.#tokens.expectKeyword('else');
    this.#nested(() => this.#expression());
    throw this.#tokens.invalid(start);
  }

  #or(): Expression {
    return this.#logical('or', () => this.#and());
  }

  #and(): Expression {
    return this.#logical('and', () => this.#not());
  }

  #logical(kind: 'and' | 'or', parseOperand: () => Expression): Expression {
    const { start } = this.#tokens.current;
    const first = parseOperand();
    if (!this.#tokens.isKeyword(kind)) return first;
    const operands = [first];
    while (this.#tokens.takeKeyword(kind)) operands.push(parseOperand());
    return this.#node({ kind, operands, ...this.#tokens.since(start) });
  }

  #not(): Expression {
    const { start } = this.#tokens.current;
    if (!this.#tokens.takeKeyword('not')) return this.#comparison();
    const operand = this.#nested(() => this.#not());
    return this.#node({ kind: 'not', operand, ...this.#tokens.since(start) });
  }

  #comparison(): Expression {
    const { start } = this.#tokens.current;
    const first = this.#binary(1);
    const links: ComparisonLink[] = [];
    for (let operator = this.#takeComparison(); operator; operator = this.#takeComparison()) {
      const operandStart = this.#tokens.current.start;
      links.push({ operator, operand: this.#binary(1), ...this.#tokens.since(operandStart) });
    }
    return links.length === 0 ? first : this.#node({ kind: 'comparison', first, links, ...this.#tokens.since(start) });
  }

  #takeComparison(): ComparisonOperator | undefined {
    if (this.#tokens.takeKeyword('in')) return 'in';
    if (this.#tokens.takeKeyword('is')) return this.#tokens.takeKeyword('not') ? 'is not' : 'is';
    if (this.#tokens.isKeyword('not')) {
      this.#tokens.advance();
      this.#tokens.expectKeyword('in');
      return 'not in';
    }
    for (const operator of ['==', '!=', '<=', '>=', '<', '>'] as const) {
      if (this.#tokens.takeSign(operator)) return operator;
    }
    return undefined;
  }

  #binary(bindingMin: number): Expression {
    const { start } = this.#tokens.current;
    let left = this.#unary();
    for (;;) {
      const operator = this.#tokens.current.kind === 'sign' ? this.#tokens.current.text : '';
      const binding = BINDING.get(operator) ?? 0;
      if (binding < bindingMin) return left;
      this.#tokens.advance();
      const right = this.#binary(binding + 1);
      left = this.#node({
        kind: 'arithmetic',
        operator: operator as ArithmeticOperator,
        left,
        right,
        ...this.#tokens.since(start),
      });
    }
  }

  #unary(): Expression {
    const { start } = this.#tokens.current;
    for (const operator of ['-', '+', '~'] as const satisfies readonly UnaryOperator[]) {
      if (!this.#tokens.takeSign(operator)) continue;
      const operand = this.#nested(() => this.#unary());
      return this.#node({ kind: 'unary', operator, operand, ...this.#tokens.since(start) });
    }
    const left = this.#primary();
    if (!this.#tokens.takeSign('**')) return left;
    const right = this.#nested(() => this.#unary());
    return this.#node({ kind: 'arithmetic', operator: '**', left, right, ...this.#tokens.since(start) });
  }

  /** Parses a name or a value with its members, subscripts and calls. */
  #primary(): Expression {
    const { start } = this.#tokens.current;
    let expression = this.#atom();
    for (;;) {
      if (this.#tokens.takeSign('.')) {
        const name = this.#tokens.expectName();
        expression = this.#node({ kind: 'member', object: expression, name, ...this.#tokens.since(start) });
      } else if (this.#tokens.isSign('[')) expression = this.#subscript(expression, start);
      else if (this.#tokens.isSign('(')) expression = this.#call(expression, start);
      else return expression;
    }
  }

  #subscript(object: Expression, start: number): Expression {
    const open = this.#tokens.advance();
    let isSlice = false;
    const indices: Expression[] = [];
    while (!this.#tokens.isSign(']')) {
      if (this.#tokens.takeSign(':')) isSlice = true;
      else {
        indices.push(this.#nested(() => this.#expression()));
        if (!this.#tokens.isSign(']') && !this.#tokens.isSign(':')) this.#tokens.expectSign(',', open);
      }
    }
    this.#tokens.expectSign(']', open);
    const [index] = indices;
    if (isSlice || indices.length !== 1 || !index) throw this.#tokens.invalid(start);
    return this.#node({ kind: 'subscript', object, index, ...this.#tokens.since(start) });
  }

  #call(callee: Expression, start: number): Expression {
    const open = this.#tokens.advance();
    let isPlain = true;
    const args: Expression[] = [];
    while (!this.#tokens.isSign(')')) {
      if (this.#tokens.takeSign('*') || this.#tokens.takeSign('**')) isPlain = false;
      const argument = this.#nested(() => this.#expression());
      if (argument.kind === 'name' && this.#tokens.takeSign('=')) {
        isPlain = false;
        this.#nested(() => this.#expression());
      }
      if (args.length === 0 && this.#tokens.isKeyword('for')) {
        args.push(this.#comprehension('generator', argument, argument.start));
        break;
      }
      args.push(argument);
      if (!this.#tokens.isSign(')')) this.#tokens.expectSign(',', open);
    }
    this.#tokens.expectSign(')', open);
    if (!isPlain) throw this.#tokens.invalid(start);
    const call: CallExpression = { kind: 'call', callee, arguments: args, ...this.#tokens.since(start) };
    return this.#node(call);
  }

  #atom(): Expression {
    const token = this.#tokens.current;
    switch (token.kind) {
      case 'text':
        return this.#strings();
      case 'number':
        this.#tokens.advance();
        return this.#node(token);
      case 'name':
        this.#tokens.advance();
        return this.#node({ kind: 'name', name: token.text, start: token.start, end: token.end });
      case 'keyword':
        return this.#constant(token);
      case 'end':
        throw this.#tokens.unexpected();
      case 'sign':
        break;
    }
    if (token.text === '(') return this.#parenthesized();
    if (token.text === '[') return this.#list();
    if (token.text === '{') return this.#tokens.rejectBraces();
    if (token.text !== '...') throw this.#tokens.unexpected();
    throw new FilterError('unsupported literal: ...', token);
  }

  #constant({ text, start, end }: SignToken): LiteralExpression {
    if (text !== 'True' && text !== 'False' && text !== 'None') throw this.#tokens.unexpected();
    this.#tokens.advance();
    if (text === 'None') return this.#node({ kind: 'none', start, end });
    return this.#node({ kind: 'boolean', value: text === 'True', start, end });
  }

  /** Parses adjacent strings as one. */
  #strings(): Expression {
    const { start } = this.#tokens.current;
    let value = '';
    while (this.#tokens.current.kind === 'text') {
      value += this.#tokens.current.value;
      this.#tokens.advance();
    }
    return this.#node({ kind: 'text', value, ...this.#tokens.since(start) });
  }

  #parenthesized(): Expression {
    const { start } = this.#tokens.current;
    const open = this.#tokens.advance();
    if (this.#tokens.takeSign(')')) return this.#node({ kind: 'tuple', elements: [], ...this.#tokens.since(start) });
    const first = this.#nested(() => this.#expression());
    if (this.#tokens.isKeyword('for')) {
      const generator = this.#comprehension('generator', first, first.start);
      this.#tokens.expectSign(')', open);
      return generator;
    }
    if (this.#tokens.takeSign(')')) return first;
    this.#tokens.expectSign(',', open);
    const elements = [first, ...this.#elements(')', open)];
    return this.#node({ kind: 'tuple', elements, ...this.#tokens.since(start) });
  }

  #list(): Expression {
    const { start } = this.#tokens.current;
    const open = this.#tokens.advance();
    if (this.#tokens.takeSign(']')) return this.#node({ kind: 'list', elements: [], ...this.#tokens.since(start) });
    const first = this.#nested(() => this.#expression());
    if (this.#tokens.isKeyword('for')) {
      const comprehension = this.#comprehension('listComprehension', first, start);
      this.#tokens.expectSign(']', open);
      return { ...comprehension, ...this.#tokens.since(start) };
    }
    if (this.#tokens.takeSign(']'))
      return this.#node({ kind: 'list', elements: [first], ...this.#tokens.since(start) });
    this.#tokens.expectSign(',', open);
    const elements = [first, ...this.#elements(']', open)];
    return this.#node({ kind: 'list', elements, ...this.#tokens.since(start) });
  }

  /** Parses the elements after the first comma, including the closing bracket. */
  #elements(close: string, open: Token): Expression[] {
    const elements: Expression[] = [];
    while (!this.#tokens.takeSign(close)) {
      elements.push(this.#nested(() => this.#expression()));
      if (!this.#tokens.isSign(close)) this.#tokens.expectSign(',', open);
    }
    return elements;
  }

  /** Parses a comprehension from `for` on, after `element`. */
  #comprehension(kind: 'generator' | 'listComprehension', element: Expression, start: number): Expression {
    this.#tokens.expectKeyword('for');
    const variable = this.#tokens.expectName();
    this.#tokens.expectKeyword('in');
    const collection = this.#or();
    const conditions: Expression[] = [];
    while (this.#tokens.takeKeyword('if')) conditions.push(this.#or());
    if (this.#tokens.isKeyword('for')) throw this.#tokens.invalid(start, this.#tokens.current.end);
    const [first, ...further] = conditions;
    const range = this.#tokens.since(start);
    if (!first) return this.#node({ kind, element, variable, collection, ...range });
    const condition: Expression =
      further.length === 0
        ? first
        : this.#node({ kind: 'and', operands: conditions, ...this.#tokens.since(first.start) });
    return this.#node({ kind, element, variable, collection, condition, ...range });
  }

  #rejectLambda(): never {
    const { start } = this.#tokens.current;
    while (!this.#tokens.isSign(':')) {
      if (this.#tokens.current.kind === 'end') throw this.#tokens.unexpected();
      this.#tokens.advance();
    }
    this.#tokens.advance();
    this.#nested(() => this.#expression());
    throw this.#tokens.invalid(start);
  }

  #nested<Result>(parse: () => Result): Result {
    if (this.#depth >= FILTER_DEPTH_MAX) throw tooDeep(this.#tokens.current);
    this.#depth++;
    const result = parse();
    this.#depth--;
    return result;
  }

  #node<Node extends Expression>(node: Node): Node {
    if (this.#nodeCount++ < FILTER_NODE_COUNT_MAX) return node;
    throw new FilterError(`filter condition has more than ${FILTER_NODE_COUNT_MAX} parts`, node);
  }
}
