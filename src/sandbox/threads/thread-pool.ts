import { type ResourceLimits, Worker } from 'node:worker_threads';
import { SpandrelError } from '../../model/errors.ts';
import {
  SANDBOX_IDLE_MS_MAX,
  SANDBOX_OWNER_QUEUE_COUNT_MAX,
  SANDBOX_QUEUE_COUNT_MAX,
  SANDBOX_START_MS_MAX,
  SANDBOX_YIELD_MS,
} from '../../model/limits/sandbox.ts';
import { FairQueue } from './fair-queue.ts';
import type { FromThread, TaskMessage, TaskState } from './thread-protocol.ts';

export interface ThreadPoolOptions {
  /** Compiled worker, or the one of the bundle beside the server. */
  readonly file: URL;
  readonly name: string;
  readonly threadCount: number;
  readonly resourceLimits: ResourceLimits;
  /** Default `SANDBOX_IDLE_MS_MAX`. */
  readonly idleMsMax?: number;
  /** Default `SANDBOX_QUEUE_COUNT_MAX`. */
  readonly queueCountMax?: number;
  /** Default `SANDBOX_YIELD_MS`. */
  readonly yieldMs?: number;
}

/** `failed`: the thread reported an error or ended. `memory`: it exceeded its heap. `durationMs` excludes waiting. */
export type TaskOutcome<Result> =
  | { readonly type: 'done'; readonly result: Result; readonly durationMs: number }
  | { readonly type: 'timeout'; readonly durationMs: number }
  | { readonly type: 'memory'; readonly durationMs: number }
  | { readonly type: 'failed'; readonly message: string; readonly durationMs: number };

export interface TaskOptions {
  /** The party for which the task runs. While others wait, it gets one thread. */
  readonly owner: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface Job<Task, Result> {
  readonly task: Task;
  readonly owner: string;
  readonly timeoutMs: number;
  readonly settle: (outcome: TaskOutcome<Result>) => void;
  /** ID of the last start; 0 before the first. */
  id: number;
  /** Time that it may run while an owner without a thread waits. Doubled when it has to start again, so that it ends at last. */
  turnMs: number;
  startedAt: number | undefined;
}

interface Thread<Task, Result> {
  readonly worker: Worker;
  job: Job<Task, Result> | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Threads that are started on first use, run one task at a time, and are ended from outside when a task exceeds its time
 * or is cancelled. Another thread replaces an ended one.
 *
 * Threads are shared fairly between owners: the next task is that of the owner with the fewest running ones, and an owner
 * with several returns one to an owner with none. While owners wait without a thread, a task that has run for its turn returns
 * its thread as well. The task that loses its thread starts again later, with a turn twice as long, so tasks must have no effect
 * but their result.
 */
export class ThreadPool<Task, Result> {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<Thread<Task, Result>>();
  readonly #queue = new FairQueue<Job<Task, Result>>();
  readonly #ends = new Set<Promise<unknown>>();
  /** What threads have shared with later ones. */
  readonly #shared = new Map<string, unknown>();
  #nextId = 1;
  #yieldTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs a task. Its time starts when its thread has loaded what it needs.
   *
   * @throws {SpandrelError} `SANDBOX_BUSY`, `SHUTTING_DOWN`; the reason of the signal when it fires
   */
  run(task: Task, { owner, timeoutMs, signal }: TaskOptions): Promise<TaskOutcome<Result>> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new SpandrelError('SHUTTING_DOWN', 'The server is stopping');
    this.#checkQueue(owner);
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        reject(signal?.reason);
        this.#cancel(job);
      };
      const job: Job<Task, Result> = {
        ...{ task, owner, timeoutMs },
        settle: (outcome) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(outcome);
        },
        id: 0,
        turnMs: this.#yieldMs,
        startedAt: undefined,
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(job);
      this.#assign();
    });
  }

  #checkQueue(owner: string): void {
    const { queueCountMax = SANDBOX_QUEUE_COUNT_MAX } = this.#options;
    const [all, own] = [this.#queue.size, this.#queue.countOf(owner)];
    if (all < queueCountMax && own < SANDBOX_OWNER_QUEUE_COUNT_MAX) return;
    const waiting = all < queueCountMax ? `${own} tasks of the same user` : `${all} tasks`;
    throw new SpandrelError('SANDBOX_BUSY', `${waiting} already wait for the sandbox; try again later`);
  }

  /** Ends all threads. Running and waiting tasks fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#yieldTimer);
    for (const job of this.#queue.clear()) job.settle(STOPPED);
    for (const thread of this.#threads) this.#end(thread, STOPPED);
    await Promise.all(this.#ends);
  }

  get #yieldMs(): number {
    return this.#options.yieldMs ?? SANDBOX_YIELD_MS;
  }

  #assign(): void {
    while (this.#queue.size > 0) {
      const thread = [...this.#threads].find(({ job }) => !job) ?? this.#startThread();
      if (!thread) {
        this.#yieldTimer ??= setTimeout(() => this.#yieldThread(), this.#yieldMs).unref();
        return;
      }
      const job = this.#queue.shift((owner) => this.#runningOf(owner).length);
      if (!job) return;
      clearTimeout(thread.timer);
      const id = this.#nextId++;
      thread.job = Object.assign(job, { id, startedAt: undefined });
      thread.worker.ref();
      thread.timer = setTimeout(
        () => this.#end(thread, { type: 'failed', message: 'The sandbox did not start in time', durationMs: 0 }),
        SANDBOX_START_MS_MAX,
      );
      thread.worker.postMessage({ id, task: job.task } satisfies TaskMessage<Task>);
    }
  }

  #runningOf(owner: string): Thread<Task, Result>[] {
    return [...this.#threads].filter(({ job }) => job?.owner === owner);
  }

  /** Takes a thread for an owner who waits without one. */
  #yieldThread(): void {
    this.#yieldTimer = undefined;
    const isWaiting = this.#queue.owners().some((owner) => this.#runningOf(owner).length === 0);
    const thread = isWaiting ? (this.#findSurplus() ?? this.#findOverdue()) : undefined;
    if (!thread?.job) {
      this.#assign();
      return;
    }
    thread.job.turnMs *= 2;
    this.#queue.unshift(thread.job);
    thread.job = undefined;
    this.#end(thread);
  }

  /** The thread with the newest task of an owner with several. */
  #findSurplus(): Thread<Task, Result> | undefined {
    const owned = [...this.#threads].map(({ job }) => this.#runningOf(job?.owner ?? ''));
    return owned.find((threads) => threads.length > 1)?.sort((a, b) => (b.job?.id ?? 0) - (a.job?.id ?? 0))[0];
  }

  /** The thread whose task has run for its turn, and of those the one that started first. */
  #findOverdue(): Thread<Task, Result> | undefined {
    const overdue = [...this.#threads].filter((thread) => thread.job && durationOf(thread) >= thread.job.turnMs);
    return overdue.sort((a, b) => (a.job?.id ?? 0) - (b.job?.id ?? 0))[0];
  }

  #startThread(): Thread<Task, Result> | undefined {
    const { file, name, threadCount, resourceLimits } = this.#options;
    if (this.#threads.size >= threadCount) return undefined;
    // No environment and no options of the server.
    const worker = new Worker(file, {
      ...{ name, env: {}, argv: [], execArgv: [], resourceLimits },
      workerData: this.#shared,
    });
    const thread: Thread<Task, Result> = { worker, job: undefined, timer: undefined };
    this.#threads.add(thread);
    worker.on('message', (message: FromThread<Result>) => {
      if (message.type === 'shared') this.#shared.set(message.key, message.value);
      else this.#receive(thread, message);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const durationMs = durationOf(thread);
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#end(
        thread,
        isMemory ? { type: 'memory', durationMs } : { type: 'failed', message: String(error.message), durationMs },
      );
    });
    worker.on('exit', () =>
      this.#end(thread, { type: 'failed', message: 'The sandbox ended', durationMs: durationOf(thread) }),
    );
    return thread;
  }

  #receive(thread: Thread<Task, Result>, message: TaskState<Result>): void {
    const { job } = thread;
    if (job?.id !== message.id) return;
    clearTimeout(thread.timer);
    if (message.type === 'running') {
      job.startedAt = performance.now();
      thread.timer = setTimeout(
        () => this.#end(thread, { type: 'timeout', durationMs: durationOf(thread) }),
        job.timeoutMs,
      );
      return;
    }
    const durationMs = durationOf(thread);
    thread.job = undefined;
    thread.worker.unref();
    thread.timer = setTimeout(() => this.#end(thread), this.#options.idleMsMax ?? SANDBOX_IDLE_MS_MAX).unref();
    job.settle(
      message.type === 'done'
        ? { type: 'done', result: message.result, durationMs }
        : { type: 'failed', message: message.message, durationMs },
    );
    this.#assign();
  }

  #cancel(cancelled: Job<Task, Result>): void {
    this.#queue.delete(cancelled);
    for (const thread of this.#threads) if (thread.job === cancelled) this.#end(thread, STOPPED);
  }

  /** Ends a thread with its task. The caller does not wait until the thread has stopped. */
  #end(thread: Thread<Task, Result>, outcome: TaskOutcome<Result> = STOPPED): void {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    const end = thread.worker.terminate().finally(() => this.#ends.delete(end));
    this.#ends.add(end);
    thread.job?.settle(outcome);
    if (!this.#isClosed) this.#assign();
  }
}

const STOPPED: TaskOutcome<never> = { type: 'failed', message: 'The sandbox was stopped', durationMs: 0 };

const durationOf = <Task, Result>({ job }: Thread<Task, Result>): number =>
  job?.startedAt === undefined ? 0 : performance.now() - job.startedAt;
