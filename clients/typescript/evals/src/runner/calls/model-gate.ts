import { headersOf, isRateLimit, isTimeout, retryAfterMs } from '../../models/repeat.ts';
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

/** Several limits within this time count as one: the calls were sent together. */
const COOL_DOWN_MS = 1_000;
/** Latency above the best one at which more calls at once no longer help, as a factor and in milliseconds. */
const LATENCY_GROWTH_MAX = 1.5;
const LATENCY_SLACK_MS = 25;
/** Share of the rate that was accepted before a limit, with which calls go on. */
const RATE_AFTER_LIMIT = 0.95;
/** The same for the first limit: what was accepted before it came from a full bucket. */
const RATE_AFTER_FIRST_LIMIT = 0.5;
/** Growth of the rate each second. At the slow one the limit is met again within this time, unless it has been raised. */
const RATE_GROWTH = 1.02;
const SLOW_GROWTH_SECONDS = 4;
const FAST_RATE_GROWTH = 1.2;
/** Time over which accepted calls are counted. */
const RATE_WINDOW_MS = 1_000;
/** Time after a limit from which the rate can be corrected. */
const CORRECTION_MS = 150;
/** Calls that a late timer may send at once. */
const BURST_MS = 20;
const PAUSE_MS_MAX = 120_000;
const FIRST_PAUSE_MS = 250;

/**
 * Lets calls of one model through, over all evaluators of a run. The number of calls at once grows while their latency holds
 * and falls after limits and time limits. A rate is kept once the vendor has rejected a call, from what it accepted before. What
 * the vendor states, as a budget or as a time to wait, is obeyed.
 */
export class ModelGate {
  readonly #options: GateOptions;
  readonly #waiting: Waiter[] = [];
  #limit: number;
  #running = 0;
  #successesAtLimit = 0;
  #hasMetLimit = false;
  #bestLatencyMs = Number.POSITIVE_INFINITY;
  #latencyMs = 0;
  #lastDropAt = Number.NEGATIVE_INFINITY;
  #pauseUntil = 0;
  #limitsInRow = 0;
  /** Calls a millisecond. */
  #rate = Number.POSITIVE_INFINITY;
  #rateSince = 0;
  #limitCount = 0;
  #nextAt = 0;
  #accepted: number[] = [];
  /** Calls that the vendor allowed at `#budgetAt`, and how many more each millisecond. */
  #budget = Number.POSITIVE_INFINITY;
  #budgetAt = 0;
  #refill = 0;
  #tokenCount = 0;
  #tokenCallCount = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopError: { readonly error: unknown } | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#limit = options.concurrency;
  }

  /** Calls that may run at once now. */
  get limit(): number {
    return this.#limit;
  }

  /** Resolves when a call may be sent. It must be followed by `leave`. */
  enter(): Promise<void> | undefined {
    if (this.#stopError) return Promise.reject(this.#stopError.error);
    if (this.#waiting.length === 0 && this.#delayMs(Date.now()) <= 0) {
      this.#start(Date.now());
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
    const now = Date.now();
    if (tokenCount > 0) {
      this.#tokenCount += tokenCount;
      this.#tokenCallCount++;
    }
    this.#accepted.push(now);
    if (this.#accepted.length > 2_000) this.#accepted = this.#accepted.slice(-1_000);
    if (headers) this.#obey(headers, now);
    this.#rise(latencyMs);
  }

  /** Takes note of an error. Its place is free after `leave`. */
  fail(error: unknown): void {
    const now = Date.now();
    if (isRateLimit(error)) this.#slowDown(error, now);
    else if (isTimeout(error)) this.#drop(now, 1);
  }

  /** Gives the place of a call free. */
  leave(): void {
    this.#running--;
    this.#pump();
  }

  /** Rejects the calls that wait, and all later ones. */
  stop(error: unknown): void {
    this.#stopError ??= { error };
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #pump(): void {
    if (this.#timer) return;
    while (this.#waiting.length > 0) {
      const now = Date.now();
      const delayMs = this.#delayMs(now);
      // A call that ends pumps again.
      if (delayMs === Number.POSITIVE_INFINITY) return;
      if (delayMs > 0) {
        this.#timer = setTimeout(() => {
          this.#timer = undefined;
          this.#pump();
        }, Math.ceil(delayMs));
        return;
      }
      this.#start(now);
      this.#waiting.shift()?.resolve();
    }
  }

  #delayMs(now: number): number {
    if (this.#running >= this.#limit) return Number.POSITIVE_INFINITY;
    const missing = 1 - this.#budget - (now - this.#budgetAt) * this.#refill;
    // Without a refill nothing is known but that the vendor is asked again some time.
    const budgetMs =
      missing <= 0 ? 0 : this.#refill > 0 ? Math.min(missing / this.#refill, PAUSE_MS_MAX) : FIRST_PAUSE_MS;
    return Math.max(this.#pauseUntil - now, this.#nextAt - now, budgetMs, 0);
  }

  #start(now: number): void {
    this.#running++;
    this.#budget--;
    if (this.#rate !== Number.POSITIVE_INFINITY)
      this.#nextAt = Math.max(this.#nextAt, now - BURST_MS) + 1 / this.#currentRate(now);
  }

  #currentRate(now: number): number {
    const seconds = Math.min(60, (now - this.#rateSince) / 1_000);
    const slowSeconds = this.#limitCount < 2 ? 0 : Math.min(seconds, SLOW_GROWTH_SECONDS);
    return this.#rate * RATE_GROWTH ** slowSeconds * FAST_RATE_GROWTH ** (seconds - slowSeconds);
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
      const step = this.#hasMetLimit ? 1 : Math.ceil(this.#limit / 2);
      this.#limit = Math.min(this.#options.concurrencyMax, this.#limit + step);
    } else if (!holds && this.#limit > this.#options.concurrency) {
      this.#limit--;
      this.#hasMetLimit = true;
    }
  }

  #slowDown(error: unknown, now: number): void {
    const isFirst = now - this.#lastDropAt >= COOL_DOWN_MS;
    if (isFirst) {
      const since = now - RATE_WINDOW_MS;
      const recent = this.#accepted.filter((at) => at > since);
      const spanMs = Math.min(RATE_WINDOW_MS, Math.max(50, now - (this.#accepted[0] ?? now)));
      const accepted = Math.max(1, recent.length) / spanMs;
      const share = this.#limitCount++ === 0 ? RATE_AFTER_FIRST_LIMIT : RATE_AFTER_LIMIT;
      this.#rate =
        share * Math.min(accepted, this.#rate === Number.POSITIVE_INFINITY ? accepted : this.#currentRate(now));
      this.#rateSince = now;
      // What the rate and the latency need at once, by Little's law.
      this.#drop(now, Math.ceil(this.#rate * this.#latencyMs * 1.5));
    } else this.#correctRate(now);
    const stated = retryAfterMs(headersOf(error));
    const pauseMs = stated ?? (isFirst ? FIRST_PAUSE_MS * 2 ** Math.min(6, this.#limitsInRow++) : 0);
    this.#pauseUntil = Math.max(this.#pauseUntil, now + Math.min(pauseMs, PAUSE_MS_MAX));
  }

  /**
   * The first estimate counts what a full bucket had before. What is accepted after the first rejection is what the vendor refills.
   */
  #correctRate(now: number): void {
    const since = this.#lastDropAt + this.#latencyMs;
    if (now - since < CORRECTION_MS) return;
    const accepted = this.#accepted.filter((at) => at > since).length / (now - since);
    this.#rate = Math.min(this.#rate, RATE_AFTER_LIMIT * Math.max(accepted, 1 / RATE_WINDOW_MS));
    this.#rateSince = now;
  }

  #drop(now: number, least: number): void {
    this.#hasMetLimit = true;
    this.#successesAtLimit = 0;
    if (now - this.#lastDropAt < COOL_DOWN_MS) return;
    this.#lastDropAt = now;
    this.#limit = Math.max(1, Math.min(this.#limit, Math.max(least, Math.floor(this.#limit / 2))));
  }
}
