import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SpanId } from '../../../src/model/trace-ids.ts';
import { aSpan, SPAN_1, TRACE_A } from '../../domain/fake-domain.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openRestServer } from './rest-server.ts';

const PATH = '/v1/projects/default/spans';

const NEW_SPAN = {
  name: 'made',
  context: { trace_id: 'my trace', span_id: 'my-span' },
  span_kind: 'weird',
  start_time: '2024-05-01T12:00:00.25Z',
  end_time: '2024-05-01T14:00:01+02:00',
  status_code: 'error',
};

describe('listing spans', () => {
  test('shows a span with its attributes flat and the span kind beside them', async (t) => {
    const rest = await openRestServer(t);
    rest.domain.rows.spans = [
      aSpan({
        parentSpanId: 'b'.repeat(16) as SpanId,
        statusMessage: 'fine "so"',
        attributeParts: [
          '{"openinference":{"span":{"kind":"Llm"}},"llm":{"model_name":"m","big":9007199254740993,"items":[{"x":1},{"x":2}]}}',
          '{"list":[1,"a"],"input":{"value":"hi"}}',
        ],
        events: '[{"name":"e","time_unix_nano":"1714564800500000000","attributes":{"k":"v","n":9007199254740993}}]',
      }),
    ];

    const reply = await rest.call('GET', PATH);

    assert.deepEqual(reply.json, {
      data: [
        {
          id: toGlobalId('Span', 12),
          name: 'chat',
          context: { trace_id: TRACE_A, span_id: SPAN_1 },
          span_kind: 'Llm',
          parent_id: 'b'.repeat(16),
          start_time: '2024-05-01T12:00:00.250000+00:00',
          end_time: '2024-05-01T12:00:01+00:00',
          status_code: 'OK',
          status_message: 'fine "so"',
          attributes: {
            'llm.model_name': 'm',
            'llm.big': 9007199254740992,
            'llm.items.0.x': 1,
            'llm.items.1.x': 2,
            list: [1, 'a'],
            'input.value': 'hi',
          },
          events: [
            { name: 'e', timestamp: '2024-05-01T12:00:00.500000+00:00', attributes: { k: 'v', n: 9007199254740992 } },
          ],
        },
      ],
      next_cursor: null,
    });
    assert.match(reply.text, /"llm\.big":9007199254740993,/, 'numbers beyond 2^53 come out as they came in');
    assert.match(reply.text, /"n":9007199254740993}/);
  });

  test('calls the span kind UNKNOWN when none was sent', async (t) => {
    const rest = await openRestServer(t);
    rest.domain.rows.spans = [aSpan()];
    const { data } = (await rest.call('GET', PATH)).json as { data: { span_kind: string; attributes: object }[] };
    assert.deepEqual([data[0]!.span_kind, data[0]!.attributes], ['UNKNOWN', {}]);
  });

  test('pages by a cursor that names the first row of the next page', async (t) => {
    const rest = await openRestServer(t);
    rest.domain.rows.spans = [3, 2, 1].map((rowId) => aSpan({ rowId }));

    const first = (await rest.call('GET', `${PATH}?limit=2`)).json as { next_cursor: string };
    const second = (await rest.call('GET', `${PATH}?limit=2&cursor=${first.next_cursor}`)).json as { data: unknown[] };

    assert.equal(first.next_cursor, toGlobalId('Span', 1));
    assert.equal(second.data.length, 1);
  });

  test('asks the store for every condition that the caller sets', async (t) => {
    const rest = await openRestServer(t);

    await rest.call(
      'GET',
      `${PATH}?start_time=2024-05-01T12:00:00&end_time=9999-12-31T00:00:00Z&trace_id=a&trace_id=b,c&span_id=s&parent_id=null` +
        '&name=n&span_kind=llm&span_kind=Tool&status_code=error&attribute=a.b:5&attribute=q:%225%22&attribute=t:a:b' +
        '&attribute=f:1.5&attribute=w:2.0&attribute=y:true&attribute=z:9007199254740993&attribute=x:no%20json',
    );

    assert.deepEqual(rest.domain.asked.spans, [
      {
        projectId: 1,
        limit: 100,
        startTimeUnixNano: 1_714_564_800_000_000_000n,
        endTimeUnixNano: 9_223_372_036_854_775_806n,
        traceIds: ['a', 'b,c'],
        spanIds: ['s'],
        parentSpanId: null,
        names: ['n'],
        spanKinds: ['LLM', 'TOOL'],
        statusCodes: ['ERROR'],
        attributes: [
          { path: 'a.b', value: 5 },
          { path: 'q', value: '5' },
          { path: 't', value: 'a:b' },
          { path: 'f', value: 1.5 },
          { path: 'w', value: 2 },
          { path: 'y', value: true },
          { path: 'z', value: 9007199254740993n },
          { path: 'x', value: 'no json' },
        ],
      },
    ]);
  });

  test('sets no condition that the caller does not, and an empty parent is a parent', async (t) => {
    const rest = await openRestServer(t);
    await rest.call('GET', PATH);
    await rest.call('GET', `${PATH}?parent_id=`);
    assert.deepEqual(rest.domain.asked.spans, [
      { projectId: 1, limit: 100 },
      { projectId: 1, limit: 100, parentSpanId: '' },
    ]);
  });

  const value = (written: string) =>
    `Invalid attribute value '${written}': must be a string, integer, float, or boolean. ` +
    'To match a string that looks like a number or boolean, JSON-quote the value: `key:"12345"`.';
  for (const { query, text } of [
    { query: 'cursor=zzz', text: 'Invalid cursor' },
    { query: 'span_kind=foo&span_kind=LLM&span_kind=bar', text: "Invalid span_kind values: ['FOO', 'BAR']" },
    { query: 'status_code=nope', text: "Invalid status_code values: ['NOPE']" },
    { query: 'attribute=oops', text: "Invalid attribute 'oops': expected format 'key:value'" },
    { query: 'attribute=:v', text: 'Invalid attribute: key must not be empty' },
    { query: 'attribute=k:', text: 'Invalid attribute: value must not be empty' },
    { query: 'attribute=k:null', text: value('null') },
    { query: 'attribute=k:[1]', text: value('[1]') },
    { query: 'attribute=k:{"a":1}', text: value('{"a":1}') },
    { query: 'attribute=k:1e999', text: value('1e999') },
  ]) {
    test(`answers ?${query} with 422 as text, in both forms`, async (t) => {
      const rest = await openRestServer(t);
      for (const path of query.includes('span_kind') ? [PATH] : [PATH, `${PATH}/otlpv1`]) {
        const reply = await rest.call('GET', `${path}?${query}`);
        assert.deepEqual([reply.status, reply.type, reply.text], [422, 'text/plain; charset=utf-8', text]);
      }
    });
  }
});

describe('listing spans as OTLP', () => {
  const none = {
    array_value: null,
    bool_value: null,
    bytes_value: null,
    double_value: null,
    int_value: null,
    kvlist_value: null,
    string_value: null,
  };
  const text = (string_value: string) => ({ ...none, string_value });

  test('has every key, typed values, and times to the nanosecond', async (t) => {
    const rest = await openRestServer(t);
    rest.domain.rows.spans = [
      aSpan({
        statusCode: 'ERROR',
        statusMessage: 'why',
        attributeParts: [
          '{"openinference":{"span":{"kind":"LLM"}},"s":"x","i":3,"d":1.5,"b":true,"strs":["a","b"],"ints":[1,2],"mixed":["a",1],"none":[],"nested":[[1],[2]]}',
        ],
        events: '[{"name":"e1","time_unix_nano":"1714564800500000000","attributes":{"k":"v"}}]',
      }),
    ];

    const reply = await rest.call('GET', `${PATH}/otlpv1`);

    const [span] = (reply.json as { data: Record<string, unknown>[] }).data;
    assert.deepEqual(span, {
      attributes: [
        { key: 'openinference.span.kind', value: text('LLM') },
        { key: 's', value: text('x') },
        { key: 'i', value: { ...none, int_value: 3 } },
        { key: 'd', value: { ...none, double_value: 1.5 } },
        { key: 'b', value: { ...none, bool_value: true } },
        { key: 'strs', value: { ...none, array_value: { values: [text('a'), text('b')] } } },
        {
          key: 'ints',
          value: {
            ...none,
            array_value: {
              values: [
                { ...none, int_value: 1 },
                { ...none, int_value: 2 },
              ],
            },
          },
        },
        { key: 'mixed', value: { ...none, array_value: { values: [text('a'), text('1')] } } },
        { key: 'none', value: { ...none, array_value: { values: [] } } },
        { key: 'nested', value: { ...none, array_value: { values: [text('[1]'), text('[2]')] } } },
      ],
      dropped_attributes_count: null,
      dropped_events_count: null,
      dropped_links_count: null,
      start_time_unix_nano: Number('1714564800250000999'),
      end_time_unix_nano: 1_714_564_801_000_000_000,
      events: [
        {
          name: 'e1',
          attributes: [{ key: 'k', value: text('v') }],
          time_unix_nano: 1_714_564_800_500_000_000,
          dropped_attributes_count: null,
        },
      ],
      flags: null,
      links: null,
      trace_state: null,
      kind: 'SPAN_KIND_INTERNAL',
      name: 'chat',
      trace_id: TRACE_A,
      span_id: SPAN_1,
      parent_span_id: null,
      status: { code: 2, message: 'why' },
    });
    assert.match(reply.text, /"start_time_unix_nano":1714564800250000999,/);
  });

  test('has null for no events and for an empty status message', async (t) => {
    const rest = await openRestServer(t);
    rest.domain.rows.spans = [aSpan()];
    const { data } = (await rest.call('GET', `${PATH}/otlpv1`)).json as { data: Record<string, unknown>[] };
    assert.deepEqual([data[0]!.events, data[0]!.status], [null, { code: 1, message: null }]);
  });
});

describe('creating spans', () => {
  test('journals them with times in nanoseconds and attributes as written', async (t) => {
    const rest = await openRestServer(t);
    const body =
      `{"data":[${JSON.stringify(NEW_SPAN).slice(0, -1)},"attributes":{"big":9007199254740993,"one":1.0,"__proto__":1,"n":{"a":[{}]}},` +
      '"events":[{"name":"e","timestamp":"2024-05-01T12:00:00.5Z","attributes":{"k":1e5}}]}]}';

    const reply = await rest.call('POST', '/v1/projects/new%20one/spans', { body, type: 'application/json' });

    assert.deepEqual([reply.status, reply.json], [202, { total_received: 1, total_queued: 1 }]);
    assert.deepEqual(rest.domain.submitted, [
      '{"project":"new one","spans":[{"name":"made","traceId":"my trace","spanId":"my-span","parentId":null,' +
        '"spanKind":"weird","startTimeUnixNano":"1714564800250000000","endTimeUnixNano":"1714564801000000000",' +
        '"statusCode":"ERROR","statusMessage":"","attributes":{"big":9007199254740993,"one":1.0,"__proto__":1,"n":{"a":[{}]}},' +
        '"events":[{"name":"e","timeUnixNano":"1714564800500000000","attributes":{"k":1e5}}]}]}',
    ]);
  });

  test('takes times as Unix numbers, and status that is none as UNSET', async (t) => {
    const rest = await openRestServer(t);
    const span = { ...NEW_SPAN, start_time: 1714564800, end_time: 1.7145648005e9, status_code: 'meh' };

    await rest.call('POST', PATH, { json: { data: [span] } });

    const [submitted] = JSON.parse(rest.domain.submitted[0]!).spans;
    assert.deepEqual(
      [submitted.startTimeUnixNano, submitted.endTimeUnixNano, submitted.statusCode],
      ['1714564800000000000', '1714564800500000000', 'UNSET'],
    );
  });

  test('takes an empty list and journals nothing', async (t) => {
    const rest = await openRestServer(t);
    const reply = await rest.call('POST', '/v1/projects/unmade/spans', { json: { data: [] } });
    assert.deepEqual([reply.status, reply.json], [202, { total_received: 0, total_queued: 0 }]);
    assert.deepEqual(rest.domain.log, []);
  });

  test('refuses all of them when one is stored already or cannot be', async (t) => {
    const rest = await openRestServer(t);
    rest.domain.rows.spans = [aSpan()];
    const known = { ...NEW_SPAN, context: { trace_id: 'other', span_id: SPAN_1 } };
    const late = { ...NEW_SPAN, context: { trace_id: 't', span_id: 'late' }, end_time: '2300-01-01T00:00:00Z' };

    const reply = await rest.call('POST', PATH, { json: { data: [NEW_SPAN, known, late] } });

    assert.deepEqual([reply.status, reply.type], [400, 'application/json']);
    assert.deepEqual(reply.json, {
      error: 'Request contains invalid or duplicate spans',
      total_received: 3,
      total_queued: 0,
      total_duplicates: 1,
      total_invalid: 1,
      duplicate_spans: [{ span_id: SPAN_1, trace_id: 'other' }],
      invalid_spans: [{ span_id: 'late', trace_id: 't', error: 'end_time must be between 1677-09-22 and 2262-04-11' }],
    });
    assert.deepEqual(rest.domain.log, []);
  });

  test('wants a project ID to exist', async (t) => {
    const rest = await openRestServer(t);
    const id = toGlobalId('Project', 987654321);

    const unknown = await rest.call('POST', `/v1/projects/${id}/spans`, { json: { data: [NEW_SPAN] } });

    assert.deepEqual([unknown.status, unknown.text], [404, `Project with ID ${id} not found`]);
    assert.deepEqual(rest.domain.log, []);
  });

  test('goes to the project of a global ID', async (t) => {
    const rest = await openRestServer(t);
    await rest.call('POST', `/v1/projects/${toGlobalId('Project', 1)}/spans`, { json: { data: [NEW_SPAN] } });
    assert.equal(JSON.parse(rest.domain.submitted[0]!).project, 'default');
  });
});

describe('deleting a span', () => {
  const unknownId = toGlobalId('Span', 987654321);
  const traceId = toGlobalId('Trace', 1);
  for (const { path, text } of [
    { path: 'none', text: "Span with span_id 'none' not found" },
    { path: unknownId, text: `Span with relay ID '${unknownId}' not found` },
    { path: traceId, text: `Span with span_id '${traceId}' not found` },
  ]) {
    test(`answers 404 for ${path}`, async (t) => {
      const rest = await openRestServer(t);
      const reply = await rest.call('DELETE', `/v1/spans/${encodeURIComponent(path)}`);
      assert.deepEqual([reply.status, reply.text], [404, text]);
    });
  }

  for (const path of [SPAN_1, toGlobalId('Span', 12)]) {
    test(`of ${path} is journaled and applied before the answer`, async (t) => {
      const rest = await openRestServer(t);
      rest.domain.rows.spans = [aSpan()];

      const reply = await rest.call('DELETE', `/v1/spans/${encodeURIComponent(path)}`);

      assert.deepEqual([reply.status, reply.text], [204, '']);
      assert.deepEqual(rest.domain.deletions, [{ what: 'spans', rowIds: [12] }]);
      assert.deepEqual(rest.domain.log, ['spans deletion journaled', 'applied 1']);
    });
  }
});
