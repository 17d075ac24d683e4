import { SpandrelError } from '../../../model/errors.ts';
import type { Experiment } from '../../../model/experiment.ts';
import { GRAPHQL_ITEM_COUNT_MAX } from '../../../model/limits/graphql.ts';
import { parseRunFilter } from '../../../filter/runs/parse-run-filter.ts';
import { type FilterArguments, type PageArguments, reject } from '../arguments.ts';
import { keysetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { parseCursor, toCursor } from '../cursor.ts';
import { rowIdOfNode } from '../node.ts';
import { validityOf } from '../projects/validate-filter.ts';
import { exampleRef, type Resolvers } from '../resolvers.ts';
import { groupRef } from './run-group.ts';

interface Compared {
  readonly baseExperimentId: string;
  readonly compareExperimentIds: readonly string[];
}

/** Default number of examples of a page. */
const COMPARED_COUNT = 50;

export const experimentQueries: Resolvers = {
  /** A page of the examples of the base experiment, with the runs of every experiment. */
  async compareExperiments(
    _source,
    args: Compared & PageArguments & FilterArguments,
    { domain, loaders, items }: GraphqlContext,
  ) {
    const { first, after, filterCondition } = args;
    if (typeof first === 'number' && first <= 0) reject('first must be a positive integer if set');
    const experimentRowIds = await findCompared(args, { loaders });
    const count = Math.min(first ?? COMPARED_COUNT, GRAPHQL_ITEM_COUNT_MAX);
    const found = await domain.experiments.findComparedExamples({
      experimentRowIds,
      filter: parseRunFilter(filterCondition ?? '', experimentRowIds.length),
      afterRowId: after ? parseCursor(after, undefined).rowId : 0,
      limit: count + 1,
    });
    const edges = found.slice(0, count).map(({ rowId, revisionRowId }) => ({
      cursor: toCursor({ rowId }, undefined),
      node: {
        type: 'ExperimentComparison',
        id: Buffer.from(`ExperimentComparison:${rowId}`).toString('base64'),
        example: exampleRef(rowId, revisionRowId),
        repeatedRunGroups: experimentRowIds.map((experiment) => groupRef(experiment, rowId)),
      },
    }));
    items.take(edges.length * experimentRowIds.length);
    return keysetConnection(edges, found.length > count ? edges.at(-1)?.cursor : undefined, items);
  },
  async experimentRunMetricComparisons(_source, args: Compared, { domain, loaders, signal }: GraphqlContext) {
    if (args.compareExperimentIds.length === 0) reject('At least one compare experiment ID must be provided');
    return domain.experiments.compareMetrics(await findCompared(args, { loaders }), { readClass: 'interface', signal });
  },
  validateExperimentRunFilterCondition(
    _source,
    { condition, experimentIds }: { readonly condition: string; readonly experimentIds: readonly string[] },
  ) {
    if (experimentIds.length === 0) reject('At least one experiment ID must be provided');
    for (const id of experimentIds) rowIdOfNode('Experiment', id);
    return validityOf(async () => {
      parseRunFilter(condition, experimentIds.length);
      return [];
    });
  },
};

/**
 * Row ids of experiments on one dataset, the base first.
 *
 * @throws {SpandrelError} `QUERY_INVALID` when they cannot be compared, `EXPERIMENT_NOT_FOUND`
 */
async function findCompared(
  { baseExperimentId, compareExperimentIds }: Compared,
  { loaders }: Pick<GraphqlContext, 'loaders'>,
): Promise<number[]> {
  const base = rowIdOf('base', baseExperimentId);
  const compared = compareExperimentIds.map((id) => rowIdOf('compare', id));
  if (compared.includes(base)) reject('Compare experiment IDs cannot contain the base experiment ID');
  if (new Set(compared).size < compared.length) reject('Compare experiment IDs must be unique');
  const rowIds = [base, ...compared];
  const experiments = await Promise.all(rowIds.map((rowId) => loaders.experiments.load(rowId)));
  if (!experiments.every((experiment): experiment is Experiment => experiment !== undefined)) {
    throw new SpandrelError('EXPERIMENT_NOT_FOUND', 'Unable to resolve one or more experiment IDs.');
  }
  if (new Set(experiments.map(({ datasetRowId }) => datasetRowId)).size > 1) {
    reject('Experiments must belong to the same dataset.');
  }
  return rowIds;
}

function rowIdOf(role: 'base' | 'compare', globalId: string): number {
  try {
    return rowIdOfNode('Experiment', globalId);
  } catch (error) {
    if (error instanceof SpandrelError) reject(`Invalid ${role} experiment ID: ${globalId}`);
    throw error;
  }
}
