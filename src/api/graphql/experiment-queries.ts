import { GRAPHQL_ITEM_COUNT_MAX } from '../../model/limits.ts';
import { type PageArguments, refuse } from './arguments.ts';
import { keysetConnection } from './connections.ts';
import type { GraphqlContext } from './context.ts';
import { parseCursor, toCursor } from './cursor.ts';
import { rowIdOfNode, rowIdsOfNodes } from './node.ts';
import { exampleRef, experimentRef, missing, type Resolvers } from './resolvers.ts';
import { groupRef } from './run-group.ts';

interface CompareArguments extends PageArguments {
  readonly baseExperimentId: string;
  readonly compareExperimentIds: readonly string[];
}

export const experimentQueries: Resolvers = {
  /** A page of the examples that the base experiment took, with the runs of every experiment. */
  async compareExperiments(_source, args: CompareArguments, { domain, loaders, items }: GraphqlContext) {
    const { first, after, baseExperimentId, compareExperimentIds } = args;
    if (typeof first === 'number' && first <= 0) refuse('first must be a positive integer if set');
    const base = rowIdOfNode('Experiment', baseExperimentId);
    const compared = rowIdsOfNodes('Experiment', compareExperimentIds);
    if (new Set([base, ...compared]).size <= compared.length) refuse('Compare experiment IDs must be unique');
    if (!(await loaders.experiments.load(base))) return missing(experimentRef(base));
    const count = Math.min(first ?? GRAPHQL_ITEM_COUNT_MAX, GRAPHQL_ITEM_COUNT_MAX);
    const found = await domain.experiments.findExamplesOfExperiment({
      experimentRowId: base,
      afterRowId: after ? parseCursor(after, undefined).rowId : 0,
      limit: count + 1,
    });
    const edges = found.slice(0, count).map(({ rowId, revisionRowId }) => ({
      cursor: toCursor({ rowId }, undefined),
      node: {
        type: 'ExperimentComparison',
        id: Buffer.from(`ExperimentComparison:${rowId}`).toString('base64'),
        example: exampleRef(rowId, revisionRowId),
        repeatedRunGroups: [base, ...compared].map((experiment) => groupRef(experiment, rowId)),
      },
    }));
    items.take(edges.length * (compared.length + 1));
    return keysetConnection(edges, found.length > count ? edges.at(-1)!.cursor : undefined, items);
  },
};
