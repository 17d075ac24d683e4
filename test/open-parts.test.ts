import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Keep, openParts } from '../src/open-parts.ts';

const openTwo = async (keep: Keep, closed: string[]) => {
  for (const name of ['first', 'second']) keep({ close: async () => void closed.push(name) });
};

test('parts are closed in reverse order, once', async () => {
  const closed: string[] = [];
  const parts = await openParts(async (keep) => {
    await openTwo(keep, closed);
    return { name: 'both' };
  });

  assert.equal(parts.name, 'both');
  assert.deepEqual(closed, []);
  await parts.close();
  await parts.close();
  assert.deepEqual(closed, ['second', 'first']);
});

test('a part that fails to open closes the parts before it', async () => {
  const closed: string[] = [];
  const opening = openParts(async (keep) => {
    await openTwo(keep, closed);
    throw new Error('the third is missing');
  });

  await assert.rejects(opening, /the third is missing/);
  assert.deepEqual(closed, ['second', 'first']);
});
