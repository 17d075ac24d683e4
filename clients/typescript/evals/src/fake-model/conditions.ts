/** Delays, limits and failures of a fake model. */
export interface ConditionOptions {
  /** Milliseconds, or a log-normal distribution. */
  readonly latencyMs?: number | { readonly medianMs: number; readonly sigma: number };
  readonly requestsPerSecond?: number;
  /** Requests that may come at once; default: those of a second. */
  readonly burst?: number;
  readonly tokensPerMinute?: number;
  /** From time to time all requests are rejected. */
  readonly refusalBursts?: { readonly everyMs: number; readonly lengthMs: number };
  /** Probabilities of an error of the server, no answer, half an answer, and an answer that never ends. */
  readonly errorRate?: number;
  readonly hangRate?: number;
  readonly halfRate?: number;
  readonly endlessRate?: number;
  /** Whether responses have headers that state the limits; default true. */
  readonly statesLimits?: boolean;
  readonly seed?: number | string;
}

export type OutcomeKind = 'answered' | 'refused' | 'failed' | 'hung' | 'half' | 'endless';

/** What happens to a request. */
export interface Outcome {
  readonly kind: OutcomeKind;
  readonly delayMs: number;
  readonly retryAfterMs?: number;
}

interface Bucket {
  readonly size: number;
  /** A millisecond. */
  readonly rate: number;
  level: number;
}

export class Conditions {
  readonly #options: ConditionOptions;
  readonly #random: () => number;
  readonly #requests: Bucket | undefined;
  readonly #tokens: Bucket | undefined;
  readonly #failures: readonly (readonly [OutcomeKind, number])[];
  #filledAt = performance.now();
  #startedAt: number | undefined;

  constructor(options: ConditionOptions) {
    const {
      requestsPerSecond,
      burst,
      tokensPerMinute,
      errorRate = 0,
      hangRate = 0,
      halfRate = 0,
      endlessRate = 0,
    } = options;
    this.#options = options;
    this.#random = createRandom(String(options.seed ?? 0));
    const requestSize = burst ?? Math.max(1, requestsPerSecond ?? 1);
    this.#requests = requestsPerSecond
      ? { size: requestSize, rate: requestsPerSecond / 1_000, level: requestSize }
      : undefined;
    this.#tokens = tokensPerMinute
      ? { size: tokensPerMinute, rate: tokensPerMinute / 60_000, level: tokensPerMinute }
      : undefined;
    this.#failures = [
      ['failed', errorRate],
      ['hung', hangRate],
      ['half', halfRate],
      ['endless', endlessRate],
    ];
  }

  next(tokenCount: number): Outcome {
    const now = performance.now();
    this.#fill(now);
    this.#startedAt ??= now;
    const { refusalBursts } = this.#options;
    if (refusalBursts) {
      const phase = (now - this.#startedAt) % refusalBursts.everyMs;
      // The first burst is not at the start, so that a run gets going.
      if (phase > refusalBursts.everyMs - refusalBursts.lengthMs) return refused(refusalBursts.everyMs - phase);
    }
    const wanted = [
      [this.#requests, 1],
      [this.#tokens, tokenCount],
    ] as const;
    for (const [bucket, count] of wanted)
      if (bucket && bucket.level < count) return refused((count - bucket.level) / bucket.rate);
    for (const [bucket, count] of wanted) if (bucket) bucket.level -= count;
    for (const [kind, rate] of this.#failures)
      if (rate > 0 && this.#random() < rate) return { kind, delayMs: this.#delayMs() };
    return { kind: 'answered', delayMs: this.#delayMs() };
  }

  /** The limits, as OpenAI states them. */
  headers(): Record<string, string> {
    if (this.#options.statesLimits === false) return {};
    this.#fill(performance.now());
    return { ...headersOf('requests', this.#requests), ...headersOf('tokens', this.#tokens) };
  }

  #fill(now: number): void {
    for (const bucket of [this.#requests, this.#tokens]) {
      if (bucket) bucket.level = Math.min(bucket.size, bucket.level + (now - this.#filledAt) * bucket.rate);
    }
    this.#filledAt = now;
  }

  #delayMs(): number {
    const { latencyMs = 0 } = this.#options;
    if (typeof latencyMs === 'number') return latencyMs;
    const normal = Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
    return latencyMs.medianMs * Math.exp(latencyMs.sigma * normal);
  }
}

const refused = (retryAfterMs: number): Outcome => ({
  kind: 'refused',
  delayMs: 0,
  retryAfterMs: Math.max(10, retryAfterMs),
});

function headersOf(name: string, bucket: Bucket | undefined): Record<string, string> {
  if (!bucket) return {};
  const remaining = Math.max(0, Math.floor(bucket.level));
  return {
    [`x-ratelimit-limit-${name}`]: String(bucket.size),
    [`x-ratelimit-remaining-${name}`]: String(remaining),
    [`x-ratelimit-reset-${name}`]: `${Math.ceil((bucket.size - remaining) / bucket.rate)}ms`,
  };
}

/** Mulberry32, seeded by FNV-1a. */
function createRandom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (let at = 0; at < seed.length; at++) state = Math.imul(state ^ seed.charCodeAt(at), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
