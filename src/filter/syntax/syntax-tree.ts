/**
 * A filter text as it is written: a Python expression, the ground that all filter languages share. What names mean and
 * which forms a language takes is said by its own tree (`span-filter.ts` for spans).
 *
 * Parentheses and blanks leave no trace. Nesting and size are bounded (`parse-expression.ts`), so walking a tree by
 * recursion is safe.
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

/** Where something stands in the filter text: UTF-16 offsets, `end` after the last one. */
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

/** Adjacent texts are joined, escapes resolved: well-formed and without NUL. */
export interface TextLiteral extends SourceRange {
  readonly kind: 'text';
  readonly value: string;
}

/** Finite and not negative: a sign is an operator. */
export interface NumberLiteral extends SourceRange {
  readonly kind: 'number';
  readonly value: number;
  /** Written without a point or an exponent. `x[1]` is an index, `x[1.0]` is none. */
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

/** `callee(a, b)`. Keyword and starred arguments are refused by the parser. */
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

/** All binary operators of Python, so that a language can name the one it does not take. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '//' | '**' | '@' | '&' | '|' | '^' | '<<' | '>>';

export interface ArithmeticExpression extends SourceRange {
  readonly kind: 'arithmetic';
  readonly operator: ArithmeticOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'is' | 'is not' | 'in' | 'not in';

/** `first < operand <= operand`: all links hold, each between neighbours. One link at least. */
export interface ComparisonExpression extends SourceRange {
  readonly kind: 'comparison';
  readonly first: Expression;
  readonly links: readonly ComparisonLink[];
}

/** Its range is the operand's, brackets included. */
export interface ComparisonLink extends SourceRange {
  readonly operator: ComparisonOperator;
  readonly operand: Expression;
}

export interface NotExpression extends SourceRange {
  readonly kind: 'not';
  readonly operand: Expression;
}

/** `a and b and c` is one expression of three operands. Two operands at least. */
export interface LogicalExpression extends SourceRange {
  readonly kind: 'and' | 'or';
  readonly operands: readonly Expression[];
}

/** `element for variable in collection if condition`: the only argument of a call, or between square brackets. */
export interface ComprehensionExpression extends SourceRange {
  readonly kind: 'generator' | 'listComprehension';
  readonly element: Expression;
  readonly variable: string;
  readonly collection: Expression;
  /** Several `if` are joined with `and`. */
  readonly condition?: Expression;
}
