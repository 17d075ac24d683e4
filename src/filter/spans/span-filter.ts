import type { Expression } from '../syntax/syntax-tree.ts';

/**
 * A span filter that passed every static rule, with names resolved and conversions made plain: what is translated to
 * SQL and what `evaluate-span-filter.ts` runs in memory. Made by `parse-span-filter.ts` only.
 *
 * A condition is true, false or missing; a value is of its type or missing. A span matches when its condition is true.
 * Where nothing else is said, an operation with a missing operand is missing.
 */
export interface SpanFilter {
  /** As it was written, without blanks around it. */
  readonly text: string;
  /** Its source ranges are offsets into the text as it was given, blanks included. */
  readonly expression: Expression;
  readonly condition: SpanCondition;
  /**
   * The annotations that the condition names, each once. Of each, a span (or its trace) may have several rows with
   * different identifiers, or none. A span matches when some choice of one row per annotation makes the condition true,
   * where an annotation without rows counts as one row whose members are missing; it is listed once, whatever the
   * number of choices.
   */
  readonly annotations: readonly AnnotationReference[];
}

export interface AnnotationReference {
  /** Of the span itself, or of the trace that contains it. */
  readonly scope: 'span' | 'trace';
  /** Not empty. */
  readonly name: string;
}

export type SpanCondition =
  | LogicalCondition
  | NotCondition
  | ConstantCondition
  | ComparisonCondition
  | MembershipCondition
  | ContainmentCondition
  | PresenceCondition
  | AnnotationCondition
  | ParentSpanCondition;

/**
 * `and`: false if any operand is false, else missing if any is missing. `or`: true if any operand is true, else missing
 * if any is missing. Two operands at least; a chain `a < b < c` is an `and` of its links.
 */
export interface LogicalCondition {
  readonly kind: 'and' | 'or';
  readonly operands: readonly SpanCondition[];
}

/** Missing stays missing. */
export interface NotCondition {
  readonly kind: 'not';
  readonly operand: SpanCondition;
}

/** `True`, `False` and, as null, `None`, which is missing. Only as an operand. */
export interface ConstantCondition {
  readonly kind: 'constant';
  readonly value: boolean | null;
}

export type EqualityOperator = '==' | '!=';
export type OrderOperator = EqualityOperator | '<' | '<=' | '>' | '>=';

/**
 * Both sides are of one type. Texts are compared by code point (which is also the order of their UTF-8 bytes),
 * case-sensitively; numbers as doubles; datetimes to the nanosecond. `is True` arrives here as `== True`.
 */
export type ComparisonCondition =
  | {
      readonly kind: 'comparison';
      readonly operator: OrderOperator;
      readonly left: TextValue;
      readonly right: TextValue;
    }
  | {
      readonly kind: 'comparison';
      readonly operator: OrderOperator;
      readonly left: NumberValue;
      readonly right: NumberValue;
    }
  | {
      readonly kind: 'comparison';
      readonly operator: OrderOperator;
      readonly left: DatetimeValue;
      readonly right: DatetimeValue;
    }
  | {
      readonly kind: 'comparison';
      readonly operator: EqualityOperator;
      readonly left: BooleanValue;
      readonly right: BooleanValue;
    };

/**
 * `value in [elements]`: true if it equals an element, else missing if it or an element is missing, else false.
 * `isNegated` is the `not` of that. All are of one type. A missing value is missing in an empty list too.
 */
export type MembershipCondition =
  | {
      readonly kind: 'membership';
      readonly isNegated: boolean;
      readonly value: TextValue;
      readonly elements: readonly TextValue[];
    }
  | {
      readonly kind: 'membership';
      readonly isNegated: boolean;
      readonly value: NumberValue;
      readonly elements: readonly NumberValue[];
    }
  | {
      readonly kind: 'membership';
      readonly isNegated: boolean;
      readonly value: DatetimeValue;
      readonly elements: readonly DatetimeValue[];
    }
  | {
      readonly kind: 'membership';
      readonly isNegated: boolean;
      readonly value: BooleanValue;
      readonly elements: readonly BooleanValue[];
    };

/** `part in text`: substring, ignoring case by Unicode's simple lowercase of each code point; nothing is a wildcard. */
export interface ContainmentCondition {
  readonly kind: 'containment';
  readonly isNegated: boolean;
  readonly part: TextValue;
  readonly text: TextValue;
}

/** `value is None` (`isPresent` false), `value is not None` (true). Never missing. */
export interface PresenceCondition {
  readonly kind: 'presence';
  readonly isPresent: boolean;
  /** A raw attribute is present when it has any value but JSON null. */
  readonly value: Value | RawAttribute;
}

/** Bare `annotations['n']`: there is such a row, whatever its members hold. Never missing. */
export interface AnnotationCondition {
  readonly kind: 'annotation';
  readonly annotation: AnnotationReference;
}

/** Whether the span's parent is stored: not so for a root, and for an orphan. Never missing. */
export interface ParentSpanCondition {
  readonly kind: 'parentSpan';
  readonly isPresent: boolean;
}

export type Value = TextValue | NumberValue | DatetimeValue | BooleanValue;

export type TextField = 'span_id' | 'trace_id' | 'parent_id' | 'span_kind' | 'name' | 'status_code' | 'status_message';

export type NumberField =
  | 'latency_ms'
  | 'cumulative_llm_token_count_prompt'
  | 'cumulative_llm_token_count_completion'
  | 'cumulative_llm_token_count_total';

export type DatetimeField = 'start_time' | 'end_time';

/** Keys of nested objects and indices of lists. A text is one key, dots and all, and never an index. Not empty. */
export type AttributePath = readonly (string | number)[];

export interface RawAttribute {
  readonly type: 'any';
  readonly kind: 'attribute';
  readonly path: AttributePath;
}

export type TextValue =
  | { readonly type: 'text'; readonly kind: 'literal'; readonly value: string }
  /** Only `parent_id` can be missing. Kinds and codes are upper-case, an unknown kind is UNKNOWN. */
  | { readonly type: 'text'; readonly kind: 'field'; readonly field: TextField }
  /** A text as it is; a number, a boolean, a list or an object as its JSON without blanks. */
  | { readonly type: 'text'; readonly kind: 'attribute'; readonly path: AttributePath }
  | {
      readonly type: 'text';
      readonly kind: 'annotation';
      readonly annotation: AnnotationReference;
      readonly member: 'label' | 'explanation';
    }
  | { readonly type: 'text'; readonly kind: 'concatenation'; readonly left: TextValue; readonly right: TextValue };

export type NumberValue =
  | { readonly type: 'number'; readonly kind: 'literal'; readonly value: number }
  | { readonly type: 'number'; readonly kind: 'field'; readonly field: NumberField }
  /** A number, or a text that `NUMERIC_TEXT` takes; everything else, and what no finite double holds, is missing. */
  | { readonly type: 'number'; readonly kind: 'attribute'; readonly path: AttributePath }
  | {
      readonly type: 'number';
      readonly kind: 'annotation';
      readonly annotation: AnnotationReference;
      readonly member: 'score';
    }
  | { readonly type: 'number'; readonly kind: 'negation'; readonly operand: NumberValue }
  /**
   * In doubles. `%` takes the sign of its left side. Division and modulo by zero, and a result that is not finite, are
   * missing.
   */
  | {
      readonly type: 'number';
      readonly kind: 'arithmetic';
      readonly operator: NumberOperator;
      readonly left: NumberValue;
      readonly right: NumberValue;
    };

export type NumberOperator = '+' | '-' | '*' | '/' | '%';

export type DatetimeValue =
  | { readonly type: 'datetime'; readonly kind: 'literal'; readonly unixNano: bigint }
  | { readonly type: 'datetime'; readonly kind: 'field'; readonly field: DatetimeField };

export type BooleanValue =
  | { readonly type: 'boolean'; readonly kind: 'literal'; readonly value: boolean }
  /** By its text (see `TextValue`) in lower case: `true` and `1`, `false` and `0`; everything else is missing. */
  | { readonly type: 'boolean'; readonly kind: 'attribute'; readonly path: AttributePath }
  | { readonly type: 'boolean'; readonly kind: 'condition'; readonly condition: SpanCondition };

/** Texts that count as numbers, whole. */
export const NUMERIC_TEXT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
