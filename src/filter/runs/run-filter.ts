import type { EqualityOperator, OrderOperator } from '../spans/span-filter.ts';

/**
 * A filter of the examples of a comparison by the results of their runs. Only `parse-run-filter.ts` creates it.
 *
 * For every experiment that is named by its index, one of its runs of the example is chosen, and one run of any of the
 * experiments for names without an index. If an experiment has no run of the example, the values of its run are
 * missing. An example matches if some choice makes the condition true.
 *
 * A condition is true, false or missing; JSON null is missing. An operation with a missing operand is missing.
 */
export interface RunFilter {
  /** The text of the filter without blanks around it. */
  readonly text: string;
  readonly condition: RunCondition;
  /** Distinct runs that the condition reads. */
  readonly runs: readonly RunChoice[];
}

/** A run of the experiment at this index, the base first, or of any experiment. */
export type RunChoice = number | 'any';

export type RunCondition =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly RunCondition[] }
  | { readonly kind: 'not'; readonly operand: RunCondition }
  /** Values of different types are unequal. JSON values are compared by content. */
  | {
      readonly kind: 'equality';
      readonly operator: EqualityOperator;
      readonly left: RunValue;
      readonly right: RunValue;
    }
  /** Between two numbers, or two texts by code point. Otherwise missing. */
  | {
      readonly kind: 'order';
      readonly operator: Exclude<OrderOperator, EqualityOperator>;
      readonly left: RunValue;
      readonly right: RunValue;
    }
  /** Case-sensitive substring search. A value that is not a string is searched as JSON text. */
  | { readonly kind: 'containment'; readonly isNegated: boolean; readonly part: RunText; readonly whole: RunText }
  /** Never missing. */
  | { readonly kind: 'presence'; readonly isPresent: boolean; readonly value: RunValue };

/** `input["a"][0]`: a key of an object, or an index of a list, negative from its end. */
export type JsonPath = readonly (string | number)[];

export type RunJson =
  | {
      readonly type: 'json';
      readonly kind: 'example';
      readonly field: 'input' | 'reference_output' | 'metadata';
      readonly path: JsonPath;
    }
  | { readonly type: 'json'; readonly kind: 'output'; readonly run: RunChoice; readonly path: JsonPath };

export type RunText =
  | { readonly type: 'text'; readonly kind: 'literal'; readonly value: string }
  | { readonly type: 'text'; readonly kind: 'error'; readonly run: RunChoice }
  | {
      readonly type: 'text';
      readonly kind: 'evaluation';
      readonly run: RunChoice;
      readonly name: string;
      readonly member: 'label' | 'explanation';
    }
  | RunJson;

export type RunNumber =
  | { readonly type: 'number'; readonly kind: 'literal'; readonly value: number }
  | { readonly type: 'number'; readonly kind: 'latency'; readonly run: RunChoice }
  | {
      readonly type: 'number';
      readonly kind: 'evaluation';
      readonly run: RunChoice;
      readonly name: string;
      readonly member: 'score';
    }
  /** Missing if the operand is not a number. */
  | { readonly type: 'number'; readonly kind: 'negation'; readonly operand: RunNumber | RunJson };

export type RunValue =
  | RunText
  | RunNumber
  | { readonly type: 'boolean'; readonly kind: 'literal'; readonly value: boolean };
