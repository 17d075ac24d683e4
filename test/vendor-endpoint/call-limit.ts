/** A limit of calls as vendors have it: a bucket that fills at a rate and holds a burst. */
export class CallLimit {
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt = performance.now();

  constructor({
    callsPerSecond,
    burst = callsPerSecond,
  }: { readonly callsPerSecond: number; readonly burst?: number }) {
    this.#perMs = callsPerSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Takes a call. Returns 0, or the milliseconds until there is one again. */
  take(): number {
    const now = performance.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#filledAt) * this.#perMs);
    this.#filledAt = now;
    if (this.#tokens < 1) return (1 - this.#tokens) / this.#perMs;
    this.#tokens--;
    return 0;
  }

  /** What is left after the last `take`, and the milliseconds until the bucket is full. */
  get state(): { readonly limit: number; readonly remaining: number; readonly resetMs: number } {
    const resetMs = (this.#burst - this.#tokens) / this.#perMs;
    return { limit: this.#burst, remaining: Math.floor(this.#tokens), resetMs };
  }
}
