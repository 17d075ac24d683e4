/** What a vendor states of its limit. */
export interface StatedLimit {
  /** Requests that may still be sent until the reset. */
  readonly remaining: number;
  /** Requests that are allowed again each millisecond: vendors fill a bucket, which is full at the reset. */
  readonly refill: number;
}

const REQUESTS = [
  ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  [
    'anthropic-ratelimit-requests-limit',
    'anthropic-ratelimit-requests-remaining',
    'anthropic-ratelimit-requests-reset',
  ],
] as const;
const TOKENS = [
  ['x-ratelimit-limit-tokens', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
  ['anthropic-ratelimit-tokens-limit', 'anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset'],
  [
    'anthropic-ratelimit-input-tokens-limit',
    'anthropic-ratelimit-input-tokens-remaining',
    'anthropic-ratelimit-input-tokens-reset',
  ],
] as const;

/** The tightest limit of the headers; undefined when they state none. @param tokensPerRequest Mean so far; 0 when unknown */
export function readStatedLimit(headers: Headers, tokensPerRequest: number): StatedLimit | undefined {
  const limits = [
    ...REQUESTS.map((names) => readLimit(headers, names, 1)),
    ...(tokensPerRequest > 0 ? TOKENS.map((names) => readLimit(headers, names, tokensPerRequest)) : []),
  ];
  return limits.reduce<StatedLimit | undefined>(
    (least, limit) => (limit && (!least || limit.remaining < least.remaining) ? limit : least),
    undefined,
  );
}

function readLimit(
  headers: Headers,
  [limitName, remainingName, resetName]: readonly [string, string, string],
  unit: number,
): StatedLimit | undefined {
  const limit = Number.parseFloat(headers.get(limitName) ?? '');
  const remaining = Number.parseFloat(headers.get(remainingName) ?? '');
  const resetMs = parseReset(headers.get(resetName));
  if (!Number.isFinite(limit) || !Number.isFinite(remaining) || resetMs === undefined) return undefined;
  return { remaining: remaining / unit, refill: (limit - remaining) / unit / Math.max(1, resetMs) };
}

const UNITS = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

/** `1s`, `6m0s`, `250ms`, seconds, or a time. */
function parseReset(text: string | null): number | undefined {
  if (text === null) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ms|h|m|s)/g)];
  if (parts.length > 0 && !text.includes('T')) {
    return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS], 0);
  }
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds * 1_000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}
