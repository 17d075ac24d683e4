import { RATE_LIMIT_BUCKET_COUNT_MAX } from '../../model/limits/requests.ts';
import { TooManyRequests } from '../error-response.ts';
import type { RateLimitName, RequestHead } from '../route.ts';

/** Requests that one key may send: `capacity` at once, then `refillPerSecond`. */
export interface RateLimit {
  readonly capacity: number;
  readonly refillPerSecond: number;
  /** `path`: all clients share the limit of a path. */
  readonly key: 'address' | 'path';
}

/** Limits of requests, most of which need no credential. Routes with the same name share their buckets. */
export const RATE_LIMITS = {
  signIn: { capacity: 12, refillPerSecond: 0.2, key: 'address' },
  identityProviderStart: { capacity: 6, refillPerSecond: 0.2, key: 'address' },
  // Browsers are sent here by a provider, which an office may share.
  identityProviderCallback: { capacity: 15, refillPerSecond: 0.5, key: 'path' },
  oauth2Token: { capacity: 12, refillPerSecond: 0.2, key: 'address' },
  /** The setting `OAUTH2_DCR_RATE_LIMIT_PER_HOUR` replaces the number. */
  oauth2Registration: { capacity: 10, refillPerSecond: 10 / 3600, key: 'address' },
  /** Above what identity providers send: Microsoft Entra at most 25 a second. It slows the guessing of keys. */
  scim: { capacity: 200, refillPerSecond: 50, key: 'address' },
} as const satisfies Record<RateLimitName, RateLimit>;

export interface RateLimiter {
  /** @throws {TooManyRequests} if the request exceeds its limit */
  count(name: RateLimitName, request: Pick<RequestHead, 'path' | 'clientAddress'>): void;
}

export interface RateLimiterOptions {
  readonly isEnabled: boolean;
  /** Registrations of OAuth 2 clients per hour and address. */
  readonly registrationsPerHour?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  readonly bucketCountMax?: number;
}

interface Bucket {
  tokens: number;
  filledMs: number;
}

/** Limits of one process. They do not survive a restart, unlike the lock of an account. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { isEnabled, now = () => performance.now(), bucketCountMax = RATE_LIMIT_BUCKET_COUNT_MAX } = options;
  const perHour = options.registrationsPerHour ?? RATE_LIMITS.oauth2Registration.capacity;
  const limits: Record<RateLimitName, RateLimit> = {
    ...RATE_LIMITS,
    oauth2Registration: { capacity: perHour, refillPerSecond: perHour / 3600, key: 'address' },
  };
  /** The least recently used one first. */
  const buckets = new Map<string, Bucket>();

  function take(key: string, { capacity, refillPerSecond }: RateLimit): number {
    const nowMs = now();
    const bucket = buckets.get(key) ?? { tokens: capacity, filledMs: nowMs };
    buckets.delete(key);
    buckets.set(key, bucket);
    // A bucket that is evicted starts full again. It takes as many addresses as there are buckets to evict one.
    const oldest = buckets.size > bucketCountMax ? buckets.keys().next().value : undefined;
    if (oldest !== undefined) buckets.delete(oldest);
    bucket.tokens = Math.min(capacity, bucket.tokens + ((nowMs - bucket.filledMs) / 1000) * refillPerSecond);
    bucket.filledMs = nowMs;
    if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / refillPerSecond);
    bucket.tokens -= 1;
    return 0;
  }

  return {
    count(name, { path, clientAddress }) {
      // Without an address, the client has disconnected.
      if (!isEnabled || clientAddress === '') return;
      const limit = limits[name];
      const waitSeconds = take(`${name} ${limit.key === 'path' ? path : networkOf(clientAddress)}`, limit);
      if (waitSeconds > 0) throw new TooManyRequests(waitSeconds);
    },
  };
}

/** The first 64 bits of an IPv6 address, all of which one client usually has. An IPv4 address as it is. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before = '', after] = address.split('::');
  const start = before === '' ? [] : before.split(':');
  const end = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => '0');
  return [...start, ...(after === undefined ? [] : zeros), ...end].slice(0, 4).join(':');
}
