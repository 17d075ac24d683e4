import { SpandrelError } from '../../model/errors.ts';
import { parseSpanFilter } from '../spans/parse-span-filter.ts';
import type { SpanCondition } from '../spans/span-filter.ts';

/** Spans without a parent id, or also those whose parent is not stored. */
export type RootScope = 'strict' | 'orphanAware';

/**
 * Whether every span that a filter text selects is surely a root, and of which sort; undefined when it need not be, and
 * for a text that is no filter. Seen from the form alone.
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

/** Of a condition, or of its `not`. */
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
      // What never holds selects nothing but strict roots.
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

/** All hold at once: the narrowest of those that restrict. */
const scopeOfAll = (scopes: readonly (RootScope | undefined)[]): RootScope | undefined =>
  scopes.includes('strict') ? 'strict' : scopes.find((scope) => scope !== undefined);

/** One of them holds: each must restrict, and the widest counts. */
const scopeOfAny = (scopes: readonly (RootScope | undefined)[]): RootScope | undefined => {
  if (scopes.includes(undefined)) return undefined;
  return scopes.includes('orphanAware') ? 'orphanAware' : 'strict';
};
