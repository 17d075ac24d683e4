import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { type Call, openTestServer, type Reply, type TestServer } from '../test-server.ts';

interface Item {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: unknown;
}

const itemsOf = (reply: Reply): Item[] => {
  assert.equal(reply.status, 422, reply.text);
  assert.equal(reply.type, 'application/json');
  return (reply.json as { detail: Item[] }).detail;
};

const SPAN = {
  name: 'made',
  context: { trace_id: 'a', span_id: 'b' },
  span_kind: 'LLM',
  start_time: '2024-02-01T10:00:00Z',
  end_time: '2024-02-01T10:00:01Z',
  status_code: 'OK',
};
const spans = (...data: unknown[]) => ({ json: { data } });
const NAIVE = 'timezone-naive timestamp is not allowed; all timestamps must be timezone-aware (e.g., use UTC).';
const NO_OBJECT = 'Input should be a valid dictionary or object to extract fields from';

const DIRECTIONS = "'MINIMIZE', 'MAXIMIZE' or 'NONE'";
const direction = (type: string, value: unknown) => ({
  what: `a direction of a ${type} config that is none`,
  path: '/v1/annotation_configs',
  call: { json: { type, name: 'a', optimization_direction: value, values: [{ label: 'x' }] } },
  item: {
    type: 'enum',
    loc: ['body', type, 'optimization_direction'],
    msg: `Input should be ${DIRECTIONS}`,
    input: value,
    ctx: { expected: DIRECTIONS },
  },
});

const BODY_FAULTS: readonly { what: string; path: string; call: Call; item: Item }[] = [
  direction('CONTINUOUS', 'UP'),
  direction('CATEGORICAL', 5),
  direction('FREEFORM', 'minimize'),
  {
    what: 'a query of spans that is not an object',
    path: '/v1/spans?project_name=default',
    call: { json: { queries: [{}, 5] } },
    item: { type: 'model_attributes_type', loc: ['body', 'queries', 1], msg: NO_OBJECT, input: 5 },
  },
  {
    what: 'no queries',
    path: '/v1/spans?project_name=default',
    call: { json: { limit: 5 } },
    item: { type: 'missing', loc: ['body', 'queries'], msg: 'Field required', input: { limit: 5 } },
  },
  ...['select', 'filter', 'explode', 'concat', 'rename', 'index'].map((field) => ({
    what: `a field ${field} of a query of spans that is not an object`,
    path: '/v1/spans?project_name=default',
    call: { json: { queries: [{ [field]: 'name' }] } },
    item: {
      type: 'dict_type',
      loc: ['body', 'queries', 0, field],
      msg: 'Input should be a valid dictionary',
      input: 'name',
    },
  })),
  {
    what: 'no body',
    path: '/v1/projects',
    call: { type: 'application/json' },
    item: { type: 'missing', loc: ['body'], msg: 'Field required', input: null },
  },
  {
    what: 'a body null',
    path: '/v1/projects',
    call: { json: null },
    item: { type: 'missing', loc: ['body'], msg: 'Field required', input: null },
  },
  {
    what: 'malformed JSON',
    path: '/v1/projects',
    call: { body: '{bad', type: 'application/json' },
    item: {
      type: 'json_invalid',
      loc: ['body', 1],
      msg: 'JSON decode error',
      input: {},
      ctx: { error: 'Expecting property name enclosed in double quotes' },
    },
  },
  {
    what: 'a list for a body',
    path: '/v1/projects',
    call: { json: [] },
    item: { type: 'model_attributes_type', loc: ['body'], msg: NO_OBJECT, input: [] },
  },
  {
    what: 'JSON under another content type',
    path: '/v1/projects',
    call: { body: '{"name":"x"}', type: 'text/plain' },
    item: { type: 'model_attributes_type', loc: ['body'], msg: NO_OBJECT, input: '{"name":"x"}' },
  },
  {
    what: 'a missing field',
    path: '/v1/projects',
    call: { json: { description: 'd' } },
    item: { type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: { description: 'd' } },
  },
  {
    what: 'a number for a text',
    path: '/v1/projects',
    call: { json: { name: 5 } },
    item: { type: 'string_type', loc: ['body', 'name'], msg: 'Input should be a valid string', input: 5 },
  },
  {
    what: 'a text below its least length',
    path: '/v1/projects',
    call: { json: { name: '' } },
    item: {
      type: 'string_too_short',
      loc: ['body', 'name'],
      msg: 'String should have at least 1 character',
      input: '',
      ctx: { min_length: 1 },
    },
  },
  {
    what: 'a name that Postgres cannot keep',
    path: '/v1/projects',
    call: { json: { name: 'a\0b' } },
    item: {
      type: 'value_error',
      loc: ['body', 'name'],
      msg: 'Value error, a project name must not contain the character U+0000',
      input: 'a\0b',
      ctx: { error: {} },
    },
  },
  {
    what: 'an object for a list',
    path: '/v1/projects/x/spans',
    call: { json: { data: {} } },
    item: { type: 'list_type', loc: ['body', 'data'], msg: 'Input should be a valid list', input: {} },
  },
  {
    what: 'a text for a map',
    path: '/v1/projects/x/spans',
    call: spans({ ...SPAN, attributes: 'a' }),
    item: {
      type: 'dict_type',
      loc: ['body', 'data', 0, 'attributes'],
      msg: 'Input should be a valid dictionary',
      input: 'a',
    },
  },
  {
    what: 'a missing field deep inside',
    path: '/v1/projects/x/spans',
    call: spans(SPAN, { ...SPAN, context: { trace_id: 'a' } }),
    item: {
      type: 'missing',
      loc: ['body', 'data', 1, 'context', 'span_id'],
      msg: 'Field required',
      input: { trace_id: 'a' },
    },
  },
  {
    what: 'a time that is none',
    path: '/v1/projects/x/spans',
    call: spans({ ...SPAN, start_time: 'noon' }),
    item: {
      type: 'datetime_from_date_parsing',
      loc: ['body', 'data', 0, 'start_time'],
      msg: 'Input should be a valid datetime or date, input is too short',
      input: 'noon',
      ctx: { error: 'input is too short' },
    },
  },
  {
    what: 'a list for a time',
    path: '/v1/projects/x/spans',
    call: spans({ ...SPAN, end_time: [] }),
    item: {
      type: 'datetime_type',
      loc: ['body', 'data', 0, 'end_time'],
      msg: 'Input should be a valid datetime',
      input: [],
    },
  },
  {
    what: 'a start time without an offset',
    path: '/v1/projects/x/spans',
    call: spans(SPAN, { ...SPAN, start_time: '2024-02-01T10:00:00' }),
    item: {
      type: 'value_error',
      loc: ['body', 'data', 1],
      msg: `Value error, start_time: ${NAIVE}`,
      input: { ...SPAN, start_time: '2024-02-01T10:00:00' },
      ctx: { error: {} },
    },
  },
  {
    what: 'an event time without an offset',
    path: '/v1/projects/x/spans',
    call: spans({ ...SPAN, events: [{ name: 'e', timestamp: '2024-02-01T10:00:00' }] }),
    item: {
      type: 'value_error',
      loc: ['body', 'data', 0, 'events', 0],
      msg: `Value error, timestamp: ${NAIVE}`,
      input: { name: 'e', timestamp: '2024-02-01T10:00:00' },
      ctx: { error: {} },
    },
  },
];

const INTEGER = 'Input should be a valid integer, unable to parse string as an integer';
const QUERY_FAULTS: readonly { query: string; item: Item }[] = [
  { query: 'limit=x', item: { type: 'int_parsing', loc: ['query', 'limit'], msg: INTEGER, input: 'x' } },
  { query: 'limit=', item: { type: 'int_parsing', loc: ['query', 'limit'], msg: INTEGER, input: '' } },
  { query: 'limit=1.5', item: { type: 'int_parsing', loc: ['query', 'limit'], msg: INTEGER, input: '1.5' } },
  { query: 'limit=0x10', item: { type: 'int_parsing', loc: ['query', 'limit'], msg: INTEGER, input: '0x10' } },
  { query: 'limit=5&limit=y', item: { type: 'int_parsing', loc: ['query', 'limit'], msg: INTEGER, input: 'y' } },
  {
    query: 'limit=0',
    item: {
      type: 'greater_than',
      loc: ['query', 'limit'],
      msg: 'Input should be greater than 0',
      input: '0',
      ctx: { gt: 0 },
    },
  },
  {
    query: 'limit=1001',
    item: {
      type: 'less_than_equal',
      loc: ['query', 'limit'],
      msg: 'Input should be less than or equal to 1000',
      input: '1001',
      ctx: { le: 1000 },
    },
  },
  {
    query: 'include_spans=maybe',
    item: {
      type: 'bool_parsing',
      loc: ['query', 'include_spans'],
      msg: 'Input should be a valid boolean, unable to interpret input',
      input: 'maybe',
    },
  },
  {
    query: 'sort=size',
    item: {
      type: 'literal_error',
      loc: ['query', 'sort'],
      msg: "Input should be 'start_time' or 'latency_ms'",
      input: 'size',
      ctx: { expected: "'start_time' or 'latency_ms'" },
    },
  },
  {
    query: 'start_time=2024-05-01T12:00:00+02:00',
    item: {
      type: 'datetime_from_date_parsing',
      loc: ['query', 'start_time'],
      msg: 'Input should be a valid datetime or date, input is not ISO 8601',
      input: '2024-05-01T12:00:00 02:00',
      ctx: { error: 'input is not ISO 8601' },
    },
  },
];

describe('a REST request', () => {
  let rest: TestServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    rest = await openTestServer({ after: cleanUp });
  });

  for (const { what, path, call, item } of BODY_FAULTS) {
    test(`with ${what} gets that one error`, async () => {
      assert.deepEqual(itemsOf(await rest.call('POST', path, call)), [item]);
    });
  }

  for (const { query, item } of QUERY_FAULTS) {
    test(`with ?${query} gets that one error`, async () => {
      assert.deepEqual(itemsOf(await rest.call('GET', `/v1/projects/default/traces?${query}`)), [item]);
    });
  }

  for (const limit of ['5', '%2B5', '+5+', '5.0', '1_0', '0005', 'x&limit=7']) {
    test(`with limit=${limit} is fine`, async () => {
      assert.equal((await rest.call('GET', `/v1/projects/default/traces?limit=${limit}`)).status, 200);
    });
  }

  for (const limit of ['2000000000', '99999999999999999999', `1${'0'.repeat(400)}`]) {
    test(`with a limit of ${limit.length} digits gets as much as a page holds`, async () => {
      assert.equal((await rest.call('GET', `/v1/projects?limit=${limit}`)).status, 200);
    });
  }

  for (const word of ['true', '1', 'yes', 'on', 'T', 'Y', 'TRUE', 'false', '0', 'no', 'off', 'f', 'N']) {
    test(`takes ${word} for a boolean`, async () => {
      assert.equal((await rest.call('GET', `/v1/projects?include_experiment_projects=${word}`)).status, 200);
    });
  }

  test('with several errors gets all of them, query before body', async () => {
    const reply = await rest.call('GET', '/v1/projects?limit=x&include_experiment_projects=maybe');

    assert.deepEqual(
      itemsOf(reply).map(({ loc }) => loc),
      [
        ['query', 'limit'],
        ['query', 'include_experiment_projects'],
      ],
    );
  });

  test('ignores unknown parameters and fields', async () => {
    assert.equal((await rest.call('GET', '/v1/projects?nope=1&__proto__=2&=3&%=4&a%zz=5')).status, 200);
    const reply = await rest.call('POST', '/v1/projects', { json: { name: 'extra', colour: 'red', id: 'x' } });
    assert.equal(reply.status, 200);
  });

  test('may hold __proto__ keys, which change nothing', async () => {
    const body = '{"name":"proto","__proto__":{"description":"polluted"},"constructor":{"prototype":{}}}';

    const reply = await rest.call('POST', '/v1/projects', { body, type: 'application/json' });

    assert.equal((reply.json as { data: { description: unknown } }).data.description, null);
    assert.equal(Reflect.get({}, 'description'), undefined);
  });

  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.api+json']) {
    test(`is JSON under ${type}`, async () => {
      const body = JSON.stringify({ name: `as ${type}` });
      assert.equal((await rest.call('POST', '/v1/projects', { body, type })).status, 200);
    });
  }

  for (const encoding of ['utf-8 with a byte order mark', 'utf-16le', 'utf-16be'] as const) {
    test(`may be ${encoding}`, async () => {
      // Long enough to be read in pieces, whose ends fall into characters.
      const description = 'ü🦊a'.repeat(60_000);
      const text = JSON.stringify({ name: `grüßt in ${encoding}`, description });
      const little = Buffer.from(text, 'utf16le');
      const body = {
        'utf-8 with a byte order mark': Buffer.from(`\ufeff${text}`),
        'utf-16le': little,
        'utf-16be': Buffer.from(little).swap16(),
      }[encoding];
      const reply = await rest.call('POST', '/v1/projects', { body: new Uint8Array(body), type: 'application/json' });
      const { data } = reply.json as { data: { name: string; description: string } };
      assert.equal(data.name, `grüßt in ${encoding}`);
      assert.ok(data.description === description);
    });
  }

  for (const { what, body } of [
    { what: 'is no UTF-8', body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]) },
    {
      what: 'is none far behind what is no JSON',
      body: Buffer.concat([Buffer.alloc(1_000_000, '[x'), Buffer.of(0xff)]),
    },
    { what: 'nests too deeply', body: '['.repeat(5_000) + ']'.repeat(5_000) },
  ]) {
    test(`that ${what} cannot be read: 400`, async () => {
      const reply = await rest.call('POST', '/v1/projects', { body, type: 'application/json' });
      assert.deepEqual(
        [reply.status, reply.type, reply.text],
        [400, 'text/plain; charset=utf-8', 'There was an error parsing the body'],
      );
    });
  }

  for (const { what, path, body } of [
    { what: 'more than a request of its kind may take', path: '/v1/projects', body: `"${'x'.repeat(17 * 2 ** 20)}"` },
    {
      what: 'more different keys than any request',
      path: '/v1/projects/x/spans',
      body: `{${Array.from({ length: 200_001 }, (_, key) => `"${key}":0`).join(',')}}`,
    },
    { what: 'more values than memory holds', path: '/v1/projects/x/spans', body: `[${'0,'.repeat(8_000_000)}0]` },
  ]) {
    test(`that has ${what} is too large: 413`, async () => {
      assert.equal((await rest.call('POST', path, { body, type: 'application/json' })).status, 413);
    });
  }

  test('under another content type may be anything: an error repeats its beginning', async () => {
    const body = Buffer.concat([Buffer.of(0xff), Buffer.alloc(1_000_000, 'ü')]);

    const reply = await rest.call('POST', '/v1/projects/x/spans', { body, type: 'application/octet-stream' });

    const [{ input }] = (reply.json as { detail: [{ input: string }] }).detail;
    assert.equal(reply.status, 422);
    assert.ok(input.length > 1_000 && input.length <= 2_001 && input.endsWith('ü…'), input);
  });

  test('with an error in all of it gets its beginning back', async () => {
    const reply = await rest.call('POST', '/v1/projects/x/spans', { json: { spans: [7, 'x'.repeat(500_000)] } });

    const [{ input, type }] = (reply.json as { detail: [{ input: string; type: string }] }).detail;
    assert.deepEqual([reply.status, type, input], [422, 'missing', `{"spans":[7,"${'x'.repeat(2_000 - 13)}…`]);
  });

  test('with thousands of errors gets the first thousand, each with a short part of the input', async () => {
    const reply = await rest.call('POST', '/v1/projects/x/spans', {
      json: {
        data: Array.from({ length: 3_000 }, (_, i) => ({ ...SPAN, name: i, attributes: { long: 'x'.repeat(300) } })),
      },
    });
    assert.equal(itemsOf(reply).length, 1_000);
    const empty = await rest.call('POST', '/v1/projects/x/spans', { json: { data: Array(3_000).fill({}) } });
    assert.equal(itemsOf(empty).length, 1_000);

    const long = await rest.call('POST', '/v1/projects', { json: { description: 'x'.repeat(1_000_000) } });
    assert.ok(long.text.length < 10_000);
  });
});
