import { FilterError, sourceOf } from '../syntax/filter-error.ts';
import type { Expression } from '../syntax/syntax-tree.ts';
import { notOneMember, PARENT_SPAN_USE, type SpanName } from './resolve-span-name.ts';
import { NUMERIC_TEXT, type NumberOperator, type NumberValue, type RawAttribute, type Value } from './span-filter.ts';

/** An operand of an operator. */
export type SpanOperand = SpanName | { readonly type: 'none' } | SpanCollection;

export interface SpanCollection {
  readonly type: 'collection';
  readonly elements: readonly { readonly expression: Expression; readonly operand: SpanOperand }[];
}

/** Names of types in errors. */
export const TYPE_NAMES: Readonly<Record<Value['type'], string>> = {
  text: 'string',
  number: 'number',
  datetime: 'datetime',
  boolean: 'boolean',
};

/** Converts an attribute that is read as a number or text. Other values are unchanged. */
export const asNumber = (operand: NumberValue | RawAttribute): NumberValue =>
  operand.type === 'number' ? operand : { type: 'number', kind: 'attribute', path: operand.path };

/**
 * Resolves literals, casts and arithmetic.
 *
 * @throws {FilterError}
 */
export function toSpanValue(
  text: string,
  expression: Expression,
  resolve: (expression: Expression) => SpanOperand,
): Value | RawAttribute {
  switch (expression.kind) {
    case 'text':
      return { type: 'text', kind: 'literal', value: expression.value };
    case 'number':
      return { type: 'number', kind: 'literal', value: expression.value };
    case 'boolean':
      return { type: 'boolean', kind: 'literal', value: expression.value };
    case 'call':
      return toCast(text, expression, resolve);
    case 'unary':
      return toSigned(text, expression, resolve);
    case 'arithmetic':
      return toArithmetic(text, expression, resolve);
    default:
      throw invalid(text, expression);
  }
}

const invalid = (text: string, expression: Expression): FilterError =>
  new FilterError(`invalid expression: ${sourceOf(text, expression)}`, expression);

/** Requires a value. */
function requireValue(text: string, expression: Expression, operand: SpanOperand): Value | RawAttribute | undefined {
  if (operand.type === 'parentSpan') throw new FilterError(PARENT_SPAN_USE, expression);
  if (operand.type === 'annotation') throw notOneMember(text, expression);
  return operand.type === 'none' || operand.type === 'collection' ? undefined : operand;
}

function toCast(
  text: string,
  call: Expression & { kind: 'call' },
  resolve: (expression: Expression) => SpanOperand,
): Value {
  const target = call.callee.kind === 'name' ? CASTS.get(call.callee.name) : undefined;
  const [argument] = call.arguments;
  if (!target || !argument || call.arguments.length > 1) throw invalid(text, call);
  const operand = requireValue(text, argument, resolve(argument));
  if (!operand) throw invalid(text, call);
  if (operand.type === target) return operand;
  if (operand.type === 'any') return { type: target, kind: 'attribute', path: operand.path };
  if (target === 'number' && operand.type === 'text' && operand.kind === 'literal') {
    const value = NUMERIC_TEXT.test(operand.value) ? Number(operand.value) : Number.NaN;
    if (Number.isFinite(value)) return { type: 'number', kind: 'literal', value };
  }
  const targetName = target === 'text' ? 'text' : 'number';
  throw new FilterError(`cannot cast ${TYPE_NAMES[operand.type]} to ${targetName}`, call);
}

const CASTS: ReadonlyMap<string, 'text' | 'number'> = new Map([
  ['str', 'text'],
  ['float', 'number'],
  ['int', 'number'],
]);

function toSigned(
  text: string,
  expression: Expression & { kind: 'unary' },
  resolve: (expression: Expression) => SpanOperand,
): NumberValue | RawAttribute {
  const { operator, operand: inner } = expression;
  if (operator === '~') throw new FilterError(`unsupported operator: ${sourceOf(text, expression)}`, expression);
  const operand = requireValue(text, inner, resolve(inner));
  if (operand?.type !== 'number' && operand?.type !== 'any') {
    throw new FilterError('invalid arithmetic operand', expression);
  }
  if (operator === '+') return operand;
  const number = asNumber(operand);
  return number.kind === 'literal'
    ? { type: 'number', kind: 'literal', value: -number.value }
    : { type: 'number', kind: 'negation', operand: number };
}

const NUMBER_OPERATORS: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%'] satisfies NumberOperator[]);

function toArithmetic(
  text: string,
  expression: Expression & { kind: 'arithmetic' },
  resolve: (expression: Expression) => SpanOperand,
): Value {
  const { operator } = expression;
  if (!NUMBER_OPERATORS.has(operator)) {
    const problem = operator === '**' || operator === '//' ? 'invalid arithmetic operator' : 'unsupported operator';
    throw new FilterError(`${problem}: ${sourceOf(text, expression)}`, expression);
  }
  const left = requireValue(text, expression.left, resolve(expression.left));
  const right = requireValue(text, expression.right, resolve(expression.right));
  // Two attributes are added as numbers; otherwise two token counts would be concatenated to "10020".
  if (operator === '+' && (left?.type === 'text' || right?.type === 'text')) {
    const joined = [left, right].map((side) => (side?.type === 'any' ? ({ ...side, type: 'text' } as const) : side));
    const [first, second] = joined;
    if (first?.type === 'text' && second?.type === 'text') {
      return { type: 'text', kind: 'concatenation', left: first, right: second };
    }
  }
  const isNumber = (side: typeof left) => side?.type === 'number' || side?.type === 'any';
  if (!isNumber(left) || !isNumber(right)) throw new FilterError('invalid arithmetic operands', expression);
  return {
    type: 'number',
    kind: 'arithmetic',
    operator: operator as NumberOperator,
    left: asNumber(left as NumberValue | RawAttribute),
    right: asNumber(right as NumberValue | RawAttribute),
  };
}
