import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FoundRate } from '../../../clients/typescript/evals/src/runner/calls/found-rate.ts';

/** A vendor with a bucket of tokens, and a caller. Times in milliseconds. */
interface Simulation {
  /** Requests a second, and from a time on another number. */
  readonly limit: number;
  readonly change?: { readonly atMs: number; readonly limit: number };
  readonly bucket: number;
  readonly count: number;
  /** Undefined when the vendor does not say how long to wait. */
  readonly retryAfterMs?: number;
  readonly latencyMs?: number;
  readonly rejectionMs?: number;
}

const AT_ONCE = 64;

/** Milliseconds, rejected calls, and those after `fromMs`. */
function simulate({
  limit,
  change,
  bucket,
  count,
  retryAfterMs,
  latencyMs = 30,
  rejectionMs = 3,
  fromMs = 0,
}: Simulation & { readonly fromMs?: number }) {
  const rate = new FoundRate();
  const calls: { at: number; sentAt: number; isAccepted: boolean }[] = [];
  let [now, level, pauseUntil, done, rejected, rejectedLate, waiting, inRow] = [0, bucket, 0, 0, 0, 0, count, 0];
  while (done < count) {
    now++;
    level = Math.min(bucket, level + (change && now >= change.atMs ? change.limit : limit) / 1_000);
    for (const call of calls.filter(({ at }) => at <= now)) {
      calls.splice(calls.indexOf(call), 1);
      if (call.isAccepted) [done, inRow] = [done + 1, 0];
      else {
        [rejected, waiting] = [rejected + 1, waiting + 1];
        if (now >= fromMs) rejectedLate++;
        const pauseMs = retryAfterMs ?? (call.sentAt >= pauseUntil ? 250 * 2 ** Math.min(6, inRow++) : 0);
        pauseUntil = Math.max(pauseUntil, now + pauseMs);
        rate.reject(call.sentAt, now, pauseUntil);
      }
    }
    while (waiting > 0 && calls.length < AT_ONCE && pauseUntil <= now && rate.nextAt <= now) {
      rate.send(now);
      waiting--;
      const isAccepted = level >= 1;
      if (isAccepted) level--;
      calls.push({ at: now + (isAccepted ? latencyMs : rejectionMs), sentAt: now, isAccepted });
    }
    assert.ok(now < 1_000_000, 'the calls do not end');
  }
  return { ms: now, rejected, rejectedLate };
}

describe('the rate that is found by rejections', () => {
  for (const limit of [20, 100, 500]) {
    for (const retryAfterMs of [10, 1_000, undefined]) {
      test(`nears ${limit} requests a second, ${retryAfterMs === undefined ? 'without Retry-After' : `Retry-After ${retryAfterMs} ms`}`, () => {
        const count = limit * 30;
        const { ms, rejected } = simulate({ limit, bucket: limit, count, ...(retryAfterMs && { retryAfterMs }) });
        const ideal = ((count - limit) / limit) * 1_000;

        assert.ok(ms < 1.15 * ideal, `${ms} ms, ideal ${ideal}`);
        // Of calls that are sent at once when the bucket gets empty, most are rejected.
        assert.ok(rejected < AT_ONCE + 0.03 * count, `${rejected} of ${count} rejected`);
      });
    }
  }

  test('rejects few calls once it is known', () => {
    const { rejectedLate } = simulate({ limit: 100, bucket: 100, count: 3_000, retryAfterMs: 10, fromMs: 2_000 });

    assert.ok(rejectedLate < 30, `${rejectedLate} rejected`);
  });

  test('works with long calls, slow rejections and buckets of one call', () => {
    const slow = simulate({ limit: 50, bucket: 50, count: 1_500, latencyMs: 1_000, rejectionMs: 80, retryAfterMs: 10 });
    const small = simulate({ limit: 100, bucket: 1, count: 3_000, retryAfterMs: 10 });

    assert.ok(slow.ms < 1.15 * 30_000 && slow.rejected < 150, JSON.stringify(slow));
    assert.ok(small.ms < 1.6 * 30_000 && small.rejected < 120, JSON.stringify(small));
  });

  test('follows a limit that is lowered or raised', () => {
    const common = { bucket: 100, retryAfterMs: 10, rejectionMs: 50 };
    const lowered = simulate({
      ...common,
      limit: 100,
      change: { atMs: 10_000, limit: 40 },
      count: 1_800,
      fromMs: 10_000,
    });
    const raised = simulate({ ...common, limit: 40, change: { atMs: 10_000, limit: 200 }, count: 4_000 });

    // 1,000 calls in the first ten seconds, and 800 at the new limit.
    assert.ok(lowered.ms < 1.15 * 30_000 && lowered.rejectedLate < 40, JSON.stringify(lowered));
    assert.ok(raised.ms < 45_000, JSON.stringify(raised));
  });
});
