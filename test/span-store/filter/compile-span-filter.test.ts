import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ExactJson, toExactJsonText } from '../../../src/base/exact-json.ts';
import { silentLog } from '../../../src/base/log.ts';
import { ANNOTATION_TARGETS } from '../../../src/model/annotations/annotation.ts';
import type { SpanBody } from '../../../src/model/spans/span.ts';
import { matchesSpan } from '../../../src/filter/spans/evaluate-span-filter.ts';
import { parseSpanFilter } from '../../../src/filter/spans/parse-span-filter.ts';
import type { SpanView } from '../../../src/filter/spans/span-view.ts';
import { type Random, randomFilterText, randomFrom, randomSpan, TEXTS } from '../../filter/random-filters.ts';
import { measure } from '../../../src/span-store/contract/aggregate.ts';
import type { ListPosition } from '../../../src/span-store/contract/query-terms.ts';
import type { SpanStore } from '../../../src/span-store/contract/span-store.ts';
import { openSpanStore } from '../../../src/span-store/open-span-store.ts';
import { attributesOf } from '../../../src/api/graphql/spans/span-attributes.ts';
import { countRows, findLatencies } from '../../fixtures/aggregates.ts';
import { spanColumns, type TestSpan } from '../../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../../fixtures/test-folder.ts';
import { untilIndexed } from '../until-indexed.ts';

const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
const SPAN_COUNT = 300;
const FILTER_COUNT = Number(process.env.FILTER_COUNT ?? 300);
const PROJECT = 1;

describe(`span filters in SQL (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  let store: SpanStore;
  let dir: string;
  let views: ReadonlyMap<number, SpanView>;

  before(async () => {
    dir = await mkdtemp(join(TEST_FOLDER, 'span-filter-'));
    const resolveProjects = async (names: readonly string[]) =>
      new Map(names.map((name) => [name, name === 'default' ? PROJECT : 2]));
    store = await openSpanStore({ dir, resolveProjects, log: silentLog, blockRowCount: 8 });
    views = await fill(store, random);
    await untilIndexed(store);
  });
  after(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });

  const select = async (text: string): Promise<number[]> => {
    const filter = parseSpanFilter(text);
    const { items } = await store.listSpans({ projectId: PROJECT, order: 'asc', limit: 1_000, filter });
    return items.map(({ span }) => span.rowId);
  };
  const expected = (text: string): number[] => {
    const filter = parseSpanFilter(text);
    return [...views].flatMap(([rowId, view]) => (!filter || matchesSpan(filter, view) ? rowId : []));
  };

  test(`${FILTER_COUNT} random filters select the same spans as the evaluator`, async () => {
    for (let index = 0; index < FILTER_COUNT; index++) {
      const text = withKnownKeys(randomFilterText(random, 2), random);
      assert.deepEqual(await select(text), expected(text), text);
    }
  });

  for (const text of [
    "input.value == 'short'",
    "not (input.value == 'short')",
    "'NEEDLE' in input.value",
    "'needle' not in output.value",
    "'needle' in plain",
    'plain is None',
    "plain != 'a'",
    "not (plain == 'a')",
    "user.id in ['u1', '17']",
    'float(session.id) == 17',
    "openinference.span.kind == 'LLM'",
    'attributes["input"] is not None',
    "'mime' in attributes['input']",
    'metadata is None',
    "'k' in metadata",
    'parent_span is None and parent_id is not None',
    "trace_id == 'a'",
    "trace_id in ['a', 'A'] or trace_id > 'z'",
    "'00' in trace_id",
    'cumulative_token_count.total > 100',
    'cumulative_token_count.prompt % 3 == 1 and parent_id is None',
    "annotations['quality'].score > 0 and trace_annotations['quality'].label is None",
    "not annotations['quality']",
    "annotations['quality'].label == 'a' or annotations['quality'].score < 1",
    "start_time < '2026-03-02T08:00:01Z'",
    'latency_ms / 0 > 1',
    'attributes["custom"]["k*"] == 1',
    "attributes[''][''] == 'x'",
  ]) {
    test(`${text} selects the same spans as the evaluator`, async () => {
      assert.deepEqual(await select(text), expected(text));
    });
  }

  test('no text of a filter becomes SQL', async () => {
    for (const evil of EVIL_TEXTS) {
      const quoted = JSON.stringify(evil);
      for (const text of [
        `name == ${quoted}`,
        `${quoted} in name`,
        `${quoted} in custom.x`,
        `attributes[${quoted}] == ${quoted}`,
        `attributes[${quoted}][${quoted}] is None`,
        `metadata[${quoted}] in [${quoted}, "b"]`,
        `annotations[${quoted}].label == ${quoted}`,
        `trace_annotations[${quoted}]`,
        `trace_id == ${quoted} or span_id == ${quoted}`,
        `str(attributes[["custom", ${quoted}, 0]]) + ${quoted} < ${quoted}`,
        `float(attributes[${quoted}]) > 1`,
      ]) {
        assert.deepEqual(await select(text), expected(text), text);
      }
    }
    assert.equal((await store.stats()).spanCount, SPAN_COUNT + 1);
  });

  test('pages by start time contain the same spans as pages by row id', async () => {
    for (const text of [
      "name != 'a'",
      "'e' in input.value",
      "annotations['quality'].score > 0",
      "plain == 'a' or plain is None",
    ]) {
      for (const order of ['asc', 'desc'] as const) {
        const filter = parseSpanFilter(text);
        const listed: number[] = [];
        for (let after: ListPosition | undefined, isFirst = true; isFirst || after; isFirst = false) {
          const query = { projectId: PROJECT, order, sort: 'startTime', limit: 7, filter, after } as const;
          const page = await store.listSpans(query);
          listed.push(...page.items.map(({ span }) => span.rowId));
          after = page.nextAfter;
        }
        const sign = order === 'asc' ? 1 : -1;
        const startOf = (rowId: number) => views.get(rowId)!.startTimeUnixNano;
        const sorted = expected(text).sort((a, b) => sign * (Number(startOf(a) - startOf(b)) || a - b));
        assert.deepEqual(listed, sorted, `${text} ${order}`);
      }
    }
  });

  test('a filter selects a subset of the listed root spans', async () => {
    for (const roots of ['parentless', 'orphansToo'] as const) {
      for (const sort of [undefined, 'startTime', 'latency'] as const) {
        const query = { projectId: PROJECT, order: 'asc', limit: 1_000, roots, sort } as const;
        const all = await store.listSpans(query);
        for (const text of ["name != 'a'", 'latency_ms > 1', "annotations['quality'].score > 0"]) {
          const { items } = await store.listSpans({ ...query, filter: parseSpanFilter(text) });
          const selected = new Set(expected(text));
          const wanted = all.items.filter(({ span }) => selected.has(span.rowId));
          assert.deepEqual(items, wanted, `${text} ${roots} ${sort}`);
        }
      }
    }
  });

  test('counts, sums, quantiles and bins include only the selected spans', async () => {
    for (const text of [
      "name == 'a'",
      "name == 'no span has this'",
      "'needle' in input.value",
      "annotations['quality'].score > 0",
      'latency_ms > 1',
    ]) {
      const filter = parseSpanFilter(text);
      const matching = expected(text).map((rowId) => views.get(rowId)!);
      const query = { projectId: PROJECT, filter };
      assert.equal(await countRows(store, 'spans', query), matching.length, text);
      const traceIds = new Set(matching.map(({ traceId }) => traceId));
      assert.equal(await countRows(store, 'traces', query), traceIds.size, text);
      const latencies = matching.map((view) => Number(view.endTimeUnixNano - view.startTimeUnixNano) / 1e6);
      const [greatest] = (await findLatencies(store, 'spans', query, [1])) ?? [];
      assert.equal(greatest, latencies.length === 0 ? undefined : Math.max(...latencies), text);
      const hours = await store.aggregate({
        ...query,
        grain: 'spans',
        measures: { count: measure.rows },
        bins: { scale: 'HOUR', scaleCount: 1, intervals: [{ beforeMs: Infinity, offsetMs: 0 }] },
      });
      const total = hours.reduce((sum, { count }) => sum + count, 0);
      assert.equal(total, matching.length, text);
    }
  });
});

const EVIL_TEXTS = [
  "'",
  "''",
  "'; DROP TABLE store.spans; --",
  "x' OR 1=1 --",
  '") OR true --',
  '$1',
  '$.*',
  '$."a"',
  '*',
  '**',
  '?',
  '\\',
  "\\'",
  '"',
  '`',
  '%',
  '_',
  '{}',
  '[0]',
  '#-1',
  '/',
  '~0',
  '~1/~',
  "E'\\x27'",
  '$' + '{1}',
  'annotation_0_row',
  'SELECT * FROM store.spans',
  '/* */ UNION SELECT 1',
  'a\nb',
  'é\u2028🚀',
  '%s%n',
  'NULL',
];

/** Filters also name attributes with their own columns. */
function withKnownKeys(text: string, random: Random): string {
  const keys = [
    'input.value',
    'output.value',
    'user.id',
    'session.id',
    'llm',
    'openinference.span.kind',
    'input.mime_type',
  ];
  return text.replaceAll(/custom\.x|no\.such\.attribute/g, () => random.pick(keys));
}

async function fill(store: SpanStore, random: Random): Promise<Map<number, SpanView>> {
  const idOf = (index: number) => (index % 7 === 0 ? `span ${index}` : (index + 1).toString(16).padStart(16, '0'));
  const made = Array.from({ length: SPAN_COUNT }, (_, index) => {
    const view = randomSpan(random);
    const parent = random.below(3 * SPAN_COUNT);
    const parentId = view.parentId === null ? null : parent < SPAN_COUNT ? idOf(parent) : 'ffffffffffffffff';
    const traceId = random.chance(0.2)
      ? random.pick(TEXTS.filter((text) => text !== ''))
      : `${random.below(9)}`.padStart(32, '0');
    return { view, span: toTestSpan({ ...view, spanId: idOf(index), traceId, parentId }, random) };
  });
  const spans = made.map(({ span }) => span);
  await store.append(spanColumns([...spans, { traceId: 'f'.repeat(32), spanId: 'e'.repeat(16), project: 'other' }]), 1);
  const traceIds = [...new Set(spans.map(({ traceId }) => traceId))];
  const traceAnnotations = new Map(traceIds.map((id) => [id, randomSpan(random).traceAnnotations]));
  const rowsOf = (targetId: string, rows: SpanView['annotations']) =>
    rows.map((row, index) => ({
      ...row,
      targetId,
      documentPosition: null,
      identifier: String(index),
      annotatorKind: 'HUMAN' as const,
      metadata: '{}',
    }));
  const batches = [
    ['span', made.flatMap(({ view, span }) => rowsOf(span.spanId, view.annotations))],
    ['trace', traceIds.flatMap((id) => rowsOf(id, traceAnnotations.get(id)!))],
  ] as const;
  for (const [index, [target, annotations]] of batches.entries()) {
    assert.ok(ANNOTATION_TARGETS.includes(target));
    const batch = { target, annotations, isWhole: false, source: 'API', userId: null } as const;
    await store.append(spanColumns([]), 2 + index, [{ ...batch, position: 2 + index, receivedAtMs: 1 }]);
  }
  const { items } = await store.listSpans({ projectId: PROJECT, order: 'asc', limit: 1_000 });
  const bodies = await store.get({ of: 'spans', column: 'body', rowIds: items.map(({ span }) => span.rowId) });
  const summaries = await store.get({
    of: 'traces',
    column: 'spans',
    rowIds: [...new Set(items.map(({ span }) => span.traceRowId))],
  });
  const summaryOf = new Map([...summaries.values()].flat().map((summary) => [summary.rowId, summary]));
  const spanIds = new Set<string>(items.map(({ span }) => span.spanId));
  return new Map(
    items.map(({ span }, index) => {
      const summary = summaryOf.get(span.rowId)!;
      const view: SpanView = {
        ...span,
        parentId: span.parentSpanId,
        hasParentSpan: span.parentSpanId !== null && spanIds.has(span.parentSpanId),
        cumulativeTokensPrompt: summary.cumulativeTokensPrompt,
        cumulativeTokensCompletion: summary.cumulativeTokensCompletion,
        attributes: attributesOf(bodies.get(span.rowId) as SpanBody),
        annotations: made[index]!.view.annotations,
        traceAnnotations: traceAnnotations.get(span.traceId)!,
      };
      return [span.rowId, view];
    }),
  );
}

const LONG_TEXTS = [
  `${'x'.repeat(250)} NeedLe`,
  `${'é'.repeat(3_000)}needle${'z'.repeat(3_000)}`,
  `${'w'.repeat(9_000)}`,
];

/**
 * Columns as the decoder fills them: long attributes, and those with their own columns, are not among the attributes.
 */
function toTestSpan(view: SpanView, random: Random): TestSpan {
  const attributes = { ...(view.attributes as Record<string, ExactJson>) };
  const some = (...texts: readonly string[]) => (random.chance(0.4) ? random.pick([...texts, ...TEXTS]) : undefined);
  const { metadata } = attributes;
  const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  if (isObject) delete attributes.metadata;
  const long: Record<string, string> = {};
  for (const key of ['plain', 'zero']) {
    if (!random.chance(0.2)) continue;
    delete attributes[key];
    long[key] = random.pick(LONG_TEXTS);
  }
  const hasNumberAsSession = random.chance(0.1);
  if (hasNumberAsSession) attributes.session = { id: 17 };
  if (random.chance(0.1)) attributes.user = { id: random.pick([1, true, 2.5]) };
  if (random.chance(0.1)) attributes.input = { value: random.pick([0, false]) };
  if (random.chance(0.1)) attributes[''] = { '': 'x' };
  const model = takeModelName(attributes, some('gpt'));
  const hasTokens = view.spanKind === 'LLM';
  const of = <Key extends string>(key: Key, value: string | undefined) =>
    (value === undefined ? {} : { [key]: value }) as { readonly [key in Key]?: string };
  return {
    traceId: view.traceId,
    spanId: view.spanId,
    parentSpanId: view.parentId,
    project: 'default',
    name: view.name,
    spanKind: view.spanKind,
    statusCode: view.statusCode,
    statusMessage: view.statusMessage,
    start: view.startTimeUnixNano,
    end: view.endTimeUnixNano,
    attributes: toExactJsonText(withoutWideNumbers(attributes)),
    ...(Object.keys(long).length > 0 && { longAttributes: long }),
    ...(isObject && { metadata: toExactJsonText(withoutWideNumbers(metadata)) }),
    ...(hasTokens && { tokens: [random.below(100), random.below(100)] as const }),
    ...of('sessionId', hasNumberAsSession ? '17' : some('s1')),
    ...('user' in attributes ? {} : of('userId', some('u1'))),
    ...('input' in attributes
      ? {}
      : { ...of('input', some('short', ...LONG_TEXTS)), ...of('inputMimeType', some('text/plain')) }),
    ...of('output', some('short', ...LONG_TEXTS)),
    ...of('modelName', model),
  };
}

/** A model name that is text is only in its column; another value is only among the attributes. */
function takeModelName(attributes: Record<string, ExactJson>, orElse: string | undefined): string | undefined {
  const { llm } = attributes;
  if (llm === undefined) return orElse;
  if (typeof llm !== 'object' || llm === null || Array.isArray(llm)) return undefined;
  const { model_name: name, ...others } = llm as Record<string, ExactJson>;
  if (name === undefined) return orElse;
  if (typeof name !== 'string') return undefined;
  attributes.llm = others;
  return name;
}

/** DuckDB writes numbers with an exponent differently. */
function withoutWideNumbers(value: ExactJson): ExactJson {
  if (typeof value === 'number') return value >= 1e21 ? 7 : value;
  if (Array.isArray(value)) return value.map(withoutWideNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutWideNumbers(inner)]));
}
