import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { Log } from '../../../src/base/log.ts';
import { openSpanStore } from '../../../src/span-store/open-span-store.ts';
import { spanColumns } from '../../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../../fixtures/test-folder.ts';

describe('checkpoints of the span store', () => {
  test('run during reads, and neither disturbs the other', async (t) => {
    const { store, problems } = await given(t);
    let isReading = true;
    const reader = async () => {
      let readCount = 0;
      while (isReading) {
        await store.findSpans({ projectId: 1, limit: 100, names: ['step 3'] });
        await store.findTraces({ projectId: 1, sort: 'latency', order: 'desc', limit: 100 });
        readCount++;
      }
      return readCount;
    };
    const readers = [reader(), reader(), reader(), reader()];

    for (let position = 1; position <= 40; position++) {
      await store.append(spanColumns(batch(position)), position);
      await store.checkpoint();
      assert.equal(await store.checkpointedPosition(), position);
    }
    isReading = false;
    const readCounts = await Promise.all(readers);

    assert.deepEqual(problems, []);
    assert.ok(readCounts.every((count) => count > 0));
    assert.equal((await store.stats()).spanCount, 40 * BATCH_SPAN_COUNT);
  });

  test('of a store that closes during reads end those reads, not the process', async (t) => {
    const { store } = await given(t);
    for (let position = 1; position <= 10; position++) await store.append(spanColumns(batch(position)), position);
    const reads = Array.from({ length: 20 }, () => store.findSpans({ projectId: 1, limit: 1_000, names: ['step 7'] }));
    const settled = Promise.allSettled(reads);

    await store.close();

    for (const result of await settled) {
      if (result.status === 'rejected') assert.match(String(result.reason), /closed|cancelled/);
    }
  });
});

const BATCH_SPAN_COUNT = 500;

const batch = (position: number) =>
  Array.from({ length: BATCH_SPAN_COUNT }, (_, index) => ({
    // Two batches share each trace, so that rows of traces are rewritten.
    traceId: (Math.floor(position / 2) * 1_000 + index + 1).toString(16).padStart(32, '0'),
    spanId: (position * BATCH_SPAN_COUNT + index).toString(16).padStart(16, '0'),
    name: `step ${index % 10}`,
  }));

async function given(t: TestContext) {
  const dir = await mkdtemp(join(TEST_FOLDER, 'span-store-checkpoints-'));
  const problems: string[] = [];
  const note = (_fields: object, message: string) => void problems.push(message);
  const log: Log = { debug: () => {}, info: () => {}, warn: note, error: note, child: () => log };
  const store = await openSpanStore({
    dir,
    resolveProjects: async (names) => new Map(names.map((name) => [name, 1])),
    log,
    concurrentReadCount: 4,
  });
  t.after(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });
  return { store, problems };
}
