import { FilterError, quoteSource } from '../syntax/filter-error.ts';
import type { Expression } from '../syntax/syntax-tree.ts';
import type { EntityAttribute, EntityCondition, EntityValue } from './entity-filter.ts';

/** The kinds of sub-expressions of a strict language. */
export type EntityOperand =
  | Exclude<EntityValue, { type: 'boolean' }>
  | EntityAttribute
  | { readonly type: 'boolean'; readonly kind: 'literal'; readonly value: boolean }
  | { readonly type: 'condition'; readonly condition: EntityCondition }
  | { readonly type: 'annotation'; readonly name: string }
  | { readonly type: 'parentSpan'; readonly scope: number }
  | { readonly type: 'containmentTerm'; readonly field: 'any_input' | 'any_output' }
  | { readonly type: 'none' }
  | { readonly type: 'collection'; readonly elements: readonly Expression[] };

/** Names of types in errors. */
const TYPE_NAMES: Readonly<Record<EntityOperand['type'], string>> = {
  text: 'text',
  number: 'a number',
  timestamp: 'a timestamp',
  any: 'an attribute value',
  boolean: 'a condition',
  condition: 'a condition',
  annotation: 'an annotation',
  parentSpan: 'a span',
  containmentTerm: 'text that can only be searched with `in`',
  none: 'None',
  collection: 'a collection',
};

export const typeName = ({ type }: EntityOperand): string => TYPE_NAMES[type];

/** An error about a sub-expression: its source in backticks, followed by the problem. */
export const problemWith = (text: string, expression: Expression, problem: string): FilterError =>
  new FilterError(`${quoteSource(text, expression)} ${problem}`, expression);
