import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { SPAN_KINDS, STATUS_CODES } from '../../src/semconv/span-kinds.ts';
import type { Span } from '../../src/model/spans/span.ts';
import type { SpanId, TraceId } from '../../src/model/traces/trace-ids.ts';
import { readNullableText, readText } from '../../src/columns/read-text.ts';
import { mapTextAttributes } from '../../src/columns/text-attributes.ts';
import { parseSpanFilter } from '../../src/filter/spans/parse-span-filter.ts';
import { measure, totalOf } from '../../src/span-store/contract/aggregate.ts';
import { toAttributeParts } from '../../src/span-store/contract/attribute-parts.ts';
import type { ListPosition, RootRule } from '../../src/span-store/contract/query-terms.ts';
import type { SpanStore } from '../../src/span-store/contract/span-store.ts';
import type { SpanListPage, SpanSortColumn, WholeSpanColumns } from '../../src/span-store/contract/spans.ts';
import { type Cumulative, cumulateSpans } from '../../src/span-store/read/traces/cumulate-spans.ts';
import { countRows, findLatencies, TOKEN_SUMS } from '../fixtures/aggregates.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { spanColumns, type TestSpan } from '../fixtures/span-columns.ts';
import type { OpenSpanStore } from './span-store.contract.ts';

const TRACE_A = 'a0000000000000000000000000000001';
const TRACE_B = 'b0000000000000000000000000000002';
const TRACE_C = 'c0000000000000000000000000000003';
const MS = 1_000_000n;
const HOUR = 3_600_000n * MS;

/** Sorted lists, sums, quantiles and series of `SpanStoreReader`. */
export function testSpanLists(name: string, open: OpenSpanStore): void {
  describe(`${name}: lists, aggregates and series`, () => {
    testLists(open);
    testRoots(open);
    testSessionLists(open);
    testLookUps(open);
    testFigures(open);
    testFacets(open);
    testSeries(open);
    testChanges(open);
  });
}

async function given(t: TestContext, open: OpenSpanStore, ...spans: readonly TestSpan[]): Promise<SpanStore> {
  const projects = new Map<string, number>();
  const store = await open(async (names) => {
    for (const name of names) if (!projects.has(name)) projects.set(name, projects.size + 1);
    return new Map(names.map((name) => [name, projects.get(name)!]));
  });
  t.after(() => store.close());
  if (spans.length > 0) await store.append(spanColumns(spans), 1);
  return store;
}

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');

/** Spans of a few traces with many equal times and tokens, so that ties are common. */
function randomSpans(random: SeededRandom, count: number): TestSpan[] {
  return Array.from({ length: count }, (_, i) => {
    const trace = random.below(12);
    const start = BigInt(random.below(6)) * MS + BigInt(random.below(2));
    const hasTokens = random.below(2) === 0;
    return {
      traceId: hex(trace + 1, 32),
      spanId: hex(i + 1, 16),
      // Some parents are in the same trace, some in another trace, and some are not stored.
      parentSpanId: random.below(3) === 0 ? null : hex(1 + random.below(count + 5), 16),
      project: trace < 10 ? 'one' : 'two',
      start,
      end: start + BigInt(random.below(5)) * MS,
      ...(hasTokens && { spanKind: 'LLM', tokens: [random.below(3), random.below(3)] }),
    } satisfies TestSpan;
  });
}

/** Of a span, its sums, and the spans of its trace. */
type SortValueOf = (span: TestSpan, sums: Cumulative, trace: readonly TestSpan[]) => bigint;

const SORT_VALUES: Readonly<Record<Exclude<SpanSortColumn, 'cost' | 'traceCost'>, SortValueOf>> = {
  startTime: ({ start }) => start!,
  endTime: ({ end }) => end!,
  latency: ({ start, end }) => end! - start!,
  tokensPrompt: ({ tokens }) => BigInt(tokens?.[0] ?? 0),
  tokensCompletion: ({ tokens }) => BigInt(tokens?.[1] ?? 0),
  tokensTotal: ({ tokens }) => BigInt(tokens?.[0] ?? 0) + BigInt(tokens?.[1] ?? 0),
  cumulativeTokensTotal: (_span, { tokensPrompt, tokensCompletion }) => BigInt(tokensPrompt + tokensCompletion),
  cumulativeTokensPrompt: (_span, { tokensPrompt }) => BigInt(tokensPrompt),
  cumulativeTokensCompletion: (_span, { tokensCompletion }) => BigInt(tokensCompletion),
  traceLatency(_span, _sums, trace) {
    const [starts, ends] = [trace.map(({ start }) => start!), trace.map(({ end }) => end!)];
    return ends.sort(compare).at(-1)! - starts.sort(compare)[0]!;
  },
  traceTokensTotal: (_span, _sums, trace) =>
    trace.reduce((sum, { tokens }) => sum + BigInt(tokens?.[0] ?? 0) + BigInt(tokens?.[1] ?? 0), 0n),
};

const sumsOf = (spans: readonly TestSpan[]): Cumulative[] =>
  cumulateSpans(
    spans.map(({ traceId, spanId, parentSpanId, tokens }) => ({
      traceRowId: Number.parseInt(traceId, 16),
      id: BigInt(`0x${spanId}`),
      parentId: parentSpanId ? BigInt(`0x${parentSpanId}`) : null,
      errorCount: 0,
      tokensPrompt: Number(tokens?.[0] ?? 0),
      tokensCompletion: Number(tokens?.[1] ?? 0),
    })),
  );

/** Row ids of all pages in order. */
async function walk(read: (after: ListPosition | undefined) => Promise<SpanListPage>, pageCountMax = 200) {
  const rowIds: number[] = [];
  let after: ListPosition | undefined;
  for (let page = 0; page < pageCountMax; page++) {
    const { items, nextAfter } = await read(after);
    rowIds.push(...items.map(({ span }) => span.rowId));
    if (!nextAfter) return rowIds;
    after = nextAfter;
  }
  throw new Error('the list does not end');
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

/** The root span of each trace as the contract defines it. */
function rootsOf(spans: readonly TestSpan[], rule: RootRule): Set<number> {
  const roots = new Map<string, number>();
  for (const [index, span] of spans.entries()) {
    const isStored = spans.some(({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId);
    const isRoot = span.parentSpanId === null || (rule === 'orphansToo' && !isStored);
    if (!isRoot) continue;
    const best = roots.get(span.traceId);
    if (best === undefined || span.start! <= spans[best - 1]!.start!) roots.set(span.traceId, index + 1);
  }
  return new Set(roots.values());
}

/** Spans whose texts have any length and any characters, and that miss any of them. */
function spansWithTexts(random: SeededRandom, count: number): TestSpan[] {
  const text = (): string => {
    const length = [0, 5, 12, 13, 90, 220, 900, 4_200][random.below(8)]!;
    return Array.from({ length }, () => (random.below(9) === 0 ? ['ü', '🦊', '"'][random.below(3)] : 'a')).join('');
  };
  const maybe = <Key extends string>(key: Key, value: () => unknown) =>
    random.below(2) === 0 ? { [key]: value() } : {};
  return Array.from(
    { length: count },
    (_, i): TestSpan => ({
      traceId: i % 7 === 0 ? `trace ${i}` : hex(1 + Math.floor(i / 5), 32),
      spanId: i % 11 === 0 ? `span ${i}` : hex(i + 1, 16),
      start: BigInt(random.below(1_000)),
      name: text(),
      spanKind: (['LLM', 'TOOL', 'UNKNOWN'] as const)[random.below(3)]!,
      attributes: { text: text() },
      ...maybe('parentSpanId', () => (random.below(3) === 0 ? 'a parent' : hex(1 + random.below(count), 16))),
      ...maybe('statusMessage', text),
      ...maybe('longAttributes', () => ({ long: text() })),
      ...maybe('metadata', () => ({ text: text() })),
      ...maybe('input', text),
      ...maybe('output', text),
      ...maybe('sessionId', text),
      ...maybe('modelName', text),
      ...maybe('events', () => [{ name: text(), time_unix_nano: '1', attributes: {} }]),
    }),
  );
}

/** The spans of columns, as `findSpans` returns them. */
const spansOfColumns = (columns: WholeSpanColumns): Span[] =>
  Array.from(columns.rowIds, (rowId, row) => {
    const spanKind = SPAN_KINDS[columns.spanKind[row]!]!;
    return {
      rowId,
      traceId: readText(columns.traceId, row) as TraceId,
      spanId: readText(columns.spanId, row) as SpanId,
      parentSpanId: readNullableText(columns.parentSpanId, row) as SpanId | null,
      name: readText(columns.name, row),
      spanKind,
      statusCode: STATUS_CODES[columns.statusCode[row]!]!,
      statusMessage: readText(columns.statusMessage, row),
      startTimeUnixNano: columns.startTimeUnixNano[row]!,
      endTimeUnixNano: columns.endTimeUnixNano[row]!,
      events: readNullableText(columns.events, row),
      attributeParts: toAttributeParts({
        attributes: readText(columns.attributes, row),
        longAttributes: readNullableText(columns.longAttributes, row),
        metadata: readNullableText(columns.metadata, row),
        spanKind,
        input: readNullableText(columns.input, row),
        output: readNullableText(columns.output, row),
        ...mapTextAttributes(({ field }) => readNullableText(columns[field], row)),
      }),
    };
  });

const EVERY_SPAN = parseSpanFilter('latency_ms >= 0');

function testLists(open: OpenSpanStore): void {
  test('pages of columns have the texts of whole spans, in the order of the list', async (t) => {
    const random = new SeededRandom(23);
    const store = await given(t, open, ...spansWithTexts(random, 200));
    const { items } = await store.findSpans({ projectId: 1, limit: 1_000, order: 'asc' });
    const found: Span[] = [];
    let after: ListPosition | undefined;
    do {
      const limit = 1 + random.below(100);
      const page = await store.listSpanColumns({ projectId: 1, sort: 'startTime', order: 'desc', after, limit });
      found.push(...spansOfColumns(page.columns));
      after = page.nextAfter;
    } while (after);

    const newestFirst = (a: Span, b: Span) => compare(b.startTimeUnixNano, a.startTimeUnixNano) || b.rowId - a.rowId;
    assert.deepEqual(found, items.toSorted(newestFirst));
    const none = await store.listSpanColumns({ projectId: 9, order: 'asc', limit: 5 });
    assert.deepEqual([none.columns.rowCount, none.nextAfter], [0, undefined]);
  });

  test('pages through spans in every order without skipping or repeating one', async (t) => {
    const random = new SeededRandom(11);
    const spans = randomSpans(random, 150);
    const store = await given(t, open, ...spans);
    const own = spans.flatMap((span, i) => (span.project === 'one' ? i + 1 : []));
    const sums = sumsOf(spans);
    const traceOf = (rowId: number) => spans.filter(({ traceId }) => traceId === spans[rowId - 1]!.traceId);

    for (const sort of [undefined, ...(Object.keys(SORT_VALUES) as (keyof typeof SORT_VALUES)[])]) {
      for (const order of ['asc', 'desc'] as const) {
        for (const roots of [undefined, 'parentless', 'orphansToo'] as const) {
          // Pages with a filter use another code path.
          const filter = random.below(2) === 0 ? EVERY_SPAN : undefined;
          const found = await walk((after) =>
            store.listSpans({ projectId: 1, sort, order, roots, filter, after, limit: 15 + random.below(30) }),
          );

          const sign = order === 'asc' ? 1 : -1;
          const value = (rowId: number) =>
            sort ? SORT_VALUES[sort](spans[rowId - 1]!, sums[rowId - 1]!, traceOf(rowId)) : 0n;
          const expected = own
            .filter((rowId) => roots === undefined || rootsOf(spans, roots).has(rowId))
            .sort((a, b) => sign * (compare(value(a), value(b)) || a - b));
          assert.deepEqual(found, expected, `${sort} ${order} ${roots} ${filter?.text}`);
        }
      }
    }
  });

  test('lists the spans of one trace, and those that start in a range', async (t) => {
    const store = await given(
      t,
      open,
      { traceId: TRACE_A, spanId: hex(1, 16), start: 10n },
      { traceId: TRACE_B, spanId: hex(2, 16), start: 20n },
      { traceId: TRACE_A, spanId: hex(3, 16), start: 30n },
    );
    const list = async (query: object) =>
      (await store.listSpans({ projectId: 1, order: 'asc', limit: 10, ...query })).items.map(({ span }) => span.rowId);

    assert.deepEqual(await list({ traceRowId: 1 }), [1, 3]);
    assert.deepEqual(await list({ traceRowId: 1, order: 'desc' }), [3, 1]);
    assert.deepEqual(await list({ traceRowId: 99 }), []);
    assert.deepEqual(await list({ startTimeUnixNano: 10n, endTimeUnixNano: 30n }), [1, 2]);
    assert.deepEqual(await list({ startTimeUnixNano: 20n }), [2, 3]);
    assert.deepEqual(await list({ projectId: 7 }), []);
  });

  test('returns empty lists for an empty store', async (t) => {
    const store = await given(t, open);

    assert.deepEqual(await store.listSpans({ projectId: 1, order: 'asc', limit: 1 }), { items: [] });
    assert.deepEqual(await store.listRootSpans({ projectId: 1, roots: 'orphansToo', order: 'asc', limit: 1 }), {
      items: [],
    });
    assert.deepEqual(await store.listSessions({ projectId: 1, order: 'asc', limit: 1 }), { items: [] });
  });
}

function testRoots(open: OpenSpanStore): void {
  test('pages through traces by start with their root spans, for any page size', async (t) => {
    const random = new SeededRandom(12);
    const spans = randomSpans(random, 60);
    const store = await given(t, open, ...spans);
    const startOf = (traceId: string) =>
      spans
        .filter((span) => span.traceId === traceId)
        .reduce((least, { start }) => (compare(start!, least) < 0 ? start! : least), HOUR);
    const traceRowId = new Map([...new Set(spans.map(({ traceId }) => traceId))].map((id, i) => [id, i + 1]));

    for (const roots of ['parentless', 'orphansToo'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        for (const limit of [1, 3, 100]) {
          const found = await walk((after) => store.listRootSpans({ projectId: 1, roots, order, after, limit }));

          const sign = order === 'asc' ? 1 : -1;
          const expected = [...rootsOf(spans, roots)]
            .filter((rowId) => spans[rowId - 1]!.project === 'one')
            .sort((a, b) => {
              const [x, y] = [spans[a - 1]!.traceId, spans[b - 1]!.traceId];
              return sign * (compare(startOf(x), startOf(y)) || traceRowId.get(x)! - traceRowId.get(y)!);
            });
          assert.deepEqual(found, expected, `${roots} ${order} ${limit}`);
        }
      }
    }
  });

  test('fills a page although most traces have no root span', async (t) => {
    const spans = Array.from({ length: 300 }, (_, i) => ({
      traceId: hex(i + 1, 32),
      spanId: hex(i + 1, 16),
      parentSpanId: i % 100 === 99 ? null : hex(5000, 16),
      start: BigInt(i),
    }));
    const store = await given(t, open, ...spans);

    const page = await store.listRootSpans({ projectId: 1, roots: 'parentless', order: 'asc', limit: 2 });

    assert.deepEqual(
      page.items.map(({ span }) => span.rowId),
      [100, 200],
    );
    assert.deepEqual(page.nextAfter, { rowId: 200, value: 199n });
  });
}

function testSessionLists(open: OpenSpanStore): void {
  const spans: TestSpan[] = [
    { traceId: TRACE_A, spanId: hex(1, 16), sessionId: 'first', start: 10n * MS, end: 30n * MS, input: 'hello' },
    {
      traceId: TRACE_B,
      spanId: hex(2, 16),
      sessionId: 'second',
      start: 20n * MS,
      end: 60n * MS,
      spanKind: 'LLM',
      tokens: [5, 6],
      statusCode: 'ERROR',
    },
    { traceId: TRACE_C, spanId: hex(3, 16), sessionId: 'first', start: 30n * MS, end: 40n * MS, output: 'bye' },
  ];

  test('pages through sessions in every order', async (t) => {
    const store = await given(t, open, ...spans);
    const ids = async (query: object) => {
      const found: string[] = [];
      let after: ListPosition | undefined;
      do {
        const page = await store.listSessions({ projectId: 1, order: 'asc', limit: 1, ...query, after });
        found.push(...page.items.map(({ session }) => session.sessionId));
        after = page.nextAfter;
      } while (after);
      return found;
    };

    assert.deepEqual(await ids({}), ['first', 'second']);
    assert.deepEqual(await ids({ order: 'desc' }), ['second', 'first']);
    assert.deepEqual(await ids({ sort: 'startTime', order: 'desc' }), ['second', 'first']);
    assert.deepEqual(await ids({ sort: 'endTime' }), ['first', 'second']);
    assert.deepEqual(await ids({ sort: 'tokensTotal' }), ['first', 'second']);
    assert.deepEqual(await ids({ sort: 'traceCount' }), ['second', 'first']);
    assert.deepEqual(await ids({ startTimeUnixNano: 41n * MS }), ['second'], 'that overlap the range');
    assert.deepEqual(await ids({ endTimeUnixNano: 20n * MS }), ['first']);
  });

  test('finds the spans whose texts a session shows, its failed traces and its aggregates', async (t) => {
    const store = await given(t, open, ...spans);

    assert.deepEqual(
      await store.get({ of: 'sessions', column: 'details', rowIds: [1, 2, 9] }),
      new Map([
        [1, { firstInputSpanRowId: 1, lastOutputSpanRowId: 3, failedTraceCount: 0 }],
        [2, { firstInputSpanRowId: null, lastOutputSpanRowId: null, failedTraceCount: 1 }],
      ]),
    );
    assert.deepEqual([...(await store.get({ of: 'sessions', column: 'row', rowIds: [2, 9] })).keys()], [2]);
    const measures = {
      sessionCount: measure.rows,
      durationMs: measure.mean('latencyMs'),
      meanTraceCount: measure.mean('traceCount'),
      traceCount: measure.sum('traceCount'),
      spanCount: measure.sum('spanCount'),
      latencies: measure.quantiles('latencyMs', [0, 1]),
      traceLatencies: measure.quantiles('traceLatencyMs', [0]),
      failedCount: measure.count('error'),
    };
    const sums = async (projectId: number) =>
      totalOf(await store.aggregate({ grain: 'sessions', projectId, measures }));
    const { traceLatencies, ...ofSessions } = await sums(1);
    assert.deepEqual(ofSessions, {
      startTimeUnixMicro: 0,
      sessionCount: 2,
      durationMs: 35,
      meanTraceCount: 1.5,
      traceCount: 3,
      spanCount: spans.filter(({ sessionId }) => sessionId !== undefined).length,
      latencies: [30, 40],
      failedCount: 1,
    });
    assert.equal(traceLatencies?.length, 1);
    assert.deepEqual(await sums(2), {
      startTimeUnixMicro: 0,
      sessionCount: 0,
      durationMs: null,
      meanTraceCount: null,
      traceCount: 0,
      spanCount: 0,
      latencies: null,
      traceLatencies: null,
      failedCount: 0,
    });
  });
}

function testLookUps(open: OpenSpanStore): void {
  test('reads rows and texts of spans by row id, and omits unknown row ids', async (t) => {
    const long = 'é'.repeat(30_000);
    const store = await given(t, open, {
      traceId: TRACE_A,
      spanId: 'SPAN',
      parentSpanId: hex(7, 16),
      name: 'chat',
      spanKind: 'LLM',
      statusCode: 'ERROR',
      statusMessage: 'no',
      start: 1n,
      end: 2n,
      tokens: [3, 4],
      input: long,
      inputMimeType: 'application/json',
      attributes: { a: 1 },
      events: [{ name: 'e', time_unix_nano: '1', attributes: {} }],
    });

    const rows = await store.get({ of: 'spans', column: 'row', rowIds: [1, 2] });
    const bodies = await store.get({ of: 'spans', column: 'body', rowIds: [1, 2] });

    assert.deepEqual(
      rows,
      new Map([
        [
          1,
          {
            rowId: 1,
            traceRowId: 1,
            projectId: 1,
            traceId: TRACE_A,
            spanId: 'SPAN',
            parentSpanId: hex(7, 16),
            name: 'chat',
            spanKind: 'LLM',
            statusCode: 'ERROR',
            statusMessage: 'no',
            startTimeUnixNano: 1n,
            endTimeUnixNano: 2n,
            tokensPrompt: 3,
            tokensCompletion: 4,
            input: { head: 'é'.repeat(200), mimeType: 'application/json' },
            output: null,
          },
        ],
      ]),
    );
    assert.deepEqual([...bodies.keys()], [1]);
    assert.equal(bodies.get(1)!.input, long);
    assert.equal(bodies.get(1)!.output, null);
    assert.equal(bodies.get(1)!.attributeParts[0], '{"a":1}');
    assert.equal(bodies.get(1)!.events, '[{"name":"e","time_unix_nano":"1","attributes":{}}]');
    assert.deepEqual([...(await store.get({ of: 'traces', column: 'row', rowIds: [1, 2] })).keys()], [1]);
    assert.deepEqual(await store.get({ of: 'spans', column: 'row', rowIds: [] }), new Map());
  });

  test('finds the root of a trace: the first span without a parent, the newest of several', async (t) => {
    const store = await given(
      t,
      open,
      { traceId: TRACE_A, spanId: hex(1, 16), start: 5n },
      { traceId: TRACE_A, spanId: hex(2, 16), start: 1n, parentSpanId: hex(1, 16) },
      { traceId: TRACE_A, spanId: hex(3, 16), start: 3n },
      { traceId: TRACE_A, spanId: hex(4, 16), start: 3n },
      { traceId: TRACE_B, spanId: hex(5, 16), start: 1n, parentSpanId: hex(9, 16) },
      { traceId: TRACE_C, spanId: hex(6, 16), start: 1n },
    );

    assert.deepEqual(
      await store.get({ of: 'traces', column: 'rootSpanId', rowIds: [1, 2, 3, 9] }),
      new Map([
        [1, 4],
        [3, 6],
      ]),
    );
    assert.deepEqual(await store.get({ of: 'traces', column: 'rootSpanId', rowIds: [] }), new Map());
  });

  test('finds the user of the earliest span that has one, including a number', async (t) => {
    const store = await given(
      t,
      open,
      { traceId: TRACE_A, spanId: hex(1, 16), start: 1n, sessionId: 's' },
      { traceId: TRACE_A, spanId: hex(2, 16), start: 3n, userId: 'late' },
      { traceId: TRACE_A, spanId: hex(3, 16), start: 2n, userId: 'early' },
      { traceId: TRACE_B, spanId: hex(4, 16), start: 9n, attributes: { user: { id: 42 } } },
      { traceId: TRACE_C, spanId: hex(5, 16), start: 0n, sessionId: 's', userId: 'first of all' },
    );

    assert.deepEqual(
      await store.get({ of: 'traces', column: 'user', rowIds: [1, 2, 9] }),
      new Map([
        [1, 'early'],
        [2, '42'],
      ]),
    );
    assert.deepEqual(await store.get({ of: 'sessions', column: 'user', rowIds: [1] }), new Map([[1, 'first of all']]));
    assert.deepEqual(await store.get({ of: 'traces', column: 'user', rowIds: [] }), new Map());
  });

  test('counts exceptions of failed spans by type', async (t) => {
    const exception = (type?: string) => ({
      name: 'exception',
      time_unix_nano: '1',
      attributes:
        type === undefined ? {} : { 'exception.type': type, 'exception.stacktrace': 'at line '.repeat(1_000) },
    });
    const store = await given(
      t,
      open,
      { traceId: TRACE_A, spanId: hex(1, 16), statusCode: 'ERROR', events: [exception('B'), exception('A')] },
      { traceId: TRACE_A, spanId: hex(2, 16), statusCode: 'ERROR', events: [exception('B')] },
      { traceId: TRACE_A, spanId: hex(3, 16), statusCode: 'ERROR' },
      { traceId: TRACE_A, spanId: hex(4, 16), statusCode: 'OK', events: [exception('C')] },
      { traceId: TRACE_B, spanId: hex(5, 16) },
    );

    assert.deepEqual(
      await store.get({ of: 'traces', column: 'errorTypes', rowIds: [1, 2] }),
      new Map([
        [
          1,
          [
            { exceptionType: 'B', count: 2 },
            { exceptionType: null, count: 1 },
            { exceptionType: 'A', count: 1 },
          ],
        ],
      ]),
    );
  });
}

function testFacets(open: OpenSpanStore): void {
  const query = { projectId: 1, grain: 'spans', limit: 2, metadataKeyLimit: 2 } as const;
  const span = (number: number, rest: Partial<TestSpan>): TestSpan => ({
    traceId: TRACE_A,
    spanId: hex(number, 16),
    start: BigInt(number) * MS,
    name: 'step',
    ...rest,
  });
  const spans = [
    span(1, { userId: 'ann', metadata: { topic: 'a "b"', count: 3, '$.x': true, 'a/b': 'odd' } }),
    span(2, { userId: 'bob', parentSpanId: hex(1, 16), metadata: { topic: 'refund', count: 3, list: [1] } }),
    span(3, { userId: 'ann', spanKind: 'LLM', modelName: 'm', metadata: { topic: 'refund' } }),
    span(4, { statusCode: 'ERROR', name: 'other', sessionId: 's' }),
    span(5, { name: 'third', metadata: 'no JSON' }),
    { ...span(6, { userId: 'eve' }), traceId: TRACE_C, project: 'two' },
  ];

  test('counts the values of spans, the most frequent first', async (t) => {
    const store = await given(t, open, ...spans);
    const text = (value: string, count: number) => ({ value, isText: true, count });

    assert.deepEqual(await store.findFacets(query), {
      rowCount: 5,
      isNewestOnly: false,
      facets: [
        { field: 'status', key: null, values: [text('UNSET', 4), text('ERROR', 1)] },
        { field: 'errorInTrace', key: null, values: [{ value: 'True', isText: false, count: 5 }] },
        { field: 'kind', key: null, values: [text('UNKNOWN', 4), text('LLM', 1)] },
        { field: 'name', key: null, values: [text('step', 3), text('other', 1)] },
        { field: 'model', key: null, values: [text('m', 1)] },
        { field: 'user', key: null, values: [text('ann', 2), text('bob', 1)] },
        { field: 'session', key: null, values: [text('s', 1)] },
        { field: 'metadata', key: 'count', values: [{ value: '3', isText: false, count: 2 }] },
        { field: 'metadata', key: 'topic', values: [text('refund', 2), text('a "b"', 1)] },
      ],
    });
  });

  test('counts facets within the range and the filter, by root spans or traces', async (t) => {
    const store = await given(t, open, ...spans);
    const users = async (part: object) => {
      const { facets } = await store.findFacets({ ...query, ...part });
      return facets.find(({ field }) => field === 'user')?.values.map(({ value, count }) => [value, count]);
    };

    assert.deepEqual(await users({ endTimeUnixNano: 3n * MS }), [
      ['ann', 1],
      ['bob', 1],
    ]);
    assert.deepEqual(await users({ grain: 'rootSpans' }), [['ann', 1]]);
    assert.deepEqual(await users({ grain: 'traces' }), [
      ['ann', 1],
      ['bob', 1],
    ]);
    assert.deepEqual(await users({ filter: parseSpanFilter("span_kind == 'LLM'") }), [['ann', 1]]);
    assert.equal(await users({ startTimeUnixNano: HOUR }), undefined);
    assert.deepEqual(await users({ projectId: 2 }), [['eve', 1]]);
  });
}

function testFigures(open: OpenSpanStore): void {
  const spans: TestSpan[] = [
    { traceId: TRACE_A, spanId: hex(1, 16), start: 0n, end: 10n * MS },
    { traceId: TRACE_A, spanId: hex(2, 16), start: 5n * MS, end: 8n * MS, spanKind: 'LLM', tokens: [1, 2] },
    { traceId: TRACE_B, spanId: hex(3, 16), start: 7n * MS, end: 27n * MS, spanKind: 'LLM', tokens: [10, 20] },
    { traceId: TRACE_C, spanId: hex(4, 16), start: 100n * MS, end: 200n * MS, project: 'two' },
  ];

  test('aggregates projects', async (t) => {
    const store = await given(t, open, ...spans);

    assert.deepEqual(
      await store.aggregate({
        grain: 'traces',
        projects: { only: [1, 3] },
        groupBy: ['projectId'],
        measures: {
          ...TOKEN_SUMS,
          traceCount: measure.rows,
          spanCount: measure.sum('spanCount'),
          firstStart: measure.earliest('startTime'),
          lastStart: measure.latest('startTime'),
          lastEnd: measure.latest('endTime'),
        },
      }),
      [
        {
          ...{
            projectId: 1,
            startTimeUnixMicro: 0,
            traceCount: 2,
            spanCount: 3,
            tokensPrompt: 11,
            tokensCompletion: 22,
          },
          ...{ firstStart: 0n, lastStart: 7n * MS, lastEnd: 27n * MS },
        },
      ],
    );
  });

  test('counts the spans of projects by the day of their traces, older ones on the first day', async (t) => {
    const day = 86_400_000n * MS;
    const store = await given(
      t,
      open,
      ...spans,
      { traceId: 'd'.repeat(32), spanId: hex(5, 16), start: 3n * day - 1n, end: 3n * day },
      { traceId: 'e'.repeat(32), spanId: hex(6, 16), start: 5n * day, end: 5n * day, project: 'two' },
    );

    const counts = await store.aggregate({
      grain: 'traces',
      groupBy: ['projectId'],
      measures: { spanCount: measure.sum('spanCount') },
      bins: { scale: 'DAY', scaleCount: 1, intervals: atOffset(0), range: { startTimeUnixNano: 2n * day } },
    });

    const dayMicro = Number(day / 1_000n);
    assert.deepEqual(
      counts.sort((a, b) => a.projectId - b.projectId || a.startTimeUnixMicro - b.startTimeUnixMicro),
      [
        { projectId: 1, startTimeUnixMicro: 2 * dayMicro, spanCount: 4 },
        { projectId: 2, startTimeUnixMicro: 2 * dayMicro, spanCount: 1 },
        { projectId: 2, startTimeUnixMicro: 5 * dayMicro, spanCount: 1 },
      ],
    );
  });

  test('counts spans by their own start, traces and tokens by the trace', async (t) => {
    const store = await given(t, open, ...spans);
    const range = { projectId: 1, startTimeUnixNano: 5n * MS, endTimeUnixNano: 100n * MS };

    assert.equal(await countRows(store, 'spans', { projectId: 1 }), 3);
    assert.equal(await countRows(store, 'spans', {}), 4);
    assert.equal(await countRows(store, 'spans', range), 2);
    assert.equal(await countRows(store, 'spans', { projectId: 9 }), 0);
    const sums = (rows: { readonly projectId: number }) =>
      store.aggregate({ ...rows, grain: 'traces', measures: { ...TOKEN_SUMS, traceCount: measure.rows } });
    assert.deepEqual(await sums(range), [
      { startTimeUnixMicro: 0, traceCount: 1, tokensPrompt: 10, tokensCompletion: 20 },
    ]);
    assert.deepEqual(await sums({ projectId: 9 }), [
      { startTimeUnixMicro: 0, traceCount: 0, tokensPrompt: 0, tokensCompletion: 0 },
    ]);
  });

  test('sums the matching spans of traces in the range, and counts those that start in it', async (t) => {
    const store = await given(t, open, ...spans);
    const sums = (text: string | undefined, endTimeUnixNano: bigint) =>
      store.aggregate({
        ...{ grain: 'traces', projectId: 1, startTimeUnixNano: 0n, endTimeUnixNano, ofMatchingSpans: true },
        filter: text === undefined ? undefined : parseSpanFilter(text),
        measures: {
          ...TOKEN_SUMS,
          traceCount: measure.rows,
          spanCount: measure.sum('spanCount'),
          latencies: measure.quantiles('latencyMs', [1]),
        },
      });
    const row = { startTimeUnixMicro: 0, traceCount: 1, tokensPrompt: 1, tokensCompletion: 2, latencies: [10] };

    assert.deepEqual(await sums("span_kind == 'LLM'", 6n * MS), [{ ...row, spanCount: 1 }]);
    assert.deepEqual(await sums("span_kind == 'LLM'", 1n * MS), [{ ...row, spanCount: 0 }]);
    assert.deepEqual(await sums("span_kind != 'LLM'", 6n * MS), [
      { ...row, tokensPrompt: 0, tokensCompletion: 0, spanCount: 1 },
    ]);
    assert.deepEqual(await sums(undefined, 6n * MS), [{ ...row, spanCount: 2 }]);
  });

  test('interpolates quantiles of durations', async (t) => {
    const store = await given(t, open, ...spans);

    assert.deepEqual(await findLatencies(store, 'traces', { projectId: 1 }, [0, 0.25, 1]), [10, 12.5, 20]);
    assert.deepEqual(await findLatencies(store, 'spans', { projectId: 1 }, [0.5]), [10]);
    assert.equal(await findLatencies(store, 'traces', { projectId: 9 }, [0, 1]), null);
  });

  test('accepts spans whose durations exceed int64', async (t) => {
    const first = -(2n ** 63n);
    const last = 2n ** 63n - 1n;
    const store = await given(
      t,
      open,
      { traceId: TRACE_A, spanId: '1'.repeat(16), start: first, end: last },
      { traceId: TRACE_A, spanId: '2'.repeat(16), start: last, end: first },
    );

    const quantiles = await findLatencies(store, 'spans', { projectId: 1 }, [0, 1]);
    const skeleton = (await store.get({ of: 'traces', column: 'skeleton', rowIds: [1] })).get(1)!;

    assert.deepEqual(quantiles, [-(2 ** 63) / 1e6, 2 ** 63 / 1e6]);
    assert.deepEqual([...skeleton.offsetsMs], [0, 2 ** 64 / 1e6]);
    assert.deepEqual([...skeleton.latenciesMs], [2 ** 64 / 1e6, -(2 ** 64) / 1e6]);
  });
}

function testSeries(open: OpenSpanStore): void {
  const at = (text: string) => BigInt(Date.parse(text)) * MS;
  const micro = (text: string) => Date.parse(text) * 1_000;

  test('bins spans and traces by start', async (t) => {
    const start = at('2026-03-02T08:59:59.999Z');
    const store = await given(
      t,
      open,
      {
        traceId: TRACE_A,
        spanId: hex(1, 16),
        start,
        end: start + 4n * MS,
        statusCode: 'ERROR',
        spanKind: 'LLM',
        tokens: [1, 2],
      },
      { traceId: TRACE_A, spanId: hex(2, 16), start: start + MS, end: start + MS, statusCode: 'OK' },
      { traceId: TRACE_B, spanId: hex(3, 16), start: start + MS, end: start + 3n * MS },
    );
    const query = { projectId: 1, startTimeUnixNano: 0n } as const;
    const bins = (scale: 'HOUR' | 'DAY' | 'YEAR') => ({ scale, scaleCount: 1, intervals: atOffset(0) });
    const statuses = { ok: measure.count('ok'), error: measure.count('error'), unset: measure.count('unset') };
    const counts = { ...TOKEN_SUMS, traceCount: measure.rows, failedCount: measure.count('error') };
    const latencies = { latencies: measure.quantiles('latencyMs', [0.5, 1]) };

    assert.deepEqual(await store.aggregate({ ...query, grain: 'spans', measures: statuses, bins: bins('HOUR') }), [
      { startTimeUnixMicro: micro('2026-03-02T08:00Z'), ok: 0, error: 1, unset: 0 },
      { startTimeUnixMicro: micro('2026-03-02T09:00Z'), ok: 1, error: 0, unset: 1 },
    ]);
    assert.deepEqual(await store.aggregate({ ...query, grain: 'traces', measures: counts, bins: bins('DAY') }), [
      {
        startTimeUnixMicro: micro('2026-03-02T00:00Z'),
        traceCount: 2,
        failedCount: 1,
        tokensPrompt: 1,
        tokensCompletion: 2,
      },
    ]);
    assert.deepEqual(await store.aggregate({ ...query, grain: 'traces', measures: latencies, bins: bins('YEAR') }), [
      { startTimeUnixMicro: micro('2026-01-01T00:00Z'), latencies: [3, 4] },
    ]);
  });

  test('bins local time, including times before 1970', async (t) => {
    const store = await given(t, open, { traceId: TRACE_A, spanId: hex(1, 16), start: -1n, end: 0n });
    const bin = async (scale: 'MINUTE' | 'DAY' | 'WEEK' | 'MONTH', utcOffsetMinutes: number, scaleCount = 1) => {
      const bins = { scale, scaleCount, intervals: atOffset(utcOffsetMinutes) };
      const [first] = await store.aggregate({ grain: 'spans', projectId: 1, bins, measures: { count: measure.rows } });
      return new Date(first!.startTimeUnixMicro / 1_000).toISOString();
    };

    assert.equal(await bin('MINUTE', 0), '1969-12-31T23:59:00.000Z');
    assert.equal(await bin('DAY', 0), '1969-12-31T00:00:00.000Z');
    assert.equal(await bin('DAY', 330), '1969-12-31T18:30:00.000Z');
    assert.equal(await bin('DAY', -540), '1969-12-31T09:00:00.000Z');
    assert.equal(await bin('WEEK', 0), '1969-12-29T00:00:00.000Z');
    assert.equal(await bin('MONTH', 60), '1969-12-31T23:00:00.000Z');
    assert.equal(await bin('MINUTE', 0, 15), '1969-12-31T23:45:00.000Z');
    assert.equal(await bin('DAY', -540, 2), '1969-12-30T09:00:00.000Z');
    assert.equal(await bin('WEEK', 0, 2), '1969-12-22T00:00:00.000Z');
  });
}

function testChanges(open: OpenSpanStore): void {
  test('returns the time of the last change of a project; a deletion changes all projects', async (t) => {
    const store = await given(t, open);
    assert.equal(await store.lastChangedAt(), undefined);

    await store.append(spanColumns([{ traceId: TRACE_A, spanId: hex(1, 16) }]), 1);
    const stored = await store.lastChangedAt(1);
    assert.ok(stored !== undefined && stored > 0);
    assert.equal(await store.lastChangedAt(), stored);
    assert.equal(await store.lastChangedAt(2), undefined);

    await store.append(spanColumns([{ traceId: TRACE_A, spanId: hex(1, 16) }]), 2);
    assert.equal(await store.lastChangedAt(1), stored, 'a span that was there already changes nothing');

    await store.delete({ what: 'spans', rowIds: [1] }, 3);
    const deleted = await store.lastChangedAt(2);
    assert.ok(deleted !== undefined && deleted > stored);
    assert.equal(await store.lastChangedAt(1), deleted);
  });
}

const atOffset = (minutes: number) => [{ beforeMs: Infinity, offsetMs: minutes * 60_000 }];
