import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RateLimit } from '../../../src/jobs/rate-limits/rate-limits.ts';

/** Allows a call at a time. Undefined: accepted; else the wait that the rejection asks for, 0 for none. */
type Vendor = (at: number) => { readonly afterMs: number | undefined } | undefined;

/** A bucket that fills at a rate and holds a burst, with or without Retry-After. */
const bucket = (perSecond: number, burst: number, says: boolean): Vendor => {
  let tokens = burst;
  let filledAt = 0;
  return (at) => {
    tokens = Math.min(burst, tokens + ((at - filledAt) * perSecond) / 1_000);
    filledAt = at;
    if (tokens < 1) return { afterMs: says ? Math.ceil((1 - tokens) / perSecond) * 1_000 : undefined };
    tokens--;
    return undefined;
  };
};

/** So many calls in each period. */
const window = (count: number, periodMs: number): Vendor => {
  let period = -1;
  let used = 0;
  return (at) => {
    const now = Math.floor(at / periodMs);
    if (now !== period) [period, used] = [now, 0];
    return used++ < count ? undefined : { afterMs: undefined };
  };
};

/** A job with always enough work that calls a vendor for some time. Times are simulated. */
function simulate(
  vendor: Vendor,
  { concurrency, latencyMs, seconds }: Record<'concurrency' | 'latencyMs' | 'seconds', number>,
) {
  const limit = new RateLimit();
  const ending: { at: number; startedAt: number; rejection: { afterMs: number | undefined } | undefined }[] = [];
  const counts = { accepted: 0, rejected: 0, acceptedLate: 0, rejectedLate: 0 };
  const start = 1_000_000;
  for (let now = start; now < start + seconds * 1_000; now++) {
    for (let index = ending.length - 1; index >= 0; index--) {
      const call = ending[index]!;
      if (call.at > now) continue;
      ending.splice(index, 1);
      const isLate = now - start > 30_000;
      if (call.rejection) {
        limit.reject(now, call.startedAt, call.rejection.afterMs);
        counts[isLate ? 'rejectedLate' : 'rejected']++;
      } else {
        limit.accept(now, call.startedAt);
        counts[isLate ? 'acceptedLate' : 'accepted']++;
      }
    }
    while (ending.length < concurrency && limit.take(now) === 0) {
      const rejection = vendor(now - start);
      ending.push({ at: now + (rejection ? 1 : latencyMs), startedAt: now, rejection });
    }
  }
  return counts;
}

describe('a learned rate limit', () => {
  test('assumes none before the first rejection', () => {
    const counts = simulate(() => undefined, { concurrency: 10, latencyMs: 10, seconds: 2 });
    assert.ok(counts.accepted >= 1_900, `${counts.accepted} calls`);
  });

  const vendors: Record<string, () => Vendor> = {
    'a bucket of a second': () => bucket(20, 20, false),
    'a bucket of half a second': () => bucket(20, 10, false),
    'a bucket with Retry-After': () => bucket(20, 20, true),
    'a bucket with a long burst': () => bucket(20, 200, false),
    'windows of a second': () => window(20, 1_000),
  };
  for (const [name, open] of Object.entries(vendors)) {
    for (const [concurrency, latencyMs] of [
      [10, 1],
      [50, 500],
      [50, 5],
    ] as const) {
      test(`uses 85 % of 20 calls per second, with few rejections: ${name}, ${concurrency} × ${latencyMs} ms`, () => {
        const { acceptedLate, rejectedLate } = simulate(open(), { concurrency, latencyMs, seconds: 90 });
        const share = rejectedLate / (acceptedLate + rejectedLate);
        assert.ok(acceptedLate / 60 >= 17, `${acceptedLate / 60} accepted calls per second`);
        assert.ok(share < 0.05, `${rejectedLate} of ${acceptedLate + rejectedLate} were rejected`);
      });
    }
  }

  test('obeys Retry-After', () => {
    const limit = new RateLimit();
    limit.take(1_000);
    limit.reject(1_010, 1_000, 7_000);
    assert.equal(limit.take(1_011), 6_999);
    assert.ok(limit.take(8_009) > 0);
  });

  describe('with the headers of the vendor', () => {
    /** A vendor whose bucket of so many calls fills at a rate, and whose responses begin after the latency. */
    function run({ size, perSecond, latencyMs }: { size: number; perSecond: number; latencyMs: number }) {
      const limit = new RateLimit();
      let left = size;
      const counts = { accepted: 0, rejected: 0 };
      const open: { at: number; call: { number: number; startedAt: number }; remaining: number | undefined }[] = [];
      for (let now = 1_000_000; now < 1_060_000; now++) {
        left = Math.min(size, left + perSecond / 1_000);
        for (const one of open.filter(({ at }) => at <= now)) {
          open.splice(open.indexOf(one), 1);
          const remaining = one.remaining ?? 0;
          const resetMs = Math.max(1, ((size - remaining) / perSecond) * 1_000);
          limit.observe(one.call, [{ name: 'requests', unit: 'requests', limit: size, remaining, resetMs }]);
          if (one.remaining !== undefined) limit.accept(now, one.call.startedAt);
          else limit.pause(now, undefined);
          counts[one.remaining === undefined ? 'rejected' : 'accepted']++;
        }
        while (open.length < 50 && limit.take(now) === 0) {
          const isAccepted = left >= 1;
          if (isAccepted) left--;
          const call = { number: limit.startCount, startedAt: now };
          open.push({ at: now + latencyMs, call, remaining: isAccepted ? Math.floor(left) : undefined });
        }
      }
      return counts;
    }

    test('is known before the first rejection', () => {
      const { accepted, rejected } = run({ size: 200, perSecond: 20, latencyMs: 50 });
      assert.equal(rejected, 0);
      assert.ok(accepted >= 0.97 * (200 + 60 * 20), `${accepted} accepted calls in 60 s`);
    });

    test('is used without more rejections than the calls that had started before the first headers', () => {
      for (const latencyMs of [5, 500]) {
        const { accepted, rejected } = run({ size: 20, perSecond: 20, latencyMs });
        assert.ok(rejected <= 50, `${rejected} of ${accepted} with ${latencyMs} ms`);
        assert.ok(accepted >= 0.97 * 20 * 60, `${accepted} accepted calls in 60 s with ${latencyMs} ms`);
      }
    });

    test('ignores those of calls that started before a call whose headers are known', () => {
      const limit = new RateLimit();
      for (let index = 0; index < 2; index++) assert.equal(limit.take(1_000), 0);
      const full = { name: '', unit: 'requests', limit: 10, remaining: 8, resetMs: 20_000 } as const;
      limit.observe({ number: 2, startedAt: 1_000 }, [{ ...full, remaining: 0, resetMs: 100_000 }]);
      limit.observe({ number: 1, startedAt: 1_000 }, [full]);
      assert.ok(limit.take(1_010) > 9_000);
    });

    test('waits for tokens, and lets the vendor reject a call that would wait for a day', () => {
      const limit = new RateLimit();
      limit.take(1_000);
      const tokens = { name: 'tokens', unit: 'tokens', limit: 10_000, remaining: 0 } as const;
      limit.observe({ number: 1, startedAt: 1_000 }, [{ ...tokens, resetMs: 60_000 }]);
      const wait = limit.take(1_000);
      assert.ok(wait > 500 && wait < 700, `${wait} ms until a hundredth is left`);
      assert.equal(limit.take(1_000 + wait), 0);
      limit.observe({ number: 2, startedAt: 2_000 }, [{ ...tokens, resetMs: 100 * 86_400_000 }]);
      assert.equal(limit.take(2_010), 0);
    });
  });

  test('is evicted after a minute without calls', () => {
    const limit = new RateLimit();
    limit.take(1_000);
    limit.reject(1_010, 1_000, undefined);
    assert.ok(limit.rate !== undefined);
    limit.take(70_000);
    assert.equal(limit.rate, undefined);
  });

  test('never falls below a call in ten seconds', () => {
    const limit = new RateLimit();
    for (let now = 1_000; now < 100_000; now += 500) limit.reject(now, now, undefined);
    assert.equal(limit.rate, 0.1);
  });
});
