import type { ExperimentJob, JobActivity } from '../../../model/experiment-job.ts';
import type { ChatEvent } from '../../../model/playground/chat-event.ts';
import type { RequestCredentials } from '../../../model/playground/chat-task.ts';

/** Secrets of the request that starts a job. They live as long as the job runs in this process. */
export interface SentSecrets {
  readonly credentials: RequestCredentials;
  readonly headers: Readonly<Record<string, string>> | null;
}

export const NO_SECRETS: SentSecrets = { credentials: {}, headers: null };

/** Runs the jobs that this server has claimed. */
export interface JobRunner {
  /** ID of this server in claims. It stays the same after a restart. */
  readonly owner: string;
  /** Starts a job that this server has just claimed. */
  start(job: ExperimentJob, secrets: SentSecrets): void;
  /**
   * Like `start`. The iterator ends when the job has ended and everything that it wrote can be read. If its reader is slow, the
   * job waits. The job goes on when the iterator is closed.
   */
  follow(job: ExperimentJob, secrets: SentSecrets, signal: AbortSignal): AsyncIterable<ChatEvent>;
  /** Aborts all calls of a job, without changing its stored state. Resolves when none is in flight. */
  drop(rowId: number): Promise<void>;
  /** Evaluators of the job have been added. Without effect on a job that does not run here. */
  reload(rowId: number): void;
  /** Ends the work of deleted evaluators of datasets. Resolves when none of their evaluations is in flight. */
  dropEvaluators(datasetEvaluatorRowIds: readonly number[]): Promise<void>;
  /** Undefined for a job that does not run in this process. */
  activityOf(rowId: number): JobActivity | undefined;
}
