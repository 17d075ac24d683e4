import { type ExactJson, ExactNumber } from '../../base/exact-json.ts';
import { expectPresent } from '../../base/expect-present.ts';
import { attributeToBoolean, attributeToNumber, attributeToText } from '../attribute-values.ts';
import type { AnnotationView } from '../spans/span-view.ts';
import { toSimpleLowerCase } from '../text-order.ts';
import { all, any, calculate, compare, not, type Scalar, type Truth } from '../three-valued.ts';
import type {
  EntityCondition,
  EntityFilter,
  EntityNumber,
  EntityText,
  EntityTimestamp,
  EntityValue,
} from './entity-filter.ts';
import type { EntityView } from './entity-view.ts';

/** Whether a session or trace matches. A store's translation of the filter must select the same entities. */
export function matchesEntity(filter: EntityFilter, entity: EntityView): boolean {
  const choices = (index: number, annotations: ReadonlyMap<string, AnnotationView>): boolean => {
    const name = filter.annotations[index];
    if (name === undefined) return evaluate(filter.condition, { scopes: [entity], annotations }) === true;
    const rows = (entity.annotations ?? []).filter((row) => row.name === name);
    if (rows.length === 0) return choices(index + 1, annotations);
    return rows.some((row) => choices(index + 1, new Map(annotations).set(name, row)));
  };
  return choices(0, new Map());
}

interface Context {
  /** Entities by scope index. */
  readonly scopes: readonly [EntityView, ...EntityView[]];
  /** The chosen row of each annotation. */
  readonly annotations: ReadonlyMap<string, AnnotationView>;
}

const scopeAt = (scope: number, { scopes }: Context): EntityView =>
  expectPresent(scopes[scope], 'the parser numbers the scopes, and evaluation enters the same comprehensions');

function evaluate(condition: EntityCondition, context: Context): Truth {
  switch (condition.kind) {
    case 'and':
      return all(condition.operands, (operand) => evaluate(operand, context));
    case 'or':
      return any(condition.operands, (operand) => evaluate(operand, context));
    case 'not':
      return not(evaluate(condition.operand, context));
    case 'comparison':
      return compare(condition.operator, scalarOf(condition.left, context), scalarOf(condition.right, context));
    case 'membership': {
      const value = scalarOf(condition.value, context);
      if (value === null) return null;
      return (condition.elements as readonly Scalar[]).includes(value) !== condition.isNegated;
    }
    case 'containment': {
      const text = textOf(condition.text, context);
      return text === null ? null : contains(text, condition.part) !== condition.isNegated;
    }
    case 'anyContainment': {
      const texts = context.scopes[0].texts?.[condition.field] ?? [];
      return texts.some((text) => contains(text, condition.part)) !== condition.isNegated;
    }
    case 'presence': {
      const { value } = condition;
      const found = value.type === 'any' ? attributeOf(value.key, context, (json) => json) : scalarOf(value, context);
      return (found !== null) === condition.isPresent;
    }
    case 'annotation':
      return context.annotations.has(condition.name);
    case 'parentSpan':
      return ((scopeAt(condition.scope, context).parentSpan ?? null) !== null) === condition.isPresent;
    case 'field':
      return scopeAt(condition.scope, context).fields[condition.field] as Truth;
    case 'quantifier': {
      const isTrue = (inner: Context) => evaluate(condition.condition, inner) === true;
      const elements = elementsOf(condition, context);
      return condition.quantifier === 'any' ? elements.some(isTrue) : elements.every(isTrue);
    }
  }
}

const contains = (text: string, part: string): boolean => toSimpleLowerCase(text).includes(toSimpleLowerCase(part));

type Comprehension = Pick<EntityCondition & { kind: 'quantifier' }, 'over' | 'where'>;

/** Returns a context for each element for which `where` is true. */
function elementsOf({ over, where }: Comprehension, context: Context): Context[] {
  // Inner conditions refer to enclosing comprehensions by depth, regardless of which one has the collection.
  const elements = scopeAt(over.scope, context).collections?.[over.collection] ?? [];
  const inner = elements.map((element): Context => ({ ...context, scopes: [...context.scopes, element] }));
  return where ? inner.filter((element) => evaluate(where, element) === true) : inner;
}

function scalarOf(value: EntityValue, context: Context): Scalar | null {
  switch (value.type) {
    case 'text':
      return textOf(value, context);
    case 'number':
      return numberOf(value, context);
    case 'timestamp':
      return timestampOf(value, context);
    case 'boolean':
      if (value.kind === 'literal') return value.value;
      if (value.kind === 'attribute') return attributeOf(value.key, context, attributeToBoolean);
      return evaluate(value.condition, context);
  }
}

function fieldOf<Type>(
  { scope, ofParentSpan, field }: { scope: number; ofParentSpan: boolean; field: string },
  context: Context,
): Type | null {
  const found = scopeAt(scope, context);
  const entity = ofParentSpan ? found.parentSpan : found;
  return (entity?.fields[field] ?? null) as Type | null;
}

function textOf(value: EntityText, context: Context): string | null {
  switch (value.kind) {
    case 'literal':
      return value.value;
    case 'field':
      return fieldOf(value, context);
    case 'attribute':
      return attributeOf(value.key, context, attributeToText);
    case 'annotation':
      return context.annotations.get(value.name)?.[value.member] ?? null;
  }
}

function numberOf(value: EntityNumber, context: Context): number | null {
  switch (value.kind) {
    case 'literal':
      return value.value;
    case 'field':
      return fieldOf(value, context);
    case 'attribute':
      return attributeOf(value.key, context, attributeToNumber);
    case 'annotation':
      return context.annotations.get(value.name)?.score ?? null;
    case 'negation': {
      const operand = numberOf(value.operand, context);
      return operand === null ? null : -operand;
    }
    case 'arithmetic':
      return calculate(value.operator, numberOf(value.left, context), numberOf(value.right, context));
    case 'count':
      return elementsOf(value, context).length;
    case 'reduction': {
      const values = elementsOf(value, context).flatMap((element) => numberOf(value.value, element) ?? []);
      if (value.reducer === 'sum') return values.reduce((sum, next) => sum + next, 0);
      return extremeOf(value.reducer, values);
    }
  }
}

function timestampOf(value: EntityTimestamp, context: Context): bigint | null {
  switch (value.kind) {
    case 'literal':
      return value.unixNano;
    case 'field':
      return fieldOf(value, context);
    case 'reduction':
      return extremeOf(
        value.reducer,
        elementsOf(value, context).flatMap((element) => timestampOf(value.value, element) ?? []),
      );
  }
}

function extremeOf<Item extends number | bigint>(reducer: 'max' | 'min', values: readonly Item[]): Item | null {
  let extreme: Item | null = null;
  for (const value of values) {
    if (extreme === null || (reducer === 'max' ? value > extreme : value < extreme)) extreme = value;
  }
  return extreme;
}

function attributeOf<Result>(
  key: string,
  { scopes }: Context,
  to: (value: NonNullable<ExactJson>) => Result,
): Result | null {
  const value = atWireKey(scopes[0].attributes, key.split('.'));
  return value === undefined || value === null ? null : to(value);
}

/** The value under a dotted key, some of whose segments may be joined to one key. An index counts as a segment. */
function atWireKey(value: ExactJson | undefined, segments: readonly string[]): ExactJson | undefined {
  const [first] = segments;
  if (first === undefined) return value;
  if (value === undefined || value === null || typeof value !== 'object' || value instanceof ExactNumber) {
    return undefined;
  }
  if (Array.isArray(value)) {
    return /^\d+$/.test(first) ? atWireKey(value[Number(first)], segments.slice(1)) : undefined;
  }
  for (let count = 1; count <= segments.length; count++) {
    const key = segments.slice(0, count).join('.');
    const found = Object.hasOwn(value, key) ? atWireKey(value[key], segments.slice(count)) : undefined;
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}
