import { annotationWarnings } from '../../../filter/annotation-warnings.ts';
import type { EntityFilter } from '../../../filter/entities/entity-filter.ts';
import { parseSessionFilter, parseTraceFilter } from '../../../filter/entities/parse-entity-filter.ts';
import { parseSpanFilter } from '../../../filter/spans/parse-span-filter.ts';
import { FilterError } from '../../../filter/syntax/filter-error.ts';
import type { GraphqlContext } from '../context.ts';
import type { NodeRef, Resolver, Resolvers } from '../resolvers.ts';

/** Validates filters. An invalid filter is a result, not an error. */
export const validationResolvers: Resolvers = {
  validateSpanFilterCondition: validation(async (condition) => {
    parseSpanFilter(condition);
    return [];
  }),
  validateSessionFilterCondition: validation((condition, projectId, context) =>
    warningsOf(parseSessionFilter(condition), projectId, context),
  ),
  validateTraceFilterCondition: validation((condition, projectId, context) =>
    warningsOf(parseTraceFilter(condition), projectId, context),
  ),
};

function validation(
  check: (condition: string, projectId: number, context: GraphqlContext) => Promise<string[]>,
): Resolver<NodeRef<'Project'>, { readonly condition: string }> {
  return ({ rowId }, { condition }, context) => validityOf(() => check(condition, rowId, context));
}

/** A `ValidationResult`. `check` returns warnings, or throws the error of the filter. */
export async function validityOf(check: () => Promise<readonly string[]>): Promise<object> {
  try {
    return { isValid: true, errorMessage: null, warnings: await check() };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return { isValid: false, errorMessage: error.message, warnings: [] };
  }
}

async function warningsOf(
  filter: EntityFilter | undefined,
  projectId: number,
  { domain, signal }: GraphqlContext,
): Promise<string[]> {
  if (!filter || filter.annotations.length === 0) return [];
  const target = filter.language;
  const observed = await domain.spans.countAnnotations({ projectId, target }, { readClass: 'interface', signal });
  return annotationWarnings(target, filter.annotations, [...observed.keys()]);
}
