import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  REJECTION_LOG_INTERVAL_MS,
  REJECTION_LOG_KEY_COUNT_MAX,
  REJECTION_LOG_REASON_LENGTH_MAX,
} from '../../src/model/limits/ingest.ts';
import { RejectionLog } from '../../src/ingest/rejection-log.ts';

const from = (userAgent: string) => ({ source: 'http', remoteAddress: '10.0.0.7', userAgent }) as const;

function open(t: TestContext) {
  const lines: Record<string, unknown>[] = [];
  const clock = { ms: 0 };
  const rejections = new RejectionLog(
    { info: (fields, message) => lines.push({ ...fields, message }) },
    () => clock.ms,
  );
  t.after(() => rejections.close());
  return { lines, clock, rejections };
}

describe('the log of rejections', () => {
  test('logs a client and a reason immediately, then once per minute with a count', (t) => {
    const { lines, clock, rejections } = open(t);

    for (let i = 0; i < 3; i++) rejections.add({ from: from('a'), reason: 'no protobuf' });
    clock.ms += REJECTION_LOG_INTERVAL_MS - 1;
    rejections.sweep();
    assert.equal(lines.length, 1);
    clock.ms += 1;
    rejections.sweep();
    clock.ms += 1;
    rejections.add({ from: from('a'), reason: 'no protobuf' });

    const line = { source: 'http', remoteAddress: '10.0.0.7', userAgent: 'a', reason: 'no protobuf' };
    const message = 'Rejected requests with traces';
    assert.deepEqual(lines, [
      { ...line, requestCount: 1, rejectedSpanCount: 0, message },
      { ...line, requestCount: 2, rejectedSpanCount: 0, message },
    ]);
    rejections.close();
    assert.equal(lines.at(-1)!.requestCount, 1);
    assert.equal(lines.length, 3);
  });

  test('distinguishes clients, reasons, and rejected spans of accepted requests', (t) => {
    const { lines, rejections } = open(t);

    rejections.add({ from: from('a'), reason: 'one' });
    rejections.add({ from: from('b'), reason: 'one' });
    rejections.add({ from: from('a'), reason: 'another' });
    rejections.add({ from: from('a'), reason: 'another', rejectedSpanCount: 4 });

    assert.deepEqual(
      lines.map(({ userAgent, reason, rejectedSpanCount }) => [userAgent, reason, rejectedSpanCount]),
      [
        ['a', 'one', 0],
        ['b', 'one', 0],
        ['a', 'another', 0],
        ['a', 'another', 4],
      ],
    );
  });

  test('treats reasons as equal that differ only by numbers, IDs and names of spans', (t) => {
    const { lines, clock, rejections } = open(t);
    const reason = (count: number, id: string, name: string) =>
      `${count} of 20 spans rejected: span ${id}: the name is missing; span ${JSON.stringify(name)}: the ID is missing`;

    rejections.add({ from: from('a'), reason: reason(2, 'eee19b7ec3c1b174', 'x'), rejectedSpanCount: 2 });
    rejections.add({ from: from('a'), reason: reason(3, 'aaaaaaaaaaaaaaaa', 'a "b" \\'), rejectedSpanCount: 3 });
    clock.ms += REJECTION_LOG_INTERVAL_MS;
    rejections.add({ from: from('a'), reason: reason(14, '0123456789012345', ''), rejectedSpanCount: 14 });

    assert.deepEqual(
      lines.map(({ requestCount, rejectedSpanCount }) => [requestCount, rejectedSpanCount]),
      [
        [1, 2],
        [2, 17],
      ],
    );
  });

  test('distinguishes no more entries than its limit, and has free entries again later', (t) => {
    const { lines, clock, rejections } = open(t);

    for (let i = 0; i < 3 * REJECTION_LOG_KEY_COUNT_MAX; i++)
      rejections.add({ from: from(`client-${i}`), reason: 'x' });
    assert.equal(lines.length, REJECTION_LOG_KEY_COUNT_MAX + 1);
    assert.match(String(lines.at(-1)!.message), /for further reasons/);

    clock.ms += REJECTION_LOG_INTERVAL_MS;
    rejections.sweep();
    assert.equal(lines.at(-1)!.requestCount, 2 * REJECTION_LOG_KEY_COUNT_MAX - 1);
    rejections.add({ from: from('late'), reason: 'x' });
    assert.equal(lines.at(-1)!.userAgent, 'late');
  });

  test('shortens text from a client', (t) => {
    const { lines, rejections } = open(t);

    rejections.add({ from: from('a'), reason: 'x'.repeat(10_000) });

    assert.equal(String(lines[0]!.reason).length, REJECTION_LOG_REASON_LENGTH_MAX);
  });
});
