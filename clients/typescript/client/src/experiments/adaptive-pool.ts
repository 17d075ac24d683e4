import { wait } from '../http/send.ts';

/** How many tasks run at once, and how often a task that a limit of a vendor stopped is repeated. */
export interface PoolOptions {
  readonly concurrency: number;
  readonly concurrencyMax: number;
  /** Repeats of a task after rate limits, timeouts and lost connections. */
  readonly retries: number;
  /** Once true, no task is started. */
  readonly isStopped: () => boolean;
}

/** Tasks that end without a limit before one more may run at once, in multiples of the current number. */
const CLEAN_ROUND_COUNT = 2;
/** Time in which several rejections count as one: they were sent at once. */
const COOL_DOWN_MS = 1_000;
const FIRST_PAUSE_MS = 500;
const PAUSE_MS_MAX = 60_000;

/**
 * Runs tasks. The number of tasks at once grows while tasks end without a limit of a vendor, and is halved by one; then
 * all tasks wait for the time that the vendor asks for.
 */
export class AdaptivePool {
  readonly #options: PoolOptions;
  #limit: number;
  #cleanCount = 0;
  #lastDropAt = Number.NEGATIVE_INFINITY;
  /** No task starts before. */
  #pauseUntil = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#limit = options.concurrency;
  }

  /** Tasks that may run at once now. */
  get limit(): number {
    return this.#limit;
  }

  /**
   * Runs `work` for each item and its place, from 0. Items are taken when a task can start, so a source may read pages.
   * Rejects with the first error of `work` or of the source, after the tasks that run have ended.
   */
  async run<Item>(
    items: AsyncIterable<Item> | Iterable<Item>,
    work: (item: Item, place: number) => Promise<void>,
  ): Promise<void> {
    let runningCount = 0;
    // Promise.race over the tasks would leave a reaction at each of them for each item, which live as long as the tasks.
    let wake: () => void = () => undefined;
    const oneEnds = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    const failures: unknown[] = [];
    const start = async (item: Item, place: number): Promise<void> => {
      runningCount++;
      try {
        await work(item, place);
      } catch (error) {
        failures.push(error);
      } finally {
        runningCount--;
        wake();
      }
    };
    let place = 0;
    try {
      for await (const item of items) {
        while (runningCount >= this.#limit) await oneEnds();
        if (this.#options.isStopped() || failures.length > 0) break;
        void start(item, place++);
      }
    } catch (error) {
      failures.push(error);
    }
    while (runningCount > 0) await oneEnds();
    if (failures.length > 0) throw failures[0];
  }

  /** Calls `attempt` until it returns, or fails with something that a repeat does not help. */
  async attempt<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (let count = 0; ; count++) {
      await this.#untilResumed();
      try {
        const result = await attempt();
        this.#rise();
        return result;
      } catch (error) {
        const limit = readLimit(error);
        if (!limit) throw error;
        this.#drop();
        if (count >= this.#options.retries || this.#options.isStopped()) throw error;
        const pauseMs = limit.waitMs ?? Math.random() * FIRST_PAUSE_MS * 2 ** (count + 1);
        if (limit.isOfVendor)
          this.#pauseUntil = Math.max(this.#pauseUntil, Date.now() + Math.min(pauseMs, PAUSE_MS_MAX));
        else await wait(Math.min(pauseMs, PAUSE_MS_MAX));
      }
    }
  }

  async #untilResumed(): Promise<void> {
    for (let left = this.#pauseUntil - Date.now(); left > 0; left = this.#pauseUntil - Date.now()) await wait(left);
  }

  #rise(): void {
    this.#cleanCount++;
    if (this.#cleanCount < CLEAN_ROUND_COUNT * this.#limit || this.#limit >= this.#options.concurrencyMax) return;
    this.#limit++;
    this.#cleanCount = 0;
  }

  #drop(): void {
    this.#cleanCount = 0;
    if (Date.now() - this.#lastDropAt < COOL_DOWN_MS) return;
    this.#lastDropAt = Date.now();
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }
}

interface Limit {
  readonly isOfVendor: boolean;
  readonly waitMs: number | undefined;
}

const NETWORK_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What an error of a task says of a limit or a connection; undefined for other errors. Vendors' libraries have `status` and `headers`. */
function readLimit(error: unknown): Limit | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { status, statusCode, name, code, cause } = error as Record<string, unknown>;
  const found = typeof status === 'number' ? status : statusCode;
  if (found === 429 || found === 529) return { isOfVendor: true, waitMs: readWait(error) };
  if (found === 502 || found === 503 || found === 504) return { isOfVendor: false, waitMs: readWait(error) };
  const isTimeout = typeof name === 'string' && /timeout/i.test(name);
  const isNetwork = typeof code === 'string' && NETWORK_CODES.has(code);
  if (isTimeout || isNetwork) return { isOfVendor: false, waitMs: undefined };
  return cause === error ? undefined : readLimit(cause);
}

/** Milliseconds of `retry-after-ms`, `retry-after` or the reset of a rate limit. */
function readWait(error: object): number | undefined {
  const { headers, responseHeaders } = error as { readonly headers?: unknown; readonly responseHeaders?: unknown };
  const read = (name: string): string | undefined => readHeader(headers ?? responseHeaders, name);
  const ms = Number(read('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const after = read('retry-after');
  if (after !== undefined) {
    const seconds = Number(after);
    const found = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(after) - Date.now();
    if (Number.isFinite(found)) return Math.max(0, found);
  }
  return parseDuration(read('x-ratelimit-reset-requests'));
}

function readHeader(headers: unknown, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  if (typeof headers !== 'object' || headers === null) return undefined;
  const value = new Map<string, unknown>(Object.entries(headers)).get(name);
  return typeof value === 'string' ? value : undefined;
}

/** `1s`, `6m0s` or `250ms`, as OpenAI states the reset of a limit. */
function parseDuration(text: string | undefined): number | undefined {
  const units = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
  const parts = [...(text ?? '').matchAll(/([\d.]+)(ms|h|m|s)/g)];
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0);
}
