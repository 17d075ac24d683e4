import type { JobBudget } from '../../../model/experiment-job.ts';
import { NO_BUDGET } from '../../../model/experiment-job.ts';
import { JOB_CONCURRENCY_DEFAULT } from '../../../model/limits/jobs.ts';
import type { RequestCredentials } from '../../../model/playground/chat-task.ts';
import type { Ports } from '../../ports.ts';
import { experimentUnknown, getExperiment } from '../get-experiment.ts';
import { checkBudget } from './check-budget.ts';
import { checkPrices } from './check-prices.ts';
import { bindingsOf } from './dataset-bindings.ts';
import { getJob } from './toggle-job.ts';

export interface EvaluationRequest {
  readonly credentials: RequestCredentials;
  readonly budget?: JobBudget | undefined;
}

/**
 * Lets evaluators of the dataset evaluate the successful runs of an experiment, also of one that a client has run, as far as
 * they lack evaluations. A job of the experiment that runs at the moment includes them.
 *
 * @throws {SpandrelError} `EXPERIMENT_NOT_FOUND`, `DATASET_EVALUATOR_NOT_FOUND`, `QUERY_INVALID`
 */
export async function startEvaluations(
  ports: Ports,
  experimentRowId: number,
  datasetEvaluatorRowIds: readonly number[],
  { credentials, budget = NO_BUDGET }: EvaluationRequest,
): Promise<void> {
  checkBudget(budget);
  const { datasetRowId } = await getExperiment(ports, experimentRowId);
  await bindingsOf(ports, datasetRowId, datasetEvaluatorRowIds);
  await checkPrices(ports, budget, { task: undefined, datasetEvaluatorRowIds, credentials });
  const { jobRunner, experimentJobs } = ports;
  const started = await experimentJobs.startEvaluating(experimentRowId, {
    owner: jobRunner.owner,
    datasetEvaluatorRowIds,
    maxConcurrency: JOB_CONCURRENCY_DEFAULT,
    needsSentSecrets: Object.keys(credentials).length > 0,
    budget,
  });
  if (!started) return experimentUnknown(experimentRowId);
  if (started.isStarted) jobRunner.start(await getJob(ports, experimentRowId), { credentials, headers: null });
  else jobRunner.reload(experimentRowId);
}
