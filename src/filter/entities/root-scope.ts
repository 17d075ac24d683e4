import { SpandrelError } from '../../model/errors.ts';
import { parseSpanFilter } from '../spans/parse-span-filter.ts';
import type { SpanCondition } from '../spans/span-filter.ts';

/** Spans without a parent ID, or also those whose parent is not stored. */
export type RootScope = 'strict' | 'orphanAware';

/**
 * Whether a filter text can select only root spans, and of which kind. Undefined if it may select others, and for an
 * invalid filter. Decided from the form alone.
 */
export function rootScopeOf(text: string): RootScope | undefined {
  try {
    const filter = parseSpanFilter(text);
    return filter && scopeOf(filter.condition, false);
  } catch (error) {
    if (error instanceof SpandrelError) return undefined;
    throw error;
  }
}

/** The scope of a condition or of its `not`. */
function scopeOf(condition: SpanCondition, isNegated: boolean): RootScope | undefined {
  switch (condition.kind) {
    case 'not':
      return scopeOf(condition.operand, !isNegated);
    case 'and':
    case 'or': {
      const scopes = condition.operands.map((operand) => scopeOf(operand, isNegated));
      return (condition.kind === 'and') === isNegated ? scopeOfAny(scopes) : scopeOfAll(scopes);
    }
    case 'constant':
      // A condition that is never true selects nothing, so it is strict.
      return condition.value === isNegated || condition.value === null ? 'strict' : undefined;
    case 'presence': {
      const { value, isPresent } = condition;
      const isParentId = value.type === 'text' && value.kind === 'field' && value.field === 'parent_id';
      return isParentId && isPresent === isNegated ? 'strict' : undefined;
    }
    case 'parentSpan':
      return condition.isPresent === isNegated ? 'orphanAware' : undefined;
    default:
      return undefined;
  }
}

/** All conditions must hold: the narrowest restriction counts. */
const scopeOfAll = (scopes: readonly (RootScope | undefined)[]): RootScope | undefined =>
  scopes.includes('strict') ? 'strict' : scopes.find((scope) => scope !== undefined);

/** One condition must hold: each must restrict, and the widest restriction counts. */
const scopeOfAny = (scopes: readonly (RootScope | undefined)[]): RootScope | undefined => {
  if (scopes.includes(undefined)) return undefined;
  return scopes.includes('orphanAware') ? 'orphanAware' : 'strict';
};
