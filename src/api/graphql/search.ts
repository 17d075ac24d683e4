import { SEARCH_COUNT_MAX } from '../../model/limits/reads.ts';
import { reject } from './arguments.ts';
import type { GraphqlContext } from './context.ts';
import { datasetRef, experimentRef, projectRef, promptRef, type Resolvers } from './resolvers.ts';

interface SearchArguments {
  readonly query: string;
  readonly limitPerType: number;
  readonly withLabels?: boolean | null;
}

export const searchQueries: Resolvers = {
  async searchResources(
    _source,
    { query, limitPerType, withLabels }: SearchArguments,
    { domain, items }: GraphqlContext,
  ) {
    if (limitPerType < 1) reject('limitPerType must be a positive integer');
    const text = query.trim();
    if (text === '') return [];
    const limitPerKind = Math.min(limitPerType, SEARCH_COUNT_MAX);
    const { projects, datasets, experiments, prompts } = await domain.search({
      text,
      limitPerKind,
      withLabels: withLabels ?? false,
    });
    const found = [
      ...projects.map(projectRef),
      ...datasets.map(datasetRef),
      ...experiments.map(experimentRef),
      ...prompts.map(promptRef),
    ];
    items.take(found.length);
    return found;
  },
};
