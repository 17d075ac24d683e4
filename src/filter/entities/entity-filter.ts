import type { EqualityOperator, NumberOperator, OrderOperator } from '../spans/span-filter.ts';
import type { Expression } from '../syntax/syntax-tree.ts';

/**
 * A filter of sessions or traces that has passed every static rule: names are resolved (`vocabulary.ts` lists them),
 * and both sides of every operator have one type. Only `parse-entity-filter.ts` creates it.
 *
 * A condition is true, false or missing; a value has its type or is missing. Unless stated otherwise, an operation with
 * a missing operand is missing. An entity matches if its condition is true.
 */
export interface EntityFilter {
  readonly language: 'session' | 'trace';
  /** The text of the filter without blanks around it. */
  readonly text: string;
  /** Its source ranges are offsets in the original text. */
  readonly expression: Expression;
  readonly condition: EntityCondition;
  /** Distinct names of the entity's annotations in the condition. The rows are chosen as in `SpanFilter`. */
  readonly annotations: readonly string[];
}

/**
 * The entity that is read: 0 is the filtered session or trace, 1 the element of the outermost comprehension, 2 the
 * element of the next one, and so on.
 */
export type ScopeIndex = number;

export interface CollectionReference {
  readonly scope: ScopeIndex;
  readonly collection: string;
}

export type EntityCondition =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly EntityCondition[] }
  | { readonly kind: 'not'; readonly operand: EntityCondition }
  | EntityComparison
  /**
   * True if the value equals an element, missing if the value is missing, otherwise false. `isNegated` is the `not` of
   * that.
   */
  | {
      readonly kind: 'membership';
      readonly isNegated: boolean;
      readonly value: EntityText;
      readonly elements: readonly string[];
    }
  | {
      readonly kind: 'membership';
      readonly isNegated: boolean;
      readonly value: EntityNumber;
      readonly elements: readonly number[];
    }
  /** Substring search that ignores case like `ContainmentCondition`. */
  | { readonly kind: 'containment'; readonly isNegated: boolean; readonly part: string; readonly text: EntityText }
  /** A span without parent has the part in its input or output; with `isNegated`, none has. Never missing. */
  | {
      readonly kind: 'anyContainment';
      readonly isNegated: boolean;
      readonly part: string;
      readonly field: 'any_input' | 'any_output';
    }
  /** Never missing. */
  | { readonly kind: 'presence'; readonly isPresent: boolean; readonly value: EntityValue | EntityAttribute }
  /** The annotation exists. Never missing. */
  | { readonly kind: 'annotation'; readonly name: string }
  /** Whether the parent of the span at that scope is stored. Never missing. */
  | { readonly kind: 'parentSpan'; readonly scope: ScopeIndex; readonly isPresent: boolean }
  /** A boolean field. */
  | { readonly kind: 'field'; readonly scope: ScopeIndex; readonly field: string }
  /**
   * Over the elements for which `where` is true: `any` if the condition is true for one, `all` if it is true for each
   * (also without elements, but not if it is missing for one). Never missing.
   */
  | {
      readonly kind: 'quantifier';
      readonly quantifier: 'any' | 'all';
      readonly over: CollectionReference;
      readonly where?: EntityCondition;
      readonly condition: EntityCondition;
    };

/** Texts can only be compared for equality. */
export type EntityComparison =
  | {
      readonly kind: 'comparison';
      readonly operator: EqualityOperator;
      readonly left: EntityText;
      readonly right: EntityText;
    }
  | {
      readonly kind: 'comparison';
      readonly operator: OrderOperator;
      readonly left: EntityNumber;
      readonly right: EntityNumber;
    }
  | {
      readonly kind: 'comparison';
      readonly operator: OrderOperator;
      readonly left: EntityTimestamp;
      readonly right: EntityTimestamp;
    }
  | {
      readonly kind: 'comparison';
      readonly operator: EqualityOperator;
      readonly left: EntityBoolean;
      readonly right: EntityBoolean;
    };

export type EntityValue = EntityText | EntityNumber | EntityTimestamp | EntityBoolean;

/**
 * An attribute of the earliest root span (sessions) or the displayed root span (traces), by its original key, however
 * its dots are nested. Read as text, number or boolean as in `SpanFilter`.
 */
export interface EntityAttribute<Type extends string = 'any'> {
  readonly type: Type;
  readonly kind: 'attribute';
  readonly key: string;
}

/** A field of the entity at that scope, or of its parent span. Missing if there is none. */
export interface EntityField<Type extends string> {
  readonly type: Type;
  readonly kind: 'field';
  readonly scope: ScopeIndex;
  readonly ofParentSpan: boolean;
  readonly field: string;
}

/**
 * Reduces the values that are not missing, over the elements for which `where` is true. Without values, `max` and `min`
 * are missing and `sum` is 0.
 */
export interface Reduction<Type extends string, Reducer extends string, Reduced> {
  readonly type: Type;
  readonly kind: 'reduction';
  readonly reducer: Reducer;
  readonly over: CollectionReference;
  readonly where?: EntityCondition;
  readonly value: Reduced;
}

export type EntityText =
  | { readonly type: 'text'; readonly kind: 'literal'; readonly value: string }
  | EntityField<'text'>
  | EntityAttribute<'text'>
  | {
      readonly type: 'text';
      readonly kind: 'annotation';
      readonly name: string;
      readonly member: 'label' | 'explanation';
    };

export type EntityNumber =
  | { readonly type: 'number'; readonly kind: 'literal'; readonly value: number }
  | EntityField<'number'>
  | EntityAttribute<'number'>
  | { readonly type: 'number'; readonly kind: 'annotation'; readonly name: string; readonly member: 'score' }
  | { readonly type: 'number'; readonly kind: 'negation'; readonly operand: EntityNumber }
  /** Arithmetic as in `NumberValue`. */
  | {
      readonly type: 'number';
      readonly kind: 'arithmetic';
      readonly operator: NumberOperator;
      readonly left: EntityNumber;
      readonly right: EntityNumber;
    }
  | Reduction<'number', 'sum' | 'max' | 'min', EntityNumber>
  /** Number of elements for which `where` is true. */
  | {
      readonly type: 'number';
      readonly kind: 'count';
      readonly over: CollectionReference;
      readonly where?: EntityCondition;
    };

export type EntityTimestamp =
  | { readonly type: 'timestamp'; readonly kind: 'literal'; readonly unixNano: bigint }
  | EntityField<'timestamp'>
  | Reduction<'timestamp', 'max' | 'min', EntityTimestamp>;

export type EntityBoolean =
  | { readonly type: 'boolean'; readonly kind: 'literal'; readonly value: boolean }
  | EntityAttribute<'boolean'>
  | { readonly type: 'boolean'; readonly kind: 'condition'; readonly condition: EntityCondition };
