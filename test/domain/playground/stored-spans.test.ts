import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createStoredSpans } from '../../../src/domain/playground/stored-spans.ts';

test('spans that are looked for at the same time share one read, and each is found by its own ID', async () => {
  const reads: string[][] = [];
  const stored = createStoredSpans({
    async findByIds({ ids }) {
      reads.push([...ids]);
      return ids.flatMap((id) => (id === 'c' ? [] : [{ id, traceId: 't', rowId: id.charCodeAt(0) }]));
    },
  });

  const found = await Promise.all(['a', 'b', 'c'].map((spanId) => stored.find(spanId)));
  const first = stored.find('d');
  await nextTurn();
  const second = stored.find('e');

  assert.deepEqual(found, [97, 98, null]);
  assert.deepEqual(await Promise.all([first, second]), [100, 101]);
  assert.deepEqual(reads, [['a', 'b', 'c'], ['d'], ['e']]);
});

test('a failed read fails the searches that it was for, and no later one', async () => {
  let isBroken = true;
  const stored = createStoredSpans({
    async findByIds({ ids }) {
      if (isBroken) throw new Error('broken');
      return ids.map((id) => ({ id, traceId: 't', rowId: 1 }));
    },
  });

  await assert.rejects(stored.find('a'), /broken/);
  isBroken = false;
  assert.equal(await stored.find('a'), 1);
});
