import { toExactJsonText } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { checkJsonObject } from '../../../domain/datasets/json-object.ts';
import { deleteExperiment } from '../../../domain/experiments/delete-experiment.ts';
import { BASELINE, tagExperiment } from '../../../domain/experiments/tag-experiment.ts';
import { refuse } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { datasetRef, experimentRef, missing, type Resolver, type Resolvers } from '../resolvers.ts';

interface PatchInput {
  readonly experimentId: string;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly metadata?: unknown;
}

export const experimentMutations: Resolvers = {
  async patchExperiment(_source, { input }: { readonly input: PatchInput }, context: GraphqlContext) {
    const { name, description, metadata } = input;
    if (name === null) return refuse('name cannot be null');
    if (metadata === null) return refuse('metadata cannot be null');
    const rowId = rowIdOfNode('Experiment', input.experimentId);
    const changes = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(metadata !== undefined && { metadata: toExactJsonText(checkJsonObject('metadata', metadata)) }),
    };
    if (Object.keys(changes).length === 0) refuse('No fields to patch.');
    await context.domain.experiments.update(rowId, changes);
    context.forgetReads();
    if (!(await context.loaders.experiments.load(rowId))) missing(experimentRef(rowId));
    return { experiment: experimentRef(rowId) };
  },
  /** Of all experiments of a dataset one at most is the baseline. */
  async setExperimentBaseline(
    _source,
    { experimentId, baseline }: { readonly experimentId: string; readonly baseline: boolean },
    context: GraphqlContext,
  ) {
    const { domain, loaders } = context;
    const rowId = rowIdOfNode('Experiment', experimentId);
    const experiment = (await loaders.experiments.load(rowId)) ?? missing(experimentRef(rowId));
    const previous = await loaders.baselinesOfDatasets.load(experiment.datasetRowId);
    if (!baseline) await domain.experiments.untag(rowId, BASELINE);
    else if (!(await tagExperiment(domain, rowId, BASELINE, null))) missing(experimentRef(rowId));
    context.forgetReads();
    return {
      dataset: datasetRef(experiment.datasetRowId),
      experiment: experimentRef(rowId),
      previousBaselineExperiment: previous === undefined ? null : experimentRef(previous),
    };
  },
  dismissExperiment: settingEphemeral(true),
  reinstateExperiment: settingEphemeral(false),
  /** Nothing is deleted when one of them is not there. */
  async deleteExperiments(
    _source,
    { input }: { readonly input: { readonly experimentIds: readonly string[] } },
    context: GraphqlContext,
  ) {
    const rowIds = [...new Set(rowIdsOfNodes('Experiment', input.experimentIds))];
    const experiments = await context.domain.experiments.findByRowIds(rowIds);
    for (const rowId of rowIds) if (!experiments.has(rowId)) missing(experimentRef(rowId));
    for (const rowId of rowIds)
      await deleteExperiment({ ...context.domain, ...context.domain.unbound }, rowId, { withProject: true });
    context.forgetReads();
    for (const [rowId, experiment] of experiments) context.loaders.experiments.prime(rowId, experiment);
    return { experiments: rowIds.map(experimentRef) };
  },
};

function settingEphemeral(isEphemeral: boolean): Resolver<unknown, { readonly experimentId: string }> {
  return async (_source, { experimentId }, context) => {
    const rowId = rowIdOfNode('Experiment', experimentId);
    if (!(await context.domain.experiments.setEphemeral(rowId, isEphemeral))) {
      throw new SpandrelError('EXPERIMENT_NOT_FOUND', `Experiment ${experimentId} not found`);
    }
    context.forgetReads();
    return { experiment: experimentRef(rowId) };
  };
}
