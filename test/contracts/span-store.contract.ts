import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Session } from '../../src/model/traces/session.ts';
import type { RowRef } from '../../src/span-store/contract/query-terms.ts';
import type { SpanStore } from '../../src/span-store/contract/span-store.ts';
import type { SpanQuery } from '../../src/span-store/contract/spans.ts';
import { findRowId } from '../../src/domain/find-row-ids.ts';
import { spanColumns, type TestSpan } from '../fixtures/span-columns.ts';

export type OpenSpanStore = (
  resolveProjects: (names: readonly string[]) => Promise<ReadonlyMap<string, number>>,
) => Promise<SpanStore>;

const TRACE_A = 'a0000000000000000000000000000001';
const TRACE_B = 'b0000000000000000000000000000002';
const TRACE_C = 'c0000000000000000000000000000003';
const SPAN_1 = '0000000000000001';
const SPAN_2 = '0000000000000002';
const SPAN_3 = '0000000000000003';
const SPAN_4 = '0000000000000004';

/** Tests of every statement of the contract in `span-store.ts` for any store. Each test gets a new, empty one. */
export function testSpanStore(name: string, open: OpenSpanStore): void {
  describe(`${name} as a span store`, () => {
    testAppending(open);
    testRollups(open);
    testSpanPages(open);
    testAttributes(open);
    testTracePages(open);
    testSessions(open);
    testDeletion(open);
  });
}

/** The conditions of `findSpans`, for a store that finds rows in another way than usual. */
export function testSpanSearch(name: string, open: OpenSpanStore): void {
  describe(`${name}: searches`, () => {
    testSpanPages(open);
    testAttributes(open);
  });
}

/** The owner that closes the store at the end: a test or a group of tests. */
interface Ending {
  after(end: () => Promise<void>): void;
}

/** An open store whose projects are numbered from 1 in order of appearance, with shortcuts for frequent reads. */
async function given(t: Ending, open: OpenSpanStore, ...batches: (readonly TestSpan[])[]) {
  const projects = new Map<string, number>();
  const resolved: string[][] = [];
  const store = await open(async (names) => {
    resolved.push([...names]);
    for (const name of names) if (!projects.has(name)) projects.set(name, projects.size + 1);
    return new Map(names.map((name) => [name, projects.get(name)!]));
  });
  t.after(() => store.close());
  let position = 0;
  const append = (...spans: TestSpan[]) => store.append(spanColumns(spans), ++position);
  for (const batch of batches) await append(...batch);
  return {
    store,
    append,
    projects,
    resolved,
    nextPosition: () => ++position,
    spanIds: async (query: Partial<SpanQuery> = {}) => {
      const { items } = await store.findSpans({ projectId: 1, limit: 100, ...query });
      return items.map(({ spanId }) => spanId);
    },
    traces: async (projectId = 1) =>
      (await store.findTraces({ projectId, sort: 'startTime', order: 'asc', limit: 100 })).items,
    sessions: async (projectId = 1) => (await store.findSessions({ projectId, order: 'asc', limit: 100 })).items,
  };
}

function testAppending(open: OpenSpanStore): void {
  test('is empty and at position 0 when new', async (t) => {
    const { store, spanIds } = await given(t, open);

    assert.equal(await store.appliedPosition(), 0);
    assert.equal(await store.checkpointedPosition(), 0);
    assert.deepEqual(await spanIds(), []);
  });

  test('returns a span as it was sent', async (t) => {
    const { store } = await given(t, open, [
      {
        traceId: TRACE_A,
        spanId: SPAN_1,
        parentSpanId: SPAN_2,
        name: 'chät \u{1f600} with a long name',
        spanKind: 'LLM',
        statusCode: 'ERROR',
        statusMessage: 'it broke',
        start: 1_700_000_000_000_000_001n,
        end: 1_700_000_000_123_456_789n,
        attributes: '{"big":12345678901234567890123,"list":[1,"two"]}',
        longAttributes: { doc: 'long '.repeat(100) },
        metadata: { tier: 'pro' },
        input: 'é'.repeat(1000),
        inputMimeType: 'text/plain',
        output: '',
        sessionId: ' padded ',
        userId: 'user-1',
        modelName: 'gpt',
        provider: 'openai',
        tokens: [1, 2],
        events: [{ name: 'exception', time_unix_nano: '5', attributes: {} }],
      },
    ]);

    const { items } = await store.findSpans({ projectId: 1, limit: 1 });

    const { attributeParts, ...span } = items[0]!;
    assert.deepEqual(span, {
      rowId: 1,
      traceId: TRACE_A,
      spanId: SPAN_1,
      parentSpanId: SPAN_2,
      name: 'chät \u{1f600} with a long name',
      spanKind: 'LLM',
      statusCode: 'ERROR',
      statusMessage: 'it broke',
      startTimeUnixNano: 1_700_000_000_000_000_001n,
      endTimeUnixNano: 1_700_000_000_123_456_789n,
      events: '[{"name":"exception","time_unix_nano":"5","attributes":{}}]',
    });
    assert.ok(attributeParts.some((part) => part.includes('12345678901234567890123')));
    assert.deepEqual(mergeParts(attributeParts.slice(1)), {
      doc: 'long '.repeat(100),
      metadata: { tier: 'pro' },
      openinference: { span: { kind: 'LLM' } },
      input: { value: 'é'.repeat(1000), mime_type: 'text/plain' },
      output: { value: '' },
      session: { id: ' padded ' },
      user: { id: 'user-1' },
      llm: { model_name: 'gpt', provider: 'openai' },
    });
  });

  test('returns texts of every length completely, also around the lengths of its chunks', async (t) => {
    const lengths = [0, 1, 3, 4, 5, 11, 12, 13, 199, 200, 201, 202, 4095, 4096, 4097, 100_000];
    const texts = lengths.flatMap((length) => ['x', 'é', '\u{1f600}'].map((character) => character.repeat(length)));
    const { store } = await given(
      t,
      open,
      texts.map((text, i) => ({
        traceId: TRACE_A,
        spanId: (i + 1).toString(16).padStart(16, '0'),
        name: text,
        input: text,
        output: text,
        userId: text,
        statusMessage: text,
      })),
    );

    const { items } = await store.findSpans({ projectId: 1, limit: 100 });

    for (const [i, span] of items.reverse().entries()) {
      const text = texts[i]!;
      const { input, output, user } = mergeParts(span.attributeParts) as {
        input: { value: string };
        output: { value: string };
        user: { id: string };
      };
      const found = [span.name, span.statusMessage, input.value, output.value, user.id];
      assert.ok(
        found.every((one) => one === text),
        `text of ${text.length} units`,
      );
    }
  });

  test('makes texts that are not UTF-8 readable, and keeps the others as they are', async (t) => {
    const { store } = await given(t, open);
    const names = [
      'short',
      'a long name that is no UTF-8 any more',
      'end',
      'é starts the next row',
      'sane',
      'a long and sane name',
    ];
    const batch = spanColumns(names.map((name, i) => ({ traceId: TRACE_A, spanId: `${i}`.padStart(16, '0'), name })));
    const { utf8, offset } = batch.name;
    utf8[0] = 0xff;
    utf8[offset[1]! + 20] = 0xc3;
    // A row that ends within a character that the next row continues.
    offset[3]!++;

    assert.equal((await store.append(batch, 1)).appendedCount, 6);

    const { items } = await store.findSpans({ projectId: 1, limit: 10 });
    assert.deepEqual(items.map(({ name }) => name).reverse(), [
      '\ufffdhort',
      `a long name that is \ufffdo UTF-8 any more`,
      'end\ufffd',
      '\ufffd starts the next row',
      'sane',
      'a long and sane name',
    ]);
  });

  test('stores IDs that are not hex as sent, and finds them', async (t) => {
    const odd = { traceId: 'my trace', spanId: 'SPAN', parentSpanId: 'öther' };
    const { store, spanIds } = await given(t, open, [odd, { traceId: TRACE_A, spanId: SPAN_1 }]);

    const { items } = await store.findSpans({ projectId: 1, limit: 1, traceIds: ['my trace'] });

    assert.deepEqual(
      items.map(({ traceId, spanId, parentSpanId }) => ({ traceId, spanId, parentSpanId })),
      [odd],
    );
    assert.deepEqual(await spanIds({ spanIds: ['SPAN'] }), ['SPAN']);
    assert.deepEqual(await spanIds({ parentSpanId: 'öther' }), ['SPAN']);
    assert.equal(await findRowId(store, 'traces', { id: 'my trace' }), 1);
    assert.equal(await findRowId(store, 'spans', { id: 'SPAN' }), 1);
    assert.deepEqual(await store.findByIds({ of: 'spans', ids: ['SPAN', SPAN_2] }), [
      { rowId: 1, id: 'SPAN', traceId: 'my trace' },
    ]);
  });

  test('finds the projects of rows, also those of the traces of a session', async (t) => {
    const { store } = await given(t, open, [
      { traceId: TRACE_A, spanId: SPAN_1, project: 'one', sessionId: 's' },
      { traceId: TRACE_B, spanId: SPAN_2, project: 'two', sessionId: 's' },
      { traceId: 'c'.repeat(32), spanId: SPAN_1, project: 'two', sessionId: 'other' },
    ]);
    const of = (kind: 'spans' | 'traces' | 'sessions', ...rowIds: number[]) =>
      store.get({ of: kind, column: 'projects', rowIds });

    assert.deepEqual(
      await of('spans', 1, 3, 99),
      new Map([
        [1, [1]],
        [3, [2]],
      ]),
    );
    assert.deepEqual(await of('traces', 2), new Map([[2, [2]]]));
    assert.deepEqual(
      new Map(Array.from(await of('sessions', 1, 2), ([rowId, projectIds]) => [rowId, projectIds.sort()])),
      new Map([
        [1, [1, 2]],
        [2, [2]],
      ]),
    );
    assert.deepEqual(await store.get({ of: 'annotations', column: 'projects', rowIds: [] }), new Map());
  });

  test('stores a batch once when it is sent twice', async (t) => {
    const batch = [{ traceId: TRACE_A, spanId: SPAN_1, name: 'first', statusCode: 'ERROR' } as const];
    const { append, spanIds, traces } = await given(t, open, batch);
    const before = await traces();

    const result = await append({ ...batch[0]!, name: 'second', start: 0n, end: 999n, sessionId: 's' });

    assert.deepEqual(result, { appendedCount: 0, duplicateCount: 1, differingCount: 1, droppedAnnotationCount: 0 });
    assert.deepEqual(await spanIds({ names: ['first'] }), [SPAN_1]);
    // A repeated span does not change times, aggregates or sessions.
    assert.deepEqual(await traces(), before);
  });

  test('distinguishes repeated spans from different spans with the same IDs', async (t) => {
    const span = { traceId: TRACE_A, spanId: SPAN_1, name: 'name', start: 1n, end: 2n, statusCode: 'OK' } as const;
    const { append } = await given(t, open, [span]);
    const differing = async (...spans: Parameters<typeof append>) => (await append(...spans)).differingCount;

    assert.equal(await differing(span, span), 0);
    assert.equal(await differing({ ...span, name: 'other' }, span, { ...span, end: 3n }), 2);
    assert.equal(await differing({ ...span, start: 0n }, { ...span, statusCode: 'ERROR' }), 2);
    const another = { ...span, traceId: TRACE_B };
    assert.equal(await differing(another, { ...another, spanKind: 'LLM' }, another), 1);
  });

  test('keeps the first of equal spans inside one batch', async (t) => {
    const { store } = await given(t, open);

    const result = await store.append(
      spanColumns([
        { traceId: TRACE_A, spanId: SPAN_1, name: 'first' },
        { traceId: TRACE_B, spanId: SPAN_1, name: 'same span id, other trace' },
        { traceId: TRACE_A, spanId: SPAN_1, name: 'second' },
      ]),
      1,
    );

    assert.deepEqual(result, { appendedCount: 2, duplicateCount: 1, differingCount: 1, droppedAnnotationCount: 0 });
    const { items } = await store.findSpans({ projectId: 1, limit: 10 });
    assert.deepEqual(
      items.map(({ name }) => name),
      ['same span id, other trace', 'first'],
    );
  });

  test('ignores a write whose position is not above the stored one', async (t) => {
    const { store, spanIds } = await given(t, open, [{ traceId: TRACE_A, spanId: SPAN_1 }]);

    const again = await store.append(spanColumns([{ traceId: TRACE_B, spanId: SPAN_2 }]), 1);
    await store.delete({ what: 'spans', rowIds: [1] }, 1);
    await store.advance(0);

    assert.deepEqual(again, { appendedCount: 0, duplicateCount: 0, differingCount: 0, droppedAnnotationCount: 0 });
    assert.deepEqual(await spanIds(), [SPAN_1]);
    assert.equal(await store.appliedPosition(), 1);
  });

  test('advances its position with every write, and the checkpointed position with a checkpoint', async (t) => {
    const { store } = await given(t, open, [{ traceId: TRACE_A, spanId: SPAN_1 }]);

    await store.advance(7);
    assert.equal(await store.appliedPosition(), 7);
    await store.delete({ what: 'traces', rowIds: [99] }, 9);
    assert.equal(await store.appliedPosition(), 9);
    await store.checkpoint();

    assert.equal(await store.checkpointedPosition(), 9);
  });

  test('stores nothing of a batch whose projects cannot be resolved', async (t) => {
    let isDown = true;
    const store = await open(async (names) => {
      if (isDown) throw new Error('no database');
      return new Map(names.map((name) => [name, 1]));
    });
    t.after(() => store.close());
    const batch = () => spanColumns([{ traceId: TRACE_A, spanId: SPAN_1, sessionId: 's' }]);

    await assert.rejects(store.append(batch(), 5), /no database/);
    assert.equal(await store.appliedPosition(), 0);
    isDown = false;

    assert.deepEqual(await store.append(batch(), 5), {
      appendedCount: 1,
      duplicateCount: 0,
      differingCount: 0,
      droppedAnnotationCount: 0,
    });
    assert.equal((await store.findSpans({ projectId: 1, limit: 10 })).items[0]!.rowId, 1);
  });

  test('accepts an empty batch', async (t) => {
    const { store } = await given(t, open);

    assert.deepEqual(await store.append(spanColumns([]), 3), {
      appendedCount: 0,
      duplicateCount: 0,
      differingCount: 0,
      droppedAnnotationCount: 0,
    });
    assert.equal(await store.appliedPosition(), 3);
  });

  test('accepts batches with more rows than a DuckDB vector', async (t) => {
    const spans = Array.from({ length: 5000 }, (_, i) => ({
      traceId: (1 + (i >> 3)).toString(16).padStart(32, '0'),
      spanId: (1 + i).toString(16).padStart(16, '0'),
      name: `span number ${i}`,
      start: BigInt(i),
    }));
    // Every third span is repeated, so that the kept rows have gaps.
    const { store } = await given(
      t,
      open,
      spans.flatMap((span, i) => (i % 3 === 0 ? [span, span] : [span])),
    );

    const { spanCount, traceCount } = await store.stats();
    assert.deepEqual({ spanCount, traceCount }, { spanCount: 5000, traceCount: 625 });
    const { items } = await store.findSpans({ projectId: 1, limit: 1000, fromRowId: 2500 });
    assert.ok(
      items.every(({ rowId, name, spanId, startTimeUnixNano }) => {
        const span = spans[rowId - 1]!;
        return name === span.name && spanId === span.spanId && startTimeUnixNano === span.start;
      }),
    );
  });
}

function testRollups(open: OpenSpanStore): void {
  test('keeps a known trace in its project, and does not resolve the projects of later spans', async (t) => {
    const { append, resolved, traces, spanIds } = await given(t, open, [
      { traceId: TRACE_A, spanId: SPAN_1, project: 'one' },
    ]);

    await append({ traceId: TRACE_A, spanId: SPAN_2, project: 'two' });

    assert.deepEqual(resolved, [['one']]);
    assert.deepEqual(await spanIds(), [SPAN_2, SPAN_1]);
    assert.equal((await traces())[0]!.projectId, 1);
  });

  test('aggregates a trace with spans in any order', async (t) => {
    const root: TestSpan = { traceId: TRACE_A, spanId: SPAN_1, start: 10n, end: 90n, statusCode: 'ERROR' };
    const llm: TestSpan = { traceId: TRACE_A, spanId: SPAN_2, spanKind: 'LLM', tokens: [3, 4], start: 5n, end: 50n };
    const tool: TestSpan = { traceId: TRACE_A, spanId: SPAN_3, start: 20n, end: 100n, statusCode: 'OK' };
    for (const batches of [[[root, llm, tool]], [[tool], [llm, root]], [[llm], [root], [tool]]]) {
      const { traces } = await given(t, open, ...batches);

      assert.deepEqual(await traces(), [
        {
          rowId: 1,
          traceId: TRACE_A,
          projectId: 1,
          sessionRowId: null,
          startTimeUnixNano: 5n,
          endTimeUnixNano: 100n,
          spanCount: 3,
          errorCount: 1,
          tokensPrompt: 3,
          tokensCompletion: 4,
        },
      ]);
    }
  });

  test('aggregates each span with its descendants in the same trace, with spans in any order', async (t) => {
    const spans: TestSpan[] = [
      { traceId: TRACE_A, spanId: SPAN_1, start: 1n },
      { traceId: TRACE_A, spanId: SPAN_2, parentSpanId: SPAN_1, start: 2n, spanKind: 'LLM', tokens: [1, 10] },
      { traceId: TRACE_A, spanId: SPAN_3, parentSpanId: SPAN_2, start: 3n, spanKind: 'LLM', tokens: [2, 20] },
      { traceId: TRACE_A, spanId: SPAN_4, parentSpanId: SPAN_2, start: 3n, statusCode: 'ERROR' },
      // The same span ID in another trace is not a parent here.
      { traceId: TRACE_B, spanId: SPAN_3, parentSpanId: SPAN_1, spanKind: 'LLM', tokens: [100, 100] },
    ];
    for (const batches of [[spans], [[...spans].reverse()], spans.map((span) => [span])]) {
      const { store } = await given(t, open, ...batches);
      const rowId = await findRowId(store, 'traces', { id: TRACE_A });

      const found = await store.get({ of: 'traces', column: 'spans', rowIds: [rowId!] });

      const sums = found
        .get(rowId!)!
        .map((span) => [
          span.spanId,
          span.cumulativeErrorCount,
          span.cumulativeTokensPrompt,
          span.cumulativeTokensCompletion,
        ]);
      assert.deepEqual(sums.slice(0, 2), [
        [SPAN_1, 1, 3, 30],
        [SPAN_2, 1, 3, 30],
      ]);
      assert.deepEqual(new Set(sums.slice(2).map(String)), new Set([`${SPAN_3},0,2,20`, `${SPAN_4},1,0,0`]));
      assert.equal(found.size, 1);
    }
  });

  test('handles cycles of parents and a chain of 100,000 spans', async (t) => {
    const id = (i: number) => i.toString(16).padStart(16, '0');
    const chain = Array.from({ length: 100_000 }, (_, i) => ({
      traceId: TRACE_A,
      spanId: id(i + 1),
      ...(i > 0 && { parentSpanId: id(i) }),
      start: BigInt(i),
      statusCode: 'ERROR' as const,
    }));
    const circle = [1, 2, 3].map((i) => ({
      traceId: TRACE_B,
      spanId: id(i),
      parentSpanId: id((i % 3) + 1),
      statusCode: 'ERROR' as const,
    }));
    const self = { traceId: TRACE_C, spanId: SPAN_1, parentSpanId: SPAN_1, statusCode: 'ERROR' as const };
    const { store } = await given(t, open, chain, [...circle, self]);

    const found = await store.get({ of: 'traces', column: 'spans', rowIds: [1, 2, 3] });

    assert.equal(found.get(1)![0]!.cumulativeErrorCount, 100_000);
    assert.deepEqual(
      found.get(2)!.map(({ cumulativeErrorCount }) => cumulativeErrorCount),
      [3, 3, 3],
    );
    assert.equal(found.get(3)![0]!.cumulativeErrorCount, 1);
  });

  test('attaches a trace to the session that its first span with one names', async (t) => {
    const { append, sessions, traces } = await given(
      t,
      open,
      [{ traceId: TRACE_A, spanId: SPAN_1, start: 10n, end: 20n, input: 'hello', statusCode: 'ERROR' }],
      [{ traceId: TRACE_A, spanId: SPAN_2, parentSpanId: SPAN_1, start: 12n, end: 30n, sessionId: '  talk ' }],
      [{ traceId: TRACE_A, spanId: SPAN_3, parentSpanId: SPAN_1, start: 12n, end: 15n, sessionId: 'other' }],
    );
    await append({ traceId: TRACE_B, spanId: SPAN_1, sessionId: ' \n ' });

    assert.deepEqual(
      (await traces()).map(({ sessionRowId }) => sessionRowId),
      [null, 1],
    );
    assert.deepEqual(await sessions(), [
      {
        rowId: 1,
        sessionId: 'talk',
        projectId: 1,
        startTimeUnixNano: 10n,
        endTimeUnixNano: 30n,
        traceCount: 1,
        errorCount: 1,
        tokensPrompt: 0,
        tokensCompletion: 0,
        firstInput: 'hello',
        lastOutput: null,
      },
    ]);
  });

  test('shares a session among projects, and keeps it in the project of its first trace', async (t) => {
    const { sessions, traces, store } = await given(t, open, [
      { traceId: TRACE_A, spanId: SPAN_1, project: 'one', sessionId: 's', start: 5n, end: 6n },
      { traceId: TRACE_B, spanId: SPAN_1, project: 'two', sessionId: 's', start: 1n, end: 2n },
    ]);

    const [session] = await sessions(1);
    assert.equal(session!.traceCount, 2);
    assert.deepEqual([session!.startTimeUnixNano, session!.endTimeUnixNano], [1n, 6n]);
    assert.deepEqual(await sessions(2), []);
    assert.equal((await traces(2))[0]!.sessionRowId, session!.rowId);
    assert.deepEqual(await findRowId(store, 'sessions', { id: 's' }), session!.rowId);
  });

  test("shows a session's first input and last output by time of its root spans", async (t) => {
    const { sessions } = await given(t, open, [
      { traceId: TRACE_A, spanId: SPAN_1, sessionId: 's', start: 10n, input: 'middle in', output: 'middle out' },
      { traceId: TRACE_B, spanId: SPAN_1, sessionId: 's', start: 20n, input: 'late in', output: 'o'.repeat(1000) },
      { traceId: TRACE_C, spanId: SPAN_1, sessionId: 's', start: 5n, input: 'i'.repeat(1000), output: 'early out' },
      { traceId: TRACE_C, spanId: SPAN_2, parentSpanId: SPAN_1, start: 1n, input: 'not of a root' },
      { traceId: TRACE_B, spanId: SPAN_3, start: 30n, input: 'later, but without an output' },
    ]);

    const [session] = await sessions();
    assert.equal(session!.firstInput, 'i'.repeat(200));
    assert.equal(session!.lastOutput, 'o'.repeat(200));
  });
}

function testSpanPages(open: OpenSpanStore): void {
  test('pages newest commit first, without gaps or repeats while spans arrive', async (t) => {
    const spans = Array.from({ length: 10 }, (_, i) => ({
      traceId: TRACE_A,
      spanId: (i + 1).toString(16).padStart(16, '0'),
      start: BigInt(100 - i),
    }));
    const { store, append } = await given(t, open, spans);

    const first = await store.findSpans({ projectId: 1, limit: 4 });
    await append({ traceId: TRACE_B, spanId: SPAN_1 });
    const second = await store.findSpans({ projectId: 1, limit: 4, fromRowId: first.nextRowId! });
    const third = await store.findSpans({ projectId: 1, limit: 4, fromRowId: second.nextRowId! });

    assert.deepEqual(
      [first, second, third].map(({ items }) => items.map(({ rowId }) => rowId)),
      [
        [10, 9, 8, 7],
        [6, 5, 4, 3],
        [2, 1],
      ],
    );
    assert.deepEqual([first.nextRowId, second.nextRowId, third.nextRowId], [6, 2, undefined]);
  });

  const filtered: TestSpan[] = [
    { traceId: TRACE_A, spanId: SPAN_1, name: 'a', spanKind: 'AGENT', start: 10n },
    {
      traceId: TRACE_A,
      spanId: SPAN_2,
      name: 'b',
      spanKind: 'LLM',
      statusCode: 'OK',
      parentSpanId: SPAN_1,
      start: 11n,
    },
    { traceId: TRACE_B, spanId: SPAN_3, name: 'a', statusCode: 'ERROR', parentSpanId: 'ffffffffffffffff', start: 12n },
    { traceId: TRACE_C, spanId: SPAN_4, name: 'c', project: 'other', start: 13n },
  ];
  const FILTERS: { what: string; query: Partial<SpanQuery>; ids: string[] }[] = [
    { what: 'project', query: { projectId: 2 }, ids: [SPAN_4] },
    { what: 'project that does not exist', query: { projectId: 99 }, ids: [] },
    { what: 'start, inclusive', query: { startTimeUnixNano: 11n }, ids: [SPAN_3, SPAN_2] },
    { what: 'end, exclusive', query: { endTimeUnixNano: 11n }, ids: [SPAN_1] },
    { what: 'trace', query: { traceIds: [TRACE_A] }, ids: [SPAN_2, SPAN_1] },
    { what: 'one of several traces', query: { traceIds: [TRACE_A, TRACE_B, TRACE_C] }, ids: [SPAN_3, SPAN_2, SPAN_1] },
    { what: 'unknown trace', query: { traceIds: ['f'.repeat(32)] }, ids: [] },
    { what: 'span id', query: { spanIds: [SPAN_3, SPAN_4] }, ids: [SPAN_3] },
    { what: 'parent', query: { parentSpanId: SPAN_1 }, ids: [SPAN_2] },
    { what: 'no parent, orphans not among them', query: { parentSpanId: null }, ids: [SPAN_1] },
    { what: 'name', query: { names: ['a'] }, ids: [SPAN_3, SPAN_1] },
    { what: 'one of several names', query: { names: ['b', 'a'] }, ids: [SPAN_3, SPAN_2, SPAN_1] },
    { what: 'kind', query: { spanKinds: ['UNKNOWN', 'LLM'] }, ids: [SPAN_3, SPAN_2] },
    { what: 'status', query: { statusCodes: ['ERROR', 'UNSET'] }, ids: [SPAN_3, SPAN_1] },
    {
      what: 'several conditions, all of which must hold',
      query: { names: ['a'], statusCodes: ['ERROR'] },
      ids: [SPAN_3],
    },
    { what: 'an empty list, which matches nothing', query: { names: [] }, ids: [] },
    { what: 'an empty list of traces', query: { traceIds: [] }, ids: [] },
    { what: 'a name that looks like SQL', query: { names: ["a' OR 1=1 --"] }, ids: [] },
    { what: 'a cursor beyond every row', query: { fromRowId: Number.MAX_SAFE_INTEGER }, ids: [SPAN_3, SPAN_2, SPAN_1] },
    { what: 'a cursor below every row', query: { fromRowId: 0 }, ids: [] },
    { what: 'nothing, oldest first', query: { order: 'asc', fromRowId: 0 }, ids: [SPAN_1, SPAN_2, SPAN_3] },
    { what: 'a cursor, oldest first', query: { order: 'asc', fromRowId: 2 }, ids: [SPAN_2, SPAN_3] },
    { what: 'a greatest row id, oldest first', query: { order: 'asc', rowIdMax: 2 }, ids: [SPAN_1, SPAN_2] },
    { what: 'a greatest row id, newest first', query: { fromRowId: 3, rowIdMax: 2 }, ids: [SPAN_2, SPAN_1] },
    { what: 'a cursor beyond every row, oldest first', query: { order: 'asc', fromRowId: 99 }, ids: [] },
    {
      what: 'times beyond every span',
      query: { startTimeUnixNano: -(2n ** 63n), endTimeUnixNano: 2n ** 63n - 1n },
      ids: [SPAN_3, SPAN_2, SPAN_1],
    },
    {
      what: '1,000 names',
      query: { names: ['a', ...Array.from({ length: 999 }, (_, i) => `n${i}`)] },
      ids: [SPAN_3, SPAN_1],
    },
  ];
  describe('filters', () => {
    // These tests only read, so they share one store.
    const ends: (() => Promise<void> | void)[] = [];
    let store: Awaited<ReturnType<typeof given>>;
    before(async () => {
      store = await given({ after: (end) => ends.push(end) }, open, filtered);
    });
    after(async () => {
      for (const end of ends) await end();
    });
    for (const { what, query, ids } of FILTERS) {
      test(`select by ${what}`, async () => {
        assert.deepEqual(await store.spanIds(query), ids);
      });
    }
  });

  test('rejects with CANCELLED once the signal has fired', async (t) => {
    const { store } = await given(t, open, [{ traceId: TRACE_A, spanId: SPAN_1 }]);
    const abort = new AbortController();

    const read = store.findSpans({ projectId: 1, limit: 1 }, { signal: abort.signal });
    abort.abort();

    await assert.rejects(read, { code: 'CANCELLED' });
    await assert.rejects(store.findSpans({ projectId: 1, limit: 1 }, { signal: abort.signal }), { code: 'CANCELLED' });
    assert.equal((await store.findSpans({ projectId: 1, limit: 1 })).items.length, 1);
  });
}

function testAttributes(open: OpenSpanStore): void {
  const long = 'long text '.repeat(50);
  const span: TestSpan = {
    traceId: TRACE_A,
    spanId: SPAN_1,
    attributes: `{"n":2,"f":2.5,"whole":3.0,"big":9007199254740993,"yes":true,"text":"2","list":[1],"object":{"x":1},
      "a":{"b":"nested","b.c":"sibling"},"quo\\"te":"q","back\\\\slash":"b","star*":"s","*":"wild","$":"dollar","#":"hash","":"empty",
      "ta\\tb":"tab","~":"tilde","sl/ash":"slash","0":"zero","e":{"mp":null},"ü":"ümlaut","m":[{"x":"in list"}],"esc":"\\u0041\\/"}`,
    longAttributes: { doc: { content: long } },
    metadata: { tier: 'pro', deep: { n: 1 }, flag: false },
    input: 'short',
    output: 'é'.repeat(300),
    sessionId: 's',
    userId: 'u',
    modelName: 'gpt',
    provider: 'openai',
    inputMimeType: 'text/plain',
    spanKind: 'LLM',
  };
  const MATCHES: { path: string; value: string | number | bigint | boolean }[] = [
    { path: 'n', value: 2 },
    { path: 'n', value: 2n },
    { path: 'f', value: 2.5 },
    { path: 'whole', value: 3 },
    { path: 'big', value: 9007199254740993n },
    { path: 'yes', value: true },
    { path: 'text', value: '2' },
    { path: 'object.x', value: 1 },
    { path: 'a.b', value: 'nested' },
    { path: 'a..b.', value: 'nested' },
    { path: ' a . b ', value: 'nested' },
    { path: 'a.b.c', value: 'sibling' },
    { path: 'quo"te', value: 'q' },
    { path: 'back\\slash', value: 'b' },
    { path: 'star*', value: 's' },
    { path: '*', value: 'wild' },
    { path: '$', value: 'dollar' },
    { path: '#', value: 'hash' },
    { path: 'ta\tb', value: 'tab' },
    { path: '~', value: 'tilde' },
    { path: 'sl/ash', value: 'slash' },
    { path: '0', value: 'zero' },
    { path: 'ü', value: 'ümlaut' },
    { path: 'esc', value: 'A/' },
    { path: 'doc.content', value: long },
    { path: 'metadata.tier', value: 'pro' },
    { path: 'metadata.deep.n', value: 1 },
    { path: 'metadata.flag', value: false },
    { path: 'input.value', value: 'short' },
    { path: 'output.value', value: 'é'.repeat(300) },
    { path: 'input.mime_type', value: 'text/plain' },
    { path: 'session.id', value: 's' },
    { path: 'user.id', value: 'u' },
    { path: 'llm.model_name', value: 'gpt' },
    { path: 'llm.provider', value: 'openai' },
    { path: 'openinference.span.kind', value: 'LLM' },
  ];
  const MISSES: { path: string; value: string | number | bigint | boolean }[] = [
    { path: 'n', value: '2' },
    { path: 'n', value: 3 },
    { path: 'n', value: true },
    { path: 'text', value: 2 },
    { path: 'f', value: 2 },
    { path: 'big', value: 9007199254740992n },
    { path: 'yes', value: 'true' },
    { path: 'yes', value: false },
    { path: 'list', value: 1 },
    { path: 'list', value: '[1]' },
    { path: 'm.0.x', value: 'in list' },
    { path: 'object', value: '{"x":1}' },
    { path: 'e.mp', value: 'null' },
    { path: 'absent', value: '' },
    { path: '', value: 'empty' },
    { path: '...', value: 'empty' },
    { path: "a' OR 1=1 --", value: 'x' },
    { path: "n'; DROP TABLE spans; --", value: 2 },
    { path: '$.n', value: 2 },
    { path: 'a[*]', value: 'nested' },
    { path: '[0]', value: 'zero' },
    { path: '**', value: 2 },
    { path: '/n', value: 2 },
    { path: 'metadata.tier', value: 'free' },
    { path: 'metadata', value: '{"tier":"pro"}' },
    { path: 'input.value', value: 'shor' },
    { path: 'output.value', value: 'é'.repeat(200) },
    { path: 'output.value', value: 'é'.repeat(301) },
    { path: 'user.id', value: 1 },
    { path: 'openinference.span.kind', value: 'llm' },
    { path: 'openinference.span.kind', value: 'UNKNOWN' },
    { path: 'doc.content', value: `${long}.` },
  ];
  test('matches attributes by path and exact value, wherever they are kept', async (t) => {
    const { spanIds } = await given(t, open, [span, { traceId: TRACE_B, spanId: SPAN_2, attributes: { other: 1 } }]);

    for (const attribute of MATCHES) {
      assert.deepEqual(await spanIds({ attributes: [attribute] }), [SPAN_1], JSON.stringify(attribute.path));
    }
    for (const attribute of MISSES) {
      assert.deepEqual(await spanIds({ attributes: [attribute] }), [], JSON.stringify(attribute.path));
    }
    assert.deepEqual(await spanIds({ attributes: MATCHES }), [SPAN_1]);
    assert.deepEqual(await spanIds({ attributes: [MATCHES[0]!, MISSES[0]!] }), []);
  });

  test('compares texts of any length completely', async (t) => {
    const lengths = [300, 4000, 4097, 10_000, 100_000];
    const texts = lengths.map((length) => 'é\u{1f600}x'.repeat(length / 3));
    const { spanIds } = await given(
      t,
      open,
      texts.map((text, i) => ({
        traceId: TRACE_A,
        spanId: `${i}`.padStart(16, '0'),
        input: text,
        output: `${text}!`,
        longAttributes: { doc: { text } },
      })),
    );

    for (const [i, text] of texts.entries()) {
      const id = `${i}`.padStart(16, '0');
      for (const [path, value] of [
        ['input.value', text],
        ['output.value', `${text}!`],
        ['doc.text', text],
      ] as const) {
        assert.deepEqual(await spanIds({ attributes: [{ path, value }] }), [id], `${path} of ${text.length} units`);
        for (const other of [`${text}?`, `${text.slice(0, -5)}?`, `?${text.slice(1)}`]) {
          assert.deepEqual(await spanIds({ attributes: [{ path, value: other }] }), []);
        }
      }
    }
  });

  test('handles unreadable JSON, such as half of a surrogate pair', async (t) => {
    const { spanIds } = await given(t, open, [
      { traceId: TRACE_A, spanId: SPAN_1, attributes: '{"a":"\\ud83d","b":1}' },
      { traceId: TRACE_A, spanId: SPAN_2, attributes: '{"b":1}', metadata: '{"x":"\\udead"}' },
    ]);

    assert.deepEqual(await spanIds({ attributes: [{ path: 'b', value: 1 }] }), [SPAN_2]);
    assert.deepEqual(await spanIds({ attributes: [{ path: 'metadata.x', value: 'y' }] }), []);
    assert.deepEqual(await spanIds({ attributes: [{ path: 'a\0b', value: 'y\0' }] }), []);
    assert.deepEqual(await spanIds({ attributes: [{ path: '\ud83d', value: '\ud83d' }] }), []);
    assert.deepEqual(await spanIds({ names: ['\ud83d', 'a\0'] }), []);
    assert.deepEqual(await spanIds(), [SPAN_2, SPAN_1]);
  });

  test('distinguishes a session ID that is a number, and another spelling of a kind, from their columns', async (t) => {
    const { store, spanIds } = await given(t, open, [
      {
        traceId: TRACE_A,
        spanId: SPAN_1,
        attributes: { session: { id: 7 }, openinference: { span: { kind: 'llm' } } },
        sessionId: '7',
        spanKind: 'LLM',
      },
    ]);

    assert.deepEqual(await spanIds({ attributes: [{ path: 'session.id', value: 7 }] }), [SPAN_1]);
    assert.deepEqual(await spanIds({ attributes: [{ path: 'session.id', value: '7' }] }), []);
    assert.deepEqual(await spanIds({ attributes: [{ path: 'openinference.span.kind', value: 'llm' }] }), [SPAN_1]);
    assert.deepEqual(await spanIds({ attributes: [{ path: 'openinference.span.kind', value: 'LLM' }] }), []);
    assert.deepEqual(await spanIds({ spanKinds: ['LLM'] }), [SPAN_1]);
    const { items } = await store.findSpans({ projectId: 1, limit: 1 });
    assert.deepEqual(mergeParts(items[0]!.attributeParts), {
      session: { id: 7 },
      openinference: { span: { kind: 'llm' } },
    });
  });
}

function testTracePages(open: OpenSpanStore): void {
  const trace = (i: number, start: bigint, end: bigint, sessionId?: string): TestSpan => ({
    traceId: i.toString(16).padStart(32, '0'),
    spanId: SPAN_1,
    start,
    end,
    ...(sessionId !== undefined && { sessionId }),
  });
  // Row ids 1 to 6; starts 30 10 20 20 10 40; latencies 5 9 5 1 9 0.
  const six = [
    trace(1, 30n, 35n, 's'),
    trace(2, 10n, 19n),
    trace(3, 20n, 25n, 's'),
    trace(4, 20n, 21n, 'x'),
    trace(5, 10n, 19n),
    trace(6, 40n, 40n),
  ];
  const ORDERS = [
    { sort: 'startTime', order: 'desc', rowIds: [6, 1, 4, 3, 5, 2] },
    { sort: 'startTime', order: 'asc', rowIds: [2, 5, 3, 4, 1, 6] },
    { sort: 'latency', order: 'desc', rowIds: [5, 2, 3, 1, 4, 6] },
    { sort: 'latency', order: 'asc', rowIds: [6, 4, 1, 3, 2, 5] },
  ] as const;
  for (const { sort, order, rowIds } of ORDERS) {
    test(`pages traces by ${sort}, ${order}, ties by row id in the same direction`, async (t) => {
      const { store } = await given(t, open, six);

      for (const limit of [1, 2, 4, 6, 100]) {
        const found: number[] = [];
        for (let fromRowId: number | undefined, isFirst = true; isFirst || fromRowId !== undefined; isFirst = false) {
          const page = await store.findTraces({
            projectId: 1,
            sort,
            order,
            limit,
            ...(fromRowId !== undefined && { fromRowId }),
          });
          found.push(...page.items.map(({ rowId }) => rowId));
          fromRowId = page.nextRowId;
        }
        assert.deepEqual(found, rowIds, `pages of ${limit}`);
      }
    });
  }

  test('filters traces by start and by session', async (t) => {
    const { store } = await given(t, open, six);
    const find = async (query: object) =>
      (await store.findTraces({ projectId: 1, sort: 'startTime', order: 'asc', limit: 10, ...query })).items.map(
        ({ rowId }) => rowId,
      );

    assert.deepEqual(await find({ startTimeUnixNano: 20n, endTimeUnixNano: 40n }), [3, 4, 1]);
    assert.deepEqual(await find({ sessions: [{ id: 's' }] }), [3, 1]);
    assert.deepEqual(await find({ sessions: [{ rowId: 1 }, { id: 'x' }, { id: 'unknown' }] }), [3, 4, 1]);
    assert.deepEqual(await find({ sessions: [{ id: 'unknown' }, { rowId: 99 }] }), []);
    assert.deepEqual(await find({ sessions: [] }), []);
    assert.deepEqual(await find({ projectId: 2 }), []);
  });

  test('continues at the position of a deleted trace, however it was deleted', async (t) => {
    const { store, nextPosition } = await given(t, open, six);
    const page = async (fromRowId: number, sort: 'startTime' | 'latency' = 'startTime') =>
      (await store.findTraces({ projectId: 1, sort, order: 'asc', limit: 9, fromRowId })).items.map((row) => row.rowId);
    const [first, second, third, ...rest] = [2, 5, 3, 4, 1, 6];
    const before = await page(third!, 'latency');

    await store.delete({ what: 'traces', rowIds: [second!] }, nextPosition());
    // Each trace is one span, of the same row id.
    await store.delete({ what: 'spans', rowIds: [third!] }, nextPosition());

    assert.deepEqual(await page(first!), [first, ...rest]);
    assert.deepEqual(await page(second!), rest);
    assert.deepEqual(await page(third!), rest);
    const gone = new Set([second, third]);
    assert.deepEqual(
      await page(third!, 'latency'),
      before.filter((rowId) => !gone.has(rowId)),
    );
  });

  test('treats a row id that no trace ever had as newer than all traces', async (t) => {
    const { store } = await given(t, open, six);
    const query = { projectId: 1, sort: 'startTime', limit: 9, fromRowId: 1_000 } as const;

    assert.deepEqual((await store.findTraces({ ...query, order: 'asc' })).items, []);
    assert.equal((await store.findTraces({ ...query, order: 'desc' })).items.length, 6);
  });

  const RANGES = [
    { what: 'those that start before a time', range: { endTimeUnixNano: 30n }, left: [1, 6] },
    {
      what: 'those that start in a range',
      range: { startTimeUnixNano: 20n, endTimeUnixNano: 30n },
      left: [2, 5, 1, 6],
    },
    { what: 'all but the newest', range: { exceptNewestCount: 2 }, left: [1, 6] },
    { what: 'none when there are no more than are to stay', range: { exceptNewestCount: 6 }, left: [2, 5, 3, 4, 1, 6] },
    {
      what: 'of those before a time all that are not among the newest',
      range: { endTimeUnixNano: 20n, exceptNewestCount: 3 },
      left: [3, 4, 1, 6],
    },
    { what: 'all', range: {}, left: [] },
  ];
  for (const { what, range, left } of RANGES) {
    test(`deletes of the traces of a project ${what}, and recomputes the rollups of sessions`, async (t) => {
      const { store, nextPosition } = await given(t, open, six);

      await store.delete({ what: 'tracesOfProject', projectId: 2, withSessions: false }, nextPosition());
      await store.delete({ what: 'tracesOfProject', projectId: 1, ...range, withSessions: false }, nextPosition());

      const { items } = await store.findTraces({ projectId: 1, sort: 'startTime', order: 'asc', limit: 9 });
      assert.deepEqual(
        items.map((row) => row.rowId),
        left,
      );
      assert.equal((await store.stats()).spanCount, left.length);
      assert.equal(
        (await findSession(store, { id: 's' }))?.traceCount,
        left.filter((id) => id === 1 || id === 3).length,
      );
    });
  }

  test('deletes some traces of a project, with their sessions and the other traces of these', async (t) => {
    const { store, nextPosition } = await given(t, open, six);

    await store.delete(
      { what: 'tracesOfProject', projectId: 1, startTimeUnixNano: 15n, endTimeUnixNano: 25n, withSessions: true },
      nextPosition(),
    );

    const { items } = await store.findTraces({ projectId: 1, sort: 'startTime', order: 'asc', limit: 9 });
    assert.deepEqual(
      items.map((row) => row.rowId),
      [2, 5, 6],
    );
    assert.equal((await store.stats()).sessionCount, 0);
  });

  test('deletes sessions without traces that ended before a time', async (t) => {
    const { store, nextPosition } = await given(t, open, six);
    await store.delete({ what: 'traces', rowIds: [1, 3, 4] }, nextPosition());
    await store.delete({ what: 'emptySessions', projectId: 2, endBeforeUnixNano: 99n }, nextPosition());
    assert.equal((await store.stats()).sessionCount, 2);

    await store.delete({ what: 'emptySessions', projectId: 1, endBeforeUnixNano: 35n }, nextPosition());

    assert.equal(await findRowId(store, 'sessions', { id: 'x' }), undefined);
    assert.equal((await findSession(store, { id: 's' }))?.traceCount, 0);
  });

  test('accepts the latency of the longest possible trace', async (t) => {
    const { store } = await given(t, open, [
      trace(1, -9_223_286_400_000_000_000n, 9_223_372_036_854_775_806n),
      trace(2, 9_223_372_036_854_775_806n, -9_223_286_400_000_000_000n),
    ]);

    const { items } = await store.findTraces({ projectId: 1, sort: 'latency', order: 'desc', limit: 10 });

    assert.deepEqual(
      items.map(({ rowId }) => rowId),
      [1, 2],
    );
  });

  test('finds row ids of spans and traces, and the newest span if several traces share its ID', async (t) => {
    const { store } = await given(t, open, six);

    assert.equal(await findRowId(store, 'spans', { id: SPAN_1 }), 6);
    assert.equal(await findRowId(store, 'spans', { id: SPAN_2 }), undefined);
    assert.equal(await findRowId(store, 'spans', { rowId: 3 }), 3);
    assert.equal(await findRowId(store, 'spans', { rowId: 7 }), undefined);
    assert.equal(await findRowId(store, 'spans', { rowId: -1 }), undefined);
    assert.equal(await findRowId(store, 'spans', { rowId: Number.MAX_SAFE_INTEGER }), undefined);
    assert.equal(await findRowId(store, 'traces', { id: six[3]!.traceId }), 4);
    assert.equal(await findRowId(store, 'traces', { id: 'none' }), undefined);
    assert.equal(await findRowId(store, 'traces', { rowId: 4 }), 4);
    assert.equal((await store.findByIds({ of: 'spans', ids: [SPAN_1, SPAN_1, SPAN_2] })).length, 6);
    assert.deepEqual(await store.findByIds({ of: 'spans', ids: [] }), []);
  });

  test('omits traces without spans, and accepts an empty list', async (t) => {
    const { store } = await given(t, open, six);

    assert.deepEqual([...(await store.get({ of: 'traces', column: 'spans', rowIds: [2, 99] })).keys()], [2]);
    assert.deepEqual(await store.get({ of: 'traces', column: 'spans', rowIds: [] }), new Map());
    assert.deepEqual(await store.get({ of: 'sessions', column: 'traces', rowIds: [] }), new Map());
  });
}

function testSessions(open: OpenSpanStore): void {
  test('pages sessions by row id, and finds them by both IDs', async (t) => {
    const { store } = await given(
      t,
      open,
      ['c', 'a', 'b', 'd'].map((sessionId, i) => ({ traceId: `trace ${i}`, spanId: SPAN_1, sessionId })),
    );
    const ids = (page: { items: { sessionId: string }[] }) => page.items.map(({ sessionId }) => sessionId);

    const first = await store.findSessions({ projectId: 1, order: 'asc', limit: 3 });
    assert.deepEqual(ids(first), ['c', 'a', 'b']);
    assert.equal(first.nextRowId, 4);
    assert.deepEqual(ids(await store.findSessions({ projectId: 1, order: 'asc', limit: 3, fromRowId: 4 })), ['d']);
    assert.deepEqual(ids(await store.findSessions({ projectId: 1, order: 'desc', limit: 2 })), ['d', 'b']);
    assert.deepEqual(ids(await store.findSessions({ projectId: 1, order: 'desc', limit: 9, fromRowId: 2 })), [
      'a',
      'c',
    ]);
    assert.equal(await findRowId(store, 'sessions', { id: 'b' }), 3);
    assert.equal((await findSession(store, { rowId: 3 }))?.sessionId, 'b');
    assert.equal(await findRowId(store, 'sessions', { id: 'e' }), undefined);
    assert.equal(await findRowId(store, 'sessions', { rowId: 9 }), undefined);
  });

  test('lists the traces of sessions by start time', async (t) => {
    const { store } = await given(t, open, [
      { traceId: TRACE_A, spanId: SPAN_1, sessionId: 's', start: 9n },
      { traceId: TRACE_B, spanId: SPAN_1, sessionId: 's', start: 3n },
      { traceId: TRACE_C, spanId: SPAN_1, sessionId: 'x', start: 5n },
    ]);

    const found = await store.get({ of: 'sessions', column: 'traces', rowIds: [1, 2, 3] });

    assert.deepEqual(
      [...found].map(([rowId, traces]) => [rowId, traces.map(({ traceId }) => traceId)]),
      [
        [1, [TRACE_B, TRACE_A]],
        [2, [TRACE_C]],
      ],
    );
  });
}

function testDeletion(open: OpenSpanStore): void {
  const talk: TestSpan[] = [
    { traceId: TRACE_A, spanId: SPAN_1, sessionId: 's', start: 1n, end: 9n, input: 'in A', output: 'out A' },
    { traceId: TRACE_A, spanId: SPAN_2, parentSpanId: SPAN_1, start: 2n, end: 30n, spanKind: 'LLM', tokens: [5, 6] },
    {
      traceId: TRACE_B,
      spanId: SPAN_1,
      sessionId: 's',
      start: 40n,
      end: 50n,
      input: 'in B',
      output: 'out B',
      statusCode: 'ERROR',
    },
    { traceId: TRACE_C, spanId: SPAN_1, project: 'two', sessionId: 's', start: 60n, end: 70n, output: 'out C' },
    { traceId: TRACE_C, spanId: SPAN_3, project: 'two', start: 61n, end: 62n },
  ];

  test('deletes single spans, and recomputes their trace and session', async (t) => {
    const { store, spanIds, traces, sessions, nextPosition } = await given(t, open, talk);

    await store.delete({ what: 'spans', rowIds: [2, 99] }, nextPosition());

    assert.deepEqual(await spanIds(), [SPAN_1, SPAN_1]);
    const [trace] = await traces();
    assert.deepEqual([trace!.spanCount, trace!.tokensPrompt, trace!.endTimeUnixNano], [1, 0, 9n]);
    const [session] = await sessions();
    assert.deepEqual([session!.traceCount, session!.tokensPrompt, session!.tokensCompletion], [3, 0, 0]);
    // Times of sessions never shrink.
    assert.deepEqual([session!.startTimeUnixNano, session!.endTimeUnixNano], [1n, 70n]);
  });

  test('deletes a trace with its last span, and keeps its session', async (t) => {
    const { store, traces, sessions, nextPosition } = await given(t, open, talk);

    await store.delete({ what: 'spans', rowIds: [1, 2] }, nextPosition());

    assert.deepEqual(
      (await traces()).map(({ traceId }) => traceId),
      [TRACE_B],
    );
    const [session] = await sessions();
    assert.deepEqual(
      [session!.traceCount, session!.errorCount, session!.firstInput, session!.lastOutput],
      [2, 1, 'in B', 'out C'],
    );
  });

  test('deletes traces with their spans, and keeps an empty session', async (t) => {
    const { store, spanIds, traces, sessions, nextPosition } = await given(t, open, talk);

    await store.delete({ what: 'traces', rowIds: [1, 2, 3] }, nextPosition());

    assert.deepEqual(await spanIds(), []);
    assert.deepEqual(await traces(), []);
    const [session] = await sessions();
    assert.deepEqual(
      [session!.traceCount, session!.errorCount, session!.firstInput, session!.startTimeUnixNano],
      [0, 0, null, 1n],
    );
  });

  test('deletes sessions with their traces in every project', async (t) => {
    const { store, spanIds, traces, sessions, nextPosition } = await given(t, open, talk, [
      { traceId: 'alone', spanId: SPAN_4 },
    ]);

    await store.delete({ what: 'sessions', rowIds: [1] }, nextPosition());

    assert.deepEqual(await spanIds(), [SPAN_4]);
    assert.deepEqual(await traces(2), []);
    assert.deepEqual(await sessions(), []);
    assert.equal((await store.stats()).spanCount, 1);
  });

  test('deletes a project with all of its data, and the traces of its sessions in other projects', async (t) => {
    const { store, append, projects, spanIds, nextPosition } = await given(t, open, talk);

    await store.delete({ what: 'project', projectId: 1, name: 'default' }, nextPosition());
    projects.delete('default');
    projects.set('new', 9).set('default', 10);
    await append({ traceId: TRACE_A, spanId: SPAN_1, sessionId: 's' });

    assert.deepEqual(await spanIds(), []);
    assert.deepEqual(await spanIds({ projectId: 2 }), []);
    // A deleted trace that arrives again is a new one, in the current project of that name.
    assert.deepEqual(await spanIds({ projectId: 10 }), [SPAN_1]);
    assert.equal(await findRowId(store, 'traces', { id: TRACE_A }), 4);
    assert.equal(await findRowId(store, 'sessions', { id: 's' }), 2);
  });

  test('deletes a project, and keeps a session of another project with its other traces', async (t) => {
    const { store, sessions, nextPosition } = await given(t, open, talk);

    await store.delete({ what: 'project', projectId: 2, name: 'two' }, nextPosition());

    const [session] = await sessions();
    assert.deepEqual([session!.traceCount, session!.lastOutput], [2, 'out B']);
    assert.equal(await findRowId(store, 'traces', { id: TRACE_C }), undefined);
  });

  test('never allocates a row id twice', async (t) => {
    const { store, append, nextPosition } = await given(t, open, talk);

    await store.delete({ what: 'traces', rowIds: [1, 2, 3] }, nextPosition());
    await append(...talk);

    const { items } = await store.findSpans({ projectId: 1, limit: 10 });
    assert.deepEqual(
      items.map(({ rowId }) => rowId),
      [8, 7, 6],
    );
    assert.equal(await findRowId(store, 'traces', { id: TRACE_A }), 4);
  });

  test('skips row ids that are deleted or unknown', async (t) => {
    const { store, nextPosition } = await given(t, open, talk);

    for (const what of ['spans', 'traces', 'sessions'] as const) {
      await store.delete({ what, rowIds: [77, Number.MAX_SAFE_INTEGER] }, nextPosition());
      await store.delete({ what, rowIds: [] }, nextPosition());
    }
    await store.delete({ what: 'project', projectId: 77, name: 'none' }, nextPosition());

    assert.equal((await store.stats()).spanCount, 5);
  });
}

/** The attributes whose parts these are. */
export function mergeParts(parts: readonly string[]): object {
  const merge = (into: Record<string, unknown>, from: Record<string, unknown>) => {
    for (const [key, value] of Object.entries(from)) {
      const known = into[key];
      if (isObject(known) && isObject(value)) merge(known, value);
      else into[key] = value;
    }
    return into;
  };
  return parts.reduce((merged, part) => merge(merged, JSON.parse(part) as Record<string, unknown>), {});
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function findSession(store: SpanStore, ref: RowRef): Promise<Session | undefined> {
  const rowId = await findRowId(store, 'sessions', ref);
  return rowId === undefined
    ? undefined
    : (await store.get({ of: 'sessions', column: 'row', rowIds: [rowId] })).get(rowId);
}
