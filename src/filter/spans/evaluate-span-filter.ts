import { attributeAt, attributeToBoolean, attributeToNumber, attributeToText } from '../attribute-values.ts';
import { toSimpleLowerCase } from '../text-order.ts';
import { all, any, calculate, compare, not, type Scalar } from '../three-valued.ts';
import type {
  AnnotationReference,
  BooleanValue,
  ComparisonCondition,
  DatetimeValue,
  MembershipCondition,
  NumberField,
  NumberValue,
  SpanCondition,
  SpanFilter,
  TextField,
  TextValue,
  Value,
} from './span-filter.ts';
import type { AnnotationView, SpanView } from './span-view.ts';

/** One row per annotation. An annotation without rows is absent. */
export type AnnotationChoice = ReadonlyMap<string, AnnotationView>;

/**
 * Whether a span matches. A store's translation of the filter must select the same spans.
 *
 * The time is proportional to the product of the numbers of rows that the filter's annotations have on this span.
 */
export function matchesSpan(filter: SpanFilter, span: SpanView): boolean {
  const choices = (index: number, choice: Map<string, AnnotationView>): boolean => {
    const annotation = filter.annotations[index];
    if (!annotation) return evaluateCondition(filter.condition, span, choice) === true;
    const rows = rowsOf(span, annotation);
    if (rows.length === 0) return choices(index + 1, choice);
    return rows.some((row) => choices(index + 1, new Map(choice).set(choiceKey(annotation), row)));
  };
  return choices(0, new Map());
}

/** Key of an annotation in an `AnnotationChoice`. */
export const choiceKey = ({ scope, name }: AnnotationReference): string => `${scope} ${name}`;

const rowsOf = (span: SpanView, { scope, name }: AnnotationReference): readonly AnnotationView[] =>
  (scope === 'span' ? span.annotations : span.traceAnnotations).filter((row) => row.name === name);

/** Returns true, false, or null for missing. */
export function evaluateCondition(condition: SpanCondition, span: SpanView, choice: AnnotationChoice): boolean | null {
  switch (condition.kind) {
    case 'and':
      return all(condition.operands, (operand) => evaluateCondition(operand, span, choice));
    case 'or':
      return any(condition.operands, (operand) => evaluateCondition(operand, span, choice));
    case 'not':
      return not(evaluateCondition(condition.operand, span, choice));
    case 'constant':
      return condition.value;
    case 'comparison':
      return evaluateComparison(condition, span, choice);
    case 'membership':
      return evaluateMembership(condition, span, choice);
    case 'containment': {
      const part = textOf(condition.part, span, choice);
      const text = textOf(condition.text, span, choice);
      if (part === null || text === null) return null;
      return toSimpleLowerCase(text).includes(toSimpleLowerCase(part)) !== condition.isNegated;
    }
    case 'presence': {
      const { value } = condition;
      const found = value.type === 'any' ? attributeAt(span.attributes, value.path) : scalarOf(value, span, choice);
      return (found !== undefined && found !== null) === condition.isPresent;
    }
    case 'annotation':
      return choice.has(choiceKey(condition.annotation));
    case 'parentSpan':
      return span.hasParentSpan === condition.isPresent;
    case 'errorInTrace':
      return span.hasErrorInTrace;
  }
}

function evaluateComparison(
  { operator, left, right }: ComparisonCondition,
  span: SpanView,
  choice: AnnotationChoice,
): boolean | null {
  return compare(operator, scalarOf(left, span, choice), scalarOf(right, span, choice));
}

function evaluateMembership(
  { isNegated, value, elements }: MembershipCondition,
  span: SpanView,
  choice: AnnotationChoice,
): boolean | null {
  const searched = scalarOf(value, span, choice);
  if (searched === null) return null;
  const isMember = any<Value>(elements, (element) => compare('==', searched, scalarOf(element, span, choice)));
  return isNegated ? not(isMember) : isMember;
}

/** A value of a span, or null if it is missing. */
export function evaluateValue(value: Value, span: SpanView, choice: AnnotationChoice): Scalar | null {
  return scalarOf(value, span, choice);
}

function scalarOf(value: Value, span: SpanView, choice: AnnotationChoice): Scalar | null {
  switch (value.type) {
    case 'text':
      return textOf(value, span, choice);
    case 'number':
      return numberOf(value, span, choice);
    case 'datetime':
      return datetimeOf(value, span);
    case 'boolean':
      return booleanOf(value, span, choice);
  }
}

function textOf(value: TextValue, span: SpanView, choice: AnnotationChoice): string | null {
  switch (value.kind) {
    case 'literal':
      return value.value;
    case 'field':
      return TEXT_FIELDS[value.field](span);
    case 'attribute':
      return convert(span, value.path, attributeToText);
    case 'annotation':
      return choice.get(choiceKey(value.annotation))?.[value.member] ?? null;
    case 'concatenation': {
      const left = textOf(value.left, span, choice);
      const right = textOf(value.right, span, choice);
      return left === null || right === null ? null : left + right;
    }
  }
}

const TEXT_FIELDS: Readonly<Record<TextField, (span: SpanView) => string | null>> = {
  span_id: ({ spanId }) => spanId,
  trace_id: ({ traceId }) => traceId,
  parent_id: ({ parentId }) => parentId,
  span_kind: ({ spanKind }) => spanKind,
  name: ({ name }) => name,
  status_code: ({ statusCode }) => statusCode,
  status_message: ({ statusMessage }) => statusMessage,
};

function numberOf(value: NumberValue, span: SpanView, choice: AnnotationChoice): number | null {
  switch (value.kind) {
    case 'literal':
      return value.value;
    case 'field':
      return NUMBER_FIELDS[value.field](span);
    case 'attribute':
      return convert(span, value.path, attributeToNumber);
    case 'annotation':
      return choice.get(choiceKey(value.annotation))?.score ?? null;
    case 'negation': {
      const operand = numberOf(value.operand, span, choice);
      return operand === null ? null : -operand;
    }
    case 'arithmetic':
      return calculate(value.operator, numberOf(value.left, span, choice), numberOf(value.right, span, choice));
  }
}

const NUMBER_FIELDS: Readonly<Record<NumberField, (span: SpanView) => number>> = {
  latency_ms: ({ startTimeUnixNano, endTimeUnixNano }) => Number(endTimeUnixNano - startTimeUnixNano) / 1e6,
  cumulative_llm_token_count_prompt: (span) => span.cumulativeTokensPrompt,
  cumulative_llm_token_count_completion: (span) => span.cumulativeTokensCompletion,
  cumulative_llm_token_count_total: (span) => span.cumulativeTokensPrompt + span.cumulativeTokensCompletion,
};

function datetimeOf(value: DatetimeValue, span: SpanView): bigint {
  if (value.kind === 'literal') return value.unixNano;
  return value.field === 'start_time' ? span.startTimeUnixNano : span.endTimeUnixNano;
}

function booleanOf(value: BooleanValue, span: SpanView, choice: AnnotationChoice): boolean | null {
  switch (value.kind) {
    case 'literal':
      return value.value;
    case 'attribute':
      return convert(span, value.path, attributeToBoolean);
    case 'condition':
      return evaluateCondition(value.condition, span, choice);
  }
}

function convert<Result>(
  { attributes }: SpanView,
  path: readonly (string | number)[],
  to: (value: NonNullable<ReturnType<typeof attributeAt>>) => Result,
): Result | null {
  const value = attributeAt(attributes, path);
  return value === undefined || value === null ? null : to(value);
}
