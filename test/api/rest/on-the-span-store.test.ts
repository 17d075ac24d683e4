import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shareTestServer } from '../test-server.ts';
import { type Page, walk } from './pages.ts';

const openServer = shareTestServer();

const span = (id: string, over: object = {}) => ({
  name: id,
  context: { trace_id: `trace of ${id}`, span_id: id },
  span_kind: 'LLM',
  start_time: '2024-05-01T12:00:00Z',
  end_time: '2024-05-01T12:00:01Z',
  status_code: 'OK',
  ...over,
});

interface TraceWithSpans {
  readonly trace_id: string;
  readonly spans: readonly { readonly id: string; readonly span_id: string; readonly start_time: string }[];
}

describe('REST on the span store', () => {
  test('moves traces to another project, all or none', async () => {
    const rest = await openServer();
    const session = { attributes: { session: { id: 'talk' } } };
    await rest.call('POST', '/v1/projects/from/spans', { json: { data: [span('a', session), span('b', session)] } });
    await rest.call('POST', '/v1/projects/to/spans', { json: { data: [span('c')] } });
    const [b] = ((await rest.call('GET', '/v1/projects/from/traces')).json as Page).data;
    const to = ((await rest.call('GET', '/v1/projects/to')).json as { data: { id: string } }).data;
    const transfer = (trace_identifiers: unknown, destination_project_identifier = 'to') =>
      rest.call('POST', '/v1/traces/transfer', { json: { trace_identifiers, destination_project_identifier } });
    const namesIn = async (project: string) =>
      ((await rest.call('GET', `/v1/projects/${project}/spans`)).json as Page).data.map(({ name }) => name);

    const refused = [
      await transfer([]),
      await transfer(['trace of a', 'nowhere']),
      await transfer(['trace of a', 'trace of c']),
      await transfer(['trace of a'], 'nowhere'),
    ];
    assert.deepEqual(
      refused.map(({ status, text }) => [status, text.slice(0, 60)]),
      [
        [422, refused[0]!.text.slice(0, 60)],
        [404, 'One or more traces not found'],
        [422, 'Cannot transfer traces from multiple projects'],
        [404, 'Project with name nowhere not found'],
      ],
    );
    assert.deepEqual(await namesIn('from'), ['b', 'a']);

    const moved = await transfer([b!.id, 'trace of a', 'trace of a']);

    assert.deepEqual(moved.json, { data: { transferred_trace_count: 2, destination_project_id: to.id } });
    assert.deepEqual([await namesIn('from'), await namesIn('to')], [[], ['c', 'b', 'a']]);
    const { data: sessions } = (await rest.call('GET', '/v1/projects/from/sessions')).json as Page;
    assert.equal((sessions[0]!.traces as unknown[]).length, 2, 'their session stays, and has them');
    // What comes later of a trace goes where the trace is.
    await rest.call('POST', '/v1/projects/from/spans', {
      json: { data: [span('d', { context: { trace_id: 'trace of a', span_id: 'd' } })] },
    });
    assert.deepEqual(await namesIn('to'), ['d', 'c', 'b', 'a']);
  });

  test('lists traces with all of their spans, however many', async () => {
    const rest = await openServer();
    const counts = [3, 4_500, 1, 1_999, 2, 2_000];
    for (const [trace, count] of counts.entries()) {
      const data = Array.from({ length: count }, (_, index) =>
        span(`${trace} ${index}`, {
          context: { trace_id: `trace ${trace}`, span_id: `${trace} ${index}` },
          start_time: new Date(1_700_000_000_000 + trace * 100_000 + (index % 7)).toISOString(),
          end_time: new Date(1_800_000_000_000).toISOString(),
        }),
      );
      assert.equal((await rest.call('POST', '/v1/projects/many/spans', { json: { data } })).status, 202);
    }

    const page = await rest.call('GET', '/v1/projects/many/traces?order=asc&include_spans=true');

    const { data, next_cursor } = page.json as { data: TraceWithSpans[]; next_cursor: null };
    assert.equal(next_cursor, null);
    assert.deepEqual(
      data.map(({ spans }) => spans.length),
      counts,
    );
    for (const { trace_id, spans } of data) {
      assert.equal(new Set(spans.map(({ id }) => id)).size, spans.length, trace_id);
      assert.ok(spans.every(({ span_id }) => span_id.startsWith(trace_id.slice('trace '.length))));
      const starts = spans.map(({ start_time }) => start_time);
      assert.deepEqual(starts, starts.toSorted());
    }
  });

  test('gives back a span as it was sent', async () => {
    const rest = await openServer();
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

  test('rejects a span ID that is stored in any trace of any project', async () => {
    const rest = await openServer();
    await rest.call('POST', '/v1/projects/a/spans', { json: { data: [span('s')] } });

    const again = { ...span('s'), context: { trace_id: 'another', span_id: 's' } };
    const reply = await rest.call('POST', '/v1/projects/b/spans', { json: { data: [span('t'), again] } });

    assert.equal(reply.status, 400);
    assert.deepEqual((reply.json as { duplicate_spans: unknown }).duplicate_spans, [again.context]);
    assert.equal((await rest.call('GET', '/v1/projects/b/spans')).status, 404);
  });

  for (const sort of ['start_time', 'latency_ms']) {
    for (const order of ['asc', 'desc']) {
      test(`pages traces by ${sort} ${order} without skipping or repeating one`, async () => {
        const rest = await openServer();
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

  test('deletes a project with its spans, traces and sessions', async () => {
    const rest = await openServer();
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

  test('keeps a session whose last trace was deleted', async () => {
    const rest = await openServer();
    const data = [span('s', { attributes: { 'session.id': 'chat' } })];
    await rest.call('POST', '/v1/projects/p/spans', { json: { data } });

    assert.equal((await rest.call('DELETE', '/v1/spans/s')).status, 204);

    assert.deepEqual(((await rest.call('GET', '/v1/projects/p/traces')).json as Page).data, []);
    const session = (await rest.call('GET', '/v1/sessions/chat')).json as { data: { traces: unknown } };
    assert.deepEqual(session.data.traces, []);
  });

  test('traces are selected by errors and by latency, bounds included', async () => {
    const rest = await openServer();
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
