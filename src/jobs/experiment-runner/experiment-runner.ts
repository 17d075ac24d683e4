import { limitHeapGrowth } from '../../base/memory/heap-growth.ts';
import type { ExperimentJob, JobActivity } from '../../model/experiment-job.ts';
import {
  EVALUATION_MS_MAX,
  JOB_CALL_COUNT_MAX,
  JOB_CHECK_MS,
  JOB_LEASE_MS,
  JOB_REFRESH_MS,
  JOB_RENEW_MS,
  JOB_RETRY_MS,
  JOB_SCAN_MS,
  STREAM_STALL_MS,
  TASK_MS_MAX,
} from '../../model/limits/jobs.ts';
import type { ChatEvent } from '../../model/playground/chat-event.ts';
import { type JobRunner, NO_SECRETS, type SentSecrets } from '../../domain/experiments/jobs/job-runner.ts';
import { JobStream } from './job-stream.ts';
import type { RunnerParts, RunnerTiming } from './runner-parts.ts';
import { RunningJob } from './running-job.ts';

export interface ExperimentRunnerOptions extends Omit<RunnerParts, 'timing' | 'isClosing'> {
  readonly timing?: Partial<RunnerTiming>;
  readonly callCountMax?: number;
}

const TIMING: RunnerTiming = {
  leaseMs: JOB_LEASE_MS,
  renewMs: JOB_RENEW_MS,
  scanMs: JOB_SCAN_MS,
  checkMs: JOB_CHECK_MS,
  refreshMs: JOB_REFRESH_MS,
  taskMs: TASK_MS_MAX,
  evaluationMs: EVALUATION_MS_MAX,
  stallMs: STREAM_STALL_MS,
  retryMs: JOB_RETRY_MS,
};

/**
 * Runs the jobs that this server has claimed. The job that was served least recently is next; one that may not call at the
 * moment is passed over.
 */
export class ExperimentRunner implements JobRunner {
  readonly owner: string;
  readonly #parts: RunnerParts;
  readonly #callCountMax: number;
  /** In the order in which they were served, the least recent first. */
  readonly #jobs = new Map<number, RunningJob>();
  readonly #timers: NodeJS.Timeout[] = [];
  #wakeTimer: NodeJS.Timeout | undefined;
  #isWoken = false;
  #isClosing = false;

  constructor({ timing, callCountMax = JOB_CALL_COUNT_MAX, ...parts }: ExperimentRunnerOptions) {
    this.owner = parts.owner;
    this.#parts = { ...parts, timing: { ...TIMING, ...timing }, isClosing: () => this.#isClosing };
    this.#callCountMax = callCountMax;
  }

  /** Takes the jobs over that this server ran before, and then those that no server runs. */
  open(): void {
    const { scanMs, renewMs, checkMs, refreshMs } = this.#parts.timing;
    this.#repeat(renewMs, () => this.#renew());
    this.#repeat(checkMs, () => this.#check());
    this.#repeat(refreshMs, () => this.#refresh());
    this.#repeat(scanMs, () => this.#scan(false));
    void this.#guarded(() => this.#scan(true));
  }

  start(job: ExperimentJob, secrets: SentSecrets): void {
    this.#start(job, secrets, undefined);
  }

  follow(job: ExperimentJob, secrets: SentSecrets, signal: AbortSignal): AsyncIterable<ChatEvent> {
    const { work, log } = this.#parts;
    const stream = new JobStream(work, {
      onDrain: () => this.#wake(),
      onError: (error) => log.warn({ err: error, experiment: job.rowId }, 'Could not read the spans of a job'),
    });
    this.#start(job, secrets, stream);
    return stream.read(signal);
  }

  async drop(rowId: number): Promise<void> {
    const job = this.#jobs.get(rowId);
    job?.leave();
    await job?.ended;
  }

  reload(rowId: number): void {
    const job = this.#jobs.get(rowId);
    if (job) void this.#guarded(() => job.reload());
  }

  async dropEvaluators(datasetEvaluatorRowIds: readonly number[]): Promise<void> {
    await Promise.all(Array.from(this.#jobs.values(), (job) => job.dropEvaluators(datasetEvaluatorRowIds)));
  }

  activityOf(rowId: number): JobActivity | undefined {
    return this.#jobs.get(rowId)?.activity;
  }

  /** Aborts all calls. The claims stay, so that this server goes on after its next start. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#wakeTimer);
    for (const job of this.#jobs.values()) job.leave();
    await Promise.all(Array.from(this.#jobs.values(), ({ ended }) => ended));
  }

  #start(claimed: ExperimentJob, secrets: SentSecrets, stream: JobStream | undefined): void {
    const former = this.#jobs.get(claimed.rowId);
    // A job that was stopped and resumed at once, or whose claim went to another server and back.
    if (former) {
      former.leave();
      void former.ended.then(() => this.#start(claimed, secrets, stream));
      return;
    }
    if (this.#isClosing) return;
    const job = new RunningJob(claimed, {
      parts: this.#parts,
      secrets,
      stream,
      wake: () => this.#wake(),
    });
    this.#jobs.set(claimed.rowId, job);
    const endLimit = limitHeapGrowth();
    void job.ended.then(() => {
      endLimit();
      if (this.#jobs.get(claimed.rowId) === job) this.#jobs.delete(claimed.rowId);
    });
    void job.open();
  }

  /** Serves the jobs after the current work of this process, once for any number of changes. */
  #wake(): void {
    if (this.#isWoken || this.#isClosing) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      this.#serve();
    });
  }

  #serve(): void {
    clearTimeout(this.#wakeTimer);
    const now = Date.now();
    let callCount = 0;
    for (const job of this.#jobs.values()) callCount += job.callCount;
    while (callCount < this.#callCountMax && this.#startOne(now)) callCount++;
    let wakeAt = Number.POSITIVE_INFINITY;
    for (const job of this.#jobs.values()) {
      wakeAt = Math.min(wakeAt, job.nextStartAfter(now));
      job.checkBudget();
    }
    if (wakeAt < Number.POSITIVE_INFINITY) {
      this.#wakeTimer = setTimeout(() => this.#wake(), Math.max(1, wakeAt - now));
      this.#wakeTimer.unref();
    }
  }

  #startOne(now: number): boolean {
    for (const [rowId, job] of this.#jobs) {
      if (!job.startNext(now)) continue;
      this.#jobs.delete(rowId);
      this.#jobs.set(rowId, job);
      return true;
    }
    return false;
  }

  async #scan(isStart: boolean): Promise<void> {
    const { jobs, owner, timing, log } = this.#parts;
    const claimed = await jobs.claimOrphans(owner, { leaseMs: timing.leaseMs, isStart });
    for (const job of claimed) {
      log.info({ experiment: job.rowId }, 'Resumed a job that no server ran');
      this.#start(job, NO_SECRETS, undefined);
    }
  }

  async #renew(): Promise<void> {
    const running = [...this.#jobs.values()];
    if (running.length === 0) return;
    leaveOthers(running, await this.#parts.jobs.renewClaims(this.owner, rowIdsOf(running)));
  }

  /** Looks for jobs that were stopped or deleted, for deleted evaluators, and for readers who stopped reading. */
  async #check(): Promise<void> {
    const running = [...this.#jobs.values()];
    if (running.length === 0) return;
    const rowIds = rowIdsOf(running);
    const now = Date.now();
    for (const { stream } of running) {
      if (stream?.stalledSince === undefined || now - stream.stalledSince < this.#parts.timing.stallMs) continue;
      stream.drop(new Error('The reader of the stream was too slow. The experiment goes on.'));
      this.#wake();
    }
    await Promise.all(running.map((job) => job.recordSpending()));
    leaveOthers(running, await this.#parts.jobs.findClaims(this.owner, rowIds));
    const evaluators = await this.#parts.evaluators.findOfExperiments(rowIds);
    for (const job of running) {
      const stored = new Set(evaluators.get(job.job.rowId));
      const known = job.evaluatorRowIds;
      if (job.isOpen && (stored.size !== known.length || known.some((one) => !stored.has(one)))) await job.reload();
    }
  }

  async #refresh(): Promise<void> {
    await Promise.all(Array.from(this.#jobs.values(), (job) => job.refresh()));
  }

  #repeat(intervalMs: number, work: () => Promise<void>): void {
    let isRunning = false;
    const timer = setInterval(async () => {
      if (isRunning || this.#isClosing) return;
      isRunning = true;
      await this.#guarded(work);
      isRunning = false;
    }, intervalMs);
    this.#timers.push(timer.unref());
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#isClosing) this.#parts.log.warn({ err: error }, 'Could not poll experiment jobs; the server retries');
    }
  }
}

const rowIdsOf = (jobs: readonly RunningJob[]): number[] => jobs.map(({ job }) => job.rowId);

/** Jobs that the server no longer has: they were stopped, deleted, or taken over. */
function leaveOthers(jobs: readonly RunningJob[], claimed: ReadonlySet<number>): void {
  for (const job of jobs) if (!claimed.has(job.job.rowId)) job.leave();
}
