import { RETRY_AFTER_MS_MAX } from '../../model/limits/jobs.ts';
import type { VendorLimit } from '../../model/models/vendor-limit.ts';

/** Calls are made at this share of the vendor's rate, because clocks and networks differ. */
const SHARE = 0.98;
/** A limit of tokens delays calls while less than this share of it is left, because the tokens of the next calls are unknown. */
const TOKENS_LEFT_MIN = 0.01;

/**
 * A limit of a vendor as its last headers state it: a bucket that fills at the rate that they imply. Times are `Date.now()`.
 */
export class VendorWindow {
  readonly #unit: VendorLimit['unit'];
  readonly #size: number;
  /** Per millisecond. */
  readonly #rate: number;
  #left: number;
  #at: number;

  /**
   * @param startedAt start of the call with the headers. The bucket has been filling since then.
   * @param laterCount calls that started later, which the headers do not count
   */
  constructor(
    { unit, limit, remaining, resetMs }: VendorLimit,
    { startedAt, laterCount }: { readonly startedAt: number; readonly laterCount: number },
  ) {
    this.#unit = unit;
    this.#size = limit;
    this.#rate = (SHARE * (limit - remaining)) / resetMs;
    this.#left = remaining - (unit === 'requests' ? laterCount : 0);
    this.#at = startedAt;
  }

  /** Milliseconds until a call may start, or 0. The vendor rejects a call whose wait would be absurd, with a reason. */
  waitMs(now: number): number {
    const needed = this.#unit === 'requests' ? 1 : TOKENS_LEFT_MIN * this.#size;
    const left = this.#leftAt(now);
    if (left >= needed) return 0;
    const wait = Math.ceil((needed - left) / this.#rate);
    return wait <= RETRY_AFTER_MS_MAX ? wait : 0;
  }

  take(now: number): void {
    this.#left = this.#leftAt(now) - (this.#unit === 'requests' ? 1 : 0);
    this.#at = Math.max(this.#at, now);
  }

  /** Calls that were taken are not made. */
  release(count: number): void {
    if (this.#unit === 'requests') this.#left += count;
  }

  #leftAt(now: number): number {
    return Math.min(this.#size, this.#left + Math.max(0, now - this.#at) * this.#rate);
  }
}
