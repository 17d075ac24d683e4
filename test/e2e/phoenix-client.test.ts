import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from '@arizeai/phoenix-client';
import {
  addSessionNote,
  deleteSession,
  deleteSessions,
  getSession,
  getSessionTurns,
  listSessions,
  logSessionAnnotations,
} from '@arizeai/phoenix-client/sessions';
import {
  addSpanAnnotation,
  addSpanNote,
  deleteSpan,
  getSpanAnnotations,
  getSpans,
  logSpanAnnotations,
  logSpans,
  type Span,
  SpanCreationError,
} from '@arizeai/phoenix-client/spans';
import { addTraceNote, getTraces, logTraceAnnotations } from '@arizeai/phoenix-client/traces';
import { eventually, spansOnceThere } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const PROJECT = 'client project';
const project = { projectName: PROJECT };

/** Ten traces a minute apart: a CHAIN root, an LLM below it. Even ones are session A, odd ones B; number 3 failed. */
const TRACE_COUNT = 10;
const traceId = (index: number) => index.toString(16).padStart(32, 'a');
const rootId = (index: number) => index.toString(16).padStart(16, '1');
const llmId = (index: number) => index.toString(16).padStart(16, '2');
const sessionId = (index: number) => (index % 2 === 0 ? 'session A' : 'session B');
/** Trace `index` starts at minute `index` and takes 100 s less 10 s for each one before it. */
const startOf = (index: number) => new Date(Date.UTC(2026, 0, 1, 12, index, 0, 250));
const endOf = (index: number) => new Date(startOf(index).getTime() + (100 - 10 * index) * 1_000);

describe('the TypeScript client', () => {
  let server: ServerProcess;
  let dataDir: string;
  const client = () => createClient({ options: { baseUrl: server.url } });
  const find = async (query: object) => {
    const { spans } = await getSpans({ client: client(), project, limit: 1_000, ...query });
    return spans.map((span) => span.context.span_id).sort();
  };
  const indices = Array.from({ length: TRACE_COUNT }, (_, index) => index);

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
    const spans = indices.flatMap((index) => spansOfTrace(index));
    const result = await logSpans({ client: client(), project, spans });
    assert.deepEqual(result, { totalReceived: 2 * TRACE_COUNT, totalQueued: 2 * TRACE_COUNT });
    await spansOnceThere(server.url, PROJECT, 2 * TRACE_COUNT);
  });

  after(async () => {
    await server.stop();
    await removeDataDir(dataDir);
  });

  test('annotates spans, and reads the annotations back', async () => {
    const spanIds = [rootId(1), llmId(1)];
    const made = await addSpanAnnotation({
      client: client(),
      spanAnnotation: { spanId: llmId(1), name: 'correct', label: 'yes', score: 1, annotatorKind: 'CODE' },
      sync: true,
    });
    const logged = await logSpanAnnotations({
      client: client(),
      spanAnnotations: [
        { spanId: rootId(1), name: 'correct', score: 0.5, identifier: 'run', metadata: { model: 'm' } },
      ],
    });
    const note = await addSpanNote({ client: client(), spanNote: { spanId: llmId(1), note: 'look here' } });

    assert.deepEqual(logged, []);
    const query = { client: client(), project, spanIds, excludeAnnotationNames: ['note'] };
    const annotations = await eventually(async () => {
      const found = (await getSpanAnnotations(query)).annotations;
      assert.equal(found.length, 2);
      return found;
    });
    const ofLlm = annotations.find(({ span_id: spanId }) => spanId === llmId(1));
    assert.equal(ofLlm?.id, made?.id);
    assert.deepEqual(ofLlm?.result, { label: 'yes', score: 1, explanation: null });
    assert.deepEqual(annotations.find(({ span_id: spanId }) => spanId === rootId(1))?.metadata, { model: 'm' });
    const notes = await getSpanAnnotations({ client: client(), project, spanIds, includeAnnotationNames: ['note'] });
    assert.deepEqual(
      notes.annotations.map(({ id }) => id),
      [note.id],
    );
    await assert.rejects(
      addSpanAnnotation({
        client: client(),
        spanAnnotation: { spanId: 'f'.repeat(16), name: 'n', score: 1 },
        sync: true,
      }),
    );
  });

  test('annotates traces and sessions', async () => {
    const ofTraces = await logTraceAnnotations({
      client: client(),
      traceAnnotations: [{ traceId: traceId(1), name: 'helpful', score: 1 }],
      sync: true,
    });
    const ofSessions = await logSessionAnnotations({
      client: client(),
      sessionAnnotations: [{ sessionId: 'session B', name: 'helpful', label: 'yes' }],
      sync: true,
    });

    assert.equal(ofTraces.length, 1);
    assert.equal(ofSessions.length, 1);
    assert.ok((await addTraceNote({ client: client(), traceNote: { traceId: traceId(1), note: 'slow' } })).id);
    assert.ok((await addSessionNote({ client: client(), sessionNote: { sessionId: 'session B', note: 'long' } })).id);
  });

  test('reads a span back with every field that was logged', async () => {
    const { spans } = await getSpans({ client: client(), project, traceIds: [traceId(3)] });

    const llm = spans.find((span) => span.context.span_id === llmId(3));
    assert.equal(spans.length, 2);
    assert.deepEqual(
      { ...llm, id: undefined },
      {
        id: undefined,
        name: 'ask 3',
        context: { trace_id: traceId(3), span_id: llmId(3) },
        span_kind: 'LLM',
        parent_id: rootId(3),
        start_time: '2026-01-01T12:03:00.250000+00:00',
        end_time: '2026-01-01T12:04:10.250000+00:00',
        status_code: 'ERROR',
        status_message: 'rate limited',
        attributes: {
          'llm.model_name': 'gpt-4o',
          'llm.token_count.prompt': 3,
          'llm.token_count.completion': 10,
          'metadata.number': 3,
          'metadata.text': '3',
          'metadata.even': false,
          'llm.input_messages.0.message.content': 'Frage 3 – ¿qué?',
          'session.id': 'session B',
        },
        events: [{ name: 'retry', timestamp: '2026-01-01T12:03:00.250000+00:00', attributes: { attempt: 2 } }],
      },
    );
  });

  const FILTERS: { what: string; query: object; spans: () => string[] }[] = [
    { what: 'one trace id', query: { traceIds: [traceId(4)] }, spans: () => [rootId(4), llmId(4)] },
    {
      what: 'two trace ids and an unknown one',
      query: { traceIds: [traceId(1), traceId(2), traceId(99)] },
      spans: () => [1, 2].flatMap((index) => [rootId(index), llmId(index)]),
    },
    { what: 'no parent', query: { parentId: null }, spans: () => indices.map(rootId) },
    { what: 'a parent', query: { parentId: rootId(5) }, spans: () => [llmId(5)] },
    { what: 'a name', query: { name: 'ask 6' }, spans: () => [llmId(6)] },
    { what: 'two names', query: { name: ['ask 6', 'run'] }, spans: () => [llmId(6), ...indices.map(rootId)] },
    { what: 'a span kind', query: { spanKind: 'LLM' }, spans: () => indices.map(llmId) },
    {
      what: 'span kinds in lower case',
      query: { spanKind: ['chain', 'llm'] },
      spans: () => indices.flatMap((index) => [rootId(index), llmId(index)]),
    },
    { what: 'a kind that no span has', query: { spanKind: 'RETRIEVER' }, spans: () => [] },
    { what: 'a status', query: { statusCode: 'ERROR' }, spans: () => [llmId(3)] },
    { what: 'two statuses', query: { statusCode: ['ERROR', 'OK'], spanKind: 'LLM' }, spans: () => indices.map(llmId) },
    { what: 'an attribute that is a number', query: { attributes: { 'metadata.number': 7 } }, spans: () => [llmId(7)] },
    {
      what: 'an attribute that is text which looks like a number',
      query: { attributes: { 'metadata.text': '7' } },
      spans: () => [llmId(7)],
    },
    {
      what: 'an attribute that is a boolean',
      query: { attributes: { 'metadata.even': true } },
      spans: () => [0, 2, 4, 6, 8].map(llmId),
    },
    {
      what: 'two attributes at once',
      query: { attributes: { 'metadata.even': true, 'llm.token_count.prompt': 8 } },
      spans: () => [llmId(8)],
    },
    {
      what: 'the text of a number that is stored as a number',
      query: { attributes: { 'metadata.number': '7' } },
      spans: () => [],
    },
    {
      what: 'a time window, its end excluded',
      query: { startTime: startOf(2), endTime: startOf(4) },
      spans: () => [2, 3].flatMap((index) => [rootId(index), llmId(index)]),
    },
    {
      what: 'everything together',
      query: {
        traceIds: [traceId(3), traceId(5)],
        parentId: rootId(3),
        name: 'ask 3',
        spanKind: 'LLM',
        statusCode: 'ERROR',
        attributes: { 'llm.model_name': 'gpt-4o' },
        startTime: startOf(3),
        endTime: startOf(9),
      },
      spans: () => [llmId(3)],
    },
  ];
  for (const { what, query, spans } of FILTERS) {
    test(`finds spans by ${what}`, async () => {
      assert.deepEqual(await find(query), spans().sort());
    });
  }

  test('pages through all spans without skipping or repeating one', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof getSpans>> = await getSpans({
        client: client(),
        project,
        limit: 3,
        cursor,
      });
      assert.ok(page.spans.length <= 3);
      seen.push(...page.spans.map((span) => span.context.span_id));
      cursor = page.nextCursor ?? null;
    } while (cursor !== null);

    assert.deepEqual([...seen].sort(), indices.flatMap((index) => [rootId(index), llmId(index)]).sort());
  });

  test('lists traces by start time, newest first, with their spans on request', async () => {
    const { traces } = await getTraces({ client: client(), project, includeSpans: true });

    assert.deepEqual(
      traces.map((trace) => trace.trace_id),
      indices.map(traceId).reverse(),
    );
    const [newest] = traces;
    assert.deepEqual(newest?.spans?.map((span) => [span.span_id, span.name, span.parent_id ?? null]).sort(), [
      [rootId(9), 'run', null],
      [llmId(9), 'ask 9', rootId(9)],
    ]);
    assert.equal(newest?.start_time, '2026-01-01T12:09:00.250000+00:00');
    assert.equal(newest?.end_time, '2026-01-01T12:09:10.250000+00:00');
  });

  test('lists traces by latency, in pages', async () => {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof getTraces>> = await getTraces({
        client: client(),
        project,
        sort: 'latency_ms',
        order: 'asc',
        limit: 4,
        cursor,
      });
      ids.push(...page.traces.map((trace) => trace.trace_id));
      cursor = page.nextCursor;
    } while (cursor !== null);

    assert.deepEqual(ids, indices.map(traceId).reverse());
  });

  test('lists the traces of a session by its session ID or its global ID', async () => {
    const session = await getSession({ client: client(), sessionId: 'session A' });
    const expected = [8, 6, 4, 2, 0].map(traceId);

    for (const id of ['session A', session.id]) {
      const { traces } = await getTraces({ client: client(), project, sessionId: id });
      assert.deepEqual(
        traces.map((trace) => trace.trace_id),
        expected,
      );
    }
    const { traces } = await getTraces({
      client: client(),
      project,
      sessionId: ['session A', 'session B', 'no such one'],
    });
    assert.equal(traces.length, TRACE_COUNT);
  });

  test('lists traces of a time window', async () => {
    const { traces } = await getTraces({
      client: client(),
      project,
      startTime: startOf(3),
      endTime: startOf(5),
      order: 'asc',
    });

    assert.deepEqual(
      traces.map((trace) => trace.trace_id),
      [traceId(3), traceId(4)],
    );
  });

  test('lists sessions with their traces in order of time', async () => {
    const sessions = await listSessions({ client: client(), projectName: PROJECT });

    assert.deepEqual(sessions.map((session) => session.sessionId).sort(), ['session A', 'session B']);
    const a = sessions.find((session) => session.sessionId === 'session A');
    assert.deepEqual(
      a?.traces.map((trace) => trace.traceId),
      [0, 2, 4, 6, 8].map(traceId),
    );
    assert.equal(a?.startTime, '2026-01-01T12:00:00.250000+00:00');
    assert.equal(a?.endTime, '2026-01-01T12:08:20.250000+00:00');
  });

  test('reads the turns of a session from its root spans', async () => {
    const turns = await getSessionTurns({ client: client(), sessionId: 'session B' });

    assert.deepEqual(
      turns.map((turn) => [turn.traceId, turn.input?.value, turn.output?.value]),
      [1, 3, 5, 7, 9].map((index) => [traceId(index), `question ${index}`, `{"answer": ${index}}`]),
    );
    assert.equal(turns[0]?.output?.mimeType, 'application/json');
  });

  test('receives the IDs of existing spans, and nothing of that request is stored', async () => {
    const fresh = { ...spansOfTrace(50)[0]! };
    const known = spansOfTrace(2)[1]!;

    const error = await logSpans({ client: client(), project, spans: [fresh, known] }).then(
      () => assert.fail('a duplicate was taken'),
      (thrown: unknown) => thrown,
    );

    assert.ok(error instanceof SpanCreationError, String(error));
    assert.deepEqual(error.duplicateSpans, [{ spanId: llmId(2), traceId: traceId(2) }]);
    assert.equal(error.totalReceived, 2);
    assert.equal(error.totalQueued, 0);
    assert.deepEqual(await find({ traceIds: [traceId(50)] }), []);
  });

  test('works with projects: list, get by name and by global ID, create, reject a duplicate, delete', async () => {
    const { data: created } = await client().POST('/v1/projects', {
      body: { name: 'Zürich & co', description: 'made by hand' },
    });
    const id = created?.data.id ?? '';

    const byName = await client().GET('/v1/projects/{project_identifier}', {
      params: { path: { project_identifier: 'Zürich & co' } },
    });
    const byId = await client().GET('/v1/projects/{project_identifier}', {
      params: { path: { project_identifier: id } },
    });
    const names = (await client().GET('/v1/projects')).data?.data.map((one) => one.name) ?? [];

    assert.deepEqual(byName.data?.data, { id, name: 'Zürich & co', description: 'made by hand' });
    assert.deepEqual(byId.data, byName.data);
    assert.ok(names.includes('default') && names.includes(PROJECT) && names.includes('Zürich & co'), names.join());
    await assert.rejects(async () => client().POST('/v1/projects', { body: { name: 'Zürich & co' } }), /409/);
    await client().DELETE('/v1/projects/{project_identifier}', { params: { path: { project_identifier: id } } });
    await assert.rejects(
      async () => client().GET('/v1/projects/{project_identifier}', { params: { path: { project_identifier: id } } }),
      /404/,
    );
  });

  test('deletes a span by its span ID or its global ID, and keeps a trace with other spans', async () => {
    const other = { projectName: 'deletions' };
    await logSpans({ client: client(), project: other, spans: [...spansOfTrace(60), ...spansOfTrace(61)] });
    const spans = await spansOnceThere(server.url, 'deletions', 4);
    const root61 = spans.find((span) => span.context.span_id === rootId(61));

    await deleteSpan({ client: client(), spanIdentifier: llmId(60) });
    await deleteSpan({ client: client(), spanIdentifier: root61?.id ?? '' });

    const left = await getSpans({ client: client(), project: other });
    assert.deepEqual(left.spans.map((span) => span.context.span_id).sort(), [rootId(60), llmId(61)]);
    const { traces } = await getTraces({ client: client(), project: other, order: 'asc' });
    assert.deepEqual(
      traces.map((trace) => trace.trace_id),
      [traceId(60), traceId(61)],
    );
    await assert.rejects(deleteSpan({ client: client(), spanIdentifier: llmId(60) }), /not found|404/i);
  });

  test('deletes sessions with all of their data', async () => {
    const other = { projectName: 'session deletions' };
    const spans = [70, 71].flatMap((index) => spansOfTrace(index, `doomed ${index}`));
    const kept = spansOfTrace(72, 'kept');
    await logSpans({ client: client(), project: other, spans: [...spans, ...kept] });
    await spansOnceThere(server.url, 'session deletions', 6);

    await deleteSession({ client: client(), sessionId: 'doomed 70' });
    await deleteSessions({ client: client(), sessionIds: ['doomed 71', 'never was'] });

    await eventually(async () => {
      const left = await getSpans({ client: client(), project: other });
      assert.deepEqual(left.spans.map((span) => span.context.span_id).sort(), [rootId(72), llmId(72)]);
    });
    const sessions = await listSessions({ client: client(), projectName: 'session deletions' });
    assert.deepEqual(
      sessions.map((session) => session.sessionId),
      ['kept'],
    );
    await assert.rejects(getSession({ client: client(), sessionId: 'doomed 70' }), /404/);
  });
});

function spansOfTrace(index: number, session = sessionId(index)): Span[] {
  const times = { start_time: startOf(index).toISOString(), end_time: endOf(index).toISOString() };
  const failed = index === 3;
  return [
    {
      name: 'run',
      context: { trace_id: traceId(index), span_id: rootId(index) },
      span_kind: 'CHAIN',
      ...times,
      status_code: 'UNSET',
      attributes: {
        'session.id': session,
        'input.value': `question ${index}`,
        'output.value': `{"answer": ${index}}`,
        'output.mime_type': 'application/json',
      },
    },
    {
      name: `ask ${index}`,
      context: { trace_id: traceId(index), span_id: llmId(index) },
      parent_id: rootId(index),
      span_kind: 'LLM',
      ...times,
      status_code: failed ? 'ERROR' : 'OK',
      status_message: failed ? 'rate limited' : '',
      // Dotted and nested attributes may be mixed.
      attributes: {
        'session.id': session,
        'llm.model_name': 'gpt-4o',
        llm: {
          token_count: { prompt: index, completion: 10 },
          input_messages: [{ message: { content: `Frage ${index} – ¿qué?` } }],
        },
        metadata: { number: index, text: String(index), even: index % 2 === 0 },
      },
      events: [{ name: 'retry', timestamp: times.start_time, attributes: { attempt: 2 } }],
    },
  ];
}
