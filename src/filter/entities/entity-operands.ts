import { FilterError, quoteSource } from '../syntax/filter-error.ts';
import type { Expression } from '../syntax/syntax-tree.ts';
import type { EntityAttribute, EntityCondition, EntityValue } from './entity-filter.ts';

/** What a sub-expression of a strict language is. */
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

/** Types as errors call them. */
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

/** What an error says about a sub-expression: the source in backticks, then this. */
export const problemWith = (text: string, expression: Expression, problem: string): FilterError =>
  new FilterError(`${quoteSource(text, expression)} ${problem}`, expression);
