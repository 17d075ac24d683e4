import type { Log } from '../../base/log.ts';
import type { JobWork } from '../../domain/experiments/jobs/job-work.ts';
import type { Ports } from '../../domain/ports.ts';
import type { RateLimits } from '../rate-limits/rate-limits.ts';
import type { LoaderStore } from './item-loader.ts';

/** Durations in milliseconds. `model/limits/jobs.ts` has the reasons. */
export interface RunnerTiming {
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly scanMs: number;
  readonly checkMs: number;
  readonly refreshMs: number;
  readonly taskMs: number;
  readonly evaluationMs: number;
  readonly stallMs: number;
  /** Waits before the attempts after the first one. */
  readonly retryMs: readonly number[];
}

/** Everything outside of the runner that a job uses. */
export interface RunnerParts {
  /** ID of this server in claims. */
  readonly owner: string;
  readonly jobs: Pick<
    Ports['experimentJobs'],
    'claimOrphans' | 'renewClaims' | 'findClaims' | 'finish' | 'addSpending' | 'addLogs' | 'find'
  >;
  readonly runs: LoaderStore & Pick<Ports['experiments'], 'writeRun' | 'addEvaluation'>;
  readonly evaluators: Pick<Ports['evaluators'], 'findOfExperiments'>;
  readonly work: JobWork;
  /** Shared with everything else that calls the vendors. */
  readonly limits: RateLimits;
  readonly timing: RunnerTiming;
  readonly isClosing: () => boolean;
  readonly log: Log;
}
