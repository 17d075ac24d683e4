import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openJobServer, typesOf } from './job-server.ts';

describe('a job whose vendor states its limit', () => {
  test('slows down before the first rejection', async (t) => {
    const limit = { callsPerSecond: 20, burst: 15, hasHeaders: true } as const;
    const { endpoint, inputOf, run } = await openJobServer(t, { endpoint: { limit } });
    const payloads = await run(await inputOf(40, '{{n}}', { maxConcurrency: 5 }));
    assert.equal(typesOf(payloads, 'Result').length, 40);
    const { callCount, limitedCallCount } = endpoint.statistics();
    // Without the headers, a job without latency makes hundreds of calls in the time that this one takes.
    assert.ok(limitedCallCount <= 2, `${limitedCallCount} of ${callCount} calls were rejected`);
  });

  test('makes each rejected call once more, after the wait that the vendor requests', async (t) => {
    const limit = { callsPerSecond: 20, burst: 5, hasHeaders: true, retryAfter: 'milliseconds' } as const;
    const { endpoint, inputOf, run } = await openJobServer(t, { endpoint: { limit } });
    const payloads = await run(await inputOf(30, '{{n}}', { maxConcurrency: 30 }));
    assert.equal(typesOf(payloads, 'Result').length, 30);
    const { callCount, limitedCallCount } = endpoint.statistics();
    assert.equal(callCount - limitedCallCount, 30);
    assert.ok(limitedCallCount <= 27, `${limitedCallCount} calls were rejected, of 30 that started at once`);
  });
});
