import type { EqualityOperator, NumberOperator, OrderOperator } from '../spans/span-filter.ts';
import type { Expression } from '../syntax/syntax-tree.ts';

/**
 * A filter of sessions or traces that passed every static rule: names resolved (`vocabulary.ts` lists them), both sides
 * of every operator of one type. Made by `parse-entity-filter.ts` only.
 *
 * A condition is true, false or missing; a value is of its type or missing; where nothing else is said, an operation with
 * a missing operand is missing. An entity matches when its condition is true.
 */
export interface EntityFilter {
  readonly language: 'session' | 'trace';
  /** As it was written, without blanks around it. */
  readonly text: string;
  /** Its source ranges are offsets into the text as it was given. */
  readonly expression: Expression;
  readonly condition: EntityCondition;
  /** Names of the entity's annotations that the condition reads, each once: a choice of rows as in `SpanFilter`. */
  readonly annotations: readonly string[];
}

/**
 * Which entity is read: 0 is the session or trace that is filtered, 1 the element of the outermost comprehension, 2 that
 * of the one inside, and so on.
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
  /** True if the value equals an element, missing if the value is missing, else false; `isNegated` is the `not` of that. */
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
  /** Substring, ignoring case as in `ContainmentCondition`. */
  | { readonly kind: 'containment'; readonly isNegated: boolean; readonly part: string; readonly text: EntityText }
  /** Some parentless span has the part in its input or output; `isNegated` when none has. Never missing. */
  | {
      readonly kind: 'anyContainment';
      readonly isNegated: boolean;
      readonly part: string;
      readonly field: 'any_input' | 'any_output';
    }
  /** Never missing. */
  | { readonly kind: 'presence'; readonly isPresent: boolean; readonly value: EntityValue | EntityAttribute }
  /** There is such a row. Never missing. */
  | { readonly kind: 'annotation'; readonly name: string }
  /** Whether the parent of the span at that scope is stored. Never missing. */
  | { readonly kind: 'parentSpan'; readonly scope: ScopeIndex; readonly isPresent: boolean }
  /** A field that is true or false. */
  | { readonly kind: 'field'; readonly scope: ScopeIndex; readonly field: string }
  /**
   * Over the elements for which `where` is true: `any` when the condition is true for one, `all` when it is true for each
   * (so for none, too, and not where it is missing for one). Never missing.
   */
  | {
      readonly kind: 'quantifier';
      readonly quantifier: 'any' | 'all';
      readonly over: CollectionReference;
      readonly where?: EntityCondition;
      readonly condition: EntityCondition;
    };

/** Texts are only equal or unequal. */
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
 * An attribute of the earliest root span (sessions) or the displayed root span (traces), by its key on the wire, however
 * its dots are nested. Read as a text, a number or a truth value as in `SpanFilter`.
 */
export interface EntityAttribute<Type extends string = 'any'> {
  readonly type: Type;
  readonly kind: 'attribute';
  readonly key: string;
}

/** A field of the entity at that scope, or of its parent span: missing where there is none. */
export interface EntityField<Type extends string> {
  readonly type: Type;
  readonly kind: 'field';
  readonly scope: ScopeIndex;
  readonly ofParentSpan: boolean;
  readonly field: string;
}

/**
 * Of the values that are not missing, over the elements for which `where` is true: `max` and `min` of none are missing,
 * `sum` of none is 0.
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
  /** As in `NumberValue`. */
  | {
      readonly type: 'number';
      readonly kind: 'arithmetic';
      readonly operator: NumberOperator;
      readonly left: EntityNumber;
      readonly right: EntityNumber;
    }
  | Reduction<'number', 'sum' | 'max' | 'min', EntityNumber>
  /** How many elements `where` is true for. */
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
