import { spanIdNumber } from '../../model/traces/trace-ids.ts';
import { TEXT_ATTRIBUTES } from '../../columns/text-attributes.ts';
import type {
  AttributePath,
  NumberValue,
  SpanCondition,
  SpanFilter,
  TextValue,
} from '../../filter/spans/span-filter.ts';
import type { RowNeeds } from '../cache/block-filter.ts';
import { hasHash, hashOfColumn, hashOfKey, hashOfNumber, hashOfScalar } from '../cache/value-hashes.ts';

// Necessary conditions of a match that block filters can test.

/** Hashes of a list of values, of which a matching row contains one. */
type Values = readonly number[];

/** Attributes in columns without hashes, or with values that are not stored as text. */
const UNHASHED_KEYS: ReadonlySet<string> = new Set([
  'input.value',
  'output.value',
  ...TEXT_ATTRIBUTES.flatMap(({ key, isInBlockFilters }) => (isInBlockFilters ? [] : key)),
  'openinference.span.kind',
]);

export const valuesOfNames = (names: readonly string[]): Values => names.map((name) => hashOfColumn('name', name));

export const valuesOfSpanIds = (ids: readonly string[]): Values =>
  ids.map((id) => hashOfColumn('span_id', String(spanIdNumber(id))));

/** Undefined if a matching row may have no hash of the value. */
export function valuesOfAttribute(keys: AttributePath, value: string | number | bigint | boolean): Values | undefined {
  const key = hashedKey(keys);
  if (key === undefined) return undefined;
  if (typeof value === 'number' || typeof value === 'bigint') return [hashOfNumber(key, Number(value))];
  const text = String(value);
  // Only scalars have hashes. The text of another value begins with a bracket.
  if (!hasHash(text) || /^[[{]/.test(text)) return undefined;
  // A number is among the leaves as it was sent, and may be compared with another notation.
  const number = Number(text);
  const isNumber = text.trim() !== '' && Number.isFinite(number);
  return isNumber ? [hashOfScalar(key, text), hashOfNumber(key, number)] : [hashOfScalar(key, text)];
}

/** The last key of a path whose values have hashes. Elements of lists have none. */
function hashedKey(path: AttributePath): string | undefined {
  const key = path[path.length - 1];
  if (typeof key !== 'string' || path.some((step) => typeof step === 'number')) return undefined;
  return UNHASHED_KEYS.has(path.join('.')) ? undefined : key;
}

/** Necessary conditions of a span filter. */
export function needsOfFilter(filter: SpanFilter): RowNeeds {
  return { values: valuesOf(filter.condition) };
}

function valuesOf(condition: SpanCondition): Values[] {
  switch (condition.kind) {
    case 'and':
      return condition.operands.flatMap(valuesOf);
    case 'or': {
      // A matching row meets one operand, and so contains a value of one of these lists.
      const lists = condition.operands.map((operand) => valuesOf(operand)[0]);
      return lists.every((list) => list !== undefined) ? [lists.flat()] : [];
    }
    case 'comparison': {
      const { operator, left, right } = condition;
      const equal = operator === '==' ? (equals(left, right) ?? equals(right, left)) : undefined;
      return equal ? [equal] : [left, right].flatMap(isThere);
    }
    case 'membership': {
      const { isNegated, value, elements } = condition;
      if (isNegated || elements.length === 0) return [];
      const lists = (elements as readonly Operand[]).map((element) => equals(value, element));
      return lists.every((list) => list !== undefined) ? [lists.flat()] : [];
    }
    default:
      return [];
  }
}

type Operand = Extract<SpanCondition, { kind: 'comparison' }>['left'];

/** A number that is compared must be present. It is never among the long texts. */
function isThere(operand: Operand): Values[] {
  if (operand.type !== 'number' || operand.kind !== 'attribute') return [];
  const key = hashedKey(operand.path);
  return key === undefined ? [] : [[hashOfKey(key)]];
}

/** Values of which a row contains one if these are equal. */
function equals(value: Operand, literal: Operand): Values | undefined {
  if (literal.kind !== 'literal') return undefined;
  if (value.type === 'text' && literal.type === 'text') return equalsText(value, literal.value);
  if (value.type === 'number' && literal.type === 'number') return equalsNumber(value, literal.value);
  return undefined;
}

function equalsText(value: TextValue, literal: string): Values | undefined {
  if (value.kind === 'attribute') return valuesOfAttribute(value.path, literal);
  if (value.kind !== 'field') return undefined;
  if (value.field === 'name') return valuesOfNames([literal]);
  if (value.field === 'span_id' || value.field === 'parent_id') return valuesOfSpanIds([literal]);
  return undefined;
}

const equalsNumber = (value: NumberValue, literal: number): Values | undefined =>
  value.kind === 'attribute' ? valuesOfAttribute(value.path, literal) : undefined;
