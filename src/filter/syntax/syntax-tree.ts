/**
 * The syntax tree of a filter text: a Python expression, which all filter languages share. The tree of each language
 * (`span-filter.ts` for spans) defines the meaning of names and the allowed forms.
 *
 * It does not represent parentheses and blanks. Nesting and size are limited (`parse-expression.ts`), so recursion over
 * the tree is safe.
 */
export type Expression =
  | NameExpression
  | LiteralExpression
  | CollectionExpression
  | MemberExpression
  | SubscriptExpression
  | CallExpression
  | UnaryExpression
  | ArithmeticExpression
  | ComparisonExpression
  | NotExpression
  | LogicalExpression
  | ComprehensionExpression;

/** A range of the filter text in UTF-16 offsets. `end` is exclusive. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** `latency_ms`; the first segment of `llm.model_name`. ASCII. */
export interface NameExpression extends SourceRange {
  readonly kind: 'name';
  readonly name: string;
}

export type LiteralExpression = TextLiteral | NumberLiteral | BooleanLiteral | NoneLiteral;

/** Adjacent texts are joined and escapes resolved. Well-formed and without NUL. */
export interface TextLiteral extends SourceRange {
  readonly kind: 'text';
  readonly value: string;
}

/** Finite and not negative, because a sign is an operator. */
export interface NumberLiteral extends SourceRange {
  readonly kind: 'number';
  readonly value: number;
  /** True if written without a point or exponent: `x[1]` is an index, `x[1.0]` is not. */
  readonly isInteger: boolean;
}

export interface BooleanLiteral extends SourceRange {
  readonly kind: 'boolean';
  readonly value: boolean;
}

export interface NoneLiteral extends SourceRange {
  readonly kind: 'none';
}

/** `['a', 'b']`, `('a', 'b')`, `('a',)`, `()`. */
export interface CollectionExpression extends SourceRange {
  readonly kind: 'list' | 'tuple';
  readonly elements: readonly Expression[];
}

/** `object.name` */
export interface MemberExpression extends SourceRange {
  readonly kind: 'member';
  readonly object: Expression;
  readonly name: string;
}

/** `object[index]` */
export interface SubscriptExpression extends SourceRange {
  readonly kind: 'subscript';
  readonly object: Expression;
  readonly index: Expression;
}

/** `callee(a, b)`. The parser rejects keyword and starred arguments. */
export interface CallExpression extends SourceRange {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly arguments: readonly Expression[];
}

export type UnaryOperator = '-' | '+' | '~';

export interface UnaryExpression extends SourceRange {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/** All binary operators of Python, so that a language can name the one that it rejects. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '//' | '**' | '@' | '&' | '|' | '^' | '<<' | '>>';

export interface ArithmeticExpression extends SourceRange {
  readonly kind: 'arithmetic';
  readonly operator: ArithmeticOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'is' | 'is not' | 'in' | 'not in';

/** `first < operand <= operand`: all links hold between neighbors. At least one link. */
export interface ComparisonExpression extends SourceRange {
  readonly kind: 'comparison';
  readonly first: Expression;
  readonly links: readonly ComparisonLink[];
}

/** Its range is that of the operand, including brackets. */
export interface ComparisonLink extends SourceRange {
  readonly operator: ComparisonOperator;
  readonly operand: Expression;
}

export interface NotExpression extends SourceRange {
  readonly kind: 'not';
  readonly operand: Expression;
}

/** `a and b and c` is one expression with three operands. At least two operands. */
export interface LogicalExpression extends SourceRange {
  readonly kind: 'and' | 'or';
  readonly operands: readonly Expression[];
}

/** `element for variable in collection if condition`, as the only argument of a call or between square brackets. */
export interface ComprehensionExpression extends SourceRange {
  readonly kind: 'generator' | 'listComprehension';
  readonly element: Expression;
  readonly variable: string;
  readonly collection: Expression;
  /** Several `if` clauses are joined with `and`. */
  readonly condition?: Expression;
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
