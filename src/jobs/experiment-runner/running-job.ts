import type { ExperimentJob, JobActivity, JobStatus } from '../../model/experiment-job.ts';
import { JOB_FAILURE_COUNT_MAX, RETRY_AFTER_MS_MAX } from '../../model/limits/jobs.ts';
import { joinReceipts, type Receipt } from '../../model/receipt.ts';
import type { SentSecrets } from '../../domain/experiments/jobs/job-runner.ts';
import {
  type AttemptOptions,
  type EvaluationOutcome,
  JobUnready,
  type OpenEvaluator,
  type OpenTask,
  type Retry,
  type TaskOutcome,
} from '../../domain/experiments/jobs/job-work.ts';
import { Spending } from '../../domain/playground/spending.ts';
import { limitListener, recordLimit } from '../rate-limits/limited-call.ts';
import { abortCall, type Call, CallsInFlight } from './calls-in-flight.ts';
import { FailureBreaker } from './failure-breaker.ts';
import { ItemLoader } from './item-loader.ts';
import type { JobStream } from './job-stream.ts';
import { OutcomeRecords } from './outcome-records.ts';
import { retryWrite } from './retry-write.ts';
import type { RunnerParts } from './runner-parts.ts';
import { type EvaluationItem, evaluationKey, type TaskItem, type WorkItem } from './work-items.ts';
import { WorkQueue } from './work-queue.ts';

/** How the work on a job in this process ends. `left`: without writing its state, which another server or a user has changed. */
type Ending = { readonly status: Exclude<JobStatus, 'RUNNING'>; readonly reason: string | null } | 'left';

/** A job that this process runs: its items, its calls in flight, and its end. */
export class RunningJob {
  readonly job: ExperimentJob;
  readonly stream: JobStream | undefined;
  /** Resolves when the job has ended here, and no call is in flight. */
  readonly ended: Promise<void>;
  readonly #parts: RunnerParts;
  readonly #secrets: SentSecrets;
  readonly #queue = new WorkQueue();
  readonly #breaker = new FailureBreaker();
  readonly #spending: Spending;
  readonly #calls = new CallsInFlight();
  readonly #records: OutcomeRecords;
  /** Requests work from the runner after a change. */
  readonly #wake: () => void;
  #evaluators = new Map<number, OpenEvaluator>();
  #task: OpenTask | undefined;
  #loader: ItemLoader | undefined;
  #ending: Ending | undefined;
  #isOver = false;
  /** When an item may start that had to wait for a rate limit. */
  #wakeAt = Number.POSITIVE_INFINITY;
  /** An item had to wait for the budget when one was last requested. */
  #isBlockedByBudget = false;
  #receipt: Receipt | null = null;
  #doneCount = 0;
  #startedAt = Date.now();
  #resolveEnded: () => void = () => {};

  constructor(
    job: ExperimentJob,
    options: {
      readonly parts: RunnerParts;
      readonly secrets: SentSecrets;
      readonly stream: JobStream | undefined;
      readonly wake: () => void;
    },
  ) {
    this.job = job;
    this.stream = options.stream;
    this.#parts = options.parts;
    this.#secrets = options.secrets;
    this.#wake = options.wake;
    this.#spending = new Spending(job);
    this.#records = new OutcomeRecords(options.parts, job.rowId, options.stream);
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  get callCount(): number {
    return this.#calls.size;
  }

  /** When an item may start that cannot start now. By `Date.now()`. */
  nextStartAfter(now: number): number {
    return Math.min(this.#wakeAt, this.#queue.nextDueAfter(now));
  }

  get activity(): JobActivity {
    const seconds = (Date.now() - this.#startedAt) / 1_000;
    return {
      readyTaskCount: this.#queue.readyTaskCount,
      runningTaskCount: this.#calls.taskCount,
      readyEvaluationCount: this.#queue.readyEvaluationCount,
      runningEvaluationCount: this.#calls.size - this.#calls.taskCount,
      itemsPerSecond: seconds > 0 ? this.#doneCount / seconds : 0,
    };
  }

  /** Resolves keys and evaluators, and starts to load items. Never rejects. */
  async open(): Promise<void> {
    const { work, log } = this.#parts;
    try {
      const [task, evaluators] = await Promise.all([
        this.job.runsTasks ? work.openTask(this.job, this.#secrets) : undefined,
        work.openEvaluators(this.job, this.#secrets),
      ]);
      this.#task = task;
      for (const evaluator of evaluators) this.#evaluators.set(evaluator.rowId, evaluator);
      this.#loader = new ItemLoader(this.#parts.runs, { job: this.job, queue: this.#queue, evaluators });
      this.#startedAt = Date.now();
      this.#advance();
    } catch (error) {
      if (error instanceof JobUnready) {
        this.#end({ status: error.status, reason: error.message });
        return;
      }
      log.warn(
        { err: error, experiment: this.job.rowId },
        'Could not start a job; a server retries when its claim is void',
      );
      this.#end('left');
    }
  }

  /** Reads the attached evaluators again: new ones evaluate existing runs too, and deleted ones end. */
  async reload(): Promise<void> {
    const loader = this.#loader;
    if (!loader) return;
    const evaluators = await this.#parts.work.openEvaluators(this.job, this.#secrets);
    const rowIds = new Set(evaluators.map(({ rowId }) => rowId));
    for (const rowId of this.#evaluators.keys()) if (!rowIds.has(rowId)) this.#removeEvaluator(rowId, loader);
    const added = evaluators.filter(({ rowId }) => !this.#evaluators.has(rowId));
    for (const evaluator of added) this.#evaluators.set(evaluator.rowId, evaluator);
    if (added.length > 0) loader.addPass(added);
    this.#advance();
  }

  /** Resolves the keys of the task again, and ends the job when that is not possible any more. */
  async refresh(): Promise<void> {
    if (!this.isOpen) return;
    try {
      await this.#task?.refresh();
    } catch (error) {
      if (!(error instanceof JobUnready)) throw error;
      this.#end({ status: error.status, reason: error.message });
    }
  }

  /** Ends the evaluations of these evaluators. Resolves when none is in flight. */
  async dropEvaluators(rowIds: readonly number[]): Promise<void> {
    const loader = this.#loader;
    if (!loader) return;
    const ending = this.#calls.ofEvaluators(rowIds);
    for (const rowId of rowIds) if (this.#evaluators.has(rowId)) this.#removeEvaluator(rowId, loader);
    await Promise.all(ending.map(({ ended }) => ended));
    this.#advance();
  }

  get evaluatorRowIds(): readonly number[] {
    return [...this.#evaluators.keys()];
  }

  get isOpen(): boolean {
    return this.#loader !== undefined && this.#ending === undefined;
  }

  /** Takes the next item that may start now. It has started when this returns true. */
  startNext(now: number): boolean {
    this.#wakeAt = Number.POSITIVE_INFINITY;
    this.#isBlockedByBudget = false;
    if (!this.isOpen || this.#calls.size >= this.job.maxConcurrency) return false;
    const item = this.#queue.take(now, (kind) => this.#mayStart(kind, now));
    if (!item) return false;
    this.#start(item);
    return true;
  }

  /** Ends the work without writing the state of the job. */
  leave(): void {
    this.#end('left');
  }

  /** Records what was spent. */
  async recordSpending(): Promise<void> {
    const spent = this.#spending.take();
    if (!spent) return;
    await this.#parts.jobs.addSpending(this.job.rowId, spent).catch((error: unknown) => {
      this.#spending.restore(spent);
      throw error;
    });
  }

  #mayStart(kind: 'task' | { readonly evaluatorRowId: number }, now: number): boolean {
    const isTask = kind === 'task';
    // A slow reader delays tasks. Evaluations of runs that exist end.
    if (isTask && this.stream?.isFull) return false;
    const key = isTask ? this.#task?.rateLimitKey : this.#evaluators.get(kind.evaluatorRowId)?.rateLimitKey;
    if (key === undefined || key === null) return true;
    if (this.#spending.problem(this.#calls.modelCallCount) !== undefined) {
      this.#isBlockedByBudget = true;
      return false;
    }
    const waitMs = this.#parts.limits.of(key, now).take(now);
    if (waitMs > 0) this.#wakeAt = Math.min(this.#wakeAt, now + waitMs);
    return waitMs === 0;
  }

  /** Loads more, or ends, or goes on. Called after every change. */
  #advance(): void {
    const loader = this.#loader;
    if (this.#ending) this.#settle();
    if (!loader || this.#ending) return;
    if (loader.needsMore()) void this.#load(loader);
    if (this.#calls.size === 0 && !loader.isLoading) {
      const problem = this.#isBlockedByBudget ? this.#spending.problem(0) : undefined;
      if (loader.isDone && this.#queue.size === 0) this.#end({ status: 'COMPLETED', reason: null });
      else if (problem !== undefined) this.#end({ status: 'STOPPED', reason: problem });
    }
    this.#wake();
  }

  /** The runner calls this when it could start nothing more. */
  checkBudget(): void {
    if (this.#isBlockedByBudget && this.#calls.size === 0) this.#advance();
  }

  async #load(loader: ItemLoader): Promise<void> {
    try {
      await this.#retried(() => loader.load((key) => this.#calls.hasEvaluation(key)));
    } catch (error) {
      this.#abandon(error);
    }
    this.#advance();
  }

  #start(item: WorkItem): void {
    const evaluator = item.kind === 'evaluation' ? this.#evaluators.get(item.evaluatorRowId) : undefined;
    const limitKey = (item.kind === 'task' ? this.#task?.rateLimitKey : evaluator?.rateLimitKey) ?? null;
    const now = Date.now();
    const number = limitKey === null ? 0 : this.#parts.limits.of(limitKey, now).startCount;
    const call = this.#calls.add(item, { limitKey, number, startedAt: now });
    call.ended = this.#run(item, evaluator, call);
  }

  async #run(item: WorkItem, evaluator: OpenEvaluator | undefined, call: Call): Promise<void> {
    const { taskMs, evaluationMs } = this.#parts.timing;
    const timer = setTimeout(() => abortCall(call, 'timeout'), item.kind === 'task' ? taskMs : evaluationMs);
    try {
      if (item.kind === 'task') await this.#runTask(item, call);
      else if (evaluator) await this.#runEvaluation(item, evaluator, call);
    } catch (error) {
      this.#abandon(error);
    } finally {
      clearTimeout(timer);
      this.#calls.remove(call);
      this.#advance();
    }
  }

  async #runTask(item: TaskItem, call: Call): Promise<void> {
    const task = this.#task as OpenTask;
    const cell = { exampleRowId: item.example.rowId, repetitionNumber: item.repetitionNumber };
    let hasSentPieces = item.hasSentPieces;
    if (hasSentPieces) this.stream?.send({ ...cell, type: 'restart' });
    const outcome = await task.run(item.example, {
      ...this.#attemptOptions(call),
      repetitionNumber: item.repetitionNumber,
      onPiece: (piece) => {
        hasSentPieces = true;
        if (!call.abortedBy) this.stream?.send({ ...cell, ...piece });
      },
    });
    const retry = this.#afterCall(outcome, call);
    if (outcome.errorType !== null && call.abortedBy === 'end') return;
    if (retry && this.#mayRetry(item, retry)) {
      this.#retryLater({ ...item, hasSentPieces }, retry);
      return;
    }
    const stored = await this.#records.addRun(item, outcome, { retry, isTimedOut: call.abortedBy === 'timeout' });
    if (!stored) {
      this.#end('left');
      return;
    }
    this.#doneCount++;
    if (outcome.errorType === null) {
      this.#breaker.succeed('task');
      const target = {
        run: { ...cell, rowId: stored.rowId, output: outcome.run.output },
        example: item.example,
      };
      if (stored.isNew) for (const rowId of this.#evaluators.keys()) this.#queue.addEvaluation(rowId, target);
      return;
    }
    await this.#fail('task', outcome.errorType, item, retry);
  }

  async #runEvaluation(item: EvaluationItem, evaluator: OpenEvaluator, call: Call): Promise<void> {
    const outcome = await evaluator.run(item.target, this.#attemptOptions(call));
    const retry = this.#afterCall(outcome, call);
    if (outcome.errorType !== null && call.abortedBy === 'end') return;
    if (retry && this.#mayRetry(item, retry)) {
      this.#retryLater(item, retry);
      return;
    }
    await this.#records.addEvaluations(item, outcome, retry);
    this.#loader?.markEvaluation(evaluationKey(item.target.run.rowId, item.evaluatorRowId));
    this.#doneCount++;
    if (outcome.errorType === null) this.#breaker.succeed(item.evaluatorRowId);
    else await this.#fail(item.evaluatorRowId, outcome.errorType, item, retry);
  }

  #attemptOptions(call: Call): AttemptOptions {
    return { signal: call.controller.signal, onLimits: limitListener(this.#parts.limits, call) };
  }

  /** Counts a call and records its outcome with its limit. Returns the retry that it allows. */
  #afterCall(outcome: TaskOutcome | EvaluationOutcome, call: Call): Retry | null {
    this.#spending.add(outcome);
    this.#receipt = joinReceipts(this.#receipt, outcome.receipt);
    if (!call.abortedBy) recordLimit(this.#parts.limits, call, outcome);
    if (call.abortedBy === 'timeout' && outcome.errorType !== null) {
      return { isRateLimit: false, reason: 'timeout', afterMs: undefined };
    }
    return outcome.retry;
  }

  #mayRetry({ failureCount }: WorkItem, { afterMs = 0 }: Retry): boolean {
    return !this.#ending && failureCount < this.#parts.timing.retryMs.length && afterMs <= RETRY_AFTER_MS_MAX;
  }

  #retryLater(item: WorkItem, { afterMs = 0 }: Retry): void {
    const waitMs = Math.max(this.#parts.timing.retryMs[item.failureCount] ?? 0, afterMs);
    this.#queue.addRetry({ ...item, failureCount: item.failureCount + 1 }, Date.now() + waitMs);
  }

  async #fail(part: 'task' | number, errorType: string, item: WorkItem, retry: Retry | null): Promise<void> {
    const isTripped = this.#breaker.fail(part) && !this.#ending;
    await this.#records.logFailure(item, errorType, { retry, isTripped });
    if (isTripped)
      this.#end({ status: 'ERROR', reason: `${errorType} (${JOB_FAILURE_COUNT_MAX} consecutive failures)` });
  }

  #removeEvaluator(rowId: number, loader: ItemLoader): void {
    this.#evaluators.delete(rowId);
    this.#queue.removeEvaluator(rowId);
    loader.removeEvaluator(rowId);
    for (const call of this.#calls.ofEvaluators([rowId])) abortCall(call, 'end');
  }

  #retried<Result>(write: () => Promise<Result>): Promise<Result> {
    return retryWrite(this.#parts.timing.retryMs, write);
  }

  /** The job goes on when its claim is void, here or on another server. */
  #abandon(error: unknown): void {
    if (this.#ending) return;
    this.#parts.log.warn(
      { err: error, experiment: this.job.rowId },
      'A job was interrupted; a server resumes it when its claim is void',
    );
    this.#end('left');
  }

  #end(ending: Ending): void {
    if (this.#ending) return;
    this.#ending = ending;
    this.#calls.abortAll();
    this.#settle();
  }

  /** Ends for good when no call is in flight any more. */
  #settle(): void {
    if (!this.#ending || this.#isOver || this.#calls.size > 0) return;
    this.#isOver = true;
    void this.#close(this.#ending);
  }

  async #close(ending: Ending): Promise<void> {
    const { work, jobs, owner, log } = this.#parts;
    const { rowId } = this.job;
    try {
      await this.recordSpending();
      if (ending !== 'left') {
        if (this.#receipt !== null && !this.#parts.isClosing()) await work.waitFor(this.#receipt);
        await this.#retried(() => jobs.finish(owner, rowId, { status: ending.status, stopReason: ending.reason }));
      }
    } catch (error) {
      log.warn(
        { err: error, experiment: rowId },
        'Could not record the end of a job; a server resumes it when its claim is void',
      );
    }
    const reason = ending === 'left' ? null : ending.reason;
    if (this.#parts.isClosing()) this.stream?.cancel();
    else await this.stream?.close(reason === null ? undefined : `Experiment stopped: ${reason}`);
    this.#resolveEnded();
    this.#wake();
  }
}
