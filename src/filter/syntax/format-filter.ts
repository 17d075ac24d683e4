import type { ArithmeticOperator, Expression, NumberLiteral } from './syntax-tree.ts';

/** The text of a tree with no more brackets than needed. Parsing it gives the same tree, except for source ranges. */
export function formatFilter(expression: Expression): string {
  switch (expression.kind) {
    case 'name':
      return expression.name;
    case 'text':
      return formatText(expression.value);
    case 'number':
      return formatNumber(expression);
    case 'boolean':
      return expression.value ? 'True' : 'False';
    case 'none':
      return 'None';
    case 'list':
      return `[${formatList(expression.elements)}]`;
    case 'tuple':
      return `(${formatList(expression.elements)}${expression.elements.length === 1 ? ',' : ''})`;
    case 'member':
      // `1.x` would be a malformed number.
      return `${within(expression.object, expression.object.kind === 'number' ? NEVER : PRIMARY)}.${expression.name}`;
    case 'subscript':
      return `${within(expression.object, PRIMARY)}[${formatFilter(expression.index)}]`;
    case 'call':
      return `${within(expression.callee, PRIMARY)}${formatArguments(expression.arguments)}`;
    case 'unary':
      return `${expression.operator}${within(expression.operand, UNARY)}`;
    case 'arithmetic':
      return formatArithmetic(expression.operator, expression.left, expression.right);
    case 'comparison':
      return expression.links.reduce(
        (text, { operator, operand }) => `${text} ${operator} ${within(operand, COMPARISON + 1)}`,
        within(expression.first, COMPARISON + 1),
      );
    case 'not':
      return `not ${within(expression.operand, NOT)}`;
    case 'and':
    case 'or': {
      // An `and` in brackets inside another is an operand of its own.
      const binding = bindingOf(expression);
      return expression.operands.map((operand) => within(operand, binding + 1)).join(` ${expression.kind} `);
    }
    case 'generator':
      return `(${formatComprehension(expression)})`;
    case 'listComprehension':
      return `[${formatComprehension(expression)}]`;
  }
}

/** A string literal in the form of Python's `repr`. */
export function formatText(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escaped = value.replace(/[\\\p{Cc}\p{Zl}\p{Zp}]/gu, escapeChar).replaceAll(quote, `\\${quote}`);
  return `${quote}${escaped}${quote}`;
}

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }),
);

const escapeChar = (char: string): string =>
  SHORT_ESCAPES.get(char) ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

function formatNumber({ value, isInteger }: NumberLiteral): string {
  if (isInteger) return BigInt(value).toString();
  const text = String(value);
  return /^\d+$/.test(text) ? `${text}.0` : text;
}

/** Precedence of an expression, as in Python. `or` has the lowest. */
const OR = 1;
const AND = 2;
const NOT = 3;
const COMPARISON = 4;
const BINARY: Readonly<Record<ArithmeticOperator, number>> = {
  '|': 5,
  '^': 6,
  '&': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
  '//': 10,
  '@': 10,
  '**': 12,
};
const UNARY = 11;
const PRIMARY = 13;
const NEVER = 14;

function bindingOf(expression: Expression): number {
  switch (expression.kind) {
    case 'or':
      return OR;
    case 'and':
      return AND;
    case 'not':
      return NOT;
    case 'comparison':
      return COMPARISON;
    case 'arithmetic':
      return BINARY[expression.operator];
    case 'unary':
      return UNARY;
    default:
      return PRIMARY;
  }
}

/** Adds brackets if the precedence is lower than the context requires. */
function within(expression: Expression, bindingMin: number): string {
  const text = formatFilter(expression);
  return bindingOf(expression) < bindingMin ? `(${text})` : text;
}

function formatArithmetic(operator: ArithmeticOperator, left: Expression, right: Expression): string {
  const binding = BINARY[operator];
  const [leftMin, rightMin] = operator === '**' ? [PRIMARY, UNARY] : [binding, binding + 1];
  return `${within(left, leftMin)} ${operator} ${within(right, rightMin)}`;
}

const formatList = (elements: readonly Expression[]): string => elements.map(formatFilter).join(', ');

function formatArguments(args: readonly Expression[]): string {
  const [only] = args;
  return args.length === 1 && only?.kind === 'generator' ? formatFilter(only) : `(${formatList(args)})`;
}

function formatComprehension(expression: Expression & { kind: 'generator' | 'listComprehension' }): string {
  const { element, variable, collection, condition } = expression;
  const suffix = condition ? ` if ${formatFilter(condition)}` : '';
  return `${formatFilter(element)} for ${variable} in ${formatFilter(collection)}${suffix}`;
}
