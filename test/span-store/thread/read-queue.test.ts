import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadClass } from '../../../src/span-store/contract/read-options.ts';
import { ReadQueue } from '../../../src/span-store/thread/read-queue.ts';

const CONCURRENCY = { interface: 4, api: 4, export: 1, background: 1 };
const SHARES = { interface: 4, api: 4, export: 1, background: 1 };

/**
 * A queue on a clock of the test. `started`: classes in the order of their starts. `end` ends the read that started first, after
 * `lasting` milliseconds from its start.
 */
function openQueue({ runningCountMax = 2 } = {}) {
  let now = 0;
  const queue = new ReadQueue({
    ...{ concurrency: CONCURRENCY, shares: SHARES, runningCountMax, waitingCountMax: 1_000, now: () => now },
  });
  const started: ReadClass[] = [];
  const running: { readonly startedAt: number; readonly leave: () => void }[] = [];
  const enter = (readClass: ReadClass, count = 1) => {
    for (let left = count; left > 0; left--) {
      const turn: { leave(): void } = queue.enter(readClass, () => {
        started.push(readClass);
        // `enter` has not returned yet when a read starts immediately.
        running.push({ startedAt: now, leave: () => turn.leave() });
      });
      if (left === 1) return turn;
    }
    throw new Error('count is at least 1');
  };
  const end = (lasting = 1) => {
    const read = running.shift();
    now = Math.max(now, (read?.startedAt ?? now) + lasting);
    read?.leave();
  };
  const countOf = (readClass: ReadClass) => started.filter((one) => one === readClass).length;
  return { enter, started, end, countOf };
}

test('starts reads of users before those of programs, and exports last', () => {
  const { enter, started, end } = openQueue({ runningCountMax: 1 });
  enter('api');
  for (const readClass of ['background', 'export', 'api', 'interface'] as const) enter(readClass);

  for (let count = 0; count < 5; count++) end(0);

  assert.deepEqual(started, ['api', 'interface', 'api', 'export', 'background']);
});

test('gives exports a fifth of the time beside users who look at pages all the time', () => {
  const { enter, end, countOf } = openQueue({ runningCountMax: 1 });
  enter('interface', 900);
  enter('export', 900);

  for (let count = 0; count < 500; count++) end();

  assert.deepEqual([countOf('interface'), countOf('export')], [401, 100]);
});

test('counts the time of reads, not their number', () => {
  const { enter, started, end, countOf } = openQueue({ runningCountMax: 1 });
  enter('interface', 900);
  enter('export', 900);

  while (countOf('export') < 11) end(started.at(-1) === 'export' ? 10 : 1);

  assert.equal(countOf('interface'), 401, 'ten exports of 10 ms each, after the first read');
});

test('exports and background leave one read to users, and share the other', () => {
  const { enter, started, end, countOf } = openQueue();
  enter('background', 100);
  enter('export', 100);
  enter('interface', 100);
  assert.deepEqual(started, ['background', 'interface']);

  for (let count = 0; count < 99; count++) end();

  assert.equal(countOf('export'), countOf('background'));
  assert.ok(countOf('export') >= 10, `${started}`);
});

test('a class does not save time for later', () => {
  const { enter, started, end } = openQueue({ runningCountMax: 1 });
  enter('interface', 100);
  for (let count = 0; count < 50; count++) end();
  enter('export', 100);

  for (let count = 0; count < 10; count++) end();

  assert.deepEqual(started.slice(51), [
    ...['export', 'interface', 'interface', 'interface', 'interface'],
    ...['export', 'interface', 'interface', 'interface', 'interface'],
  ]);
});

test('a read that leaves the queue does not start', () => {
  const { enter, started, end } = openQueue({ runningCountMax: 1 });
  enter('interface');
  const waiting = enter('export');

  waiting.leave();
  end();

  assert.deepEqual(started, ['interface']);
});
