import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { AGGREGATES_OF_METRIC, SPAN_METRICS, type SpanAggregate } from '../../src/model/spans/span-metric.ts';
import { parseSpanFilter } from '../../src/filter/spans/parse-span-filter.ts';
import type { SpanMetricQuery, SpanMetricResult } from '../../src/span-store/contract/span-metrics.ts';
import type { SpanStore } from '../../src/span-store/contract/span-store.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { spanColumns, type TestSpan } from '../fixtures/span-columns.ts';
import type { OpenSpanStore } from './span-store.contract.ts';

const MS = 1_000_000n;
const HOUR = 3_600_000n * MS;
const COUNT = 120;
const PRICE = { tokenType: 'input', isPrompt: true, perToken: 2e-6 };

/** `findSpanMetric` of `SpanMetricReader`, compared with a plain model. */
export function testSpanMetrics(name: string, open: OpenSpanStore): void {
  describe(`${name}: metrics of spans`, () => {
    for (const seed of [1, 2]) {
      test(`are those of a plain model, for every aggregate, group and bin (seed ${seed})`, async (t) => {
        const random = new SeededRandom(seed);
        const spans = randomSpans(random);
        const store = await storeOf(t, open, spans);
        const range = { startTimeUnixNano: 1n * HOUR, endTimeUnixNano: 7n * HOUR };
        const chosen = spans.filter(({ hour, project }) => project === 'one' && hour >= 1 && hour < 7);
        for (const metric of SPAN_METRICS) {
          const aggregates = AGGREGATES_OF_METRIC[metric].slice(0, 4);
          const base = { projectId: 1, metric, aggregates, groupLimit: 2, bins: HOURS, ...range } as const;
          const query = metric === 'annotation' ? { ...base, annotationName: 'quality' } : base;
          const label = `seed ${seed}, ${metric}`;

          same(
            await store.findSpanMetric(query),
            expectedResult(query, chosen, () => undefined),
            label,
          );
          const byTenant = { ...query, groupBy: { path: ['metadata', 'tenant'] } };
          same(await store.findSpanMetric(byTenant), expectedResult(byTenant, chosen, tenantOf), `${label}, tenant`);
          const byModel = { ...query, groupBy: { column: 'model' } } as const;
          same(await store.findSpanMetric(byModel), expectedResult(byModel, chosen, modelOf), `${label}, model`);
          const filter = parseSpanFilter("span_kind == 'LLM'");
          const filtered = { ...byModel, filter, bins: undefined } as const;
          const ofLlm = chosen.filter(({ spanKind }) => spanKind === 'LLM');
          same(await store.findSpanMetric(filtered), expectedResult(filtered, ofLlm, modelOf), `${label}, filtered`);
        }
      });
    }

    test('groups by names that a client chose, and cuts long ones', async (t) => {
      const span = (n: number, metadata: object, rest: Partial<TestSpan> = {}): TestSpan => ({
        traceId: hex(1, 32),
        spanId: hex(n, 16),
        metadata,
        ...rest,
      });
      const store = await storeOf(
        t,
        open,
        [],
        [
          span(1, JSON.parse('{"__proto__": "x\' OR 1=1"}') as object),
          span(2, { 'a.b': 1, c: { d: true } }),
          span(3, { a: { b: 'nested' } }),
          span(4, { c: { d: 'y'.repeat(300) } }),
          span(5, {}, { spanKind: 'LLM', statusCode: 'ERROR' }),
        ],
      );
      const groups = async (groupBy: SpanMetricQuery['groupBy']) => {
        const query = { projectId: 1, metric: 'spans', aggregates: ['count'], groupLimit: 5, groupBy } as const;
        const { groups: found, ungroupedSpanCount } = await store.findSpanMetric(query);
        return [found.map(({ name: group, values }) => [group, values[0]]), ungroupedSpanCount];
      };

      assert.deepEqual(await groups({ path: ['metadata', '__proto__'] }), [[["x' OR 1=1", 1]], 4]);
      assert.deepEqual(await groups({ path: ['metadata', 'a', 'b'] }), [
        [
          ['1', 1],
          ['nested', 1],
        ],
        3,
      ]);
      assert.deepEqual(await groups({ path: ['metadata', 'c', 'd'] }), [
        [
          ['true', 1],
          ['y'.repeat(200), 1],
        ],
        3,
      ]);
      assert.deepEqual((await groups({ column: 'kind' }))[0], [
        ['UNKNOWN', 4],
        ['LLM', 1],
      ]);
      assert.deepEqual((await groups({ column: 'status' }))[0], [
        ['UNSET', 4],
        ['ERROR', 1],
      ]);
      assert.deepEqual((await groups({ column: 'trace' }))[0], [['1', 5]]);
    });

    test('are nothing for a project without spans', async (t) => {
      const store = await storeOf(t, open, []);
      const query = { projectId: 7, metric: 'latency', aggregates: ['p95', 'sum'], groupLimit: 5 } as const;
      const none = { spanCount: 0, values: [null, 0], bins: [] };

      assert.deepEqual(await store.findSpanMetric(query), {
        total: none,
        groups: [],
        others: undefined,
        ungroupedSpanCount: 0,
      });
      assert.deepEqual(
        (await store.findSpanMetric({ ...query, groupBy: { column: 'name' }, bins: HOURS })).total,
        none,
      );
    });
  });
}

const HOURS = { scale: 'HOUR', scaleCount: 1, intervals: [{ beforeMs: Infinity, offsetMs: 0 }] } as const;
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');

interface ModelSpan extends TestSpan {
  readonly hour: number;
  readonly latencyMs: number;
  readonly score: number | undefined;
  readonly tenant: string | undefined;
}

function randomSpans(random: SeededRandom): ModelSpan[] {
  return Array.from({ length: COUNT }, (_, i): ModelSpan => {
    const hour = random.below(8);
    const latencyMs = random.below(50);
    const start = BigInt(hour) * HOUR + BigInt(i) * MS;
    const isLlm = random.below(2) === 0;
    const tenant = ['a', 'b', 'c', 'd', undefined][random.below(5)];
    const prompt = random.below(20);
    const trace = i === 0 ? 1 : random.below(30) + 1;
    return {
      hour,
      latencyMs,
      tenant,
      score: random.below(3) === 0 ? random.below(5) / 4 : undefined,
      traceId: hex(trace, 32),
      spanId: hex(i + 1, 16),
      project: trace < 27 ? 'one' : 'two',
      start,
      end: start + BigInt(latencyMs) * MS,
      statusCode: random.below(4) === 0 ? 'ERROR' : 'OK',
      ...(tenant === undefined ? {} : { metadata: { tenant } }),
      ...(isLlm && {
        spanKind: 'LLM',
        modelName: ['x', 'y', 'z'][random.below(3)]!,
        tokens: [prompt, 3],
        attributes: { llm: { token_count: { prompt, completion: 3 } } },
      }),
    } satisfies ModelSpan;
  });
}

async function storeOf(
  t: TestContext,
  open: OpenSpanStore,
  spans: readonly ModelSpan[],
  others: readonly TestSpan[] = [],
): Promise<SpanStore> {
  const projects = new Map<string, number>();
  const store = await open(async (names) => {
    for (const name of names) if (!projects.has(name)) projects.set(name, projects.size + 1);
    return new Map(names.map((name) => [name, projects.get(name)!]));
  });
  t.after(() => store.close());
  const model = { rowId: 1, name: 'x', provider: '', namePattern: '^x$', isBuiltIn: false, startTimeMs: null };
  await store.changeCosts({ what: 'prices', models: JSON.stringify([{ ...model, prices: [PRICE] }]) }, 1);
  const scored = spans.filter(({ score }) => score !== undefined);
  const annotation = (targetId: string, name: string, score: number) => ({
    ...({ targetId, name, score, documentPosition: null, identifier: '', annotatorKind: 'LLM', label: null } as const),
    ...{ explanation: null, metadata: '{}' },
  });
  await store.append(spanColumns([...spans, ...others]), 2, [
    {
      ...({ position: 2, receivedAtMs: 0, target: 'span', isWhole: false, source: 'API', userId: null } as const),
      annotations: scored.flatMap(({ spanId, score }) => [
        annotation(spanId, 'quality', score!),
        annotation(spanId, 'other', 9),
      ]),
    },
  ]);
  return store;
}

const tenantOf = (span: ModelSpan) => span.tenant;
const modelOf = (span: ModelSpan) => span.modelName;
type GroupOf = (span: ModelSpan) => string | undefined;

/** Values of the metric over spans, computed in the plainest way. */
function valuesOf({ metric, aggregates }: SpanMetricQuery, spans: readonly ModelSpan[]): (number | null)[] {
  const isPriced = ({ modelName }: ModelSpan) => modelName === 'x';
  const numbers = {
    traces: () => [...new Set(spans.map(({ traceId }) => traceId))].map(() => 1),
    spans: () => spans.map(() => 1),
    errors: () => spans.flatMap(({ statusCode }) => (statusCode === 'ERROR' ? 1 : [])),
    errorRate: () => spans.map(({ statusCode }) => (statusCode === 'ERROR' ? 1 : 0)),
    latency: () => spans.map(({ latencyMs }) => latencyMs),
    tokens: () => spans.flatMap(({ tokens }) => (tokens ? Number(tokens[0]) + Number(tokens[1]) : [])),
    promptTokens: () => spans.flatMap(({ tokens }) => (tokens ? Number(tokens[0]) : [])),
    completionTokens: () => spans.flatMap(({ tokens }) => (tokens ? Number(tokens[1]) : [])),
    cost: () => spans.flatMap((span) => (isPriced(span) ? Number(span.tokens![0]) * PRICE.perToken : [])),
    annotation: () => spans.flatMap(({ score }) => score ?? []),
  }[metric]();
  return aggregates.map((aggregate) => aggregateOf(numbers, aggregate));
}

function aggregateOf(numbers: readonly number[], aggregate: SpanAggregate): number | null {
  if (aggregate === 'count') return numbers.length;
  const sum = numbers.reduce((a, b) => a + b, 0);
  if (aggregate === 'sum') return sum;
  if (numbers.length === 0) return null;
  if (aggregate === 'mean') return sum / numbers.length;
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (Number(aggregate.slice(1)) / 100) * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

function expectedResult(query: SpanMetricQuery, spans: readonly ModelSpan[], groupOf: GroupOf): SpanMetricResult {
  const counted = query.metric === 'annotation' ? spans.filter(({ score }) => score !== undefined) : spans;
  const series = (of: readonly ModelSpan[]) => ({
    spanCount: of.length,
    values: valuesOf(query, of),
    bins: query.bins ? binsOf(query, of) : [],
  });
  const total = { ...series(counted), ...(query.groupBy ? { bins: [] } : {}) };
  const named = groupBy(counted, groupOf);
  const ungrouped = query.groupBy ? (named.get(undefined) ?? []) : [];
  named.delete(undefined);
  const isShown = (value: number | null | undefined) =>
    query.aggregates[0] === 'count' || query.aggregates[0] === 'sum' ? (value ?? 0) > 0 : value !== null;
  const ranked = [...named]
    .map(([name, of]) => ({ name: name!, of, value: valuesOf(query, of)[0] }))
    .filter(({ value }) => isShown(value))
    .sort((a, b) => Number(b.value) - Number(a.value) || (a.name < b.name ? -1 : 1));
  const top = ranked.slice(0, query.groupLimit);
  const rest = [...named].filter(([name]) => !top.some((each) => each.name === name)).flatMap(([, of]) => of);
  const groupCount = ranked.length - top.length;
  return {
    total,
    groups: top.map(({ name, of }) => ({ ...series(of), name })),
    others: groupCount > 0 ? { ...series(rest), groupCount } : undefined,
    ungroupedSpanCount: ungrouped.length,
  };
}

/** A trace counts in the bin of its first span of the series, any other value in the bin of its span. */
function binsOf(query: SpanMetricQuery, spans: readonly ModelSpan[]) {
  const firstHour = (span: ModelSpan) =>
    Math.min(...spans.filter(({ traceId }) => traceId === span.traceId).map(({ hour }) => hour));
  const hourOf = (span: ModelSpan) => (query.metric === 'traces' ? firstHour(span) : span.hour);
  return [...groupBy(spans, hourOf)]
    .sort(([a], [b]) => a - b)
    .map(([hour, of]) => ({ startTimeUnixMicro: hour * 3_600_000_000, values: valuesOf(query, of) }));
}

function groupBy<Key>(spans: readonly ModelSpan[], keyOf: (span: ModelSpan) => Key): Map<Key, ModelSpan[]> {
  const groups = new Map<Key, ModelSpan[]>();
  for (const span of spans) groups.set(keyOf(span), [...(groups.get(keyOf(span)) ?? []), span]);
  return groups;
}

/** Equal but for rounding. */
function same(actual: SpanMetricResult, expected: SpanMetricResult, label: string): void {
  const rounded = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (_, part) => (typeof part === 'number' ? Number(part.toPrecision(9)) : part)));
  assert.deepEqual(rounded(actual), rounded(expected), label);
}
