import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mergeStreams } from '../../../src/domain/playground/stream-cells.ts';

/** Streams that count how many of them run. */
function counted(count: number, itemCount: number) {
  const state = { running: 0, runningMax: 0, ended: 0 };
  const starts = Array.from(
    { length: count },
    (_, index) =>
      async function* (): AsyncGenerator<string> {
        state.runningMax = Math.max(state.runningMax, ++state.running);
        try {
          for (let item = 0; item < itemCount; item++) {
            await sleep((index * 7 + item) % 3);
            yield `${index}.${item}`;
          }
        } finally {
          state.running--;
          state.ended++;
        }
      },
  );
  return { starts, state };
}

describe('merged streams', () => {
  test('have all items, those of each stream in their order, and run as many at a time as they may', async () => {
    const { starts, state } = counted(9, 5);
    const items: string[] = [];

    for await (const item of mergeStreams(starts, 3)) items.push(item);

    for (let index = 0; index < 9; index++) {
      const own = items.filter((item) => item.startsWith(`${index}.`));
      assert.deepEqual(
        own,
        Array.from({ length: 5 }, (_, item) => `${index}.${item}`),
      );
    }
    assert.deepEqual([items.length, state.runningMax, state.running], [45, 3, 0]);
  });

  test('do not start the others when their reader leaves, and end those that run', async () => {
    const { starts, state } = counted(9, 50);
    for await (const _ of mergeStreams(starts, 2)) break;
    while (state.running > 0) await sleep(1);
    assert.deepEqual([state.runningMax, state.ended], [2, 2]);
  });

  test('fail with the failure of one', async () => {
    const failing = async function* (): AsyncGenerator<string> {
      yield 'one';
      throw new Error('no');
    };
    const items: string[] = [];
    await assert.rejects(async () => {
      for await (const item of mergeStreams([failing], 2)) items.push(item);
    }, /no/);
    assert.deepEqual(items, ['one']);
  });
});
