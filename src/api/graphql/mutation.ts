import { deleteProject } from '../../domain/projects/delete-project.ts';
import { deleteTraces } from '../../domain/traces/delete-traces.ts';
import { toGlobalId } from '../../model/global-id.ts';
import type { GraphqlContext } from './context.ts';
import { rowIdOfNode } from './query.ts';
import type { Resolvers } from './resolvers.ts';

/** A payload that is the query root, for reading again in the same request. */
const QUERY = {};

export const mutationResolvers: Resolvers = {
  async deleteProject(_source, args: { readonly id: string }, { domain }: GraphqlContext) {
    await deleteProject(domain, toGlobalId('Project', rowIdOfNode('Project', args.id)));
    return QUERY;
  },
  async deleteTraces(_source, args: { readonly traceIds: readonly string[] }, { domain }: GraphqlContext) {
    await deleteTraces(
      domain,
      args.traceIds.map((traceId) => rowIdOfNode('Trace', traceId)),
    );
    return QUERY;
  },
};
