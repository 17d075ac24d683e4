/** Share of a measured rate with which calls go on: the rest fills the vendor's bucket, so that late calls find a token. */
const HELD_SHARE = 0.97;
/** Calls that measure a rate: one more or less changes it by a tenth. */
const MEASURED_CALLS = 10;
/** Until then, the rate starts with this share of what was accepted before, which came from a full bucket, … */
const SEARCH_SHARE = 1 / 8;
/** … grows with each call that is accepted, … */
const SEARCH_GROWTH = 1.1;
const SEARCH_GROWTH_MAX = 1_000;
/** … and is lowered by this factor with each rejection. */
const SEARCH_CUT = 0.5;
/** Shortest time between the first call and the first rejection that is reckoned with. */
const FIRST_SPAN_MS = 50;
/** A measured rate holds for this time and this number of calls. */
const HOLD_SECONDS = 2;
const HOLD_CALLS = 50;
/** Then it grows with each step, which takes a second and this number of calls: slowly at first, later quickly. */
const STEP_CALLS = 10;
const SLOW_STEPS = 8;
const SLOW_GROWTH = 1.02;
const FAST_GROWTH = 1.2;
const STEPS_MAX = 60;
/** Slots that are left out after a rejection, for at most this time. */
const SKIPPED_SLOTS = 2;
const SKIPPED_MS_MAX = 1_000;
/** Calls of this time may be sent at once when a timer was late. */
const BURST_MS = 20;
const REJECTION_COUNT_MAX = 100;

interface Rejection {
  readonly at: number;
  accepted: number;
}

/**
 * Finds the rate that a vendor takes when it states none. Each rejection says that its bucket is empty, so what was accepted from one
 * rejection to another is what the vendor refills, whatever the size of the bucket.
 *
 * Times are milliseconds of one clock. Rates are calls a millisecond.
 */
export class FoundRate {
  /** Infinite until the first rejection. */
  #rate = Number.POSITIVE_INFINITY;
  #isMeasured = false;
  #nextAt = 0;
  #firstSentAt: number | undefined;
  /** Calls that were sent and not rejected, also those under way. */
  #accepted = 0;
  #cutAt = Number.NEGATIVE_INFINITY;
  /** From here on the rate grows. */
  #resumedAt = 0;
  #acceptedAtCut = 0;
  #rejections: Rejection[] = [];

  /** When the next call may be sent. */
  get nextAt(): number {
    return this.#nextAt;
  }

  /** The rate at a time. */
  at(now: number): number {
    if (!Number.isFinite(this.#rate)) return this.#rate;
    const calls = Math.max(0, this.#accepted - this.#acceptedAtCut);
    if (!this.#isMeasured) return this.#rate * Math.min(SEARCH_GROWTH_MAX, SEARCH_GROWTH ** calls);
    const seconds = (now - this.#resumedAt) / 1_000;
    const steps = Math.min(seconds - HOLD_SECONDS, (calls - HOLD_CALLS) / STEP_CALLS, STEPS_MAX);
    const slow = Math.min(Math.max(0, steps), SLOW_STEPS);
    return this.#rate * SLOW_GROWTH ** slow * FAST_GROWTH ** Math.max(0, steps - SLOW_STEPS);
  }

  /** Counts a call that is sent. */
  send(now: number): void {
    this.#firstSentAt ??= now;
    this.#accepted++;
    if (Number.isFinite(this.#rate)) this.#nextAt = Math.max(this.#nextAt, now - BURST_MS) + 1 / this.at(now);
  }

  /**
   * Lowers the rate, unless the call was sent before it was lowered last: those belong to the same rejection.
   *
   * @param resumeAt When calls go on, because the vendor said how long to wait
   */
  reject(sentAt: number, now: number, resumeAt: number): void {
    this.#accepted--;
    for (const rejection of this.#rejections) if (sentAt <= rejection.at) rejection.accepted--;
    if (sentAt > this.#cutAt) this.#cut(now);
    else this.#acceptedAtCut--;
    this.#resumedAt = Math.max(this.#resumedAt, resumeAt);
    this.#nextAt = Math.max(this.#nextAt, resumeAt + Math.min(SKIPPED_SLOTS / this.#rate, SKIPPED_MS_MAX));
  }

  #cut(now: number): void {
    // The newest rejection from which on enough calls were accepted: an older one may be of another limit.
    const reference = this.#rejections.findLast(({ accepted }) => this.#accepted - accepted >= MEASURED_CALLS);
    if (reference) {
      const refilled = (this.#accepted - reference.accepted) / Math.max(1, now - reference.at);
      // A small bucket is full most of the time, and then the vendor would have taken more; the present rate is too high.
      const found = this.#isMeasured ? Math.sqrt(refilled * this.at(now)) : refilled;
      this.#rate = HELD_SHARE * found;
    } else if (Number.isFinite(this.#rate)) this.#rate = this.at(now) * SEARCH_CUT;
    else {
      const span = Math.max(FIRST_SPAN_MS, now - (this.#firstSentAt ?? now));
      this.#rate = (SEARCH_SHARE * Math.max(1, this.#accepted)) / span;
    }
    this.#isMeasured = reference !== undefined;
    this.#cutAt = now;
    this.#acceptedAtCut = this.#accepted;
    this.#rejections.push({ at: now, accepted: this.#accepted });
    if (this.#rejections.length > REJECTION_COUNT_MAX) this.#rejections.shift();
  }
}
