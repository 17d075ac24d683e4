import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { DuckDBInstance } from '@duckdb/node-api';
import { Registry } from 'prom-client';
import { silentLog } from '../../../src/base/log.ts';
import { Parameters as SqlParameters } from '../../../src/span-store/duckdb/sql.ts';
import { openSpanStore } from '../../../src/span-store/open-span-store.ts';
import { ReadContext } from '../../../src/span-store/read/read-context.ts';
import { Readers } from '../../../src/span-store/thread/readers.ts';
import type { SpanStoreOptions } from '../../../src/span-store/thread/span-store-options.ts';
import { spanColumns } from '../../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../../fixtures/test-folder.ts';

const NOTHING = { span: 0, session: 0 };
const TRACE = 'a'.repeat(32);

async function openStore(t: TestContext, options: Partial<SpanStoreOptions> = {}) {
  const dir = await mkdtemp(join(TEST_FOLDER, 'span-store-'));
  const store = await openSpanStore({
    dir,
    log: silentLog,
    resolveProjects: async (names) => new Map(names.map((name) => [name, 1])),
    ...options,
  });
  t.after(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });
  return store;
}

const oneSpan = (n: number) => spanColumns([{ traceId: TRACE, spanId: `${n}`.padStart(16, '0') }]);

test('ends the running statement of a cancelled read, and starts no further one', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const context = new ReadContext(connection, NOTHING);

  const endless = context.rows('SELECT count(*) FROM range(1000000000000) a WHERE a.range % 7 = 8');
  setTimeout(() => context.cancel(), 50);

  await assert.rejects(endless, { code: 'CANCELLED' });
  await assert.rejects(context.rows('SELECT 1'), { code: 'CANCELLED' });
  // The connection itself is still usable.
  assert.deepEqual(await new ReadContext(connection, NOTHING).rows('SELECT 1'), [[1]]);
  instance.closeSync();
});

test('a read of distant rows uses a second connection while no other read runs', async (t) => {
  const instance = await DuckDBInstance.create(':memory:');
  t.after(() => instance.closeSync());
  const readers = new Readers(() => instance.connect(), {});
  const places = Array.from({ length: 20 }, (_, place) => place);
  const toStatement = (place: number) => {
    const parameters = new SqlParameters();
    // Later statements take longer when they are short, so that the two connections do not end in order.
    const rowCount = parameters.bigint(place % 2 === 0 ? 1_000_000 : 1);
    return { sql: `SELECT ${parameters.bigint(place)}, count(*) FROM range(${rowCount})`, parameters };
  };
  const expected = places.map((place) => [BigInt(place), place % 2 === 0 ? 1_000_000n : 1n]);

  const alone = await readers.read(NOTHING, (context) => context.rowsOfEach(places, toStatement));
  assert.deepEqual(alone, expected);
  const together = await Promise.all(
    [1, 2, 3].map(() => readers.read(NOTHING, (context) => context.rowsOfEach(places, toStatement))),
  );
  assert.deepEqual(together, [expected, expected, expected]);
  const twiceInOne = await readers.read(NOTHING, (context) =>
    Promise.all([context.rowsOfEach(places, toStatement), context.rowsOfEach(places, toStatement)]),
  );
  assert.deepEqual(twiceInOne, [expected, expected]);
  const inSnapshot = await readers.read(NOTHING, (context) =>
    context.inSnapshot(() =>
      context.rowsOfEach(places, () => ({ sql: 'SELECT txid_current()', parameters: new SqlParameters() })),
    ),
  );
  assert.equal(new Set(inSnapshot.flat()).size, 1, 'one transaction');

  const failing = readers.read(NOTHING, (context) =>
    context.rowsOfEach(places, (place) => ({
      sql: place === 7 ? "SELECT error('seventh')" : 'SELECT 1',
      parameters: new SqlParameters(),
    })),
  );
  await assert.rejects(failing, /seventh/);
  const endless = {
    sql: 'SELECT count(*) FROM range(1000000000000) a WHERE a.range % 7 = 8',
    parameters: new SqlParameters(),
  };
  const cancelled = readers.read(
    NOTHING,
    (context) => context.rowsOfEach([1, 2, 3], () => endless),
    (context) => setTimeout(() => context.cancel(), 50),
  );
  await assert.rejects(cancelled, { code: 'CANCELLED' });
  assert.deepEqual(await readers.read(NOTHING, (context) => context.rowsOfEach(places, toStatement)), expected);
  await readers.end();
  await assert.rejects(
    readers.read(NOTHING, async () => 1),
    { code: 'STORE_UNAVAILABLE' },
  );
  readers.close();
});

test('a read that is cancelled at any moment does not affect the next one', async (t) => {
  const instance = await DuckDBInstance.create(':memory:');
  t.after(() => instance.closeSync());
  const readers = new Readers(() => instance.connect(), {});
  const one = (context: ReadContext) => context.rows('SELECT 1');
  let cancelledCount = 0;
  for (let turn = 0; turn < 600; turn++) {
    const delayUs = (turn * 7) % 1_500;
    const read = readers.read(
      NOTHING,
      (context) => context.inSnapshot(() => one(context)),
      (context) => {
        const until = process.hrtime.bigint() + BigInt(delayUs * 1_000);
        const cancelThen = () => (process.hrtime.bigint() < until ? setImmediate(cancelThen) : context.cancel());
        cancelThen();
      },
    );
    await read.catch((error: Error & { code?: string }) => {
      assert.equal(error.code, 'CANCELLED', error.message);
      cancelledCount++;
    });
    assert.deepEqual(await readers.read(NOTHING, one), [[1]], `after turn ${turn}`);
  }
  assert.ok(cancelledCount > 0);
  await readers.end();
  readers.close();
});

test('rejects with QUERY_TIMED_OUT after the deadline of the class, and continues', async (t) => {
  const store = await openStore(t, { readDeadlineMs: { api: 0 } });
  // Too many to read within a millisecond, the shortest time of a timer.
  const spans = Array.from({ length: 5_000 }, (_, row) => ({
    traceId: TRACE,
    spanId: (1 + row).toString(16).padStart(16, '0'),
    input: 'many words '.repeat(100),
  }));
  await store.append(spanColumns(spans), 1);

  const reads = Array.from({ length: 5 }, () => store.findSpans({ projectId: 1, limit: spans.length }));

  for (const read of reads) await assert.rejects(read, { code: 'QUERY_TIMED_OUT' });
  const page = await store.findSpans({ projectId: 1, limit: 1 }, { readClass: 'interface' });
  assert.equal(page.items.length, 1);
});

test('queues reads above the limit, and removes cancelled reads from the queue', async (t) => {
  const store = await openStore(t, { concurrentReadCount: 1 });
  await store.append(oneSpan(1), 1);
  const abort = new AbortController();

  const reads = Array.from({ length: 50 }, () => store.findSpans({ projectId: 1, limit: 1 }));
  const cancelled = store.findSpans({ projectId: 1, limit: 1 }, { signal: abort.signal });
  abort.abort();

  await assert.rejects(cancelled, { code: 'CANCELLED' });
  assert.ok((await Promise.all(reads)).every(({ items }) => items.length === 1));
});

test('rejects reads of a closed store', async (t) => {
  const store = await openStore(t);
  await store.close();

  await assert.rejects(store.findSpans({ projectId: 1, limit: 1 }), { code: 'STORE_UNAVAILABLE' });
  await assert.rejects(store.append(oneSpan(1), 1), { code: 'STORE_UNAVAILABLE' });
  await store.close();
});

test('restarts a failed thread at its last checkpoint, and waits until the writer has read the position', async (t) => {
  const workers = new Set<Worker>();
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (this: Worker, ...args: Parameters<typeof postMessage>) {
    workers.add(this);
    return postMessage.apply(this, args);
  };
  t.after(() => {
    Worker.prototype.postMessage = postMessage;
  });
  const store = await openStore(t);
  await store.append(oneSpan(1), 1);
  await store.checkpoint();
  await store.append(oneSpan(2), 2);

  // While no statement runs: a thread that ends during a statement ends the process, and the journal restores the data.
  const [worker] = workers;
  await worker!.terminate();

  await assert.rejects(store.findSpans({ projectId: 1, limit: 1 }), { code: 'STORE_UNAVAILABLE' });
  while (
    await store.stats().then(
      () => false,
      () => true,
    )
  )
    await sleep(20);
  await assert.rejects(store.append(oneSpan(3), 3), { code: 'STORE_UNAVAILABLE' });
  assert.equal(await store.appliedPosition(), 1);
  await store.append(oneSpan(2), 2);
  const { items } = await store.findSpans({ projectId: 1, limit: 10 });
  assert.deepEqual(
    items.map(({ rowId }) => rowId),
    [2, 1],
  );
});

test('reports its work in metrics, and a cancelled read once', async (t) => {
  const registry = new Registry();
  const store = await openStore(t, { registry });
  const abort = new AbortController();
  await store.append(oneSpan(1), 1);
  const cancelled = store.findSpans({ projectId: 1, limit: 1 }, { signal: abort.signal });
  abort.abort();
  await assert.rejects(cancelled, { code: 'CANCELLED' });
  await store.findSpans({ projectId: 1, limit: 1 });
  await store.checkpoint();

  const metrics = await registry.metrics();

  assert.match(metrics, /spandrel_span_store_spans 1\n/);
  assert.match(metrics, /spandrel_span_store_appended_rows_total 1\n/);
  assert.match(metrics, /spandrel_span_store_read_seconds_count\{class="api"\} 2\n/);
  assert.match(metrics, /spandrel_span_store_checkpoint_seconds_count 1\n/);
  assert.match(metrics, /spandrel_span_store_disk_bytes [1-9]/);
});
