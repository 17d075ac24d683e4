import { expectPresent } from '../../base/expect-present.ts';
import { readDatetimeLiteral } from '../syntax/datetime-literal.ts';
import { FilterError, quoteSource } from '../syntax/filter-error.ts';
import { formatText } from '../syntax/format-filter.ts';
import type { ComparisonOperator, Expression, SourceRange } from '../syntax/syntax-tree.ts';
import { notOneMember, PARENT_SPAN_USE } from './resolve-span-name.ts';
import {
  type ComparisonCondition,
  type MembershipCondition,
  NUMERIC_TEXT,
  type OrderOperator,
  type RawAttribute,
  type SpanCondition,
  type Value,
} from './span-filter.ts';
import { UPPER_CASE_FIELDS } from './span-names.ts';
import { type SpanCollection, type SpanOperand, TYPE_NAMES } from './span-operands.ts';

/** One link of a comparison. */
export interface Link {
  readonly text: string;
  /** Range from the left operand to the right one. */
  readonly range: SourceRange;
  readonly operator: ComparisonOperator;
  readonly left: SpanOperand;
  readonly right: SpanOperand;
  readonly leftExpression: Expression;
  readonly rightExpression: Expression;
}

/**
 * Finds the common type of two operands, or throws the reason why there is none.
 *
 * @throws {FilterError}
 */
export function compareOperands(link: Link): SpanCondition {
  const { operator, left, right } = link;
  if (left.type === 'parentSpan' || right.type === 'parentSpan') return compareParentSpan(link);
  if (operator === 'in' || operator === 'not in') return compareInside(link, operator === 'not in');
  if (left.type === 'collection' || right.type === 'collection') throw comparesCollection(link);
  if (left.type === 'none' || right.type === 'none') return compareWithNone(link);
  const sides = [toComparable(link, 'left'), toComparable(link, 'right')] as const;
  if (operator !== 'is' && operator !== 'is not') return compareValues(link, operator, ...sides);
  if (!sides.some((side) => side.type === 'boolean' && side.kind === 'literal')) {
    throw problem(link, 'uses `is` with a value, which SQL cannot express; use `==`, or `is` with None/True/False');
  }
  return compareValues(link, operator === 'is' ? '==' : '!=', ...sides);
}

const problem = (link: Link, what: string): FilterError =>
  new FilterError(`${quoteSource(link.text, link.range)} ${what}`, link.range);

const comparesCollection = (link: Link): FilterError =>
  problem(link, 'compares against a collection, which is only supported with `in` / `not in`');

const includesNone = (link: Link): FilterError =>
  problem(link, 'includes None, which never matches in SQL; test for missing values with `is None` / `is not None`');

const comparesLiterals = (link: Link): FilterError =>
  problem(link, 'compares two literals, expected a span field on the left');

const isEquals = (operator: ComparisonOperator): boolean => operator === '==' || operator === 'is';
const isUnequal = (operator: ComparisonOperator): boolean => operator === '!=' || operator === 'is not';

function compareParentSpan({ operator, left, right, range }: Link): SpanCondition {
  const isWithNone = left.type === 'none' || right.type === 'none';
  if (!isWithNone || !(isEquals(operator) || isUnequal(operator))) throw new FilterError(PARENT_SPAN_USE, range);
  return { kind: 'parentSpan', isPresent: isUnequal(operator) };
}

function compareWithNone(link: Link): SpanCondition {
  const { operator, left, right } = link;
  const value = left.type === 'none' ? right : left;
  if (value.type === 'none') throw comparesLiterals(link);
  if (!isEquals(operator) && !isUnequal(operator)) throw includesNone(link);
  const isPresent = isUnequal(operator);
  if (value.type === 'annotation') {
    const exists: SpanCondition = { kind: 'annotation', annotation: value.annotation };
    return isPresent ? exists : { kind: 'not', operand: exists };
  }
  if (value.type === 'collection' || value.type === 'parentSpan') throw comparesCollection(link);
  if (value.kind === 'literal') throw comparesLiterals(link);
  return { kind: 'presence', isPresent, value };
}

/** An annotation is compared through one of its members. Alone, it is a condition about its existence. */
function toComparable(link: Link, side: 'left' | 'right'): Value | RawAttribute {
  const operand = link[side];
  const other = link[side === 'left' ? 'right' : 'left'];
  if (operand.type === 'annotation') {
    const isWithBoolean = other.type === 'boolean' || other.type === 'annotation';
    if (!isWithBoolean) throw notOneMember(link.text, link[`${side}Expression`]);
    return { type: 'boolean', kind: 'condition', condition: { kind: 'annotation', annotation: operand.annotation } };
  }
  if (operand.type === 'none' || operand.type === 'collection' || operand.type === 'parentSpan') {
    throw comparesCollection(link);
  }
  return operand;
}

function compareValues(
  link: Link,
  operator: OrderOperator,
  left: Value | RawAttribute,
  right: Value | RawAttribute,
): SpanCondition {
  const isOrder = operator !== '==' && operator !== '!=';
  const [first, second] = upperCase(toDatetimes(link, [left, right])) as [Value | RawAttribute, Value | RawAttribute];
  const type = commonType(link, first, second) ?? (isOrder ? 'number' : 'text');
  if (type === 'boolean' && isOrder) {
    throw problem(link, 'orders a boolean, use `==`, `!=`, or `is` instead of `<` / `>`');
  }
  return {
    kind: 'comparison',
    operator,
    left: convert(first, type),
    right: convert(second, type),
  } as ComparisonCondition;
}

/** The type of the operand whose type is known. Undefined for two attributes. */
function commonType(link: Link, left: Value | RawAttribute, right: Value | RawAttribute): Value['type'] | undefined {
  if (left.type === 'any') return right.type === 'any' ? undefined : right.type;
  if (right.type !== 'any' && left.type !== right.type) throw typesDiffer(link.range, left, right);
  return left.type;
}

function typesDiffer(range: SourceRange, left: Value, right: Value): FilterError {
  const message = `cannot compare ${TYPE_NAMES[left.type]} and ${TYPE_NAMES[right.type]}`;
  const other = left.type === 'text' ? right : left;
  const quoted = left.type === 'text' ? left : right;
  const isNumeric = quoted.type === 'text' && quoted.kind === 'literal' && NUMERIC_TEXT.test(quoted.value);
  const hint =
    isNumeric && other.type === 'number' ? `, write ${quoted.value} instead of ${formatText(quoted.value)}` : '';
  return new FilterError(message + hint, range);
}

/** Next to a datetime, texts are read as datetimes. Attributes are rejected, because they may contain anything. */
function toDatetimes(link: Link, operands: readonly (Value | RawAttribute)[]): readonly (Value | RawAttribute)[] {
  if (!operands.some(({ type }) => type === 'datetime')) return operands;
  return operands.map((operand) => {
    if (operand.type === 'any') {
      throw new FilterError(
        "cannot compare a datetime field and an attribute, use an ISO 8601 string literal (e.g. '2024-01-01T00:00:00+00:00')",
        link.range,
      );
    }
    if (operand.type !== 'text' || operand.kind !== 'literal') return operand;
    return { type: 'datetime', kind: 'literal', unixNano: readDatetimeLiteral(link.range, operand.value) };
  });
}

/** Span kinds and status codes are compared in upper case, whatever case the filter uses. */
function upperCase(operands: readonly (Value | RawAttribute)[]): readonly (Value | RawAttribute)[] {
  const isUpper = operands.some(
    (operand) => operand.type === 'text' && operand.kind === 'field' && UPPER_CASE_FIELDS.has(operand.field),
  );
  if (!isUpper) return operands;
  return operands.map((operand) =>
    operand.type === 'text' && operand.kind === 'literal'
      ? { ...operand, value: operand.value.toUpperCase() }
      : operand,
  );
}

const convert = (operand: Value | RawAttribute, type: Value['type']): Value =>
  operand.type === 'any' ? ({ type, kind: 'attribute', path: operand.path } as Value) : operand;

function compareInside(link: Link, isNegated: boolean): SpanCondition {
  const { left, right } = link;
  if (left.type === 'collection') throw comparesCollection(link);
  if (right.type === 'collection') return compareMembership(link, isNegated, right);
  if (right.type !== 'text' && right.type !== 'any') {
    const source = quoteSource(link.text, link.rightExpression);
    throw new FilterError(
      `\`in\` expects a collection or a text field on the right, got ${source}`,
      link.rightExpression,
    );
  }
  if (left.type === 'none') throw includesNone(link);
  const part = toElement(link, link.leftExpression, left);
  if (part.kind === 'literal' && right.kind === 'literal') throw comparesLiterals(link);
  const text = convert(right, 'text');
  if (part.type !== 'text' && part.type !== 'any') throw typesDiffer(link.range, part, text);
  return { kind: 'containment', isNegated, part: convert(part, 'text'), text } as SpanCondition;
}

function compareMembership(link: Link, isNegated: boolean, collection: SpanCollection): SpanCondition {
  if (link.left.type === 'none') throw includesNone(link);
  const left = toElement(link, link.leftExpression, link.left);
  const elements = collection.elements.map(({ expression, operand }) => {
    if (operand.type === 'none') throw includesNone(link);
    return toElement(link, expression, operand);
  });
  if ([left, ...elements].every(({ kind }) => kind === 'literal')) throw comparesLiterals(link);
  const [value, ...converted] = upperCase(toDatetimes(link, [left, ...elements])) as [Value | RawAttribute];
  const type = membershipType(link, value, converted) ?? 'text';
  return {
    kind: 'membership',
    isNegated,
    value: convert(value, type),
    elements: converted.map((element) => convert(element, type)),
  } as MembershipCondition;
}

/** A value that may be in a list or next to one. */
function toElement(link: Link, expression: Expression, operand: SpanOperand): Value | RawAttribute {
  switch (operand.type) {
    case 'collection':
      throw new FilterError(
        `${quoteSource(link.text, expression)} is not a value, collections cannot be nested`,
        expression,
      );
    case 'annotation':
      throw notOneMember(link.text, expression);
    case 'parentSpan':
      throw new FilterError(PARENT_SPAN_USE, expression);
    case 'none':
      throw includesNone(link);
    default:
      return operand;
  }
}

function membershipType(
  link: Link,
  value: Value | RawAttribute,
  elements: readonly (Value | RawAttribute)[],
): Value['type'] | undefined {
  const known = elements.filter((element): element is Value => element.type !== 'any');
  const types = TYPE_ORDER.filter((type) => known.some((element) => element.type === type));
  const [type, other] = types;
  if (type && other) {
    throw new FilterError(`cannot compare ${TYPE_NAMES[type]} and ${TYPE_NAMES[other]}`, link.range);
  }
  if (value.type === 'any') return type;
  if (type && value.type !== type)
    throw typesDiffer(link.range, value, expectPresent(known[0], 'a type comes from a known value'));
  return value.type;
}

/** The order in which a mixed list names its types. */
const TYPE_ORDER: readonly Value['type'][] = ['boolean', 'datetime', 'number', 'text'];
