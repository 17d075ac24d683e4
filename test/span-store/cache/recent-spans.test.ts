import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../../src/base/log.ts';
import { RECENT_BLOCK_SPAN_COUNT_MAX } from '../../../src/model/limits/span-store.ts';
import type { PricedModel } from '../../../src/model/models/generative-model.ts';
import { RecentSpans } from '../../../src/span-store/cache/recent-spans.ts';
import type { SpanStore } from '../../../src/span-store/contract/span-store.ts';
import type { TraceRow } from '../../../src/span-store/duckdb/trace-rows.ts';
import { openSpanStore } from '../../../src/span-store/open-span-store.ts';
import { findRowId } from '../../../src/domain/find-row-ids.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { spanColumns, type TestSpan } from '../../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../../fixtures/test-folder.ts';

const PROJECTS = new Map([
  ['default', 1],
  ['other', 2],
]);

const PRICED: PricedModel = {
  rowId: 1,
  name: 'priced model',
  provider: '',
  namePattern: '^priced model$',
  isBuiltIn: false,
  startTimeMs: null,
  prices: [{ tokenType: 'input', isPrompt: true, perToken: 2e-6 }],
};

const LONG = 'Zürich 🏔 '.repeat(2_000);

const ODD: readonly TestSpan[] = [
  { traceId: 'a'.repeat(32), spanId: 'a'.repeat(16) },
  {
    traceId: 'a trace that is no hex ID',
    spanId: 'a span that is none',
    parentSpanId: 'nor its parent',
    name: '',
    statusCode: 'ERROR',
    statusMessage: 'it broke\u0000 there',
    start: -1n,
    end: 2n ** 62n,
    attributes: { deep: { list: [1, 'two', null] }, openinference: { span: { kind: 'llm' } } },
    longAttributes: { text: LONG },
    metadata: { tier: 'pro' },
    input: LONG,
    inputMimeType: 'text/plain',
    output: '',
    sessionId: ' session ',
    userId: 'user',
    modelName: 'model',
    provider: 'vendor',
    events: [{ name: 'exception', time_unix_nano: '1', attributes: { 'exception.message': LONG } }],
  },
  {
    traceId: 'b'.repeat(32),
    spanId: 'b'.repeat(16),
    spanKind: 'LLM',
    modelName: 'priced model',
    attributes: { llm: { token_count: { prompt: 10, completion: 3 } } },
    tokens: [2n ** 62n, -(2n ** 62n)],
    input: 'é'.repeat(101),
  },
  {
    traceId: 'b'.repeat(32),
    spanId: 'c'.repeat(16),
    parentSpanId: 'b'.repeat(16),
    spanKind: 'LLM',
    modelName: 'unpriced model',
    attributes: { llm: { token_count: { prompt: 7 } } },
    output: 'x'.repeat(100),
  },
  {
    traceId: 'c'.repeat(32),
    spanId: 'd'.repeat(16),
    project: 'other',
    name: '\ufeffname',
    input: LONG.slice(0, 3_000),
    output: LONG,
  },
];

test('spans in memory equal those in the database, whatever their content', async (t) => {
  const dir = await newDir(t);
  const store = await open(dir);
  await store.changeCosts({ what: 'prices', models: JSON.stringify([PRICED]) }, 1);
  await store.append(spanColumns(ODD), 2);
  // Repeated spans leave rows of the batch out.
  await store.append(
    spanColumns([ODD[3]!, { ...ODD[2]!, spanId: 'e'.repeat(16) }, ODD[0]!, { ...ODD[1]!, spanId: 'f'.repeat(16) }]),
    3,
  );

  const inMemory = await readAll(store);
  await store.close();
  const reopened = await open(dir);
  const inDatabase = await readAll(reopened);
  await reopened.close();

  assert.equal(inMemory.spans.length, 7);
  assert.equal(inMemory.costs.length, 3);
  assert.deepEqual(inMemory, inDatabase);
});

test('deletions and transfers apply to the spans in memory immediately', async (t) => {
  const store = await open(await newDir(t));
  await store.append(spanColumns(ODD), 1);
  const rowId = (await findRowId(store, 'spans', { id: 'b'.repeat(16) }))!;
  const transferred = (await findRowId(store, 'traces', { id: 'a'.repeat(32) }))!;

  await store.transfer({ traceRowIds: [transferred], projectId: 2 }, 2);
  const { items } = await store.findSpans({ projectId: 2, limit: 10, spanIds: ['a'.repeat(16)] });
  const moved = await store.get({ of: 'spans', column: 'row', rowIds: [items[0]!.rowId] });
  assert.equal(moved.get(items[0]!.rowId)?.projectId, 2);

  await store.append(spanColumns([{ traceId: 'd'.repeat(32), spanId: '1'.repeat(16) }]), 3);
  await store.delete({ what: 'spans', rowIds: [rowId] }, 4);
  assert.equal((await store.get({ of: 'spans', column: 'row', rowIds: [rowId] })).size, 0);
  assert.equal((await store.get({ of: 'spans', column: 'body', rowIds: [rowId] })).size, 0);
  assert.equal((await store.findSpans({ projectId: 1, limit: 10 })).items.length, 3);
  await store.close();
});

const traceOfRow = () => ({ rowId: 1, projectId: 1 }) as TraceRow;
const toSpans = (firstRowId: number, count: number): TestSpan[] =>
  Array.from({ length: count }, (_, index) => {
    const rowId = firstRowId + index;
    const id = rowId.toString(16).padStart(16, '0');
    return {
      traceId: rowId % 7 === 0 ? `trace ${id}` : id.padStart(32, '1'),
      spanId: id,
      input: 'é'.repeat(rowId % 5),
    };
  });
/** Adds a commit of so many spans. */
const addCommit = (recent: RecentSpans, firstRowId: number, count: number) =>
  recent.add(
    spanColumns(toSpans(firstRowId, count)),
    { kept: { rows: null, count }, costs: Array.from({ length: count }, () => undefined), traceOfRow },
    firstRowId,
  );
const rowIdsTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('a deletion evicts only the blocks of the deleted and older spans', () => {
  const recent = new RecentSpans(1_000_000);
  const count = RECENT_BLOCK_SPAN_COUNT_MAX;
  for (const block of [0, 1, 2]) addCommit(recent, block * count + 1, count);
  const inMemory = () => [...recent.rows(['row_id'], rowIdsTo(3 * count)).keys()];

  recent.evict(0);
  assert.equal(inMemory().length, 3 * count);
  recent.evict(count + 1);
  assert.deepEqual(inMemory(), rowIdsTo(3 * count).slice(2 * count));
  recent.evict();
  assert.deepEqual(inMemory(), []);
});

test('small commits have the rows of a large one, in a fraction of the memory that each would take', () => {
  const random = new SeededRandom(11);
  const names = ['span_id', 'trace_row_id', 'input_head', 'attributes'] as const;
  const total = 1_000;
  // Enough for the content of all spans, but not for the arrays of as many commits.
  const small = new RecentSpans(800_000);
  for (let firstRowId = 1; firstRowId <= total; ) {
    const count = Math.min(1 + random.below(4), total + 1 - firstRowId);
    addCommit(small, firstRowId, count);
    firstRowId += count;
  }
  const large = new RecentSpans(10_000_000);
  addCommit(large, 1, total);

  const found = small.rows(names, rowIdsTo(total));
  assert.equal(found.size, total);
  assert.deepEqual(found, large.rows(names, rowIdsTo(total)));
});

test('the newest commits stay readable while their memory is used again and again', () => {
  const random = new SeededRandom(13);
  const names = ['span_id', 'trace_row_id', 'input_head', 'attributes'] as const;
  const small = new RecentSpans(300_000);
  const all = new RecentSpans(100_000_000);
  let last = 0;
  let newestTooLarge = 0;
  const sizes = new Set<number>();
  for (let round = 0; round < 200; round++) {
    // Most are small. A few are complete blocks, and some are larger than the whole memory.
    const count = 1 + random.below([4, 4, 4, 40, 400, 6_000][random.below(round % 20 === 0 ? 6 : 5)]!);
    if (random.below(50) === 0) small.evict(random.below(last + 1));
    for (const recent of [small, all]) addCommit(recent, last + 1, count);
    last += count;
    const rowIds = rowIdsTo(last).slice(-1_000);
    const found = small.rows(names, rowIds);
    assert.deepEqual(found, new Map([...all.rows(names, rowIds)].filter(([rowId]) => found.has(rowId))));
    if (!found.has(last)) newestTooLarge++;
    sizes.add(found.size);
    const missing = rowIds.filter((rowId) => !found.has(rowId));
    // What is evicted is older than what is there, except for commits that were too large.
    if (newestTooLarge === 0) assert.ok(missing.every((rowId) => rowId <= last - found.size));
  }
  assert.ok(newestTooLarge > 0 && newestTooLarge < 15, `${newestTooLarge} commits were too large`);
  assert.ok(sizes.size > 30, `${sizes.size} different numbers of spans were in memory`);
});

test('pages are complete if memory holds only a part of the spans', async (t) => {
  const dir = await newDir(t);
  const random = new SeededRandom(7);
  const small = await open(dir, 200_000);
  const sent: string[] = [];
  for (let position = 1; position <= 20; position++) {
    const batch = Array.from({ length: 1 + random.below(30) }, (_, index) => {
      const id = (position * 1_000 + index).toString(16).padStart(16, '0');
      sent.push(id);
      return { traceId: id.padStart(32, '1'), spanId: id, input: 'word '.repeat(random.below(300)) };
    });
    await small.append(spanColumns(batch), position);
  }
  const page = await readAll(small);
  await small.close();
  const reopened = await open(dir, 0);

  assert.deepEqual(
    page.spans.map(({ spanId }) => spanId),
    sent.toReversed(),
  );
  assert.deepEqual(page, await readAll(reopened));
  await reopened.close();
});

const open = (dir: string, recentSpanBytes?: number): Promise<SpanStore> =>
  openSpanStore({ dir, resolveProjects: async () => PROJECTS, log: silentLog, recentSpanBytes });

async function newDir(t: { after(run: () => Promise<void>): void }): Promise<string> {
  const dir = await mkdtemp(join(TEST_FOLDER, 'span-store-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** All forms in which a span is read. */
async function readAll(store: SpanStore) {
  const pages = await Promise.all([1, 2].map((projectId) => store.findSpans({ projectId, limit: 1_000 })));
  const spans = pages.flatMap(({ items }) => items);
  const rowIds = spans.map(({ rowId }) => rowId);
  const traceRowIds = [
    ...new Set(
      Array.from((await store.get({ of: 'spans', column: 'row', rowIds })).values(), ({ traceRowId }) => traceRowId),
    ),
  ];
  const byRowId = <Value>(found: ReadonlyMap<number, Value>) => [...found].sort(([a], [b]) => a - b);
  return {
    spans,
    rows: byRowId(await store.get({ of: 'spans', column: 'row', rowIds })),
    bodies: byRowId(await store.get({ of: 'spans', column: 'body', rowIds })),
    costs: byRowId(await store.get({ of: 'spans', column: 'costs', rowIds })),
    trees: byRowId(await store.get({ of: 'traces', column: 'spans', rowIds: traceRowIds })),
    sums: byRowId(await store.get({ of: 'traces', column: 'sums', rowIds: traceRowIds })),
  };
}
