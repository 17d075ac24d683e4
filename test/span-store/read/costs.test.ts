import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../../src/base/log.ts';
import type { PricedModel } from '../../../src/model/models/generative-model.ts';
import { PriceTable } from '../../../src/model/models/price-table.ts';
import { computeCost, type SpanCost, toTokenCounts } from '../../../src/model/models/span-cost.ts';
import { measure, totalOf } from '../../../src/span-store/contract/aggregate.ts';
import type { CostChange } from '../../../src/span-store/contract/cost-change.ts';
import type { Costs, CostsOfType } from '../../../src/span-store/contract/costs.ts';
import type { Deletion } from '../../../src/span-store/contract/writer.ts';
import { type DuckdbSpanStore, openSpanStore } from '../../../src/span-store/open-span-store.ts';
import { verifySpanStore } from '../../../src/span-store/verify-span-store.ts';
import { COST_SUMS } from '../../fixtures/aggregates.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { spanColumns, type TestSpan } from '../../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../../fixtures/test-folder.ts';

type Operation =
  | { readonly spans: readonly TestSpan[] }
  | { readonly change: CostChange }
  | { readonly deletion: Deletion };

const OPERATION_COUNT = 30;
const ALL = { what: 'recompute', projectId: null, firstRowId: 1, lastRowId: 1_000_000 } as const;

for (const seed of [1, 2]) {
  test(`aggregates costs like a plain model, also after a replay with other batches (seed ${seed})`, async (t) => {
    const random = new SeededRandom(seed);
    const model = new CostModel();
    const store = await open(t);
    const operations: Operation[] = [];
    for (let i = 0; i < OPERATION_COUNT; i++) {
      const operation = randomOperation(random, model, operations.length);
      operations.push(operation);
      model.apply(operation);
      await apply(store.store, operation, operations.length);
      if (i % 6 === 5) await compare(store.store, model);
    }
    await compare(store.store, model);

    const replayed = await open(t);
    for (const { operation, position } of mergedAppends(operations)) await apply(replayed.store, operation, position);
    await compare(replayed.store, model);
    await replayed.store.close();
    assert.deepEqual((await verifySpanStore(replayed.dir)).problems, []);
  });
}

test('prices embeddings by the model that OpenInference names apart, also when recomputed', async (t) => {
  const { store } = await open(t);
  await store.changeCosts({ what: 'prices', models: JSON.stringify([priced(1, 'e', 2)]) }, 1);
  const embedding = (model: string, spanKind: 'EMBEDDING' | 'CHAIN', id: string): TestSpan => ({
    ...{ spanKind, traceId: '1'.padStart(32, '0'), spanId: id.padStart(16, '0') },
    attributes: { embedding: { model_name: model }, llm: { token_count: { prompt: 10 } } },
  });
  await store.append(spanColumns([embedding('e', 'EMBEDDING', 'a'), embedding('e', 'CHAIN', 'b')]), 2);
  const costs = async () =>
    [...(await store.get({ of: 'spans', column: 'costs', rowIds: [1, 2] }))].map(([rowId, { promptPico }]) => [
      rowId,
      promptPico,
    ]);

  assert.deepEqual(await costs(), [[1, 20e6]]);
  await store.changeCosts({ what: 'prices', models: JSON.stringify([priced(1, 'e', 3)]) }, 3);
  await store.changeCosts(ALL, 4);
  assert.deepEqual(await costs(), [[1, 30e6]]);
});

test('keeps the cost of a span when prices change, and recomputes it on request', async (t) => {
  const { store } = await open(t);
  const span = (spanId: string): TestSpan => ({
    ...llmSpan('m', { prompt: 10 }),
    traceId: '1'.padStart(32, '0'),
    spanId,
  });
  const costs = async () =>
    [...(await store.get({ of: 'spans', column: 'costs', rowIds: [1, 2] })).values()].map((c) => c.promptPico);

  await store.append(spanColumns([span('000000000000000a')]), 1);
  assert.deepEqual(await costs(), [null]);
  await store.changeCosts({ what: 'prices', models: JSON.stringify([priced(1, 'm', 2)]) }, 2);
  await store.append(spanColumns([span('000000000000000b')]), 3);
  assert.deepEqual(await costs(), [null, 20e6]);
  await store.changeCosts({ ...ALL, projectId: 7 }, 4);
  assert.deepEqual(await costs(), [null, 20e6]);
  await store.changeCosts(ALL, 5);
  assert.deepEqual(await costs(), [20e6, 20e6]);
  const listed = await store.listTraceCosts({ projectIds: [7, 8] });
  assert.deepEqual(listed.idWords.length, 0);
  const found = await store.listTraceCosts({
    projectIds: [(await store.get({ of: 'traces', column: 'row', rowIds: [1] })).get(1)!.projectId],
  });
  assert.deepEqual([...found.idWords], [0, 0, 1, 0]);
  assert.deepEqual([[...found.tokens], [...found.picos]], [[20], [40e6]]);
  await store.changeCosts({ what: 'prices', models: '[]' }, 6);
  await store.changeCosts(ALL, 7);

  assert.deepEqual(await costs(), [null, null]);
  const unpriced = await store.listTraceCosts({
    projectIds: [(await store.get({ of: 'traces', column: 'row', rowIds: [1] })).get(1)!.projectId],
  });
  assert.deepEqual([...unpriced.picos], [Number.NaN]);
  assert.deepEqual(
    await store.get({ of: 'traces', column: 'costs', rowIds: [1] }),
    new Map([[1, { tokensPrompt: 20, tokensCompletion: 0, promptPico: 0, completionPico: 0 }]]),
  );
});

test('keeps its prices when it is reopened', async (t) => {
  const { store, dir, reopen } = await open(t);
  await store.changeCosts({ what: 'prices', models: JSON.stringify([priced(1, 'm', 2)]) }, 1);
  const digest = await store.priceDigest();
  await store.close();

  const again = await reopen(dir);
  assert.equal(await again.priceDigest(), digest);
  await again.append(
    spanColumns([{ ...llmSpan('m', { prompt: 1 }), traceId: '1'.padStart(32, '0'), spanId: 'a'.padStart(16, '0') }]),
    2,
  );
  assert.equal((await again.get({ of: 'spans', column: 'costs', rowIds: [1] })).get(1)?.promptPico, 2e6);
});

const priced = (rowId: number, name: string, dollarsPerMillion: number): PricedModel => ({
  rowId,
  name,
  provider: '',
  namePattern: `^${name}$`,
  isBuiltIn: false,
  startTimeMs: null,
  prices: [
    { tokenType: 'input', isPrompt: true, perToken: dollarsPerMillion / 1e6 },
    { tokenType: 'cache_read', isPrompt: true, perToken: dollarsPerMillion / 3e7 },
    { tokenType: 'output', isPrompt: false, perToken: dollarsPerMillion / 7e5 },
  ],
});

const llmSpan = (modelName: string, tokenCount: object) =>
  ({ spanKind: 'LLM', modelName, attributes: { x: '"llm":{', llm: { token_count: tokenCount, y: 1 } } }) as const;

async function open(t: TestContext) {
  const dir = await mkdtemp(join(TEST_FOLDER, 'costs-'));
  const stores: DuckdbSpanStore[] = [];
  const reopen = async (path: string) => {
    const resolveProjects = async (names: readonly string[]) => new Map(names.map((name) => [name, Number(name)]));
    const store = await openSpanStore({ dir: path, log: silentLog, threadCount: 1, resolveProjects });
    stores.push(store);
    return store;
  };
  t.after(async () => {
    for (const store of stores) await store.close();
    await rm(dir, { recursive: true, force: true });
  });
  const opened = await reopen(dir);
  return { store: opened, dir, reopen };
}

const apply = (store: DuckdbSpanStore, operation: Operation, position: number): Promise<unknown> =>
  'spans' in operation
    ? store.append(spanColumns(operation.spans), position)
    : 'change' in operation
      ? store.changeCosts(operation.change, position)
      : store.delete(operation.deletion, position);

function mergedAppends(operations: readonly Operation[]): { operation: Operation; position: number }[] {
  const merged: { operation: Operation; position: number }[] = [];
  for (const [index, operation] of operations.entries()) {
    const last = merged.at(-1);
    if (last && 'spans' in last.operation && 'spans' in operation) {
      const spans = [...last.operation.spans, ...operation.spans];
      merged[merged.length - 1] = { operation: { spans }, position: index + 1 };
    } else merged.push({ operation, position: index + 1 });
  }
  return merged;
}

interface ModelSpan {
  readonly rowId: number;
  readonly span: TestSpan;
  cost: SpanCost | undefined;
}

/** Spans with their costs, and the sessions of their traces. */
class CostModel {
  spans: ModelSpan[] = [];
  readonly sessionOf = new Map<string, string>();
  private prices = new PriceTable([]);
  private nextRowId = 1;

  apply(operation: Operation): void {
    if ('spans' in operation) for (const span of operation.spans) this.append(span);
    else if ('deletion' in operation) this.delete(operation.deletion);
    else if (operation.change.what === 'prices') this.prices = new PriceTable(JSON.parse(operation.change.models));
    else {
      const { projectId, firstRowId, lastRowId } = operation.change;
      for (const stored of this.spans) {
        const isMeant = projectId === null || stored.span.project === String(projectId);
        if (isMeant && stored.rowId >= firstRowId && stored.rowId <= lastRowId) stored.cost = this.priceOf(stored.span);
      }
    }
  }

  private append(span: TestSpan): void {
    const isStored = this.spans.some(
      (stored) => stored.span.traceId === span.traceId && stored.span.spanId === span.spanId,
    );
    if (isStored) return;
    if (span.sessionId && !this.sessionOf.has(span.traceId)) this.sessionOf.set(span.traceId, span.sessionId);
    this.spans.push({ rowId: this.nextRowId++, span, cost: this.priceOf(span) });
  }

  private delete(deletion: Deletion): void {
    if (deletion.what !== 'spans') return;
    this.spans = this.spans.filter(({ rowId }) => !deletion.rowIds.includes(rowId));
    const left = new Set(this.spans.map(({ span }) => span.traceId));
    for (const traceId of this.sessionOf.keys()) if (!left.has(traceId)) this.sessionOf.delete(traceId);
  }

  private priceOf({ spanKind, modelName, provider = '', start = 1n, attributes }: TestSpan): SpanCost | undefined {
    const counts = (attributes as { llm?: { token_count?: object } }).llm?.token_count;
    if (spanKind !== 'LLM' || !modelName || !counts) return undefined;
    return computeCost(toTokenCounts(counts), this.prices.find(modelName, provider, start));
  }

  costsBy(keyOf: (span: TestSpan) => string | undefined): Map<string, SpanCost[]> {
    const found = new Map<string, SpanCost[]>();
    for (const { span, cost } of this.spans) {
      const key = keyOf(span);
      if (key === undefined || !cost) continue;
      found.set(key, [...(found.get(key) ?? []), cost]);
    }
    return found;
  }
}

function randomOperation(random: SeededRandom, model: CostModel, count: number): Operation {
  const what = random.next();
  if (count > 1 && what < 0.12) {
    const models = ['a', 'b'].slice(random.below(3)).map((name, index) => priced(index + 1, name, 1 + random.below(9)));
    return { change: { what: 'prices', models: JSON.stringify(models) } };
  }
  if (what < 0.22) {
    const firstRowId = 1 + random.below(40);
    const projectId = random.pick([null, 1, 2]);
    return { change: { what: 'recompute', projectId, firstRowId, lastRowId: firstRowId + random.below(60) } };
  }
  if (what < 0.4) {
    const rowIds = model.spans.filter(() => random.chance(0.1)).map(({ rowId }) => rowId);
    return { deletion: { what: 'spans', rowIds: rowIds.length > 0 ? rowIds : [999_999] } };
  }
  return { spans: Array.from({ length: random.below(20) }, () => randomSpan(random)) };
}

function randomSpan(random: SeededRandom): TestSpan {
  const trace = random.below(12);
  const counts = {
    prompt: random.below(1000),
    completion: random.pick([undefined, 0, random.below(1000)]),
    total: random.pick([undefined, 2000]),
    prompt_details: random.pick([undefined, {}, { cache_read: random.below(50), audio: random.below(3) }]),
    completion_details: random.pick([undefined, { reasoning: random.below(1100) }]),
  };
  return {
    ...llmSpan(random.pick(['a', 'b', 'c']), counts),
    ...(random.chance(0.3) && { spanKind: 'TOOL' }),
    traceId: String(trace).padStart(32, '0'),
    spanId: String(1 + random.below(60)).padStart(16, '0'),
    // A trace stays in the project of its first span.
    project: String(1 + (trace % 2)),
    ...(random.chance(0.3) && { sessionId: `session ${random.below(4)}` }),
  };
}

const toSums = (costs: readonly SpanCost[]): Costs => ({
  tokensPrompt: sum(costs, (cost) => cost.tokensPrompt),
  tokensCompletion: sum(costs, (cost) => cost.tokensCompletion),
  promptPico: sum(costs, (cost) => cost.promptPico ?? 0),
  completionPico: sum(costs, (cost) => cost.completionPico ?? 0),
});

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0);

/** Tokens and amounts by token type. */
function toTypes(costs: readonly SpanCost[]): Map<string, [number, number]> {
  const types = new Map<string, [number, number]>();
  for (const { tokenType, isPrompt, tokens, costPico } of costs.flatMap(({ details }) => details)) {
    const key = `${isPrompt} ${tokenType}`;
    const [allTokens, allPico] = types.get(key) ?? [0, 0];
    types.set(key, [allTokens + tokens, allPico + (costPico ?? 0)]);
  }
  return new Map([...types].sort());
}

const ofTypes = (types: readonly CostsOfType[] = []) =>
  new Map(
    types
      .map(({ tokenType, isPrompt, tokens, pico }) => [`${isPrompt} ${tokenType}`, [tokens, pico ?? 0]] as const)
      .sort(),
  );

async function compare(store: DuckdbSpanStore, model: CostModel): Promise<void> {
  const rowIds = model.spans.map(({ rowId }) => rowId);
  const spans = await store.get({ of: 'spans', column: 'costs', rowIds });
  const spanTypes = await store.get({ of: 'spans', column: 'tokenTypes', rowIds });
  for (const { rowId, cost } of model.spans) {
    const { modelRowId: _, details: __, ...own } = cost ?? { modelRowId: null, details: [] };
    assert.deepEqual(spans.get(rowId), cost && own);
    assert.deepEqual(ofTypes(spanTypes.get(rowId)), toTypes(cost ? [cost] : []));
  }
  const lists = await Promise.all(
    [1, 2].map(async (projectId) => ({
      traces: (await store.findTraces({ projectId, sort: 'startTime', order: 'asc', limit: 1000 })).items,
      sessions: (await store.findSessions({ projectId, order: 'asc', limit: 1000 })).items,
    })),
  );
  const traces = lists.flatMap((list) => list.traces.map(({ rowId, traceId }) => [rowId, String(traceId)] as const));
  const sessions = lists.flatMap((list) => list.sessions.map(({ rowId, sessionId }) => [rowId, sessionId] as const));
  await compareOwners(
    store,
    'traces',
    traces,
    model.costsBy(({ traceId }) => traceId),
  );
  await compareOwners(
    store,
    'sessions',
    sessions,
    model.costsBy(({ traceId }) => model.sessionOf.get(traceId)),
  );
  for (const projectId of [1, 2]) {
    const costs = model.costsBy(({ project }) => project).get(String(projectId)) ?? [];
    const total = totalOf(await store.aggregate({ grain: 'traces', projectId, measures: COST_SUMS }));
    assert.deepEqual(total, { startTimeUnixMicro: 0, ...toSums(costs) });
    const models = await store.aggregate({
      ...{ grain: 'spans', projectId, startTimeUnixNano: 0n, isRangeOfTraces: true },
      groupBy: ['modelId'],
      measures: COST_SUMS,
    });
    for (const { modelId, startTimeUnixMicro: _, ...sums } of models) {
      assert.deepEqual(sums, toSums(costs.filter(({ modelRowId }) => modelRowId === modelId)));
    }
    assert.deepEqual(
      models.map(({ modelId }) => modelId).sort(),
      [...new Set(costs.flatMap((cost) => cost.modelRowId ?? []))].sort(),
    );
    const types = await store.aggregate({
      ...{ grain: 'tokenTypes', projectId, groupBy: ['tokenType', 'isPrompt'] },
      measures: { tokens: measure.sum('tokens'), pico: measure.sumOrNull('pico') },
      bins: { scale: 'YEAR', scaleCount: 1, intervals: [{ beforeMs: Infinity, offsetMs: 0 }] },
    });
    assert.deepEqual(ofTypes(types), toTypes(costs));
  }
}

async function compareOwners(
  store: DuckdbSpanStore,
  of: 'traces' | 'sessions',
  owners: readonly (readonly [number, string])[],
  expected: ReadonlyMap<string, SpanCost[]>,
): Promise<void> {
  const rowIds = owners.map(([rowId]) => rowId);
  const found = await store.get({ of, column: 'costs', rowIds });
  const types = await store.get({ of, column: 'tokenTypes', rowIds });
  for (const [rowId, id] of owners) {
    const costs = expected.get(id);
    assert.deepEqual(found.get(rowId), costs && toSums(costs), `${of} ${id}`);
    assert.deepEqual(ofTypes(types.get(rowId)), toTypes(costs ?? []), `${of} ${id} by type`);
  }
}
