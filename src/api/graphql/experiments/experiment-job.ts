import { SpandrelError } from '../../../model/errors.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { rowIdOfNode } from '../node.ts';
import { datasetEvaluatorRef, fromRow, type NodeRef, type Resolver, type Resolvers } from '../resolvers.ts';

// The job of an experiment is its run by the server. Clients run all experiments of this server (docs/decisions/0132).

export const jobOfExperiment: Resolvers = { job: fromRow(({ experiments }) => experiments)(() => null) };

export const jobsOfDataset: Resolvers = {
  experimentJobs: fromRow(({ datasets }) => datasets)((_row, { items }, args: PageArguments) =>
    offsetConnection([], args, (job) => job, items),
  ),
};

export const experimentJobResolvers: Resolvers = {
  datasetEvaluators: ({ rowId }: NodeRef, args: PageArguments, { loaders, items }) =>
    whenKnown(loaders.evaluatorsOfExperiments.load(rowId), (ids = []) =>
      offsetConnection(ids, args, datasetEvaluatorRef, items),
    ),
};

/** An experiment without a job has the same response as an unknown one. */
const needsJob: Resolver<unknown, { readonly experimentId: string }> = (_source, { experimentId }) => {
  rowIdOfNode('Experiment', experimentId);
  throw new SpandrelError('EXPERIMENT_NOT_FOUND', `Experiment ${experimentId} not found`);
};

export const experimentJobMutations: Resolvers = { stopExperiment: needsJob, resumeExperiment: needsJob };
