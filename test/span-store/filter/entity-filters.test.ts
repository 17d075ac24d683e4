import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { silentLog } from '../../../src/base/log.ts';
import { parseSessionFilter, parseTraceFilter } from '../../../src/filter/entities/parse-entity-filter.ts';
import type { SpanStore } from '../../../src/span-store/contract/span-store.ts';
import { openSpanStore } from '../../../src/span-store/open-span-store.ts';
import { countRows } from '../../fixtures/aggregates.ts';
import { spanColumns, type TestSpan } from '../../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../../fixtures/test-folder.ts';

const T = 1_772_438_400_000_000_000n; // 2026-03-02T08:00:00Z
const SECOND = 1_000_000_000n;
const LONG = `needle ${'x'.repeat(5_000)}`;

/** Session `one` has traces `a` and `b`, `two` has `c`; `d` has an orphan for its root and no session. */
const SPANS: readonly TestSpan[] = [
  {
    traceId: 'a',
    spanId: 'a1',
    sessionId: 'one',
    start: T,
    end: T + 3n * SECOND,
    name: 'root a',
    spanKind: 'AGENT',
    input: 'Where is my refund?',
    output: LONG,
    userId: 'ann',
    metadata: { tier: 'pro', nested: { n: 3 } },
  },
  {
    traceId: 'a',
    spanId: 'a2',
    parentSpanId: 'a1',
    sessionId: 'one',
    start: T + SECOND,
    end: T + 2n * SECOND,
    name: 'tool',
    spanKind: 'TOOL',
    statusCode: 'ERROR',
  },
  {
    traceId: 'a',
    spanId: 'a3',
    parentSpanId: 'a1',
    sessionId: 'one',
    start: T + SECOND,
    end: T + 3n * SECOND,
    name: 'llm',
    spanKind: 'LLM',
    tokens: [10, 5],
  },
  {
    traceId: 'b',
    spanId: 'b1',
    sessionId: 'one',
    start: T + 10n * SECOND,
    end: T + 11n * SECOND,
    name: 'root b',
    spanKind: 'LLM',
    tokens: [1, 2],
    input: 'Thanks',
    output: 'Bye',
    modelName: 'm',
    attributes: { llm: { token_count: { prompt: 1_000, completion: 500 } } },
  },
  {
    traceId: 'c',
    spanId: 'c1',
    sessionId: 'two',
    start: T + 20n * SECOND,
    end: T + 20n * SECOND,
    name: 'root c',
    userId: 'bob',
  },
  {
    traceId: 'd',
    spanId: 'd1',
    parentSpanId: 'gone',
    start: T + 30n * SECOND,
    end: T + 31n * SECOND,
    name: 'orphan',
    input: 'lost',
  },
  {
    traceId: 'd',
    spanId: 'd2',
    parentSpanId: 'gone',
    start: T + 31n * SECOND,
    end: T + 32n * SECOND,
    name: 'orphan 2',
  },
];

const SESSIONS: Readonly<Record<string, readonly string[]>> = {
  'session_id == "one"': ['one'],
  'num_traces >= 1': ['one', 'two'],
  'num_traces_with_error == 1': ['one'],
  'duration_ms == 11000': ['one'],
  'start_time > "2026-03-02T08:00:19Z"': ['two'],
  '"REFUND" in first_input': ['one'],
  'last_output == "Bye"': ['one'],
  'first_input is None': ['two'],
  '"needle" in any_output and "thanks" in any_input': ['one'],
  '"lost" not in any_input': ['one', 'two'],
  'token_count_prompt == 11 and token_count_completion == 7 and token_count_total == 18': ['one'],
  'tool_span_count == 1 and llm_span_count == 2': ['one'],
  'total_cost == 0': ['two'],
  'prompt_cost == 1 and completion_cost == 1 and total_cost == 2': ['one'],
  'any(d.token_type == "output" and not d.is_prompt and d.cost == 1 for d in span_cost_details)': ['one'],
  'user.id == "bob"': ['two'],
  'metadata["tier"] == "pro" and attributes["metadata.nested.n"] == 3': ['one'],
  'any(s.span_kind == "TOOL" and s.status_code == "ERROR" for s in spans)': ['one'],
  'all(t.latency_ms == 0 for t in traces)': ['two'],
  'any(any(s.llm_token_count_total == 15 for s in t.spans) for t in traces)': ['one'],
  'len([s for s in spans if s.latency_ms > 500]) == 4': ['one'],
  'sum(s.llm_token_count_prompt for s in spans) == 11': ['one'],
  'session_annotations["helpful"].score > 0.5': ['two'],
  'not session_annotations["helpful"]': ['one'],
  'any(a.name == "quality" and a.label == "bad" for a in span_annotations)': ['one'],
  'len([d for d in span_cost_details]) == 0': ['two'],
};

const TRACES: Readonly<Record<string, readonly string[]>> = {
  'trace_id == "a"': ['a1'],
  'error_count > 0 and latency_ms == 3000': ['a1'],
  'num_spans == 2': ['d1'],
  '"LOST" in input': ['d1'],
  '"needle" in output': ['a1'],
  'user.id is not None': ['a1', 'c1'],
  'token_count_total == 3': ['b1'],
  'any(s.parent_span is not None and s.parent_span.span_kind == "AGENT" for s in spans)': ['a1'],
  'any(s.parent_id == "gone" and s.parent_span is None for s in spans)': ['d1'],
  'any(len([c for c in s.children]) == 2 for s in spans)': ['a1'],
  'any(any(o.name == "tool" for o in s.siblings) for s in spans)': ['a1'],
  'any(s.cumulative_llm_token_count_total == 15 and s.parent_id is None for s in spans)': ['a1'],
  'max(s.start_time for s in spans) == "2026-03-02T08:00:31Z"': ['d1'],
  'any(any(a.label == "bad" for a in s.annotations) for s in spans)': ['a1'],
  'prompt_cost == 1 and any(any(d.cost_per_token == 0.002 for d in s.cost_details) for s in spans)': ['b1'],
  'trace_annotations["good"].label == "yes"': ['b1'],
  'start_time >= "2026-03-02T08:00:20Z"': ['c1', 'd1'],
};

describe('filters of sessions and traces on the store', () => {
  let store: SpanStore;
  let dir: string;

  before(async () => {
    dir = await mkdtemp(join(TEST_FOLDER, 'entity-filters-'));
    const resolveProjects = async (names: readonly string[]) => new Map(names.map((name) => [name, 1]));
    store = await openSpanStore({ dir, resolveProjects, log: silentLog });
    const prices = [
      { tokenType: 'input', isPrompt: true, perToken: 0.001 },
      { tokenType: 'output', isPrompt: false, perToken: 0.002 },
    ];
    const model = { rowId: 1, name: 'm', provider: '', namePattern: 'm', isBuiltIn: false, startTimeMs: null, prices };
    await store.changeCosts({ what: 'prices', models: JSON.stringify([model]) }, 1);
    await store.append(spanColumns(SPANS), 2);
    for (const [index, [target, targetId, name, label, score]] of (
      [
        ['session', 'two', 'helpful', null, 0.75],
        ['span', 'a2', 'quality', 'bad', 0],
        ['trace', 'b', 'good', 'yes', null],
      ] as const
    ).entries()) {
      const annotation = { targetId, name, label, score, explanation: null, documentPosition: null, identifier: '' };
      const annotations = [{ ...annotation, annotatorKind: 'HUMAN', metadata: '{}' }] as const;
      const batch = { target, annotations, isWhole: false, source: 'API', userId: null } as const;
      await store.append(spanColumns([]), 3 + index, [{ ...batch, position: 3 + index, receivedAtMs: 1 }]);
    }
  });
  after(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });

  for (const [text, expected] of Object.entries(SESSIONS)) {
    test(`${text} selects sessions ${expected}`, async () => {
      const filter = parseSessionFilter(text);
      const { items } = await store.listSessions({ projectId: 1, order: 'asc', sort: 'startTime', limit: 10, filter });
      assert.deepEqual(
        items.map(({ session }) => session.sessionId),
        expected,
      );
      const query = { projectId: 1, sessionFilter: filter };
      assert.equal(await countRows(store, 'sessions', query), expected.length);
      const isSelected = ({ sessionId }: TestSpan) => sessionId !== undefined && expected.includes(sessionId);
      assert.equal(await countRows(store, 'spans', query), SPANS.filter(isSelected).length);
      assert.equal(
        await countRows(store, 'traces', query),
        (expected.includes('one') ? 2 : 0) + (expected.includes('two') ? 1 : 0),
      );
    });
  }

  for (const [text, expected] of Object.entries(TRACES)) {
    test(`${text} selects traces with the roots ${expected}`, async () => {
      const query = {
        projectId: 1,
        order: 'asc',
        roots: 'orphansToo',
        limit: 10,
        traceFilter: parseTraceFilter(text),
      } as const;
      for (const page of [
        await store.listRootSpans(query),
        await store.listSpans({ ...query, sort: 'latency' }),
        await store.listSpans(query),
      ]) {
        assert.deepEqual(page.items.map(({ span }) => span.spanId).sort(), expected);
      }
    });
  }

  test('an orphan represents its trace only if orphans count as roots', async () => {
    const traceFilter = parseTraceFilter('"lost" in input');
    const query = { projectId: 1, order: 'asc', limit: 10, traceFilter } as const;
    assert.equal((await store.listSpans({ ...query, roots: 'parentless' })).items.length, 0);
    assert.equal((await store.listSpans(query)).items.length, 2);
  });

  test('pages of filtered sessions neither skip nor repeat a session', async () => {
    const filter = parseSessionFilter('num_traces > 0');
    const query = { projectId: 1, order: 'desc', sort: 'startTime', limit: 1, filter } as const;
    const first = await store.listSessions(query);
    const second = await store.listSessions({ ...query, after: first.nextAfter });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ session }) => session.sessionId),
      ['two', 'one'],
    );
    assert.equal(second.nextAfter, undefined);
  });
});
