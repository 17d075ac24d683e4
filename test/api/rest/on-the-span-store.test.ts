import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openRestServerOnSpanStore, type Page, walk } from './span-store-server.ts';

const span = (id: string, over: object = {}) => ({
  name: id,
  context: { trace_id: `trace of ${id}`, span_id: id },
  span_kind: 'LLM',
  start_time: '2024-05-01T12:00:00Z',
  end_time: '2024-05-01T12:00:01Z',
  status_code: 'OK',
  ...over,
});

describe('REST on the span store', () => {
  test('answers a query of spans with a table in the JSON dialect, as a part', async (t) => {
    const rest = await openRestServerOnSpanStore(t);
    const documents = [{ document: { content: 'one', score: 1 } }, 'no object', { document: { content: 'two' } }];
    const attributes = { retrieval: { documents }, custom: { flag: true, deep: [1] }, 'llm.token_count.prompt': 7 };
    await rest.call('POST', '/v1/projects/default/spans', {
      json: { data: [span('a', { attributes }), span('b', { start_time: '2024-05-01T12:00:00.123456789Z' })] },
    });
    const query = async (query: object, more: object = {}) => {
      const answer = await rest.call('POST', '/v1/spans', { json: { queries: [query], ...more } });
      const boundary = /^multipart\/mixed; boundary=(\S+)$/.exec(answer.type ?? '')?.[1];
      const [head, part, end, ...others] = answer.text.split(`--${boundary}`);
      assert.deepEqual([answer.status, head, end, others.length], [200, '', '--\r\n', 0], answer.text);
      const [header, json] = part!.split('\r\n\r\n');
      assert.equal(header, '\r\nContent-Type: application/json');
      return JSON.parse(json!);
    };

    assert.deepEqual(await query({ select: { n: { key: 'llm.token_count.prompt' }, at: { key: 'start_time' } } }), {
      schema: {
        fields: [
          { name: '0_context.span_id', type: 'string' },
          { name: '1_n', type: 'number' },
          { name: '2_at', type: 'datetime', tz: 'UTC' },
        ],
        primaryKey: ['0_context.span_id'],
        pandas_version: '1.4.0',
      },
      data: [
        { '0_context.span_id': 'b', '1_n': null, '2_at': '2024-05-01T12:00:00.123456789Z' },
        { '0_context.span_id': 'a', '1_n': 7, '2_at': '2024-05-01T12:00:00.000000000Z' },
      ],
    });
    const [whole] = (await query({ filter: { condition: "'ONE' in retrieval.documents" } })).data;
    assert.deepEqual(whole['12_attributes.custom'] ?? whole['11_attributes.custom'], { flag: true, deep: [1] });
    const exploded = await query({
      explode: { key: 'attributes.retrieval.documents' },
      select: { name: { key: 'name' } },
    });
    assert.deepEqual(exploded.schema.primaryKey, ['0_context.span_id', '1_document_position']);
    assert.deepEqual(
      exploded.data.map((row: object) => Object.values(row)),
      [
        ['a', 0, 'a', 'one', 1],
        ['a', 2, 'a', 'two', null],
      ],
    );
    const joined = await query({
      concat: { key: 'retrieval.documents', kwargs: { text: 'document.content' }, separator: '|' },
    });
    assert.deepEqual(joined.data, [{ '0_context.span_id': 'a', '1_text': 'one|two' }]);
    const counts = await Promise.all(
      [{ limit: 0 }, { limit: 1 }, { limit: -1 }, { project_name: 'no project' }].map((more) => query({}, more)),
    );
    assert.deepEqual(
      counts.map(({ data }) => data.length),
      [0, 1, 2, 0],
    );
    for (const [bad, reason] of [
      [{ filter: { condition: 'name = 1' } }, /^Invalid query: invalid syntax/],
      [{ select: { n: 'name' } }, /^Invalid query: select.n must be an object$/],
      [{ select: { n: { key: '1 +' } } }, /^Invalid query: /],
    ] as const) {
      const { status, text } = await rest.call('POST', '/v1/spans', { json: { queries: [bad] } });
      assert.equal(status, 422);
      assert.match(text, reason);
    }
    assert.equal((await rest.call('POST', '/v1/spans', { json: { queries: [] } })).status, 404);
  });

  test('gives back a span as it was sent', async (t) => {
    const rest = await openRestServerOnSpanStore(t);
    const [before, after] = JSON.stringify({
      data: [
        span('my-span', {
          span_kind: 'weird',
          parent_id: 'some parent',
          status_code: 'error',
          status_message: 'why',
          start_time: '2024-05-01T14:00:00.123456789+02:00',
          attributes: 'HERE',
          events: [{ name: 'e', timestamp: '2024-05-01T12:00:00.5Z', attributes: { k: 'v' } }],
        }),
      ],
    }).split('"HERE"');
    const attributes =
      '{"big":123456789012345678901234567890,"one":1.0,"none":null,"llm":{"deep":{"x":1}},"llm.model_name":"m",' +
      '"llm.input_messages":[{"message":{"role":"user"}}],"list":[1,2],"metadata":"{\\"a\\":1}","__proto__":{"y":2}}';

    const created = await rest.call('POST', '/v1/projects/new/spans', {
      body: before + attributes + after,
      type: 'application/json',
    });
    const listed = await rest.call('GET', '/v1/projects/new/spans');

    assert.deepEqual([created.status, listed.status], [202, 200]);
    const [row] = (listed.json as Page).data;
    assert.deepEqual(
      { ...row, id: '' },
      {
        id: '',
        name: 'my-span',
        context: { trace_id: 'trace of my-span', span_id: 'my-span' },
        span_kind: 'weird',
        parent_id: 'some parent',
        start_time: '2024-05-01T12:00:00.123456+00:00',
        end_time: '2024-05-01T12:00:01+00:00',
        status_code: 'ERROR',
        status_message: 'why',
        attributes: {
          big: Number('123456789012345678901234567890'),
          one: 1,
          'llm.deep.x': 1,
          'llm.model_name': 'm',
          'llm.input_messages.0.message.role': 'user',
          list: [1, 2],
          metadata: '{"a":1}',
          '__proto__.y': 2,
        },
        events: [{ name: 'e', timestamp: '2024-05-01T12:00:00.500000+00:00', attributes: { k: 'v' } }],
      },
    );
    assert.match(listed.text, /"big":123456789012345678901234567890,/);
    assert.match(listed.text, /"one":1\.0,/);
  });

  test('refuses a span ID that is stored, whatever the trace and project', async (t) => {
    const rest = await openRestServerOnSpanStore(t);
    await rest.call('POST', '/v1/projects/a/spans', { json: { data: [span('s')] } });

    const again = { ...span('s'), context: { trace_id: 'another', span_id: 's' } };
    const reply = await rest.call('POST', '/v1/projects/b/spans', { json: { data: [span('t'), again] } });

    assert.equal(reply.status, 400);
    assert.deepEqual((reply.json as { duplicate_spans: unknown }).duplicate_spans, [again.context]);
    assert.equal((await rest.call('GET', '/v1/projects/b/spans')).status, 404);
  });

  for (const sort of ['start_time', 'latency_ms']) {
    for (const order of ['asc', 'desc']) {
      test(`pages traces by ${sort} ${order} without skipping or repeating one`, async (t) => {
        const rest = await openRestServerOnSpanStore(t);
        // Neither starts nor latencies are in the order of insertion, and some are alike.
        const data = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3].map((n, i) =>
          span(`s${i}`, { start_time: 1_714_564_800 + n, end_time: 1_714_564_800 + n + ((n * 7) % 5) }),
        );
        for (const one of data) await rest.call('POST', '/v1/projects/p/spans', { json: { data: [one] } });
        const path = `/v1/projects/p/traces?sort=${sort}&order=${order}`;

        const whole = await walk(rest, `${path}&limit=100`);

        const value = ({ start_time: start, end_time: end }: Record<string, unknown>) =>
          sort === 'start_time' ? Date.parse(String(start)) : Date.parse(String(end)) - Date.parse(String(start));
        const values = whole.map(value);
        const sorted = values.toSorted((a, b) => (order === 'asc' ? a - b : b - a));
        assert.equal(whole.length, data.length);
        assert.deepEqual(values, sorted);
        for (const limit of [1, 3]) assert.deepEqual(await walk(rest, `${path}&limit=${limit}`), whole);
      });
    }
  }

  test('deletes a project with its spans, traces and sessions', async (t) => {
    const rest = await openRestServerOnSpanStore(t);
    const data = [span('s', { attributes: { 'session.id': ' chat ' } })];
    await rest.call('POST', '/v1/projects/mine/spans', { json: { data } });
    assert.equal((await rest.call('GET', '/v1/sessions/chat')).status, 200);

    assert.equal((await rest.call('DELETE', '/v1/projects/mine')).status, 204);

    for (const [method, path] of [
      ['GET', 'projects/mine/spans'],
      ['GET', 'sessions/chat'],
      ['DELETE', 'spans/s'],
      ['DELETE', 'traces/trace%20of%20s'],
    ] as const) {
      assert.equal((await rest.call(method, `/v1/${path}`)).status, 404, path);
    }
    assert.equal((await rest.call('POST', '/v1/projects/mine/spans', { json: { data } })).status, 202);
    assert.equal(((await rest.call('GET', '/v1/projects/mine/spans')).json as Page).data.length, 1);
  });

  test('keeps a session whose last trace was deleted', async (t) => {
    const rest = await openRestServerOnSpanStore(t);
    const data = [span('s', { attributes: { 'session.id': 'chat' } })];
    await rest.call('POST', '/v1/projects/p/spans', { json: { data } });

    assert.equal((await rest.call('DELETE', '/v1/spans/s')).status, 204);

    assert.deepEqual(((await rest.call('GET', '/v1/projects/p/traces')).json as Page).data, []);
    const session = (await rest.call('GET', '/v1/sessions/chat')).json as { data: { traces: unknown } };
    assert.deepEqual(session.data.traces, []);
  });

  test('traces are selected by errors and by latency, bounds included', async (t) => {
    const rest = await openRestServerOnSpanStore(t);
    const data = [
      span('quick'),
      span('slow', { end_time: '2024-05-01T12:00:02.000001Z' }),
      span('bad', { status_code: 'ERROR', end_time: '2024-05-01T12:00:02Z' }),
    ];
    await rest.call('POST', '/v1/projects/default/spans', { json: { data } });
    const found = async (query: string) =>
      (await walk(rest, `/v1/projects/default/traces?limit=1&${query}`)).map(({ trace_id: id }) => id).toSorted();
    const named = (...names: string[]) => names.map((name) => `trace of ${name}`);

    assert.deepEqual(await found('error=true'), named('bad'));
    assert.deepEqual(await found('error=false'), named('quick', 'slow'));
    assert.deepEqual(await found('min_latency_ms=2000'), named('bad', 'slow'));
    assert.deepEqual(await found('max_latency_ms=2000'), named('bad', 'quick'));
    assert.deepEqual(await found('min_latency_ms=2000.001&sort=latency_ms'), named('slow'));
    assert.deepEqual(await found('min_latency_ms=1000&max_latency_ms=2000&error=no'), named('quick'));
    assert.equal((await rest.call('GET', '/v1/projects/default/traces?min_latency_ms=fast')).status, 422);
  });
});
