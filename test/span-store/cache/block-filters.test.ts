import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { silentLog } from '../../../src/base/log.ts';
import { parseSpanFilter } from '../../../src/filter/spans/parse-span-filter.ts';
import type { ListPosition } from '../../../src/span-store/contract/query-terms.ts';
import { type DuckdbSpanStore, openSpanStore } from '../../../src/span-store/open-span-store.ts';
import { verifySpanStore } from '../../../src/span-store/verify-span-store.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { spanColumns } from '../../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../../fixtures/test-folder.ts';
import { untilIndexed } from '../until-indexed.ts';

const BLOCK_ROW_COUNT = 10;
const SPAN_COUNT = 205;

const idOf = (n: number) => n.toString(16).padStart(16, '0');
/** Each span has a unique value, and one of seven shared values. */
const spansFrom = (first: number, count: number) =>
  spanColumns(
    Array.from({ length: count }, (_, index) => first + index).map((n) => ({
      traceId: idOf(Math.floor(n / 5) + 1).padStart(32, 'a'),
      spanId: idOf(n),
      name: `step ${n % 7}`,
      start: BigInt(n) * 1_000n,
      end: BigInt(n) * 1_000n + 1n,
      attributes: { own: { key: `value ${n}` }, shared: n % 7 },
    })),
  );

async function given(t: TestContext) {
  const dir = await mkdtemp(join(TEST_FOLDER, 'block-filters-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const warnings: string[] = [];
  const open = () =>
    openSpanStore({
      dir,
      log: { ...silentLog, warn: (_fields: object, message: string) => warnings.push(message) },
      resolveProjects: async (names) => new Map(names.map((name) => [name, 1])),
      blockRowCount: BLOCK_ROW_COUNT,
    });
  return { dir, open, warnings };
}

const find = async (store: DuckdbSpanStore, n: number) => {
  const attributes = [{ path: 'own.key', value: `value ${n}` }];
  return (await store.findSpans({ projectId: 1, limit: 5, attributes })).items.map(({ spanId }) => spanId);
};

test('filters survive a restart, and every span is found by its value', async (t) => {
  const { dir, open, warnings } = await given(t);
  let store = await open();
  await store.append(spansFrom(1, SPAN_COUNT), 1);
  await untilIndexed(store);
  await store.close();

  const blocks = await readBlocks(dir);
  // Row ids begin at 1; the last block is not full.
  assert.deepEqual(
    blocks,
    Array.from({ length: Math.floor((SPAN_COUNT + 1) / BLOCK_ROW_COUNT) }, (_, block) => block),
  );
  store = await open();
  assert.equal((await store.stats()).unindexedBlockCount, 0);
  for (let n = 1; n <= SPAN_COUNT; n++) assert.deepEqual(await find(store, n), [idOf(n)]);
  assert.deepEqual(await find(store, SPAN_COUNT + 1), []);
  const { items } = await store.findSpans({ projectId: 1, limit: 1_000, attributes: [{ path: 'shared', value: 3 }] });
  assert.equal(items.length, Math.ceil((SPAN_COUNT - 2) / 7));
  await store.close();
  assert.deepEqual(warnings, []);
  assert.deepEqual((await verifySpanStore(dir)).problems, []);
});

test('a file of the previous version gets filters while it is open', async (t) => {
  const { dir, open } = await given(t);
  let store = await open();
  await store.append(spansFrom(1, SPAN_COUNT), 1);
  await store.close();
  await run(dir, ['DROP TABLE store.block_filters', 'UPDATE store.position SET schema_version = 4']);

  store = await open();
  await untilIndexed(store);
  assert.deepEqual(await find(store, 100), [idOf(100)]);
  await store.close();
  assert.equal((await readBlocks(dir)).length, Math.floor((SPAN_COUNT + 1) / BLOCK_ROW_COUNT));
});

test('a search in a time range skips the blocks outside of it', async (t) => {
  const { open } = await given(t);
  const store = await open();
  await store.append(spansFrom(1, SPAN_COUNT), 1);
  await untilIndexed(store);
  for (const [from, to] of [
    [1, 10],
    [55, 56],
    [95, 131],
    [200, 300],
  ] as const) {
    const range = { startTimeUnixNano: BigInt(from) * 1_000n, endTimeUnixNano: BigInt(to) * 1_000n };
    const { items } = await store.findSpans({ projectId: 1, limit: 1_000, order: 'asc', ...range });
    const expected = Array.from({ length: SPAN_COUNT }, (_, index) => index + 1).filter((n) => n >= from && n < to);
    assert.deepEqual(
      items.map(({ spanId }) => spanId),
      expected.map(idOf),
    );
  }
  await store.close();
});

test('deleted spans of blocks with a filter are not found, and later spans are', async (t) => {
  const { open } = await given(t);
  const store = await open();
  await store.append(spansFrom(1, SPAN_COUNT), 1);
  await untilIndexed(store);
  const { items } = await store.findSpans({ projectId: 1, limit: 1, spanIds: [idOf(50)] });
  await store.delete({ what: 'spans', rowIds: items.map(({ rowId }) => rowId) }, 2);
  assert.deepEqual(await find(store, 50), []);
  assert.deepEqual(await find(store, 51), [idOf(51)]);
  await store.append(spansFrom(SPAN_COUNT + 1, SPAN_COUNT), 3);
  await untilIndexed(store);
  assert.deepEqual(await find(store, SPAN_COUNT + 7), [idOf(SPAN_COUNT + 7)]);
  await store.close();
});

/** Spans of one trace that start at these times, in this order of arrival; every third is called `third`. */
const spansAt = (firstSpanId: number, starts: readonly bigint[]) =>
  spanColumns(
    starts.map((start, index) => ({
      traceId: 'b'.repeat(32),
      spanId: idOf(firstSpanId + index),
      name: (firstSpanId + index) % 3 === 0 ? 'third' : 'other',
      start,
      end: start,
    })),
  );

test('pages by start time contain every span once and in order, whenever it arrived', async (t) => {
  const random = new SeededRandom(23);
  const { open } = await given(t);
  let store = await open();
  // Most arrive in order; some are late, some from clocks that are ahead, many at the same time, some at the limits of
  // time.
  const starts = Array.from({ length: 600 }, (_, index) => {
    const inOrder = BigInt(1_000 * Math.floor(index / 4));
    return random.pick([inOrder, inOrder, inOrder, inOrder, BigInt(random.below(200_000)), 0n, 2n ** 63n - 1n]);
  });
  const all = starts.map((start, index) => ({ start, spanId: idOf(index + 1), isThird: (index + 1) % 3 === 0 }));
  const check = async (spanCount: number) => {
    for (let round = 0; round < 12; round++) {
      const order = random.pick(['asc', 'desc'] as const);
      const from = random.pick([undefined, BigInt(random.below(150_000))]);
      const to = random.pick([undefined, BigInt(random.below(150_000)), 2n ** 63n - 1n]);
      const filter = random.pick([undefined, parseSpanFilter("name == 'third'")]);
      const query = {
        projectId: 1,
        sort: 'startTime',
        order,
        filter,
        startTimeUnixNano: from,
        endTimeUnixNano: to,
      } as const;
      const limit = random.pick([20, 100, 1_000]);
      const found: string[] = [];
      for (let after: ListPosition | undefined; ; ) {
        const page = await store.listSpans({ ...query, limit, after });
        found.push(...page.items.map(({ span }) => span.spanId));
        after = page.nextAfter;
        if (!after) break;
        assert.equal(page.items.length, limit);
      }
      const expected = all
        .slice(0, spanCount)
        .filter(
          ({ start, isThird }) => (from ?? 0n) <= start && (to === undefined || start < to) && (!filter || isThird),
        )
        .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.spanId < b.spanId ? -1 : 1))
        .map(({ spanId }) => spanId);
      assert.deepEqual(found, order === 'asc' ? expected : expected.reverse());
    }
  };
  for (let spanCount = 0, position = 1; spanCount < 500; position++) {
    const next = Math.min(500, spanCount + random.pick([3, 40, 200]));
    await store.append(spansAt(spanCount + 1, starts.slice(spanCount, next)), position);
    spanCount = next;
    await check(spanCount);
  }
  await untilIndexed(store);
  await check(500);
  await store.close();
  store = await open();
  await store.append(spansAt(501, starts.slice(500)), 1_000);
  await check(600);
  await store.close();
});

test('closing does not wait for blocks without a filter', async (t) => {
  const { open } = await given(t);
  let store = await open();
  await store.append(spansFrom(1, 2_000), 1);
  await store.close();
  store = await open();
  await untilIndexed(store);
  assert.deepEqual(await find(store, 1_234), [idOf(1_234)]);
  await store.close();
});

async function readBlocks(dir: string): Promise<number[]> {
  const rows = await run(dir, ['SELECT block FROM store.block_filters ORDER BY block']);
  return rows.map(([block]) => Number(block));
}

async function run(dir: string, statements: readonly string[]) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`ATTACH '${join(dir, 'spans.duckdb')}' AS store`);
  let rows: unknown[][] = [];
  for (const sql of statements) rows = (await connection.runAndReadAll(sql)).getRows();
  instance.closeSync();
  return rows;
}
