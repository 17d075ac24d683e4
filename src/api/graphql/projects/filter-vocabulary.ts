import { describeEntityFilter, type FilterTerm } from '../../../filter/entities/describe-entity-filter.ts';
import { observeKeys } from '../../../domain/spans/observed-keys.ts';
import { type RangeArguments, toTimeRange } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import type { NodeRef, Resolvers } from '../resolvers.ts';

type ProjectRef = NodeRef<'Project'>;

/** Suggestions for a user who types a filter of sessions or traces. */
export const vocabularyResolvers: Resolvers = {
  sessionFilterVocabulary: (project: ProjectRef, _args: unknown, context) => describe('session', project, {}, context),
  traceFilterVocabulary: (project: ProjectRef, args: RangeArguments, context) =>
    describe('trace', project, args, context),
};

async function describe(
  target: 'session' | 'trace',
  { rowId: projectId }: ProjectRef,
  range: RangeArguments,
  { domain: { spans }, signal }: GraphqlContext,
): Promise<FilterTerm[]> {
  const options = { readClass: 'interface', signal } as const;
  const [annotations, keys] = await Promise.all([
    spans.countAnnotations({ projectId, target }, options),
    observeKeys(spans, { projectId, ...toTimeRange(range) }, options),
  ]);
  return describeEntityFilter(target, { ...keys, annotations: [...annotations.keys()] });
}
