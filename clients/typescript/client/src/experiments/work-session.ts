import { type CallOptions, clientOf, type SpandrelClient } from '../client.ts';
import { ArgumentError } from '../http/errors.ts';
import { findNode } from '../node/index.ts';
import { AdaptivePool } from './adaptive-pool.ts';
import type { StopReason } from './experiment-types.ts';
import { defaultLogger, type Logger } from './logger.ts';
import { SpanSender } from './span-sender.ts';

/** How tasks and evaluators are run. */
export interface WorkOptions extends CallOptions {
  /** Tasks at once: the number at the start and at most. Default 5 at the start and 20 at most. */
  readonly concurrency?: number;
  /** Highest number of tasks at once, when it is above `concurrency`. */
  readonly concurrencyMax?: number;
  /** Repeats of a task after rate limits, timeouts and lost connections. Default 3. Other errors are not repeated. */
  readonly retries?: number;
  /** Time after which a task has failed, in milliseconds. Default: none. */
  readonly taskTimeoutMs?: number;
  /** No task is started after this time, in milliseconds. */
  readonly maxDurationMs?: number;
  /** No task is started when tasks and evaluators have added this much with `addCost`. */
  readonly maxCost?: number;
  /** Ctrl-C ends the run after the tasks that run. Default true, on Node. */
  readonly handleInterrupt?: boolean;
  readonly logger?: Logger;
}

const CONCURRENCY = 5;
const CONCURRENCY_MAX = 20;
const RETRIES = 3;

/** What the parts of one call share: client, pool, budget, spans, and the reason to stop. */
export class WorkSession {
  readonly client: SpandrelClient;
  readonly logger: Logger;
  readonly pool: AdaptivePool;
  readonly spans: SpanSender;
  readonly signal: AbortSignal | undefined;
  readonly taskTimeoutMs: number | undefined;
  readonly #startedAt = Date.now();
  readonly #maxDurationMs: number;
  readonly #maxCost: number;
  readonly #release: () => void;
  #cost = 0;
  #stopReason: StopReason | undefined;

  constructor(options: WorkOptions) {
    const { concurrency, retries = RETRIES } = options;
    const first = concurrency ?? CONCURRENCY;
    const most = Math.max(first, options.concurrencyMax ?? (concurrency === undefined ? CONCURRENCY_MAX : first));
    for (const [name, value] of Object.entries({ concurrency: first, concurrencyMax: most, retries: retries + 1 })) {
      if (!Number.isSafeInteger(value) || value < 1)
        throw new ArgumentError(`${name} must be a whole number, and is ${value}.`);
    }
    this.client = clientOf(options.client);
    this.logger = options.logger ?? defaultLogger();
    this.signal = options.signal;
    this.taskTimeoutMs = options.taskTimeoutMs;
    this.#maxDurationMs = options.maxDurationMs ?? Number.POSITIVE_INFINITY;
    this.#maxCost = options.maxCost ?? Number.POSITIVE_INFINITY;
    this.pool = new AdaptivePool({
      concurrency: first,
      concurrencyMax: most,
      retries,
      isStopped: () => this.stopReason !== undefined,
    });
    this.spans = new SpanSender(this.client, (message) => this.logger.warn(message));
    this.#release = options.handleInterrupt === false ? () => undefined : this.#listenForInterrupt();
  }

  /** Why no further task is started; undefined while tasks are. */
  get stopReason(): StopReason | undefined {
    if (this.#stopReason) return this.#stopReason;
    if (this.signal?.aborted) this.#stopReason = 'interrupt';
    else if (this.#cost >= this.#maxCost) this.#stopReason = 'cost';
    else if (Date.now() - this.#startedAt >= this.#maxDurationMs) this.#stopReason = 'duration';
    return this.#stopReason;
  }

  stop(reason: StopReason): void {
    this.#stopReason ??= reason;
  }

  addCost(cost: number): void {
    if (Number.isFinite(cost) && cost > 0) this.#cost += cost;
  }

  /** Runs something with a controller that aborts after `taskTimeoutMs`. */
  async runTimed<Result>(run: (controller: AbortController) => Promise<Result> | Result): Promise<Result> {
    const { taskTimeoutMs } = this;
    const controller = new AbortController();
    if (taskTimeoutMs === undefined) return run(controller);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = Object.assign(new Error(`The task took more than ${taskTimeoutMs / 1_000} s.`), {
          name: 'TimeoutError',
        });
        controller.abort(error);
        reject(error);
      }, taskTimeoutMs);
    });
    try {
      return await Promise.race([run(controller), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends the last spans and stops listening. */
  async close(): Promise<void> {
    this.#release();
    await this.spans.flush();
  }

  #listenForInterrupt(): () => void {
    const { process } = findNode() ?? {};
    if (!process) return () => undefined;
    // The second Ctrl-C ends the process as usual.
    const onInterrupt = () => {
      this.stop('interrupt');
      this.logger.warn('Stopping after the running tasks. Press Ctrl-C again to end at once.');
    };
    process.once('SIGINT', onInterrupt);
    return () => void process.off('SIGINT', onInterrupt);
  }
}
