import { toExactJsonText } from '../../../base/exact-json.ts';
import { checkJsonObject } from '../../../domain/datasets/json-object.ts';
import { BASELINE } from '../../../domain/experiments/tag-experiment.ts';
import { type ErrorTexts, withTexts } from '../../contract/error-texts.ts';
import { reject } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { datasetRef, experimentRef, missing, type Resolver, type Resolvers } from '../resolvers.ts';

const ABSENT: ErrorTexts = { EXPERIMENT_NOT_FOUND: ({ ids }) => `Experiment with ID ${ids} not found` };

interface PatchInput {
  readonly experimentId: string;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly metadata?: unknown;
}

export const experimentMutations: Resolvers = {
  async patchExperiment(_source, { input }: { readonly input: PatchInput }, context: GraphqlContext) {
    const { name, description, metadata } = input;
    if (name === null) return reject('name cannot be null');
    if (metadata === null) return reject('metadata cannot be null');
    const rowId = rowIdOfNode('Experiment', input.experimentId);
    const changes = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(metadata !== undefined && { metadata: toExactJsonText(checkJsonObject('metadata', metadata)) }),
    };
    await withTexts({ ...ABSENT, QUERY_INVALID: 'No fields to patch.' }, () =>
      context.domain.experiments.update(rowId, changes),
    );
    context.invalidateReads();
    return { experiment: experimentRef(rowId) };
  },
  /** Sets or clears the baseline. At most one experiment of a dataset is the baseline. */
  async setExperimentBaseline(
    _source,
    { experimentId, baseline }: { readonly experimentId: string; readonly baseline: boolean },
    context: GraphqlContext,
  ) {
    const { domain, loaders } = context;
    const rowId = rowIdOfNode('Experiment', experimentId);
    const experiment = (await loaders.experiments.load(rowId)) ?? missing(experimentRef(rowId));
    const previous = await loaders.baselinesOfDatasets.load(experiment.datasetRowId);
    const tag = { name: BASELINE, description: null };
    await withTexts(ABSENT, async () => {
      if (baseline) await domain.experiments.tag(rowId, tag);
      else await domain.experiments.untag(rowId, BASELINE);
    });
    context.invalidateReads();
    return {
      dataset: datasetRef(experiment.datasetRowId),
      experiment: experimentRef(rowId),
      previousBaselineExperiment: previous === undefined ? null : experimentRef(previous),
    };
  },
  dismissExperiment: settingEphemeral(true),
  reinstateExperiment: settingEphemeral(false),
  /** Nothing is deleted when one of them does not exist. */
  async deleteExperiments(
    _source,
    { input }: { readonly input: { readonly experimentIds: readonly string[] } },
    context: GraphqlContext,
  ) {
    const rowIds = [...new Set(rowIdsOfNodes('Experiment', input.experimentIds))];
    const experiments = await withTexts(ABSENT, () =>
      context.domain.experiments.delete(rowIds, { withProjects: true }),
    );
    context.invalidateReads();
    for (const [rowId, experiment] of experiments) context.loaders.experiments.prime(rowId, experiment);
    return { experiments: rowIds.map(experimentRef) };
  },
};

function settingEphemeral(isEphemeral: boolean): Resolver<unknown, { readonly experimentId: string }> {
  return async (_source, { experimentId }, context) => {
    const rowId = rowIdOfNode('Experiment', experimentId);
    await withTexts({ EXPERIMENT_NOT_FOUND: `Experiment ${experimentId} not found` }, () =>
      context.domain.experiments.setEphemeral(rowId, isEphemeral),
    );
    context.invalidateReads();
    return { experiment: experimentRef(rowId) };
  };
}
