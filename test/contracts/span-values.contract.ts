import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { toIntervals } from '../../src/model/time/time-bins.ts';
import type { SpanStore } from '../../src/span-store/contract/span-store.ts';
import type { ValueQuery } from '../../src/span-store/contract/value-aggregates.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { spanColumns, type TestSpan } from '../fixtures/span-columns.ts';
import type { OpenSpanStore } from './span-store.contract.ts';

const MS = 1_000_000n;
const HOUR = 3_600_000n * MS;
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');

const PATHS = ['llm.prompt_template.version', 'prompt.id'];
const step = { scale: 'HOUR', scaleCount: 1 } as const;
const query: ValueQuery = {
  paths: PATHS,
  values: ['version-1', 'version-2'],
  bins: { ...step, intervals: toIntervals(step, { offsetMs: 0, changes: [] }) },
};

const span = (number: number, attributes: object, rest: Partial<TestSpan> = {}): TestSpan => ({
  traceId: hex(number, 32),
  spanId: hex(number, 16),
  start: BigInt(number) * MS,
  end: BigInt(number) * MS + 10n * MS,
  attributes,
  ...rest,
});
const names = (version: unknown) => ({ llm: { prompt_template: { version } } });

/** Aggregates of spans by the value of an attribute (`ValueReader`). */
export function testSpanValues(name: string, open: OpenSpanStore): void {
  describe(`${name}: aggregates by value`, () => {
    test('sums up the spans with a value, in the range and by bin', async (t) => {
      const store = await given(t, open, [
        span(1, names('version-1'), { spanKind: 'LLM', tokens: [3, 4] }),
        span(2, names('version-1'), { statusCode: 'ERROR', start: HOUR, end: HOUR + 30n * MS }),
        span(3, names('version-2'), { end: 43n * MS }),
        span(4, names('version-3')),
      ]);

      const { aggregates, projects } = await store.aggregateByValue(query);

      assert.deepEqual(
        aggregates.map(({ value, startTimeUnixMicro, spanCount, errorCount }) => [
          value,
          startTimeUnixMicro,
          spanCount,
          errorCount,
        ]),
        [
          ['version-1', null, 2, 1],
          ['version-1', 0, 1, 0],
          ['version-1', 3_600_000_000, 1, 1],
          ['version-2', null, 1, 0],
          ['version-2', 0, 1, 0],
        ],
      );
      const [first] = aggregates;
      assert.deepEqual(first, {
        value: 'version-1',
        startTimeUnixMicro: null,
        spanCount: 2,
        errorCount: 1,
        latencies: [20, 29],
        tokensPrompt: 3,
        tokensCompletion: 4,
        costPico: null,
        firstStartUnixNano: MS,
        lastStartUnixNano: HOUR,
        scores: [],
      });
      assert.deepEqual(projects, [{ projectId: 1, spanCount: 3 }]);
    });

    test('finds a value at each path, nested or not, and counts a span once', async (t) => {
      const store = await given(t, open, [
        span(1, { llm: { 'prompt_template.version': 'version-1', prompt_template: 'text' } }),
        span(2, { 'llm.prompt_template.version': 'version-1' }),
        span(3, { prompt: { id: 'version-1' } }),
        span(4, { ...names('version-2'), prompt: { id: 'version-1' } }),
        // None of these is the text at a path.
        span(5, { version: 'version-1', prompt: { version: 'version-1' } }),
        span(6, names(['version-1'])),
        span(7, names({ id: 'version-1' })),
        span(8, { prompt: { id: 'version-10' } }),
        span(9, { llm: { prompt_template: { template: 'version-1' } } }),
      ]);

      assert.deepEqual(await counts(store), { 'version-1': 3, 'version-2': 1 });
    });

    test('limits a read to a range, a project, or a scope of projects', async (t) => {
      const store = await given(t, open, [
        span(1, names('version-1')),
        span(2, names('version-1'), { project: 'two' }),
        span(3, names('version-1'), { project: 'three' }),
      ]);

      assert.deepEqual(await counts(store, { startTimeUnixNano: 2n * MS, endTimeUnixNano: 3n * MS }), {
        'version-1': 1,
      });
      assert.deepEqual(await counts(store, { projectId: 2 }), { 'version-1': 1 });
      assert.deepEqual(await counts(store, { projects: { only: [1, 3] } }), { 'version-1': 2 });
      assert.deepEqual(await counts(store, { projects: { except: [1] } }), { 'version-1': 2 });
      assert.deepEqual(await counts(store, { projectId: 2, projects: { only: [1] } }), {});
      assert.deepEqual(await store.aggregateByValue({ ...query, values: ['none'] }), { aggregates: [], projects: [] });
    });

    test('finds few among many spans like a plain filter does', async (t) => {
      const random = new SeededRandom(7);
      const spans = Array.from({ length: 600 }, (_, index) =>
        span(index + 1, index % 100 < 3 ? names(`version-${1 + random.below(3)}`) : { other: index }),
      );
      const store = await given(t, open, spans);
      const expected: Record<string, number> = {};
      for (const { attributes } of spans) {
        const version = (attributes as ReturnType<typeof names>).llm?.prompt_template.version as string | undefined;
        if (version !== undefined && query.values.includes(version)) expected[version] = (expected[version] ?? 0) + 1;
      }

      assert.deepEqual(await counts(store), expected);
    });
  });
}

async function counts(store: SpanStore, part: Partial<ValueQuery> = {}): Promise<Record<string, number>> {
  const { aggregates } = await store.aggregateByValue({ ...query, ...part });
  const totals = aggregates.filter(({ startTimeUnixMicro }) => startTimeUnixMicro === null);
  return Object.fromEntries(totals.map(({ value, spanCount }) => [value, spanCount]));
}

async function given(t: TestContext, open: OpenSpanStore, spans: readonly TestSpan[]): Promise<SpanStore> {
  const projects = new Map<string, number>();
  const store = await open(async (names) => {
    for (const name of names) if (!projects.has(name)) projects.set(name, projects.size + 1);
    return new Map(names.map((name) => [name, projects.get(name)!]));
  });
  t.after(() => store.close());
  await store.append(spanColumns(spans), 1);
  return store;
}
