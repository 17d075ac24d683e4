import { RATE_IDLE_MS, RATE_KEY_COUNT_MAX, RATE_PER_SECOND_MIN } from '../../model/limits/jobs.ts';
import type { VendorLimit } from '../../model/models/vendor-limit.ts';
import { VendorWindow } from './vendor-window.ts';

/** Accepted calls are counted by their start, in bins of this width, over this time before a rejection. */
const BIN_MS = 100;
const BIN_COUNT_MAX = 200;
const WINDOW_MS = 5_000;
/** A rejected rate is set this much below the rate that the vendor accepted at that time. */
const MARGIN = 0.97;
/** A rate that is rejected again within a quarter of a second of calls was too high by far, for example after a burst. */
const CUT = 0.7;
/** The first rate is at least this, because the calls before the first rejection may be too few to measure. */
const FIRST_RATE = 10;
/** Growth of the rate per second: slow near the rate that was rejected, fast below it and after a while without rejections. */
const SLOW_GROWTH = 0.005;
const FAST_GROWTH = 0.1;
const SLOW_MS = 20_000;

/**
 * The limit of calls that vendors have for a key, learned from the headers of their responses and from their rejections: none
 * before the first of either. Headers are followed as they are. The rate that the vendor accepted before a rejection becomes
 * the limit, which then grows until the next rejection. A call starts when both allow it. Times are `Date.now()`.
 */
export class RateLimit {
  /** Calls per second. Undefined: unlimited. */
  #rate: number | undefined;
  /** The rate that was accepted before the last rejection, without a margin. */
  #goal = 0;
  /** The rate that the last rejection allows at most. */
  #cap = Number.POSITIVE_INFINITY;
  #tokens = 1;
  #filledAt = 0;
  #usedAt = 0;
  #pausedUntil = 0;
  /** Calls that started earlier do not reflect the current rate. */
  #changedAt = Number.NEGATIVE_INFINITY;
  /** The calls from which the current rate was estimated started after this. */
  #estimatedFrom = 0;
  #acceptedSinceChange = 0;
  /** Accepted calls by the bin of their start. */
  readonly #accepted = new Map<number, number>();
  /** Limits by the name that the vendor gives them. */
  #windows = new Map<string, VendorWindow>();
  #startCount = 0;
  /** The call whose headers were followed last. */
  #observed = 0;

  /** Calls that were taken so far: the number of the newest one. */
  get startCount(): number {
    return this.#startCount;
  }

  get rate(): number | undefined {
    return this.#rate;
  }

  isIdle(now: number): boolean {
    return now - this.#usedAt > RATE_IDLE_MS && now >= this.#pausedUntil;
  }

  /** Takes a call, and returns 0; else the milliseconds after which to retry. */
  take(now: number): number {
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    if (this.isIdle(now)) {
      this.#rate = undefined;
      this.#windows.clear();
    }
    this.#usedAt = now;
    let wait = 0;
    for (const window of this.#windows.values()) wait = Math.max(wait, window.waitMs(now));
    if (this.#rate !== undefined) {
      this.#rate = this.#grow(now, this.#rate);
      wait = Math.max(wait, Math.ceil(((1 - this.#tokens) / this.#rate) * 1_000));
    }
    if (wait > 0) return wait;
    this.#start(now);
    return 0;
  }

  /** Calls that were taken are not made. Their numbers stay used, so that a limit may seem a little fuller than it is. */
  release(count: number): void {
    if (this.#rate !== undefined) this.#tokens += count;
    for (const window of this.#windows.values()) window.release(count);
  }

  /**
   * The headers of a response have stated limits. They count the calls up to this one, so those of an earlier call are out of
   * date.
   *
   * @param number the `startCount` when the call was taken
   */
  observe(
    { number, startedAt }: { readonly number: number; readonly startedAt: number },
    limits: readonly VendorLimit[],
  ): void {
    if (number < this.#observed) return;
    this.#observed = number;
    const laterCount = this.#startCount - number;
    this.#windows = new Map(limits.map((limit) => [limit.name, new VendorWindow(limit, { startedAt, laterCount })]));
  }

  /** A call was rejected for a limit that its headers state as used up: they are more precise than the rejection. */
  pause(now: number, afterMs: number | undefined): void {
    this.#usedAt = now;
    if (afterMs !== undefined) this.#pausedUntil = Math.max(this.#pausedUntil, now + afterMs);
  }

  /** A call was not rejected. It may have been in flight when another one was. */
  accept(now: number, startedAt: number): void {
    this.#usedAt = now;
    const bin = Math.floor(startedAt / BIN_MS);
    this.#accepted.set(bin, (this.#accepted.get(bin) ?? 0) + 1);
    if (this.#accepted.size > BIN_COUNT_MAX) this.#evict(now);
    if (startedAt >= this.#changedAt) this.#acceptedSinceChange++;
    else if (this.#rate !== undefined && startedAt >= this.#estimatedFrom)
      this.#rate = Math.max(this.#rate, this.#estimate());
  }

  /**
   * A call was rejected.
   *
   * @param startedAt start of the call
   * @param afterMs wait that the vendor requests
   */
  reject(now: number, startedAt: number, afterMs: number | undefined): void {
    this.pause(now, afterMs);
    if (startedAt < this.#changedAt) return;
    const former = this.#rate;
    const isFarTooHigh = former !== undefined && this.#acceptedSinceChange < former / 4;
    this.#cap = former === undefined ? Number.POSITIVE_INFINITY : isFarTooHigh ? CUT * former : former;
    // Since the rate was last changed, but over a second at least: vendors count by the second, or by longer periods.
    this.#estimatedFrom = now - Math.min(WINDOW_MS, Math.max(1_000, now - this.#changedAt));
    this.#changedAt = now;
    this.#acceptedSinceChange = 0;
    this.#rate =
      former === undefined ? Math.max(FIRST_RATE, this.#estimate()) : Math.max(this.#estimate(), this.#cap / 2);
    this.#tokens = Math.min(this.#tokens, 0);
    this.#filledAt = Math.max(now, this.#pausedUntil);
  }

  #start(now: number): void {
    this.#startCount++;
    if (this.#rate !== undefined) this.#tokens--;
    for (const window of this.#windows.values()) window.take(now);
  }

  #grow(now: number, rate: number): number {
    const seconds = Math.max(0, now - this.#filledAt) / 1_000;
    const isNear = rate > this.#goal * MARGIN && now - this.#changedAt < SLOW_MS;
    const grown = rate * (1 + Math.min(1, seconds) * (isNear ? SLOW_GROWTH : FAST_GROWTH));
    // Timers are late, so a few calls may start at once; not more, because a vendor may count any short period.
    this.#tokens = Math.min(Math.max(1, grown / 20), this.#tokens + seconds * grown);
    this.#filledAt = Math.max(now, this.#filledAt);
    return grown;
  }

  /** The accepted rate before the last rejection, with a margin. Calls in flight are not in it yet. */
  #estimate(): number {
    let count = 0;
    const [from, to] = [this.#estimatedFrom / BIN_MS, this.#changedAt / BIN_MS];
    for (const [bin, calls] of this.#accepted) if (bin >= Math.floor(from) && bin <= to) count += calls;
    this.#goal = (count * 1_000) / (this.#changedAt - this.#estimatedFrom);
    return Math.max(RATE_PER_SECOND_MIN, Math.min(this.#cap, MARGIN * this.#goal));
  }

  #evict(now: number): void {
    const from = (Math.min(now, Math.max(this.#changedAt, now - RATE_IDLE_MS)) - WINDOW_MS) / BIN_MS;
    for (const bin of this.#accepted.keys()) if (bin < from) this.#accepted.delete(bin);
  }
}

/** The learned limits by key. Keys that are not used are evicted. */
export class RateLimits {
  readonly #limits = new Map<string, RateLimit>();

  of(key: string, now: number): RateLimit {
    const known = this.#limits.get(key);
    if (known) return known;
    if (this.#limits.size >= RATE_KEY_COUNT_MAX) {
      for (const [old, limit] of this.#limits) if (limit.isIdle(now)) this.#limits.delete(old);
    }
    const limit = new RateLimit();
    this.#limits.set(key, limit);
    return limit;
  }
}
