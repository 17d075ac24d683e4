import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../src/base/log.ts';
import { ANNOTATION_TARGETS } from '../../src/model/annotations/annotation.ts';
import type { AnnotationRecord } from '../../src/span-store/contract/annotations.ts';
import type { SpanStore } from '../../src/span-store/contract/span-store.ts';
import { openSpanStore } from '../../src/span-store/open-span-store.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { spanColumns, type TestSpan } from '../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../fixtures/test-folder.ts';

/** Opens stores in new directories, and closes and removes all of them at the end. */
class Stores {
  readonly #stores: SpanStore[] = [];
  readonly #dirs: string[] = [];

  constructor(t: TestContext) {
    t.after(async () => {
      for (const store of this.#stores) await store.close();
      for (const dir of this.#dirs) await rm(dir, { recursive: true, force: true });
    });
  }

  async newDir(): Promise<string> {
    const dir = await mkdtemp(join(TEST_FOLDER, 'span-store-'));
    this.#dirs.push(dir);
    return dir;
  }

  async open(dir: string, projects: Map<string, number>): Promise<SpanStore> {
    const store = await openSpanStore({
      dir,
      log: silentLog,
      threadCount: 1,
      resolveProjects: async (names) => {
        for (const name of names) if (!projects.has(name)) projects.set(name, 1 + Math.max(0, ...projects.values()));
        return new Map(names.map((name) => [name, projects.get(name)!]));
      },
    });
    this.#stores.push(store);
    return store;
  }
}

test('a replay gives every row the same row id, with any batch boundaries', async (t) => {
  const stores = new Stores(t);
  const random = new SeededRandom(7);
  const spans: TestSpan[] = Array.from({ length: 400 }, () => ({
    traceId: `${random.below(60)}`.padStart(32, '0'),
    spanId: `${random.below(20)}`.padStart(16, '0'),
    project: `project ${random.below(3)}`,
    start: BigInt(random.below(100)),
    end: BigInt(random.below(100)),
    ...(random.chance(0.3) && { parentSpanId: '1'.padStart(16, '0') }),
    ...(random.chance(0.3) && { sessionId: `session ${random.below(20)}` }),
    ...(random.chance(0.5) && { input: `input ${random.below(9)}`, output: `output ${random.below(9)}` }),
  }));
  const found: object[] = [];
  for (const batchSizeMax of [400, 60, 5]) {
    const store = await stores.open(await stores.newDir(), new Map());
    for (let from = 0, position = 1; from < spans.length; position++) {
      const to = from + 1 + random.below(batchSizeMax);
      await store.append(spanColumns(spans.slice(from, to)), position);
      from = to;
    }
    found.push(await everything(store));
  }

  assert.deepEqual(found[1], found[0]);
  assert.deepEqual(found[2], found[0]);
});

async function everything(store: SpanStore): Promise<object> {
  const lists = [1, 2, 3].map(async (projectId) => ({
    spans: (await store.findSpans({ projectId, limit: 1000 })).items,
    traces: (await store.findTraces({ projectId, sort: 'startTime', order: 'asc', limit: 1000 })).items,
    sessions: (await store.findSessions({ projectId, order: 'asc', limit: 1000 })).items,
  }));
  return Promise.all(lists);
}

test('pages of rare spans continue beyond the first windows of rows', async (t) => {
  const stores = new Stores(t);
  const store = await stores.open(await stores.newDir(), new Map());
  const spanCount = 150_000;
  const every = 10_000;
  for (let from = 0; from < spanCount; from += 50_000) {
    const spans = Array.from({ length: 50_000 }, (_, i) => ({
      traceId: `${(from + i) >> 4}`.padStart(32, '0'),
      spanId: `${from + i}`.padStart(16, '0'),
      name: (from + i) % every === 0 ? 'rare' : 'common',
    }));
    await store.append(spanColumns(spans), from + 1);
  }
  // The rows at the edges of the first window, and the first of all.
  const edge = spanCount - 131_072;
  for (const fromRowId of [edge, edge + 1, edge - 1, 1]) {
    const { items } = await store.findSpans({ projectId: 1, limit: 1, names: ['rare', 'common'], fromRowId });
    assert.deepEqual(
      items.map(({ rowId }) => rowId),
      [fromRowId],
    );
  }

  const rowIds: number[] = [];
  let fromRowId: number | undefined = spanCount;
  while (fromRowId !== undefined) {
    const page = await store.findSpans({ projectId: 1, limit: 4, names: ['rare'], fromRowId });
    rowIds.push(...page.items.map(({ rowId }) => rowId));
    fromRowId = page.nextRowId;
  }
  assert.deepEqual(
    rowIds,
    Array.from({ length: 15 }, (_, i) => 1 + (14 - i) * every),
  );

  const spanIds = [edge - 1, edge, edge + 1, edge + 2].map((rowId) => `${rowId - 1}`.padStart(16, '0'));
  const { items } = await store.findSpans({ projectId: 1, limit: 10, spanIds });
  assert.deepEqual(
    items.map(({ rowId }) => rowId),
    [edge + 2, edge + 1, edge, edge - 1],
  );
});

test('a replay attaches annotations to the same span, with any batch boundaries', async (t) => {
  const stores = new Stores(t);
  const random = new SeededRandom(11);
  const idOf = (n: number, length: number) => `${n}`.padStart(length, '0');
  // Content of the journal: requests of spans, several of which share an ID, and of annotations, in order.
  const requests = Array.from({ length: 60 }, (_, at) => {
    const target = random.pick(['span', 'document', 'trace', 'session'] as const);
    const targetId = { trace: idOf(random.below(8), 32), session: `session ${random.below(4)}` };
    const spans: TestSpan[] = Array.from({ length: random.below(4) }, () => ({
      traceId: idOf(random.below(8), 32),
      spanId: idOf(random.below(9), 16),
      project: `project ${random.below(2)}`,
      spanKind: 'RETRIEVER',
      attributes: { retrieval: { documents: [{}, {}, {}].slice(random.below(3)) } },
      ...(random.chance(0.3) && { sessionId: `session ${random.below(4)}` }),
    }));
    const record: AnnotationRecord = {
      position: at + 1,
      receivedAtMs: 1_000 + at,
      target,
      isWhole: false,
      source: 'API',
      userId: null,
      annotations: Array.from({ length: random.below(5) }, () => ({
        targetId: target === 'trace' || target === 'session' ? targetId[target] : idOf(random.below(9), 16),
        ...((target === 'span' || target === 'document') &&
          random.chance(0.4) && { traceId: idOf(random.below(8), 32) }),
        documentPosition: target === 'document' ? random.below(3) : null,
        name: random.pick(['a', 'b']),
        identifier: '',
        annotatorKind: 'LLM',
        label: null,
        score: at,
        explanation: null,
        metadata: '{}',
      })),
    };
    return { spans, record };
  });
  const found: object[] = [];
  for (const requestCountMax of [1, 60, 7]) {
    const store = await stores.open(await stores.newDir(), new Map());
    for (let from = 0; from < requests.length; ) {
      const batch = requests.slice(from, from + 1 + random.below(requestCountMax));
      from += batch.length;
      let spanCountBefore = 0;
      const records = batch.map(({ spans, record }) => {
        spanCountBefore += spans.length;
        return { ...record, spanCountBefore };
      });
      await store.append(spanColumns(batch.flatMap(({ spans }) => spans)), from, records);
    }
    const pages = [];
    for (const projectId of [1, 2]) {
      for (const target of ANNOTATION_TARGETS) {
        pages.push((await store.findAnnotations({ projectId, target, limit: 1_000 })).items);
      }
    }
    found.push(pages);
  }

  assert.ok((found[0] as unknown[][]).flat().length > 20);
  assert.deepEqual(found[1], found[0]);
  assert.deepEqual(found[2], found[0]);
});
