import { annotationWarnings } from '../../../filter/annotation-warnings.ts';
import type { EntityFilter } from '../../../filter/entities/entity-filter.ts';
import { parseSessionFilter, parseTraceFilter } from '../../../filter/entities/parse-entity-filter.ts';
import { parseSpanFilter } from '../../../filter/spans/parse-span-filter.ts';
import { describeUnknownName, unknownNames } from '../../../filter/spans/unknown-names.ts';
import { FilterError } from '../../../filter/syntax/filter-error.ts';
import { observeSpanNames } from '../../../domain/spans/observed-keys.ts';
import type { GraphqlContext } from '../context.ts';
import type { NodeRef, Resolver, Resolvers } from '../resolvers.ts';

/** Validates filters. An invalid filter is a result, not an error. */
export const validationResolvers: Resolvers = {
  validateSpanFilterCondition: ({ rowId }: NodeRef<'Project'>, { condition, rejectUnknownNames }: SpanCheck, context) =>
    validityOf(() => checkSpanFilter(condition, rejectUnknownNames, rowId, context)),
  validateSessionFilterCondition: validation((condition, projectId, context) =>
    warningsOf(parseSessionFilter(condition), projectId, context),
  ),
  validateTraceFilterCondition: validation((condition, projectId, context) =>
    warningsOf(parseTraceFilter(condition), projectId, context),
  ),
};

interface SpanCheck {
  readonly condition: string;
  readonly rejectUnknownNames: boolean;
}

/** @throws {FilterError} also for an unknown bare name, if these are rejected */
async function checkSpanFilter(
  condition: string,
  rejectsUnknownNames: boolean,
  projectId: number,
  { domain: { spans }, signal }: GraphqlContext,
): Promise<string[]> {
  const filter = parseSpanFilter(condition);
  // Most filters name only fields and attributes of OpenInference, and need no read.
  if (!filter || unknownNames(filter).length === 0) return [];
  const observed = await observeSpanNames(spans, { projectId }, { readClass: 'interface', signal });
  const unknown = unknownNames(filter, observed);
  const bare = unknown.find(({ isBare }) => isBare);
  if (rejectsUnknownNames && bare) {
    throw new FilterError(
      `${describeUnknownName(bare)} (write attributes['${bare.name}'] for an attribute that is to come)`,
      filter.expression,
    );
  }
  return unknown.map(describeUnknownName);
}

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
