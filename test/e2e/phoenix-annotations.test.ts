import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from '@arizeai/phoenix-client';
import * as newestSessions from '@arizeai/phoenix-client/sessions';
import * as newestSpans from '@arizeai/phoenix-client/spans';
import { addTraceAnnotation, addTraceNote, getTraces } from '@arizeai/phoenix-client/traces';
import { createClient as createOldClient } from 'phoenix-client-5.9';
import * as oldSessions from 'phoenix-client-5.9/sessions';
import * as oldSpans from 'phoenix-client-5.9/spans';
import { eventually, spansOnceThere } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const PROJECT = 'annotated';
const project = { projectName: PROJECT };
const traceId = (index: number) => index.toString(16).padStart(32, 'b');
const spanId = (index: number) => index.toString(16).padStart(16, 'c');

/** A retrieval of two documents; number `index` takes that many seconds, and number 2 failed. */
const retrieval = (index: number): newestSpans.Span => ({
  name: `retrieve ${index}`,
  context: { trace_id: traceId(index), span_id: spanId(index) },
  span_kind: 'RETRIEVER',
  start_time: '2026-01-01T12:00:00Z',
  end_time: new Date(Date.UTC(2026, 0, 1, 12, 0, index)).toISOString(),
  status_code: index === 2 ? 'ERROR' : 'OK',
  attributes: {
    'session.id': `conversation ${index}`,
    retrieval: { documents: [{ document: { content: 'first' } }, { document: { content: 'second' } }] },
  },
});

describe('annotations through the TypeScript clients', () => {
  let server: ServerProcess;
  let dataDir: string;
  const newest = () => createClient({ options: { baseUrl: server.url } });
  const old = () => createOldClient({ options: { baseUrl: server.url } });

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
    await newestSpans.logSpans({ client: newest(), project, spans: [1, 2, 3].map(retrieval) });
    await spansOnceThere(server.url, PROJECT, 3);
  });

  after(async () => {
    await server.stop();
    await removeDataDir(dataDir);
  });

  /** The same calls of both versions; each has its own types, which the calls fit. */
  const VERSIONS = [
    { version: 'newest', spans: newestSpans, sessions: newestSessions, client: newest, index: 1 },
    {
      version: '5.9.0',
      spans: oldSpans as unknown as typeof newestSpans,
      sessions: oldSessions as unknown as typeof newestSessions,
      client: old as unknown as typeof newest,
      index: 2,
    },
  ];
  for (const { version, spans, sessions, client, index } of VERSIONS) {
    test(`${version}: annotate spans, synchronously or not, list by name and replace by identifier`, async () => {
      const annotate = (score: number, sync: boolean) =>
        spans.addSpanAnnotation({
          client: client(),
          spanAnnotation: { spanId: spanId(index), name: version, score, identifier: 'run', annotatorKind: 'LLM' },
          sync,
        });
      const made = await annotate(0, true);
      assert.equal((await annotate(0.25, true))?.id, made?.id);
      const query = { client: client(), project, spanIds: [spanId(index)], includeAnnotationNames: [version] };
      const [found, ...others] = (await spans.getSpanAnnotations(query)).annotations;

      assert.deepEqual(others, []);
      assert.deepEqual(found?.result, { label: null, score: 0.25, explanation: null });
      assert.deepEqual([found?.id, found?.annotator_kind, found?.identifier], [made?.id, 'LLM', 'run']);
      assert.equal(await annotate(0.5, false), null);
      await eventually(async () => {
        const [later] = (await spans.getSpanAnnotations(query)).annotations;
        assert.equal(later?.result?.score, 0.5);
      });
      await assert.rejects(
        spans.logSpanAnnotations({
          client: client(),
          spanAnnotations: [{ spanId: spanId(999), name: version, label: 'x' }],
          sync: true,
        }),
        /404/,
      );
    });

    test(`${version}: annotate documents of a span by position`, async () => {
      const one = await spans.addDocumentAnnotation({
        client: client(),
        documentAnnotation: { spanId: spanId(index), documentPosition: 0, name: version, score: 1, label: 'relevant' },
        sync: true,
      });
      const [other] = await spans.logDocumentAnnotations({
        client: client(),
        documentAnnotations: [{ spanId: spanId(index), documentPosition: 1, name: version, score: 0 }],
        sync: true,
      });

      assert.ok(one?.id && other?.id && one.id !== other.id);
      await assert.rejects(
        spans.addDocumentAnnotation({
          client: client(),
          documentAnnotation: { spanId: spanId(index), documentPosition: 2, name: version, score: 0 },
          sync: true,
        }),
        /422/,
      );
    });

    test(`${version}: annotate sessions`, async () => {
      const sessionId = `conversation ${index}`;
      const made = await sessions.addSessionAnnotation({
        client: client(),
        sessionAnnotation: { sessionId, name: version, explanation: 'went well' },
        sync: true,
      });
      const [logged] = await sessions.logSessionAnnotations({
        client: client(),
        sessionAnnotations: [{ sessionId, name: `${version} again`, score: 2 }],
        sync: true,
      });

      const { data } = await newest().GET('/v1/projects/{project_identifier}/session_annotations', {
        params: { path: { project_identifier: PROJECT }, query: { session_ids: [sessionId] } },
      });
      const shown = data?.data.map(({ id, name }) => [id, name]) ?? [];
      assert.deepEqual(
        shown.sort(),
        [
          [logged?.id, `${version} again`],
          [made?.id, version],
        ].sort(),
      );
    });

    test(`${version}: add several notes`, async () => {
      const add = (note: string) => spans.addSpanNote({ client: client(), spanNote: { spanId: spanId(index), note } });
      const ids = [(await add('one')).id, (await add('two')).id];

      const query = { client: client(), project, spanIds: [spanId(index)], includeAnnotationNames: ['note'] };
      const { annotations } = await spans.getSpanAnnotations(query);
      assert.deepEqual(annotations.map(({ id }) => id).sort(), ids.sort());
    });
  }

  test('annotate traces', async () => {
    const made = await addTraceAnnotation({
      client: newest(),
      traceAnnotation: { traceId: traceId(1), name: 'whole', label: 'good', metadata: { by: 'test' } },
      sync: true,
    });

    const { data } = await newest().GET('/v1/projects/{project_identifier}/trace_annotations', {
      params: { path: { project_identifier: PROJECT }, query: { trace_ids: [traceId(1)] } },
    });
    assert.deepEqual(
      data?.data.map(({ id, name, result, metadata }) => [id, name, result?.label, metadata]),
      [[made?.id, 'whole', 'good', { by: 'test' }]],
    );
  });

  test('support the version-dependent calls of the newest client: notes with identifiers, failed and slow traces', async () => {
    const client = newest();
    const identifier = 'mine';
    const onSpan = (note: string) =>
      newestSpans.addSpanNote({ client, spanNote: { spanId: spanId(3), note, identifier } });
    const onTrace = (note: string) => addTraceNote({ client, traceNote: { traceId: traceId(3), note, identifier } });
    const onSession = (note: string) =>
      newestSessions.addSessionNote({ client, sessionNote: { sessionId: 'conversation 3', note, identifier } });
    for (const add of [onSpan, onTrace, onSession]) {
      assert.equal((await add('first')).id, (await add('second')).id);
    }
    const notes = { client, project, spanIds: [spanId(3)], includeAnnotationNames: ['note'] };
    const { annotations } = await newestSpans.getSpanAnnotations(notes);
    assert.deepEqual(
      annotations.map(({ result }) => result?.explanation),
      ['second'],
    );

    const traces = async (query: object) => {
      const { data } = await client.GET('/v1/projects/{project_identifier}/traces', {
        params: { path: { project_identifier: PROJECT }, query },
      });
      return data?.data.map((trace) => trace.trace_id).sort();
    };
    assert.deepEqual(await traces({ error: true }), [traceId(2)]);
    assert.deepEqual(await traces({ min_latency_ms: 1_500, error: false }), [traceId(3)]);
    assert.deepEqual(await traces({ max_latency_ms: 2_000 }), [traceId(1), traceId(2)]);
    const { traces: all } = await getTraces({ client, project });
    assert.equal(all.length, 3);
  });

  test('assign annotation configs to a project and remove them', async () => {
    const client = newest();
    const { data: made } = await client.POST('/v1/annotation_configs', {
      body: {
        name: 'quality',
        type: 'CATEGORICAL',
        optimization_direction: 'MAXIMIZE',
        values: [{ label: 'good', score: 1 }],
      },
    });
    const path = { project_identifier: PROJECT, config_identifier: made?.data.id ?? '' };
    const names = async () =>
      (await client.GET('/v1/projects/{project_identifier}/annotation_configs', { params: { path } })).data?.data.map(
        ({ name }) => name,
      );

    assert.deepEqual(await names(), []);
    const route = '/v1/projects/{project_identifier}/annotation_configs/{config_identifier}';
    await client.PUT(route, { params: { path } });
    assert.deepEqual(await names(), ['quality']);
    await client.DELETE(route, { params: { path: { ...path, config_identifier: 'quality' } } });
    assert.deepEqual(await names(), []);
  });

  test('delete annotations by name and identifier, and all of a name', async () => {
    const client = newest();
    const spanIds = [spanId(1), spanId(2), spanId(3)];
    await newestSpans.logSpanAnnotations({
      client,
      spanAnnotations: spanIds.map((id) => ({ spanId: id, name: 'doomed', identifier: id, score: 1 })),
      sync: true,
    });
    const left = async () =>
      (await newestSpans.getSpanAnnotations({ client, project, spanIds, includeAnnotationNames: ['doomed'] }))
        .annotations.length;

    const remove = (query: object) =>
      client.DELETE('/v1/projects/{project_identifier}/span_annotations', {
        params: { path: { project_identifier: PROJECT }, query: { name: 'doomed', ...query } },
      });
    await assert.rejects(async () => remove({}), /422/);
    await remove({ identifier: spanId(1), delete_all: true });
    assert.equal(await left(), 2);
    await remove({ delete_all: true });
    assert.equal(await left(), 0);
  });
});
