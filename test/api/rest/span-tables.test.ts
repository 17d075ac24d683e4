import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { RecordBatchReader, Table } from 'apache-arrow';
import { shareTestServer } from '../test-server.ts';

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

/** The streams that stand one after the other. */
const tablesOf = (bytes: Uint8Array): Table[] =>
  Array.from(RecordBatchReader.readAll(bytes), (reader) => new Table([...reader]));

describe('tables of spans over REST', () => {
  test('returns a table in the JSON dialect for a span query, as a part', async () => {
    const rest = await openServer();
    const documents = [{ document: { content: 'one', score: 1 } }, 'no object', { document: { content: 'two' } }];
    const attributes = { retrieval: { documents }, custom: { flag: true, deep: [1] }, 'llm.token_count.prompt': 7 };
    await rest.call('POST', '/v1/projects/default/spans', {
      json: { data: [span('a', { attributes }), span('b', { start_time: '2024-05-01T12:00:00.123456789Z' })] },
    });
    const query = async (query: object, more: object = {}) => {
      const answer = await rest.call('POST', '/v1/spans', {
        json: { queries: [query], ...more },
        accept: 'application/json',
      });
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

  test('handles a GET query with a body like a POST', async () => {
    const rest = await openServer();
    await rest.call('POST', '/v1/projects/default/spans', { json: { data: [span('a'), span('b')] } });
    const byGet = async (queries: readonly object[]) => {
      const body = JSON.stringify({ queries });
      const headers = { connection: 'close', 'content-type': 'application/json', 'content-length': body.length };
      const sent = request(`${rest.address}/v1/spans`, { method: 'GET', headers });
      sent.end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: answer.statusCode, type: answer.headers['content-type'], text: await text(answer) };
    };

    for (const queries of [
      [{ select: { name: { key: 'name' } } }, { filter: { condition: "name == 'a'" } }],
      [{ filter: { condition: 'name = 1' } }],
      [],
    ]) {
      const posted = await rest.call('POST', '/v1/spans', { json: { queries } });
      assert.deepEqual(await byGet(queries), { status: posted.status, type: posted.type, text: posted.text });
    }
    assert.equal((await rest.call('GET', '/v1/spans')).status, 422);
  });

  test('returns Arrow streams for a span query whatever else is accepted, a batch at a time', async () => {
    const rest = await openServer();
    const many = Array.from({ length: 2_500 }, (_, index) =>
      span(`s${index}`, {
        start_time: `2024-05-01T12:00:00.${String(123_456_789 - index).padStart(9, '0')}Z`,
        attributes: {
          'llm.token_count.prompt': index,
          ...(index % 2 === 0 && { flag: true, share: index / 4, big: { deep: [index] } }),
          mixed: index % 2 === 0 ? 'text' : index,
        },
      }),
    );
    await rest.call('POST', '/v1/projects/default/spans', { json: { data: many } });
    const COLUMNS = ['start_time', 'name', 'llm.token_count.prompt', 'flag', 'share', 'big', 'mixed', 'no.such'];
    const select = Object.fromEntries(COLUMNS.map((key) => [key, { key }]));

    const response = await fetch(`${rest.address}/v1/spans`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ queries: [{ select }, { filter: { condition: "name == 'none'" } }], limit: -1 }),
    });

    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/x-pandas-arrow']);
    const [selected, none, ...others] = tablesOf(new Uint8Array(await response.arrayBuffer()));
    assert.deepEqual([none!.numRows, none!.getChild('name')?.length, others.length], [0, 0, 0]);
    assert.ok(selected!.batches.length > 1);
    assert.deepEqual(
      selected!.schema.fields.map(({ name, type }) => [name, String(type)]),
      [
        ['__index_level_0__', 'Utf8'],
        ['start_time', 'Timestamp<NANOSECOND, UTC>'],
        ['name', 'Utf8'],
        ['llm.token_count.prompt', 'Int64'],
        ['flag', 'Bool'],
        ['share', 'Float64'],
        ['big', 'Utf8'],
        ['mixed', 'Utf8'],
        ['no.such', 'Utf8'],
      ],
    );
    const column = (name: string) => [...selected!.getChild(name)!];
    assert.deepEqual(
      column('name'),
      many.map(({ name }) => name),
    );
    assert.deepEqual(
      column('llm.token_count.prompt'),
      many.map((_, index) => BigInt(index)),
    );
    assert.deepEqual(
      column('flag'),
      many.map((_, index) => (index % 2 === 0 ? true : null)),
    );
    assert.deepEqual(
      column('share'),
      many.map((_, index) => (index % 2 === 0 ? index / 4 : null)),
    );
    assert.deepEqual(
      column('big'),
      many.map((_, index) => (index % 2 === 0 ? `{"deep":[${index}]}` : null)),
    );
    assert.deepEqual(
      column('mixed'),
      many.map((_, index) => (index % 2 === 0 ? '"text"' : String(index))),
    );
    assert.deepEqual(new Set(column('no.such')), new Set([null]));
    // Its reader gives times in milliseconds.
    const nanoseconds = selected!
      .getChild('start_time')!
      .data.flatMap(({ values, length }) => [...values.slice(0, length)]);
    const first = BigInt(Date.parse('2024-05-01T12:00:00Z')) * 1_000_000n + 123_456_789n;
    assert.deepEqual(
      nanoseconds,
      many.map((_, index) => first - BigInt(index)),
    );
    const extensions = selected!.schema.fields.map(({ metadata }) => metadata.get('ARROW:extension:name'));
    assert.deepEqual(extensions.slice(-4), [undefined, 'arrow.json', 'arrow.json', undefined]);
    const pandas = JSON.parse(selected!.schema.metadata.get('pandas')!);
    assert.deepEqual(pandas.index_columns, ['__index_level_0__']);
    assert.deepEqual(pandas.columns[0].name, 'context.span_id');
  });
});
