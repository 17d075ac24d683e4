import type { Sample } from '../../../domain/samples/create-sample.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import type { GraphqlContext } from '../context.ts';
import { datasetRef, experimentRef, promptRef, type Resolvers } from '../resolvers.ts';

export const sampleQueries: Resolvers = {
  async sample(_source, _args, { domain }: GraphqlContext) {
    const sample = await domain.samples.find();
    return sample ? toObject(sample) : null;
  },
};

export const sampleMutations: Resolvers = {
  async createSample(_source, _args, { domain, invalidateReads }: GraphqlContext) {
    const sample = await domain.samples.create((versionRowId) => toGlobalId('PromptVersion', versionRowId));
    invalidateReads();
    return toObject(sample);
  },
  deleteSample: (_source, _args, { domain }: GraphqlContext) => domain.samples.delete(),
};

const toObject = ({ datasetRowId, experimentRowIds, promptRowId, isComplete }: Sample) => ({
  dataset: datasetRef(datasetRowId),
  experiments: experimentRowIds.map(experimentRef),
  prompt: promptRowId === null ? null : promptRef(promptRowId),
  isComplete,
});
