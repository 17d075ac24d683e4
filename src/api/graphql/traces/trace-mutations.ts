import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { QUERY, type Resolvers } from '../resolvers.ts';

export const traceMutations: Resolvers = {
  async deleteTraces(_source, args: { readonly traceIds: readonly string[] }, context: GraphqlContext) {
    await context.domain.traces.deleteAll(args.traceIds.map((traceId) => rowIdOfNode('Trace', traceId)));
    context.invalidateReads();
    return QUERY;
  },
  async transferTracesToProject(
    _source,
    args: { readonly traceIds: readonly string[]; readonly projectId: string },
    context: GraphqlContext,
  ) {
    const traceRowIds = args.traceIds.map((traceId) => rowIdOfNode('Trace', traceId));
    await context.domain.traces.transfer(traceRowIds, rowIdOfNode('Project', args.projectId));
    context.invalidateReads();
    return QUERY;
  },
};
