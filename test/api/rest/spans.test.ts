import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import type { Page } from './pages.ts';

const TRACE_A = 'a'.repeat(32);
const SPAN_1 = '1'.repeat(16);

const NEW_SPAN = {
  name: 'made',
  context: { trace_id: 'my trace', span_id: 'my-span' },
  span_kind: 'weird',
  start_time: '2024-05-01T12:00:00.25Z',
  end_time: '2024-05-01T14:00:01+02:00',
  status_code: 'error',
};

/** JSON text of a span with these attributes, whose numbers stay as they are written. */
const spanText = (over: object, attributes: string): string =>
  `${JSON.stringify({ ...NEW_SPAN, ...over }).slice(0, -1)},"attributes":${attributes}}`;

let rest: TestServer;
const cleanUp = cleanUpAfter(after);
before(async () => {
  rest = await openTestServer({ after: cleanUp });
});

/** A project that no other test uses, created with its first span. */
let projectCount = 0;
const newPath = () => `/v1/projects/p${++projectCount}/spans`;
const post = async (path: string, ...spans: readonly string[]) => {
  const reply = await rest.call('POST', path, { body: `{"data":[${spans.join(',')}]}`, type: 'application/json' });
  assert.equal(reply.status, 202, reply.text);
  return reply;
};
const list = async (path: string) => ((await rest.call('GET', path)).json as Page).data;
const namesOf = async (path: string) => (await list(path)).map(({ name }) => name).toSorted();

describe('listing spans', () => {
  test('shows a session ID that is no text as sent, and names the session by its Python text', async () => {
    const path = newPath();
    const ids = ['true', '[1,2]', '["a","b"]', '[]', `["${'x'.repeat(20_000)}"]`];
    await post(
      path,
      ...ids.map((id, index) =>
        spanText(
          { name: id, context: { trace_id: `session ${index}`, span_id: `session ${index}` } },
          `{"session":{"id":${id}}}`,
        ),
      ),
    );

    const spans = (await list(path)) as { name: string; attributes: Record<string, unknown> }[];
    for (const { name, attributes } of spans) assert.deepEqual(attributes['session.id'], JSON.parse(name));
    const sessions = (await list(path.replace(/spans$/, 'sessions'))) as unknown as { session_id: string }[];
    assert.deepEqual(
      sessions.map(({ session_id: id }) => id).toSorted(),
      ['True', '[1, 2]', "['a', 'b']", '[]', `['${'x'.repeat(20_000)}']`].toSorted(),
    );
  });

  test('shows a span with its attributes flat and the span kind beside them', async () => {
    const path = newPath();
    const context = { trace_id: TRACE_A, span_id: SPAN_1 };
    const event = '{"name":"e","timestamp":"2024-05-01T12:00:00.5Z","attributes":{"k":"v","n":9007199254740993}}';
    await post(
      path,
      spanText(
        {
          name: 'chat',
          context,
          span_kind: 'Llm',
          parent_id: 'b'.repeat(16),
          status_code: 'OK',
          status_message: 'fine "so"',
        },
        '{"llm":{"model_name":"m","big":9007199254740993,"items":[{"x":1},{"x":2}]},"list":[1,"a"],"input":{"value":"hi"}}',
      ).replace(/}$/, `,"events":[${event}]}`),
    );

    const reply = await rest.call('GET', path);

    assert.deepEqual(reply.json, {
      data: [
        {
          id: toGlobalId('Span', await rest.store.newestSpanRowId()),
          name: 'chat',
          context,
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
    assert.match(reply.text, /"llm\.big":9007199254740993[,}]/, 'numbers beyond 2^53 stay as they were sent');
    assert.match(reply.text, /"n":9007199254740993}/);
  });

  test('calls the span kind UNKNOWN when none was sent', async () => {
    await rest.append({ traceId: 'kindless', spanId: 'kindless', project: 'kindless' });
    const [span] = await list('/v1/projects/kindless/spans');
    assert.deepEqual([span!.span_kind, span!.attributes], ['UNKNOWN', {}]);
  });

  test('pages by a cursor that names the first row of the next page', async () => {
    const path = newPath();
    const contexts = ['page 1', 'page 2', 'page 3'].map((span_id) => ({ trace_id: 'pages', span_id }));
    await post(path, ...contexts.map((context) => spanText({ context }, '{}')));

    const first = (await rest.call('GET', `${path}?limit=2`)).json as Page;
    const second = (await rest.call('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).json as Page;

    assert.equal(first.data.length, 2);
    assert.equal(second.data.length, 1);
    assert.equal(first.next_cursor, second.data[0]!.id);
  });

  test('has the spans that match every condition', async () => {
    const path = newPath();
    const attributes = {
      ...{ 'a.b': '5', q: '"5"', t: '"a:b"', f: '1.5', w: '2.0', y: 'true', z: '9007199254740993', x: '"no json"' },
    };
    // Each span but the last one misses one condition.
    const other = {
      start_time: { start_time: '2024-05-01T11:59:59Z' },
      end_time: { start_time: '2024-05-01T13:00:00Z', end_time: '2024-05-01T13:00:01Z' },
      trace_id: { context: { trace_id: 'b', span_id: 'trace_id' } },
      span_id: { context: { trace_id: 'a', span_id: 'unlisted' } },
      parent_id: { parent_id: 'some parent' },
      name: { name: 'm' },
      span_kind: { span_kind: 'CHAIN' },
      status_code: { status_code: 'OK' },
      ...{ 'a.b': '"5"', q: '5', t: '"a"', f: '1.25', w: '3', y: '"true"', z: '9007199254740992', x: '"json"' },
      none: {},
    };
    const texts = Object.entries(other).map(([id, change], index) => {
      const trace_id = index % 2 === 0 ? 'a' : 'b,c';
      const span_kind = index % 2 === 0 ? 'LLM' : 'Tool';
      const common = { name: 'n', context: { trace_id, span_id: id }, span_kind, start_time: '2024-05-01T12:00:00Z' };
      const values = { ...attributes, ...(typeof change === 'string' && { [id]: change }) };
      const members = Object.entries(values).map(([key, value]) => `"${key}":${value}`);
      return spanText({ ...common, ...(typeof change === 'object' && change) }, `{${members.join(',')}}`);
    });
    await post(path, ...texts);
    const conditions: Readonly<Record<string, string>> = {
      start_time: 'start_time=2024-05-01T12:00:00',
      end_time: 'end_time=2024-05-01T13:00:00Z',
      trace_id: 'trace_id=a&trace_id=b,c',
      span_id: Object.keys(other)
        .map((id) => `span_id=${id}`)
        .join('&')
        .replace('span_id=span_id&', ''),
      parent_id: 'parent_id=null',
      name: 'name=n',
      span_kind: 'span_kind=llm&span_kind=Tool',
      status_code: 'status_code=error',
      'a.b': 'attribute=a.b:5',
      q: 'attribute=q:%225%22',
      t: 'attribute=t:a:b',
      f: 'attribute=f:1.5',
      w: 'attribute=w:2.0',
      y: 'attribute=y:true',
      z: 'attribute=z:9007199254740993',
      x: 'attribute=x:no%20json',
    };
    const idsWithout = async (left: string) => {
      const query = Object.entries(conditions).flatMap(([name, condition]) => (name === left ? [] : [condition]));
      const found = await list(`${path}?${query.join('&')}`);
      return found.map(({ context }) => (context as { span_id: string }).span_id).toSorted();
    };

    assert.deepEqual(await idsWithout('nothing'), ['none']);
    for (const name of Object.keys(conditions)) {
      const freed = name === 'span_id' ? 'unlisted' : name;
      assert.deepEqual(await idsWithout(name), [freed, 'none'].toSorted(), name);
    }
  });

  test('takes an end beyond the last nanosecond that can be stored', async () => {
    const path = newPath();
    await post(
      path,
      spanText({ context: { trace_id: 'late', span_id: 'late' }, end_time: '2262-01-01T00:00:00Z' }, '{}'),
    );
    assert.equal((await list(`${path}?end_time=9999-12-31T00:00:00Z`)).length, 1);
  });

  test('sets no condition that the caller does not, and an empty parent is a parent', async () => {
    const path = newPath();
    await post(
      path,
      spanText({ name: 'root', context: { trace_id: 'tree', span_id: 'root' } }, '{}'),
      spanText({ name: 'child', context: { trace_id: 'tree', span_id: 'child' }, parent_id: 'root' }, '{}'),
    );
    assert.deepEqual(await namesOf(path), ['child', 'root']);
    assert.deepEqual(await namesOf(`${path}?parent_id=null`), ['root']);
    assert.deepEqual(await namesOf(`${path}?parent_id=`), []);
  });

  test('lists the spans of as many traces as the request line can name', async () => {
    const path = newPath();
    await post(path, spanText({ context: { trace_id: 'named', span_id: 'named' } }, '{}'));
    const others = Array.from({ length: 4_000 }, (_, index) => `trace_id=t${index}`).join('&');
    for (const form of ['', '/otlpv1']) {
      const { status, json } = await rest.call('GET', `${path}${form}?${others}&trace_id=named`);
      assert.deepEqual([status, (json as Page).data.length], [200, 1]);
    }
  });

  test('finds nothing by an attribute with a number beyond a double', async () => {
    const path = newPath();
    await post(path, spanText({ context: { trace_id: 'wide', span_id: 'wide' } }, '{"k":1e400,"a":1}'));
    for (const written of ['1e400', '-1e400', '1.5e999']) {
      const reply = await rest.call('GET', `${path}?attribute=a:1&attribute=k:${written}`);
      assert.deepEqual([reply.status, (reply.json as Page).data], [200, []]);
    }
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
  ]) {
    test(`answers ?${query} with 422 as text, in both forms`, async () => {
      const spans = '/v1/projects/default/spans';
      for (const path of query.includes('span_kind') ? [spans] : [spans, `${spans}/otlpv1`]) {
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

  test('has every key, typed values, and times to the nanosecond', async () => {
    await rest.append({
      project: 'otlp',
      ...{ traceId: 'c'.repeat(32), spanId: '2'.repeat(16), name: 'chat' },
      ...{ statusCode: 'ERROR', statusMessage: 'why' },
      start: 1_714_564_800_250_000_999n,
      end: 1_714_564_801_000_000_000n,
      attributes:
        '{"openinference":{"span":{"kind":"CHAIN"}},"s":"x","i":3,"d":1.5,"b":true,"strs":["a","b"],"ints":[1,2],"mixed":["a",1],"none":[],"nested":[[1],[2]]}',
      events: [{ name: 'e1', time_unix_nano: '1714564800500000000', attributes: { k: 'v' } }],
    });

    const reply = await rest.call('GET', '/v1/projects/otlp/spans/otlpv1');

    const [span] = (reply.json as { data: Record<string, unknown>[] }).data;
    assert.deepEqual(span, {
      attributes: [
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
        { key: 'openinference.span.kind', value: text('CHAIN') },
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
      trace_id: 'c'.repeat(32),
      span_id: '2'.repeat(16),
      parent_span_id: null,
      status: { code: 2, message: 'why' },
    });
    assert.match(reply.text, /"start_time_unix_nano":1714564800250000999,/);
  });

  test('has null for no events and for an empty status message', async () => {
    await rest.append({ traceId: 'plain', spanId: 'plain', project: 'plain', statusCode: 'OK' });
    const [span] = await list('/v1/projects/plain/spans/otlpv1');
    assert.deepEqual([span!.events, span!.status], [null, { code: 1, message: null }]);
  });
});

describe('creating spans', () => {
  test('stores them with times in nanoseconds and attributes as written', async () => {
    const attributes = '{"big":9007199254740993,"one":1.0,"__proto__":1,"n":{"a":[{}]}}';
    const event = '{"name":"e","timestamp":"2024-05-01T12:00:00.5Z","attributes":{"k":1e5}}';

    const reply = await post(
      '/v1/projects/new%20one/spans',
      spanText({}, attributes).replace(/}$/, `,"events":[${event}]}`),
    );

    assert.deepEqual([reply.status, reply.json], [202, { total_received: 1, total_queued: 1 }]);
    const { text, json } = await rest.call('GET', '/v1/projects/new%20one/spans');
    const [span] = (json as Page).data;
    assert.deepEqual(
      [span!.context, span!.parent_id, span!.span_kind, span!.status_code, span!.status_message],
      [NEW_SPAN.context, null, 'weird', 'ERROR', ''],
    );
    for (const part of ['"big":9007199254740993', '"one":1.0', '"__proto__":1', '"k":1e5']) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    const { startTimeUnixNano, endTimeUnixNano } = await spanOf('new one');
    assert.deepEqual([startTimeUnixNano, endTimeUnixNano], [1714564800250000000n, 1714564801000000000n]);
  });

  const spanOf = async (name: string) => {
    const { rowId: projectId } = (await rest.ports.projects.find({ name }))!;
    return (await rest.store.findSpans({ projectId, limit: 1 })).items[0]!;
  };

  test('takes times as Unix numbers, and status that is none as UNSET', async () => {
    const context = { trace_id: 'unix', span_id: 'unix' };
    await post(
      '/v1/projects/unix/spans',
      spanText({ context, start_time: 1714564800, end_time: 1.7145648005e9, status_code: 'meh' }, '{}'),
    );

    const { startTimeUnixNano, endTimeUnixNano, statusCode } = await spanOf('unix');
    assert.deepEqual(
      [startTimeUnixNano, endTimeUnixNano, statusCode],
      [1714564800000000000n, 1714564800500000000n, 'UNSET'],
    );
  });

  test('takes an empty list and stores nothing', async () => {
    const reply = await rest.call('POST', '/v1/projects/unmade/spans', { json: { data: [] } });
    assert.deepEqual([reply.status, reply.json], [202, { total_received: 0, total_queued: 0 }]);
    assert.equal((await rest.call('GET', '/v1/projects/unmade')).status, 404);
  });

  test('rejects all of them when one is already stored or invalid', async () => {
    const path = newPath();
    await post(path, spanText({ context: { trace_id: 'first', span_id: 'known' } }, '{}'));
    const fresh = { ...NEW_SPAN, context: { trace_id: 't', span_id: 'fresh' } };
    const known = { ...NEW_SPAN, context: { trace_id: 'other', span_id: 'known' } };
    const late = { ...NEW_SPAN, context: { trace_id: 't', span_id: 'late one' }, end_time: '2300-01-01T00:00:00Z' };

    const reply = await rest.call('POST', path, { json: { data: [fresh, known, late] } });

    assert.deepEqual([reply.status, reply.type], [400, 'application/json']);
    assert.deepEqual(reply.json, {
      error: 'Request contains invalid or duplicate spans',
      total_received: 3,
      total_queued: 0,
      total_duplicates: 1,
      total_invalid: 1,
      duplicate_spans: [{ span_id: 'known', trace_id: 'other' }],
      invalid_spans: [
        { span_id: 'late one', trace_id: 't', error: 'end_time must be between 1677-09-22 and 2262-04-11' },
      ],
    });
    assert.equal((await list(path)).length, 1);
  });

  test('wants a project ID to exist', async () => {
    const id = toGlobalId('Project', 987654321);
    const before_ = await rest.store.newestSpanRowId();

    const unknown = await rest.call('POST', `/v1/projects/${id}/spans`, {
      json: { data: [{ ...NEW_SPAN, context: { trace_id: 't', span_id: 'nowhere' } }] },
    });

    assert.deepEqual([unknown.status, unknown.text], [404, `Project with ID ${id} not found`]);
    assert.equal(await rest.store.newestSpanRowId(), before_);
  });

  test('goes to the project of a global ID', async () => {
    const context = { trace_id: 'by id', span_id: 'by id' };
    await post(`/v1/projects/${toGlobalId('Project', 1)}/spans`, spanText({ context, name: 'by ID' }, '{}'));
    assert.deepEqual(await namesOf('/v1/projects/default/spans'), ['by ID']);
  });
});

describe('deleting a span', () => {
  const unknownId = toGlobalId('Span', 987654321);
  const traceId = toGlobalId('Trace', 1);
  for (const { path, text } of [
    { path: 'unstored', text: "Span with span_id 'unstored' not found" },
    { path: unknownId, text: `Span with relay ID '${unknownId}' not found` },
    { path: traceId, text: `Span with span_id '${traceId}' not found` },
  ]) {
    test(`answers 404 for ${path}`, async () => {
      const reply = await rest.call('DELETE', `/v1/spans/${encodeURIComponent(path)}`);
      assert.deepEqual([reply.status, reply.text], [404, text]);
    });
  }

  for (const by of ['span ID', 'global ID']) {
    test(`by its ${by} is applied before the response`, async () => {
      const path = newPath();
      const contexts = [`gone ${by}`, `kept ${by}`].map((span_id) => ({ trace_id: by, span_id }));
      await post(path, ...contexts.map((context) => spanText({ name: context.span_id, context }, '{}')));
      const [gone] = (await list(path)).filter(({ name }) => name === `gone ${by}`);
      const id = by === 'span ID' ? `gone ${by}` : String(gone!.id);

      const response = await fetch(`${rest.address}/v1/spans/${encodeURIComponent(id)}`, { method: 'DELETE' });

      assert.deepEqual([response.status, await response.text()], [204, '']);
      assert.deepEqual(await namesOf(path), [`kept ${by}`]);
    });
  }
});
