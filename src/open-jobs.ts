import { createJobWork } from './domain/experiments/jobs/create-job-work.ts';
import type { Ports } from './domain/ports.ts';
import { ExperimentRunner } from './jobs/experiment-runner/experiment-runner.ts';
import type { RateLimits } from './jobs/rate-limits/rate-limits.ts';
import type { Runtime } from './prepare-runtime.ts';
import { readServerId } from './server-id.ts';

/** The runner of jobs of this server. It takes orphaned jobs over when it is opened. */
export async function createJobRunner(
  { config, log }: Pick<Runtime, 'config' | 'log'>,
  ports: Omit<Ports, 'jobRunner'>,
  limits: RateLimits,
): Promise<ExperimentRunner> {
  return new ExperimentRunner({
    owner: await readServerId(config.paths.dataDir),
    jobs: ports.experimentJobs,
    runs: ports.experiments,
    evaluators: ports.evaluators,
    work: createJobWork(ports),
    limits,
    log: log.child({ part: 'experiments' }),
  });
}
