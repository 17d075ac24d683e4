import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aSession, aSpan, aTrace, TRACE_A } from '../../domain/fake-domain.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openRestServer } from './rest-server.ts';

const TRACE_JSON = {
  id: toGlobalId('Trace', 7),
  trace_id: TRACE_A,
  project_id: toGlobalId('Project', 1),
  start_time: '2024-05-01T12:00:00.250000+00:00',
  end_time: '2024-05-01T12:00:01+00:00',
  token_count_prompt: 9,
  token_count_completion: 12,
  token_count_total: 21,
};

describe('the routes of traces', () => {
  test('list traces with their spans only when asked', async (t) => {
    const rest = await openRestServer(t);
    rest.domain.rows.traces = [aTrace(), aTrace({ rowId: 6 })];
    const span = aSpan();
    rest.domain.rows.summaries = [
      {
        ...span,
        tokensPrompt: 9,
        tokensCompletion: 12,
        cumulativeErrorCount: 0,
        cumulativeTokensPrompt: 9,
        cumulativeTokensCompletion: 12,
      },
    ];

    const plain = await rest.call('GET', '/v1/projects/default/traces?limit=1');
    const full = await rest.call('GET', '/v1/projects/default/traces?include_spans=yes');

    assert.deepEqual(plain.json, { data: [{ ...TRACE_JSON, spans: null }], next_cursor: toGlobalId('Trace', 6) });
    assert.deepEqual(
      (full.json as { data: { spans: unknown }[] }).data.map(({ spans }) => spans),
      [
        [
          {
            id: toGlobalId('Span', 12),
            span_id: span.spanId,
            parent_id: null,
            name: 'chat',
            span_kind: 'LLM',
            status_code: 'OK',
            start_time: '2024-05-01T12:00:00.250000+00:00',
            end_time: '2024-05-01T12:00:01+00:00',
          },
        ],
        [],
      ],
    );
  });

  test('ask the store for the order, the window and the sessions', async (t) => {
    const rest = await openRestServer(t);
    await rest.call('GET', '/v1/projects/default/traces');
    await rest.call(
      'GET',
      `/v1/projects/default/traces?sort=latency_ms&order=asc&limit=5&cursor=${toGlobalId('Trace', 4)}&start_time=0&end_time=1` +
        `&session_identifier=chat&session_identifier=${toGlobalId('ProjectSession', 3)}`,
    );
    assert.deepEqual(rest.domain.asked.traces, [
      { projectId: 1, sort: 'startTime', order: 'desc', limit: 100 },
      {
        projectId: 1,
        startTimeUnixNano: 0n,
        endTimeUnixNano: 1_000_000_000n,
        sessions: [{ id: 'chat' }, { rowId: 3 }],
        sort: 'latency',
        order: 'asc',
        limit: 5,
        fromRowId: 4,
      },
    ]);
  });

  test('delete a trace, journaled and applied before the answer', async (t) => {
    const rest = await openRestServer(t);
    rest.domain.rows.traces = [aTrace()];

    assert.equal((await rest.call('DELETE', `/v1/traces/${TRACE_A}`)).status, 204);
    assert.equal((await rest.call('DELETE', `/v1/traces/${toGlobalId('Trace', 7)}`)).status, 204);

    assert.deepEqual(rest.domain.deletions, Array(2).fill({ what: 'traces', rowIds: [7] }));
    assert.deepEqual(rest.domain.log.slice(0, 2), ['traces deletion journaled', 'applied 1']);
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
    test(`answer ${method} ${path} with ${status}`, async (t) => {
      const rest = await openRestServer(t);
      const reply = await rest.call(method, `/v1/${path}`);
      assert.deepEqual([reply.status, reply.text], [status, text]);
    });
  }
});

describe('the routes of sessions', () => {
  const SESSION_JSON = {
    id: toGlobalId('ProjectSession', 3),
    session_id: 'chat-42',
    project_id: toGlobalId('Project', 1),
    start_time: '2024-05-01T12:00:00.250000+00:00',
    end_time: '2024-05-01T12:00:01+00:00',
    traces: [
      {
        id: toGlobalId('Trace', 7),
        trace_id: TRACE_A,
        start_time: '2024-05-01T12:00:00.250000+00:00',
        end_time: '2024-05-01T12:00:01+00:00',
      },
    ],
    token_count_prompt: 9,
    token_count_completion: 12,
    token_count_total: 21,
  };

  test('list and read sessions with their traces', async (t) => {
    const rest = await openRestServer(t);
    rest.domain.rows.sessions = [aSession(), aSession({ rowId: 4, sessionId: 'empty' })];
    rest.domain.rows.traces = [aTrace()];

    const list = await rest.call('GET', '/v1/projects/default/sessions?limit=1');
    const byText = await rest.call('GET', '/v1/sessions/chat-42');
    const byId = await rest.call('GET', `/v1/sessions/${SESSION_JSON.id}`);
    const empty = await rest.call('GET', '/v1/sessions/empty');

    assert.deepEqual(list.json, { data: [SESSION_JSON], next_cursor: toGlobalId('ProjectSession', 4) });
    assert.deepEqual(byText.json, { data: SESSION_JSON });
    assert.deepEqual(byId.json, { data: SESSION_JSON });
    assert.deepEqual((empty.json as { data: { traces: unknown } }).data.traces, []);
  });

  test('delete one session, or several of which unknown ones are passed over', async (t) => {
    const rest = await openRestServer(t);
    rest.domain.rows.sessions = [aSession(), aSession({ rowId: 4, sessionId: 'other' })];

    assert.equal((await rest.call('DELETE', '/v1/sessions/chat-42')).status, 204);
    const several = { session_identifiers: ['chat-42', 'none', 'other', 'other'] };
    assert.equal((await rest.call('POST', '/v1/sessions/delete', { json: several })).status, 204);
    const unknown = await rest.call('POST', '/v1/sessions/delete', { json: { session_identifiers: ['none'] } });
    assert.equal(unknown.status, 204);

    assert.deepEqual(rest.domain.deletions, [
      { what: 'sessions', rowIds: [3] },
      { what: 'sessions', rowIds: [3, 4] },
    ]);
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
    test(`answer ${method} ${path} with ${status} ${JSON.stringify(text)}`, async (t) => {
      const rest = await openRestServer(t);
      const reply = await rest.call(method, `/v1/${path}`, json ? { json } : {});
      assert.deepEqual([reply.status, reply.text], [status, text]);
    });
  }
});
