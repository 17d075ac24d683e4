import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpandrelError } from '../../src/model/errors.ts';
import { GatheredWrites } from '../../src/metadata-store/database/gathered-writes.ts';

/** Notes what is written together; a number below 0 is refused. */
function gather({ countMax = 100, charsMax = 100 } = {}) {
  const batches: (readonly number[])[] = [];
  const writes = new GatheredWrites<number, string>({
    write: async (items) => {
      batches.push(items);
      await sleep(1);
      if (items.includes(-99)) throw new SpandrelError('STORE_UNAVAILABLE', 'gone');
      if (items.some((item) => item < 0)) throw new Error(`refused ${items.join()}`);
      return items.map((item) => `wrote ${item}`);
    },
    keyOf: (item) => String(Math.floor(item)),
    charsOf: (item) => item,
    countMax,
    charsMax,
  });
  return { writes, batches };
}

describe('gathered writes', () => {
  test('a single write runs immediately, and writes that arrive during it run together', async () => {
    const { writes, batches } = gather();

    const results = await Promise.all([1, 2, 3].map((item) => writes.submit(item)));
    await writes.submit(4);

    assert.deepEqual(results, ['wrote 1', 'wrote 2', 'wrote 3']);
    assert.deepEqual(batches, [[1], [2, 3], [4]]);
  });

  test('two writes with one key run one after the other, in the order of their arrival', async () => {
    const { writes, batches } = gather();

    await Promise.all([1, 2.1, 3, 2.2, 2.3].map((item) => writes.submit(item)));

    assert.deepEqual(batches, [[1], [2.1, 3], [2.2], [2.3]]);
  });

  test('a statement has at least one write, and at most a maximum of writes and characters', async () => {
    const few = gather({ countMax: 2 });
    const short = gather({ charsMax: 10 });

    await Promise.all([1, 2, 3, 4].map((item) => few.writes.submit(item)));
    await Promise.all([1, 4, 5, 6, 50].map((item) => short.writes.submit(item)));

    assert.deepEqual(few.batches, [[1], [2, 3], [4]]);
    assert.deepEqual(short.batches, [[1], [4, 5], [6], [50]]);
  });

  test('a rejected write does not affect the other and later writes', async () => {
    const { writes } = gather();

    const results = await Promise.allSettled([1, 2, -1, 3].map((item) => writes.submit(item)));

    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
      ['wrote 1', 'wrote 2', 'refused -1', 'wrote 3'],
    );
    assert.equal(await writes.submit(4), 'wrote 4');
  });

  test('writes that were running when the connection was lost are not repeated', async () => {
    const { writes, batches } = gather();

    const results = await Promise.allSettled([1, 2, -99, 3].map((item) => writes.submit(item)));

    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code)),
      ['wrote 1', 'STORE_UNAVAILABLE', 'STORE_UNAVAILABLE', 'STORE_UNAVAILABLE'],
    );
    assert.deepEqual(batches, [[1], [2, -99, 3]]);
    assert.equal(await writes.submit(4), 'wrote 4');
  });
});
