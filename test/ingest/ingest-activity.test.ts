import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ACTIVITY_BIN_COUNT,
  ACTIVITY_BIN_MS,
  INGEST_CLIENT_COUNT_MAX,
  USER_AGENT_LENGTH_MAX,
} from '../../src/model/limits/ingest.ts';
import { IngestActivity } from '../../src/ingest/ingest-activity.ts';

const ONE = { spanCount: 3, rejectedSpanCount: 1, isRejected: false };
const from = (userAgent: string) => ({ source: 'grpc', remoteAddress: '::1', userAgent }) as const;

describe('recent activity', () => {
  test('is counted in time bins, and old bins are removed', () => {
    let nowMs = 1_000_000;
    const activity = new IngestActivity(() => nowMs);
    activity.add(from('a'), ONE);
    nowMs += ACTIVITY_BIN_MS;
    activity.add(from('a'), ONE);
    activity.add(from('a'), { ...ONE, isRejected: true });

    const bins = activity.bins();
    nowMs += (ACTIVITY_BIN_COUNT - 1) * ACTIVITY_BIN_MS;
    const later = activity.bins();

    assert.equal(bins.length, ACTIVITY_BIN_COUNT);
    assert.deepEqual(bins.at(-1), {
      startMs: 1_010_000,
      requestCount: 2,
      rejectedRequestCount: 1,
      spanCount: 6,
      rejectedSpanCount: 2,
    });
    assert.equal(bins.at(-2)!.requestCount, 1);
    assert.deepEqual(
      later.filter(({ requestCount }) => requestCount > 0).map(({ startMs }) => startMs),
      [1_010_000],
    );
  });

  test('lists the clients, and evicts the least recent one', () => {
    const activity = new IngestActivity();
    for (let index = 0; index < INGEST_CLIENT_COUNT_MAX; index++) activity.add(from(`client ${index}`), ONE);
    activity.add(from('client 0'), ONE);
    activity.add(from('x'.repeat(USER_AGENT_LENGTH_MAX + 50)), ONE);

    const names = activity.clients().map(({ userAgent }) => userAgent);

    assert.equal(names.length, INGEST_CLIENT_COUNT_MAX);
    assert.deepEqual(names.slice(0, 2), ['x'.repeat(USER_AGENT_LENGTH_MAX), 'client 0']);
    assert(!names.includes('client 1'));
  });
});
