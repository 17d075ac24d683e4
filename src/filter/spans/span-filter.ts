import type { Expression } from '../syntax/syntax-tree.ts';

/**
 * A span filter that has passed every static rule, with resolved names and explicit conversions. It is translated to
 * SQL, and `evaluate-span-filter.ts` evaluates it in memory. Only `parse-span-filter.ts` creates it.
 *
 * A condition is true, false or missing; a value has its type or is missing. A span matches if its condition is true.
 * Unless stated otherwise, an operation with a missing operand is missing.
 */
export interface SpanFilter {
  /** The text of the filter without blanks around it. */
  readonly text: string;
  /** Its source ranges are offsets in the original text, including blanks. */
  readonly expression: Expression;
  readonly condition: SpanCondition;
  /**
   * Distinct annotations in the condition. A span (or its trace) may have several rows of each with different
   * identifiers, or none. A span matches if some choice of one row per annotation makes the condition true. An
   * annotation without rows counts as one row with missing members. A span is listed once, whatever the number of
   * choices.
   */
  readonly annotations: readonly AnnotationReference[];
}

export interface AnnotationReference {
  /** An annotation of the span itself, or of its trace. */
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
  | ParentSpanCondition
  | ErrorInTraceCondition;

/**
 * `and`: false if any operand is false, otherwise missing if any is missing. `or`: true if any operand is true,
 * otherwise missing if any is missing. At least two operands; a chain `a < b < c` is an `and` of its links.
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

/** `True`, `False` and, as null, `None`, which is missing. Occurs only as an operand. */
export interface ConstantCondition {
  readonly kind: 'constant';
  readonly value: boolean | null;
}

export type EqualityOperator = '==' | '!=';
export type OrderOperator = EqualityOperator | '<' | '<=' | '>' | '>=';

/**
 * Both sides have one type. Texts are compared by code point (the order of their UTF-8 bytes), case-sensitively;
 * numbers as doubles; datetimes in nanoseconds. `is True` is represented as `== True`.
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
 * `value in [elements]`: true if it equals an element, otherwise missing if it or an element is missing, otherwise
 * false. `isNegated` is the `not` of that. All have one type. A missing value is missing in an empty list too.
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

/**
 * `part in text`: a substring search that ignores case by Unicode's simple lower case of each code point. There are no
 * wildcards.
 */
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
  /** A raw attribute is present if it has any value except JSON null. */
  readonly value: Value | RawAttribute;
}

/** `annotations['n']` alone: the annotation exists, whatever its members contain. Never missing. */
export interface AnnotationCondition {
  readonly kind: 'annotation';
  readonly annotation: AnnotationReference;
}

/** Whether the span's parent is stored. False for roots and orphans. Never missing. */
export interface ParentSpanCondition {
  readonly kind: 'parentSpan';
  readonly isPresent: boolean;
}

/** `error_in_trace`: any span of the span's trace has the status ERROR, the span itself or another. Never missing. */
export interface ErrorInTraceCondition {
  readonly kind: 'errorInTrace';
}

export type Value = TextValue | NumberValue | DatetimeValue | BooleanValue;

export type TextField = 'span_id' | 'trace_id' | 'parent_id' | 'span_kind' | 'name' | 'status_code' | 'status_message';

export type NumberField =
  | 'latency_ms'
  | 'cumulative_llm_token_count_prompt'
  | 'cumulative_llm_token_count_completion'
  | 'cumulative_llm_token_count_total';

export type DatetimeField = 'start_time' | 'end_time';

/**
 * Keys of nested objects and indices of lists. A text is one key, including its dots, and never an index. Not empty.
 */
export type AttributePath = readonly (string | number)[];

export interface RawAttribute {
  readonly type: 'any';
  readonly kind: 'attribute';
  readonly path: AttributePath;
}

export type TextValue =
  | { readonly type: 'text'; readonly kind: 'literal'; readonly value: string }
  /** Only `parent_id` can be missing. Span kinds and status codes are upper-case, and an unknown kind is UNKNOWN. */
  | { readonly type: 'text'; readonly kind: 'field'; readonly field: TextField }
  /** A text unchanged; a number, a boolean, a list or an object as JSON without blanks. */
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
  /**
   * A number, or a text that matches `NUMERIC_TEXT`. Other values, and values beyond the range of doubles, are missing.
   */
  | { readonly type: 'number'; readonly kind: 'attribute'; readonly path: AttributePath }
  | {
      readonly type: 'number';
      readonly kind: 'annotation';
      readonly annotation: AnnotationReference;
      readonly member: 'score';
    }
  | { readonly type: 'number'; readonly kind: 'negation'; readonly operand: NumberValue }
  /**
   * Calculates with doubles. `%` has the sign of its left side. Division and modulo by zero, and results that are not
   * finite, are missing.
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
  /** Read from its text (see `TextValue`) in lower case: `true` and `1`, `false` and `0`. Other values are missing. */
  | { readonly type: 'boolean'; readonly kind: 'attribute'; readonly path: AttributePath }
  | { readonly type: 'boolean'; readonly kind: 'condition'; readonly condition: SpanCondition };

/** Complete texts that count as numbers. */
export const NUMERIC_TEXT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
