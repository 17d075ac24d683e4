import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { findRowId } from '../../../src/domain/find-row-ids.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import type { TestSpan } from '../../fixtures/span-columns.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import type { Page } from './pages.ts';

let rest: TestServer;
const cleanUp = cleanUpAfter(after);
before(async () => {
  rest = await openTestServer({ after: cleanUp });
});

const START = 1_714_564_800_250_000_000n;
const SECOND = 1_000_000_000n;
const TIMES = { start_time: '2024-05-01T12:00:00.250000+00:00', end_time: '2024-05-01T12:00:01+00:00' };
const TOKENS = { token_count_prompt: 9, token_count_completion: 12, token_count_total: 21 };

/** A root span of a trace that has the same name as the span. */
const aSpan = (name: string, over: Partial<TestSpan> = {}): TestSpan => ({
  ...{ traceId: name, spanId: `span of ${name}`, name, spanKind: 'LLM', statusCode: 'OK', tokens: [9, 12] },
  ...{ start: START, end: START + (3n * SECOND) / 4n },
  ...over,
});

const list = async (path: string) => ((await rest.call('GET', path)).json as Page).data;
const idsOf = async (query: string, field = 'trace_id') =>
  (await list(`/v1/projects/${query}`)).map((row) => row[field]);
const projectIdOf = async (name: string) => toGlobalId('Project', (await rest.ports.projects.find({ name }))!.rowId);
const traceIdOf = async (id: string) => toGlobalId('Trace', (await findRowId(rest.store, 'traces', { id }))!);
const sessionIdOf = async (id: string) =>
  toGlobalId('ProjectSession', (await findRowId(rest.store, 'sessions', { id }))!);

describe('the routes of traces', () => {
  test('list traces with their spans only when asked', async () => {
    const project = 'listed';
    await rest.append(aSpan('older', { project, start: START - SECOND }), aSpan('newer', { project }));
    const spanRowId = await rest.store.newestSpanRowId();

    const plain = (await rest.call('GET', '/v1/projects/listed/traces?limit=1')).json;
    const full = await list('/v1/projects/listed/traces?include_spans=yes');

    assert.deepEqual(plain, {
      data: [
        {
          ...{ id: await traceIdOf('newer'), trace_id: 'newer', project_id: await projectIdOf(project) },
          ...{ ...TIMES, ...TOKENS, spans: null },
        },
      ],
      next_cursor: await traceIdOf('older'),
    });
    const common = { parent_id: null, span_kind: 'LLM', status_code: 'OK' };
    assert.deepEqual(full[0]!.spans, [
      { id: toGlobalId('Span', spanRowId), span_id: 'span of newer', name: 'newer', ...common, ...TIMES },
    ]);
    assert.deepEqual(
      (full[1]!.spans as { span_id: string }[]).map(({ span_id }) => span_id),
      ['span of older'],
    );
  });

  test('list in the order, window, sessions and page of the request', async () => {
    const of = (name: string, second: bigint, seconds: bigint, sessionId?: string) =>
      aSpan(name, {
        ...{ project: 'ordered', start: second * SECOND, end: (second + seconds) * SECOND },
        ...(sessionId !== undefined && { sessionId }),
      });
    await rest.append(of('t0', 0n, 3n, 'chat'), of('t1', 1n, 1n), of('t2', 2n, 2n, 'talk'), of('t3', 3n, 9n, 'other'));
    const sessions = `session_identifier=chat&session_identifier=${await sessionIdOf('talk')}`;

    assert.deepEqual(await idsOf('ordered/traces'), ['t3', 't2', 't1', 't0']);
    assert.deepEqual(await idsOf('ordered/traces?order=asc&limit=3'), ['t0', 't1', 't2']);
    assert.deepEqual(await idsOf('ordered/traces?sort=latency_ms&order=asc'), ['t1', 't2', 't0', 't3']);
    assert.deepEqual(await idsOf('ordered/traces?start_time=1&end_time=3&order=asc'), ['t1', 't2']);
    assert.deepEqual(await idsOf(`ordered/traces?${sessions}&order=asc`), ['t0', 't2']);
    const latency = `ordered/traces?sort=latency_ms&order=asc&start_time=0&end_time=3&${sessions}`;
    assert.deepEqual(await idsOf(latency), ['t2', 't0']);
    assert.deepEqual(await idsOf(`${latency}&cursor=${await traceIdOf('t0')}`), ['t0']);
  });

  test('delete a trace by either ID, applied before the response', async () => {
    const project = 'traces deleted';
    await rest.append(...['gone', 'gone too', 'kept'].map((name) => aSpan(name, { project })));
    const ids = ['gone', await traceIdOf('gone too')];

    for (const id of ids) {
      const { status } = await fetch(`${rest.address}/v1/traces/${encodeURIComponent(id)}`, { method: 'DELETE' });
      assert.equal(status, 204);
      assert.equal(await findRowId(rest.store, 'traces', { id }), undefined);
    }
    assert.deepEqual(await idsOf(`${encodeURIComponent(project)}/traces`), ['kept']);
    assert.equal((await rest.call('DELETE', `/v1/traces/${ids[1]}`)).status, 404);
  });

  const unknownId = toGlobalId('Trace', 987654321);
  for (const { method, path, status, text } of [
    { method: 'DELETE', path: 'traces/none', status: 404, text: "Trace with trace_id 'none' not found" },
    {
      method: 'DELETE',
      path: `traces/${unknownId}`,
      status: 404,
      text: `Trace with relay ID '${unknownId}' not found`,
    },
    { method: 'GET', path: 'projects/none/traces', status: 404, text: 'Project with name none not found' },
    { method: 'GET', path: 'projects/default/traces?cursor=zzz', status: 422, text: 'Invalid cursor format: zzz' },
  ]) {
    test(`answer ${method} ${path} with ${status}`, async () => {
      const reply = await rest.call(method, `/v1/${path}`);
      assert.deepEqual([reply.status, reply.text], [status, text]);
    });
  }
});

describe('the routes of sessions', () => {
  test('list and read sessions with their traces', async () => {
    const project = 'talks';
    await rest.append(
      aSpan('talk', { project, sessionId: 'chat-42' }),
      aSpan('later talk', { project, sessionId: 'chat-43' }),
    );
    const session = {
      ...{ id: await sessionIdOf('chat-42'), session_id: 'chat-42', project_id: await projectIdOf(project) },
      ...{ ...TIMES, ...TOKENS },
      traces: [{ id: await traceIdOf('talk'), trace_id: 'talk', ...TIMES }],
    };

    const page = await rest.call('GET', '/v1/projects/talks/sessions?limit=1');
    const byText = await rest.call('GET', '/v1/sessions/chat-42');
    const byId = await rest.call('GET', `/v1/sessions/${session.id}`);

    assert.deepEqual(page.json, { data: [session], next_cursor: await sessionIdOf('chat-43') });
    assert.deepEqual(byText.json, { data: session });
    assert.deepEqual(byId.json, { data: session });
  });

  test('show a session whose traces were deleted without traces', async () => {
    await rest.append(aSpan('only', { project: 'emptied', sessionId: 'empty' }));
    await rest.call('DELETE', '/v1/traces/only');

    const { json } = await rest.call('GET', '/v1/sessions/empty');

    assert.deepEqual((json as { data: { traces: unknown } }).data.traces, []);
  });

  test('delete one session, or several of which unknown ones are passed over', async () => {
    const project = 'sessions-deleted';
    const names = ['s1', 's2', 's3', 's4'];
    await rest.append(...names.map((sessionId) => aSpan(`trace of ${sessionId}`, { project, sessionId })));
    const left = async () => (await idsOf(`${project}/sessions`, 'session_id')).toSorted();
    const deleteSeveral = async (session_identifiers: readonly string[]) =>
      (await rest.call('POST', '/v1/sessions/delete', { json: { session_identifiers } })).status;

    assert.equal((await rest.call('DELETE', '/v1/sessions/s1')).status, 204);
    assert.deepEqual(await left(), ['s2', 's3', 's4']);
    assert.equal(await deleteSeveral(['s2', 'none', 's3', 's3']), 204);
    assert.deepEqual(await left(), ['s4']);
    assert.equal(await deleteSeveral(['none']), 204);
    assert.deepEqual(await left(), ['s4']);
    assert.deepEqual(await idsOf(`${project}/traces`), ['trace of s4']);
  });

  const unknownId = toGlobalId('ProjectSession', 987654321);
  for (const { method, path, json, status, text } of [
    { method: 'GET', path: 'sessions/none', status: 404, text: 'Session with session_id none not found' },
    { method: 'GET', path: `sessions/${unknownId}`, status: 404, text: `Session with ID ${unknownId} not found` },
    { method: 'DELETE', path: 'sessions/none', status: 404, text: "Session with session_id 'none' not found" },
    { method: 'DELETE', path: `sessions/${unknownId}`, status: 404, text: `Session with ID '${unknownId}' not found` },
    { method: 'GET', path: 'projects/default/sessions?cursor=zzz', status: 422, text: 'Invalid cursor format: zzz' },
    {
      method: 'POST',
      path: 'sessions/delete',
      json: { session_identifiers: [] },
      status: 422,
      text: 'Session identifier list must not be empty.',
    },
    {
      method: 'POST',
      path: 'sessions/delete',
      json: { session_identifiers: ['chat', unknownId] },
      status: 422,
      text: 'All identifiers must be the same type: either all GlobalIDs or all session_id strings.',
    },
  ]) {
    test(`answer ${method} ${path} with ${status} ${JSON.stringify(text)}`, async () => {
      const reply = await rest.call(method, `/v1/${path}`, json ? { json } : {});
      assert.deepEqual([reply.status, reply.text], [status, text]);
    });
  }
});
