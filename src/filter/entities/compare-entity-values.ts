import { expectPresent } from '../../base/expect-present.ts';
import { readDatetimeLiteral } from '../syntax/datetime-literal.ts';
import { FilterError, quoteSource } from '../syntax/filter-error.ts';
import type { ComparisonOperator, Expression, SourceRange } from '../syntax/syntax-tree.ts';
import type { EntityAttribute, EntityCondition, EntityText, EntityValue } from './entity-filter.ts';
import { type EntityOperand, problemWith, typeName } from './entity-operands.ts';

/** One link of a comparison. */
export interface EntityLink {
  readonly text: string;
  readonly range: SourceRange;
  readonly operator: ComparisonOperator;
  readonly left: EntityOperand;
  readonly right: EntityOperand;
  readonly leftExpression: Expression;
  readonly rightExpression: Expression;
}

/** @throws {FilterError} if the operator does not accept operands of these types */
export function compareEntityOperands(link: EntityLink): EntityCondition {
  const { operator, left, right } = link;
  if (operator === 'in' || operator === 'not in') return compareInside(link, operator === 'not in');
  if (left.type === 'none' || right.type === 'none') return compareWithNone(link);
  if (operator === 'is' || operator === 'is not') {
    throw problem(link, 'uses `is` with a value; `is` only tests for None, use `==`');
  }
  const [first, second] = toTimestamps(link, toComparable(link, left), toComparable(link, right));
  const isOrder = operator !== '==' && operator !== '!=';
  const type = commonType(link, first, second) ?? (isOrder ? 'number' : 'text');
  if (isOrder && (type === 'text' || type === 'boolean')) {
    const what = type === 'text' ? 'text' : 'conditions';
    throw new FilterError(`\`${operator}\` does not order ${what}`, link.range);
  }
  return {
    kind: 'comparison',
    operator,
    left: convert(first, type),
    right: convert(second, type),
  } as EntityCondition;
}

const problem = ({ text, range }: EntityLink, what: string): FilterError =>
  new FilterError(`${quoteSource(text, range)} ${what}`, range);

function cannotCompare(link: EntityLink): FilterError {
  const { text, left, right, leftExpression, rightExpression } = link;
  return new FilterError(
    `cannot compare ${quoteSource(text, leftExpression)} (${typeName(left)}) with ${quoteSource(text, rightExpression)} (${typeName(right)})`,
    link.range,
  );
}

function compareWithNone(link: EntityLink): EntityCondition {
  const { operator, left, right } = link;
  if (operator !== '==' && operator !== '!=' && operator !== 'is' && operator !== 'is not') throw cannotCompare(link);
  const isPresent = operator === '!=' || operator === 'is not';
  const value = left.type === 'none' ? right : left;
  switch (value.type) {
    case 'parentSpan':
      return { kind: 'parentSpan', scope: value.scope, isPresent };
    case 'annotation': {
      const exists: EntityCondition = { kind: 'annotation', name: value.name };
      return isPresent ? exists : { kind: 'not', operand: exists };
    }
    case 'text':
    case 'number':
    case 'timestamp':
    case 'any':
      if (value.kind === 'literal') throw cannotCompare(link);
      return { kind: 'presence', isPresent, value };
    default:
      throw cannotCompare(link);
  }
}

type Comparable = EntityValue | EntityAttribute;

function toComparable(link: EntityLink, operand: EntityOperand): Comparable {
  switch (operand.type) {
    case 'condition':
      return { type: 'boolean', kind: 'condition', condition: operand.condition };
    case 'annotation':
    case 'parentSpan':
    case 'containmentTerm':
    case 'none':
    case 'collection':
      throw cannotCompare(link);
    default:
      return operand;
  }
}

/** A text literal next to a timestamp is a timestamp. */
function toTimestamps(link: EntityLink, left: Comparable, right: Comparable): readonly [Comparable, Comparable] {
  const read = (side: Comparable, other: Comparable): Comparable =>
    other.type === 'timestamp' && side.type === 'text' && side.kind === 'literal'
      ? { type: 'timestamp', kind: 'literal', unixNano: readDatetimeLiteral(link.range, side.value) }
      : side;
  return [read(left, right), read(right, left)];
}

/** Undefined for two attribute values. */
function commonType(link: EntityLink, left: Comparable, right: Comparable): EntityValue['type'] | undefined {
  const known = left.type === 'any' ? right : left;
  const other = left.type === 'any' ? left : right;
  if (known.type === 'any') return undefined;
  if (other.type === 'any' ? known.type === 'timestamp' : other.type !== known.type) throw cannotCompare(link);
  return known.type;
}

const convert = (operand: Comparable, type: EntityValue['type']): EntityValue =>
  operand.type === 'any' ? ({ ...operand, type } as EntityValue) : operand;

function compareInside(link: EntityLink, isNegated: boolean): EntityCondition {
  const { left, right } = link;
  if (right.type === 'collection') return compareMembership(link, right.elements, isNegated);
  if (right.type !== 'text' && right.type !== 'any' && right.type !== 'containmentTerm') {
    throw new FilterError(
      `\`in\` expects a list or text on the right, got ${quoteSource(link.text, link.rightExpression)} (${typeName(right)})`,
      link.rightExpression,
    );
  }
  if (left.type !== 'text' || left.kind !== 'literal') {
    throw problemWith(
      link.text,
      link.leftExpression,
      'is not a string literal, which is all that `in` searches for in a text',
    );
  }
  const part = left.value;
  if (right.type === 'containmentTerm') return { kind: 'anyContainment', isNegated, part, field: right.field };
  if (right.kind === 'literal') throw problem(link, 'compares two literals');
  return { kind: 'containment', isNegated, part, text: convert(right, 'text') as EntityText };
}

function compareMembership(link: EntityLink, expressions: readonly Expression[], isNegated: boolean): EntityCondition {
  const { left } = link;
  const elements = expressions.map((expression) => toLiteral(link, expression));
  const [first] = elements;
  const type = typeof first === 'number' ? 'number' : 'text';
  if (elements.some((element) => typeof element !== typeof first)) throw problem(link, 'mixes types in its list');
  if (left.type !== 'any' && left.type !== 'text' && left.type !== 'number') throw cannotCompare(link);
  if (left.kind === 'literal') throw problem(link, 'compares two literals');
  if (left.type !== 'any' && first !== undefined && left.type !== type) {
    const right = { type, kind: 'literal', value: first } as EntityOperand;
    throw cannotCompare({
      ...link,
      right,
      rightExpression: expectPresent(expressions[0], 'each value of the list has its expression'),
    });
  }
  const value = convert(left, first === undefined && left.type === 'number' ? 'number' : type);
  return { kind: 'membership', isNegated, value, elements } as EntityCondition;
}

function toLiteral({ text }: EntityLink, expression: Expression): string | number {
  if (expression.kind === 'text' || expression.kind === 'number') return expression.value;
  const { kind } = expression;
  if (kind === 'unary' && expression.operand.kind === 'number' && expression.operator !== '~') {
    return expression.operator === '-' ? -expression.operand.value : expression.operand.value;
  }
  if (kind === 'none') throw problemWith(text, expression, 'never matches in a list, test for it with `is None`');
  throw problemWith(text, expression, 'is not a string or a number, which is all that a list may hold');
}
