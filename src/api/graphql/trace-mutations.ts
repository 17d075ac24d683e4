import { deleteTraces } from '../../domain/traces/delete-traces.ts';
import type { GraphqlContext } from './context.ts';
import { rowIdOfNode } from './node.ts';
import { QUERY, type Resolvers } from './resolvers.ts';

export const traceMutations: Resolvers = {
  async deleteTraces(_source, args: { readonly traceIds: readonly string[] }, context: GraphqlContext) {
    await deleteTraces(
      context.domain,
      args.traceIds.map((traceId) => rowIdOfNode('Trace', traceId)),
    );
    context.forgetReads();
    return QUERY;
  },
};
