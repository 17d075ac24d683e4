import type { ExperimentJob } from '../../../model/experiment-job.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection, offsetPage } from '../connections.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import {
  datasetEvaluatorRef,
  experimentJobRef,
  experimentLogRef,
  experimentRef,
  fromRow,
  id,
  type NodeRef,
  promptTaskConfigRef,
  type Resolvers,
} from '../resolvers.ts';

export const jobOfExperiment: Resolvers = {
  job: ({ rowId }: NodeRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.jobs.load(rowId), (job) => job && experimentJobRef(rowId)),
};

export const jobsOfDataset: Resolvers = {
  experimentJobs: ({ rowId }: NodeRef, args: PageArguments, { loaders, items }) =>
    whenKnown(loaders.jobIdsOfDatasets.load(rowId), (ids = []) => offsetConnection(ids, args, experimentJobRef, items)),
};

const row = fromRow(({ jobs }) => jobs);

export const experimentJobResolvers: Resolvers = {
  id,
  experiment: ({ rowId }: NodeRef) => experimentRef(rowId),
  status: row(({ status }) => status),
  stopReason: row(({ stopReason }) => stopReason),
  isEvaluationOnly: row(({ type }) => type === 'EVAL_ONLY'),
  createdAt: row(({ createdAt }) => createdAt),
  maxConcurrency: row(({ maxConcurrency }) => maxConcurrency),
  usesCache: row(({ usesCache }) => usesCache),
  budget: row(toBudget),
  progress: row(({ rowId }, { loaders }) =>
    whenKnown(loaders.jobProgress.load(rowId), (progress) => progress && { ...progress, ...progress.activity }),
  ),
  lastError: row(({ rowId }, { loaders }) =>
    whenKnown(loaders.lastErrorsOfJobs.load(rowId), (log) => (log === undefined ? null : experimentLogRef(log))),
  ),
  errors: ({ rowId }: NodeRef, args: PageArguments, { domain, items }) =>
    offsetPage(
      args,
      (offset, limit) => domain.experiments.findJobErrorIds({ experimentRowId: rowId, offset, limit }),
      experimentLogRef,
      items,
    ),
  taskConfig: row(({ type, rowId }) => (type === 'PROMPT' ? promptTaskConfigRef(rowId) : null)),
  datasetEvaluators: ({ rowId }: NodeRef, args: PageArguments, { loaders, items }) =>
    whenKnown(loaders.evaluatorsOfExperiments.load(rowId), (ids = []) =>
      offsetConnection(ids, args, datasetEvaluatorRef, items),
    ),
};

function toBudget({ budget, spent }: ExperimentJob): object {
  return { maxCalls: budget.callCountMax, maxCost: budget.costMax, ...spent };
}
