import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { AggregatesByValue, ValueQuery } from '../../span-store/contract/value-aggregates.ts';
import { PLAYGROUND_PROJECT_NAME } from '../playground/playground-project.ts';
import type { Ports } from '../ports.ts';

/**
 * Aggregates of the calls of prompt versions. The runs of experiments and the playground try a version and do not use it, so
 * their calls count only if the query names their project.
 */
export async function aggregateCalls(
  { projects, spans }: Pick<Ports, 'projects' | 'spans'>,
  query: ValueQuery,
  options?: ReadOptions,
): Promise<AggregatesByValue> {
  if (query.projectId !== undefined) return spans.aggregateByValue(query, options);
  const [ofExperiments, playground] = await Promise.all([
    projects.findIdsOfExperiments(),
    projects.find({ name: PLAYGROUND_PROJECT_NAME }),
  ]);
  const except = [...ofExperiments, ...(playground ? [playground.rowId] : [])];
  return spans.aggregateByValue({ ...query, projects: { except } }, options);
}
