import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';
import { silentLog } from '../../../src/base/log.ts';
import type { PricedModel } from '../../../src/model/models/generative-model.ts';
import { measure } from '../../../src/span-store/contract/aggregate.ts';
import type { TimeRange } from '../../../src/span-store/contract/query-terms.ts';
import type { SpanStore } from '../../../src/span-store/contract/span-store.ts';
import { openSpanStore } from '../../../src/span-store/open-span-store.ts';
import { COST_SUMS, countRows, findLatencies, TOKEN_SUMS } from '../../fixtures/aggregates.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { spanColumns, type TestSpan } from '../../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../../fixtures/test-folder.ts';

const PROJECTS = ['default', 'other'];
const MINUTE = 60_000_000_000n;
const HOUR = 60n * MINUTE;
const INT64_MAX = 2n ** 63n - 1n;
const BEGINNING = 1_700_000_000_000_000_000n;
const PRICES: readonly PricedModel[] = [
  {
    rowId: 1,
    name: 'm',
    provider: '',
    namePattern: '^m$',
    isBuiltIn: false,
    startTimeMs: null,
    prices: [
      { tokenType: 'input', isPrompt: true, perToken: 1e-6 },
      { tokenType: 'output', isPrompt: false, perToken: 3e-6 },
    ],
  },
];
/** Enough for all data, for some of it, and for none. */
const MEMORY = { enough: undefined, little: 24_000, none: 0 } as const;

type Operation = (store: SpanStore, position: number) => Promise<unknown>;

/** `SEED_COUNT=20` runs more. */
const SEED_COUNT = Number(process.env.SEED_COUNT ?? 1);

for (let seed = 1; seed <= SEED_COUNT; seed++) {
  test(`aggregates of any range in memory equal those of the database (seed ${seed})`, async (t) => {
    const random = new SeededRandom(seed);
    const dirs = { enough: await newDir(t), little: await newDir(t), none: await newDir(t) };
    const stores = { enough: await open(dirs.enough), little: await open(dirs.little, MEMORY.little) };
    const plain = await open(dirs.none, MEMORY.none);
    const ranges = Array.from({ length: 8 }, () => randomRange(random));
    try {
      for (let position = 1; position <= 32; position++) {
        const operation = randomOperation(random);
        const range = random.pick(ranges);
        const before = await answersOf(plain, range);
        await operation(plain, position);
        const after = await answersOf(plain, range);
        for (const memory of ['enough', 'little'] as const) {
          if (random.chance(0.05)) {
            await stores[memory].close();
            stores[memory] = await open(dirs[memory], MEMORY[memory]);
          }
          const store = stores[memory];
          // A query during a change returns the state before or after it.
          const [, during] = await Promise.all([operation(store, position), answersOf(store, range)]);
          for (const [index, answer] of during.entries()) {
            const isOne = [before, after].some((answers) => isDeepStrictEqual(answers[index], answer));
            assert.ok(isOne, `${inspect(answer)} is neither of ${inspect([before[index], after[index]])}`);
          }
          assert.deepEqual(await answersOf(store, range), after);
        }
        if (position % 8 > 0) continue;
        for (const each of ranges) {
          const expected = await answersOf(plain, each);
          for (const store of Object.values(stores)) assert.deepEqual(await answersOf(store, each), expected);
        }
      }
    } finally {
      await Promise.all([...Object.values(stores), plain].map((store) => store.close()));
    }
  });
}

test('aggregates are correct while spans of one project arrive', async (t) => {
  const random = new SeededRandom(11);
  const store = await open(await newDir(t));
  const range = { projectId: 1, startTimeUnixNano: BEGINNING + MINUTE / 3n, endTimeUnixNano: BEGINNING + 5n * HOUR };
  const starts = new Map<string, bigint>();
  /** After each batch, how many traces and spans are in the range. */
  const counts: [number, number][] = [[0, 0]];
  let spanCount = 0;
  let isSending = true;
  const isIn = (start: bigint) => start >= range.startTimeUnixNano && start < range.endTimeUnixNano;
  const send = async () => {
    for (let position = 1; position <= 60; position++) {
      const batch = Array.from({ length: 40 }, (_, index) => ({
        traceId: String(random.below(400)).padStart(32, '1'),
        spanId: (position * 1_000 + index).toString().padStart(16, '0'),
        start: BEGINNING + BigInt(random.below(6 * 3_600)) * 1_000_000_000n,
      }));
      for (const { traceId, start } of batch) {
        const known = starts.get(traceId);
        if (known === undefined || start < known) starts.set(traceId, start);
        if (isIn(start)) spanCount++;
      }
      counts.push([[...starts.values()].filter(isIn).length, spanCount]);
      await store.append(spanColumns(batch), position);
    }
    isSending = false;
  };
  const sending = send();
  let [traces, spans] = [0, 0];
  let answerCount = 0;
  while (isSending) {
    const traceCount = await countRows(store, 'traces', range);
    const count = await countRows(store, 'spans', range);
    // Later results never have an earlier state.
    traces = counts.findIndex(([value], index) => index >= traces && value === traceCount);
    spans = counts.findIndex(([, value], index) => index >= spans && value === count);
    assert.ok(traces >= 0, `${traceCount} traces were never in the range`);
    assert.ok(spans >= 0, `${count} spans were never in the range`);
    answerCount++;
  }
  await sending;

  assert.ok(answerCount > 5);
  assert.deepEqual([await countRows(store, 'traces', range), await countRows(store, 'spans', range)], counts.at(-1));
  await store.close();
});

interface Range extends TimeRange {
  readonly projectId: number;
}

const AMOUNTS = { ...TOKEN_SUMS, promptPico: measure.sum('promptPico'), completionPico: measure.sum('completionPico') };

const QUESTIONS: readonly ((store: SpanStore, range: Range) => Promise<unknown>)[] = [
  (store, range) => countRows(store, 'spans', range),
  (store, range) => store.aggregate({ ...range, grain: 'traces', measures: COST_SUMS }),
  // Alone, because it is of spans, and a commit may arrive between them and the traces.
  (store, range) =>
    store.aggregate({
      ...{ ...range, grain: 'traces', ofMatchingSpans: true, measures: { spanCount: measure.sum('spanCount') } },
    }),
  ...(['spans', 'traces'] as const).flatMap((grain) => [
    (store: SpanStore, range: Range) =>
      store.aggregate({
        ...{ ...range, grain, ofMatchingSpans: true },
        measures: {
          ...AMOUNTS,
          count: measure.rows,
        },
      }),
    // Alone, because a commit may arrive between the two.
    (store: SpanStore, range: Range) => findLatencies(store, grain, range, [0, 0.1, 0.5, 0.99, 1]),
  ]),
];

/** Of each project. */
const answersOf = (store: SpanStore, range: TimeRange): Promise<unknown[]> =>
  Promise.all(
    PROJECTS.flatMap((_, index) => QUESTIONS.map((question) => question(store, { projectId: 1 + index, ...range }))),
  );

function randomOperation(random: SeededRandom): Operation {
  const what = random.next();
  const rowIds = Array.from({ length: 1 + random.below(4) }, () => 1 + random.below(60));
  if (what < 0.06) return (store, position) => store.delete({ what: 'spans', rowIds }, position);
  if (what < 0.1) return (store, position) => store.delete({ what: 'traces', rowIds }, position);
  if (what < 0.14) return (store, position) => store.delete({ what: 'annotations', rowIds }, position);
  const projectId = 1 + random.below(2);
  if (what < 0.2) return (store, position) => store.transfer({ traceRowIds: rowIds, projectId }, position);
  const models = JSON.stringify(random.chance(0.7) ? PRICES : []);
  if (what < 0.24) return (store, position) => store.changeCosts({ what: 'prices', models }, position);
  if (what < 0.28) {
    const change = { what: 'recompute', projectId: null, firstRowId: 1, lastRowId: 1_000 } as const;
    return (store, position) => store.changeCosts(change, position);
  }
  if (what < 0.32) return (store, position) => store.advance(position);
  const batch = Array.from({ length: 1 + random.below(20) }, () => randomSpan(random));
  return (store, position) => store.append(spanColumns(batch), position);
}

function randomSpan(random: SeededRandom): TestSpan {
  const trace = random.below(60);
  const start = randomTime(random);
  const latency = random.pick([0n, 1n, BigInt(random.below(10_000)) * 1_000_000n, 2n ** 62n, -5n]);
  const end = start + latency;
  return {
    traceId: String(trace).padStart(32, '0'),
    spanId: String(1 + random.below(500)).padStart(16, '0'),
    project: PROJECTS[trace % 2]!,
    start,
    end: end > INT64_MAX ? INT64_MAX : end,
    ...(random.chance(0.6) && {
      spanKind: 'LLM',
      modelName: 'm',
      tokens: [random.below(1_000), random.pick([0, 7, 2 ** 39])],
      attributes: { llm: { token_count: { prompt: random.below(1_000), completion: random.pick([0, 5, 2 ** 40]) } } },
    }),
  };
}

/** Mostly within some hours, often on their boundaries; rarely at either limit of time. */
function randomTime(random: SeededRandom): bigint {
  if (random.chance(0.06))
    return random.pick([0n, -1n, -HOUR, -(2n ** 63n), INT64_MAX, INT64_MAX - HOUR, -MINUTE - 1n]);
  const hour = (BEGINNING / HOUR + BigInt(random.below(5))) * HOUR;
  const within = random.pick([0n, MINUTE, BigInt(random.below(3_600_000)) * 1_000_000n]);
  return hour + within + random.pick([0n, -1n, 1n]);
}

function randomRange(random: SeededRandom): TimeRange {
  const [a, b] = [randomTime(random), randomTime(random)];
  const isOdd = random.chance(0.1);
  const [start, end] = a < b === isOdd ? [b, a] : [a, b];
  return {
    ...(random.chance(0.85) && { startTimeUnixNano: start }),
    ...(random.chance(0.8) && { endTimeUnixNano: end }),
  };
}

const open = (dir: string, rangeSumBytes?: number): Promise<SpanStore> =>
  openSpanStore({
    dir,
    resolveProjects: async (names) => new Map(names.map((name) => [name, 1 + PROJECTS.indexOf(name)])),
    log: silentLog,
    rangeSumBytes,
  });

async function newDir(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(TEST_FOLDER, 'span-store-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
