import { headersOf, isRateLimit, isTimeout, retryAfterMs } from '../../models/repeat.ts';
import { FoundRate } from './found-rate.ts';
import { readStatedLimit } from './rate-limit-headers.ts';

export interface GateOptions {
  /** Calls at once at the start. */
  readonly concurrency: number;
  readonly concurrencyMax: number;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Several time limits within this time count as one: the calls were sent together. */
const COOL_DOWN_MS = 1_000;
/** Latency above the best one at which more calls at once no longer help, as a factor and in milliseconds. */
const LATENCY_GROWTH_MAX = 1.5;
const LATENCY_SLACK_MS = 25;
const PAUSE_MS_MAX = 120_000;
const FIRST_PAUSE_MS = 250;
/** Time in which the first call of a model goes alone: a vendor rejects a wrong key before it does anything. */
const ALONE_MS = 500;

/**
 * Lets calls of one model through, over all evaluators of a run. The number of calls at once grows while their latency holds
 * and falls after time limits. A rate is kept once the vendor has rejected a call. What the vendor states, as a budget or as a time to
 * wait, is obeyed.
 */
export class ModelGate {
  readonly #options: GateOptions;
  readonly #waiting: Waiter[] = [];
  readonly #rate = new FoundRate();
  #limit: number;
  #running = 0;
  #successesAtLimit = 0;
  #isCareful = false;
  #bestLatencyMs = Number.POSITIVE_INFINITY;
  #latencyMs = 0;
  #lastDropAt = Number.NEGATIVE_INFINITY;
  #pauseUntil = 0;
  #limitsInRow = 0;
  /** Until when one call goes alone; undefined when it need not. */
  #aloneUntil: number | undefined;
  /** Calls that the vendor allowed at `#budgetAt`, and how many more each millisecond. */
  #budget = Number.POSITIVE_INFINITY;
  #budgetAt = 0;
  #refill = 0;
  #tokenCount = 0;
  #tokenCallCount = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopError: { readonly error: unknown } | undefined;

  /** @param startsAlone Whether the first call goes alone until it is answered, because its key may be wrong. */
  constructor(options: GateOptions, startsAlone = false) {
    this.#options = options;
    this.#limit = options.concurrency;
    if (startsAlone) this.#aloneUntil = Number.POSITIVE_INFINITY;
  }

  /** Calls that may run at once now. */
  get limit(): number {
    return this.#limit;
  }

  /** Milliseconds until the pause that a vendor asked for ends. */
  get pauseMs(): number {
    return Math.max(0, this.#pauseUntil - performance.now());
  }

  /** Resolves when a call may be sent. It must be followed by `leave`. */
  enter(): Promise<void> | undefined {
    if (this.#stopError) return Promise.reject(this.#stopError.error);
    const now = performance.now();
    if (this.#waiting.length === 0 && this.#delayMs(now) <= 0) {
      this.#start(now);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#pump();
    });
  }

  /** Takes note of a response. Its place is free after `leave`. */
  succeed(latencyMs: number, headers: Headers | undefined, tokenCount: number): void {
    this.#limitsInRow = 0;
    this.#endAlone();
    if (tokenCount > 0) {
      this.#tokenCount += tokenCount;
      this.#tokenCallCount++;
    }
    if (headers) this.#obey(headers, performance.now());
    this.#rise(latencyMs);
  }

  /** Takes note of an error of a call. Its place is free after `leave`. @param sentAt Time of `performance.now()` */
  fail(error: unknown, sentAt: number): void {
    this.#endAlone();
    if (isRateLimit(error)) this.#slowDown(error, sentAt);
    else if (isTimeout(error)) this.#drop(performance.now());
  }

  /** Gives the place of a call free. */
  leave(): void {
    this.#running--;
    if (this.#waiting.length > 0) this.#pump();
  }

  /** Rejects the calls that wait, and all later ones. */
  stop(error: unknown): void {
    this.#stopError ??= { error };
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #pump(): void {
    // What a timer waits for may have changed.
    clearTimeout(this.#timer);
    while (this.#waiting.length > 0) {
      const now = performance.now();
      const delayMs = this.#delayMs(now);
      // A call that ends pumps again.
      if (delayMs === Number.POSITIVE_INFINITY) return;
      if (delayMs > 0) {
        this.#timer = setTimeout(() => this.#pump(), Math.ceil(delayMs));
        return;
      }
      this.#start(now);
      this.#waiting.shift()?.resolve();
    }
  }

  #delayMs(now: number): number {
    if (this.#running >= this.#limit) return Number.POSITIVE_INFINITY;
    const aloneMs = this.#aloneUntil === undefined || this.#running === 0 ? 0 : this.#aloneUntil - now;
    const missing = 1 - this.#budget - (now - this.#budgetAt) * this.#refill;
    // Without a refill nothing is known but that the vendor is asked again some time.
    const budgetMs =
      missing <= 0 ? 0 : this.#refill > 0 ? Math.min(missing / this.#refill, PAUSE_MS_MAX) : FIRST_PAUSE_MS;
    return Math.max(this.#pauseUntil - now, this.#rate.nextAt - now, budgetMs, aloneMs, 0);
  }

  #start(now: number): void {
    this.#running++;
    this.#budget--;
    this.#rate.send(now);
    if (this.#aloneUntil === Number.POSITIVE_INFINITY) this.#aloneUntil = now + ALONE_MS;
  }

  #endAlone(): void {
    this.#aloneUntil = undefined;
  }

  #obey(headers: Headers, now: number): void {
    const stated = readStatedLimit(headers, this.#tokenCallCount > 0 ? this.#tokenCount / this.#tokenCallCount : 0);
    if (!stated) return;
    // Calls that are under way may not be counted in it yet.
    this.#budget = stated.remaining - this.#running;
    this.#budgetAt = now;
    this.#refill = stated.refill;
  }

  /** More calls at once when all of a round succeeded and their latency held. */
  #rise(latencyMs: number): void {
    this.#bestLatencyMs = Math.min(this.#bestLatencyMs, latencyMs);
    this.#latencyMs += (latencyMs - this.#latencyMs) / Math.min(32, this.#limit);
    if (++this.#successesAtLimit < this.#limit) return;
    this.#successesAtLimit = 0;
    const holds = this.#latencyMs <= this.#bestLatencyMs * LATENCY_GROWTH_MAX + LATENCY_SLACK_MS;
    const isWanted = this.#waiting.length > 0;
    if (holds && isWanted && this.#limit < this.#options.concurrencyMax) {
      const step = this.#isCareful ? 1 : Math.ceil(this.#limit / 2);
      this.#limit = Math.min(this.#options.concurrencyMax, this.#limit + step);
    } else if (!holds && this.#limit > this.#options.concurrency) {
      this.#limit--;
      this.#isCareful = true;
    }
  }

  /** The rate alone is lowered: it decides how many calls are under way. */
  #slowDown(error: unknown, sentAt: number): void {
    const now = performance.now();
    const stated = retryAfterMs(headersOf(error));
    // Rejections of calls that were sent before a pause are answered by it.
    const isFirst = sentAt >= this.#pauseUntil;
    const pauseMs = stated ?? (isFirst ? FIRST_PAUSE_MS * 2 ** Math.min(6, this.#limitsInRow++) : 0);
    this.#pauseUntil = Math.max(this.#pauseUntil, now + Math.min(pauseMs, PAUSE_MS_MAX));
    this.#rate.reject(sentAt, now, this.#pauseUntil);
  }

  /** Half as many calls at once. */
  #drop(now: number): void {
    this.#isCareful = true;
    this.#successesAtLimit = 0;
    if (now - this.#lastDropAt < COOL_DOWN_MS) return;
    this.#lastDropAt = now;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }
}
