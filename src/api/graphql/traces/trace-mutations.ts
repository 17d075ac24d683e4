import { deleteTraces } from '../../../domain/traces/delete-traces.ts';
import { transferTraces } from '../../../domain/traces/transfer-traces.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { QUERY, type Resolvers } from '../resolvers.ts';

export const traceMutations: Resolvers = {
  async deleteTraces(_source, args: { readonly traceIds: readonly string[] }, context: GraphqlContext) {
    await deleteTraces(
      context.domain,
      args.traceIds.map((traceId) => rowIdOfNode('Trace', traceId)),
    );
    context.forgetReads();
    return QUERY;
  },
  async transferTracesToProject(
    _source,
    args: { readonly traceIds: readonly string[]; readonly projectId: string },
    context: GraphqlContext,
  ) {
    const traceRowIds = args.traceIds.map((traceId) => rowIdOfNode('Trace', traceId));
    await transferTraces(context.domain, traceRowIds, rowIdOfNode('Project', args.projectId));
    context.forgetReads();
    return QUERY;
  },
};
