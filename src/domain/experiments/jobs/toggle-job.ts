import type { ExperimentJob, JobBudget } from '../../../model/experiment-job.ts';
import { JOB_COOLDOWN_MS } from '../../../model/limits/jobs.ts';
import type { RequestCredentials } from '../../../model/playground/chat-task.ts';
import { RowError } from '../../../model/row-error.ts';
import { prepareChatTask } from '../../playground/run-chat-task.ts';
import type { Ports } from '../../ports.ts';
import { checkBudget } from './check-budget.ts';
import { checkPrices } from './check-prices.ts';
import { ignoreExpected } from './ignore-expected.ts';

type Parts = Pick<Ports, 'experimentJobs' | 'jobRunner'>;

/**
 * Stops the job of an experiment. Its calls are aborted before this resolves, unless another server runs it, which aborts them
 * within a second or two. Idempotent.
 *
 * @throws {SpandrelError} `EXPERIMENT_JOB_NOT_FOUND`, `EXPERIMENT_JOB_COOLDOWN` shortly after it was resumed
 */
export async function stopJob({ experimentJobs, jobRunner }: Parts, rowId: number): Promise<void> {
  const toggle = await experimentJobs.stop(rowId, JOB_COOLDOWN_MS);
  if (toggle === 'absent') jobUnknown(rowId);
  if (toggle === 'cooldown') coolingDown(rowId);
  if (toggle === 'changed') await jobRunner.drop(rowId);
}

/**
 * Resumes a job, of any state: missing and failed runs and evaluations are attempted again. Idempotent.
 *
 * @throws {SpandrelError} `EXPERIMENT_JOB_NOT_FOUND`, `EXPERIMENT_JOB_COOLDOWN` shortly after it was stopped
 */
export async function resumeJob(
  ports: Ports,
  rowId: number,
  { credentials, budget }: { readonly credentials: RequestCredentials; readonly budget?: JobBudget | undefined },
): Promise<void> {
  const { experimentJobs, jobRunner } = ports;
  if (budget) {
    checkBudget(budget);
    await checkPrices(ports, budget, await modelsOf(ports, rowId, credentials));
  }
  const toggle = await experimentJobs.resume(rowId, {
    owner: jobRunner.owner,
    cooldownMs: JOB_COOLDOWN_MS,
    needsSentSecrets: Object.keys(credentials).length > 0,
    budget,
  });
  if (toggle === 'absent') jobUnknown(rowId);
  if (toggle === 'cooldown') coolingDown(rowId);
  if (toggle === 'changed') jobRunner.start(await getJob({ experimentJobs }, rowId), { credentials, headers: null });
}

async function modelsOf(ports: Ports, rowId: number, credentials: RequestCredentials) {
  const [tasks, evaluators] = await Promise.all([
    ports.experimentJobs.findTasks([rowId]),
    ports.evaluators.findOfExperiments([rowId]),
  ]);
  const stored = tasks.get(rowId);
  const prepared =
    stored && !stored.isProviderDeleted
      ? await prepareChatTask(ports, { ...stored.task, headers: null }, credentials).catch(ignoreExpected)
      : undefined;
  return { task: prepared?.model, datasetEvaluatorRowIds: evaluators.get(rowId) ?? [], credentials };
}

/** @throws {SpandrelError} `EXPERIMENT_JOB_NOT_FOUND` */
export async function getJob({ experimentJobs }: Pick<Ports, 'experimentJobs'>, rowId: number): Promise<ExperimentJob> {
  return (await experimentJobs.find([rowId])).get(rowId) ?? jobUnknown(rowId);
}

/** Ends the work on experiments that are about to be deleted. */
export async function dropJobs({ jobRunner }: Pick<Ports, 'jobRunner'>, rowIds: readonly number[]): Promise<void> {
  await Promise.all(rowIds.map((rowId) => jobRunner.drop(rowId)));
}

export function jobUnknown(rowId: number): never {
  throw new RowError('EXPERIMENT_JOB_NOT_FOUND', 'Experiment', [rowId], (id) => `Experiment ${id} not found`);
}

function coolingDown(rowId: number): never {
  throw new RowError('EXPERIMENT_JOB_COOLDOWN', 'Experiment', [rowId], (id) => `Experiment ${id} is still in cooldown`);
}
