import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import {
  PARQUET_ROW_COUNT_FREE,
  PARQUET_TEXT_BYTES_FREE,
  SPAN_EXPORT_PAGE_ROW_COUNT,
} from '../../../src/model/limits/datasets.ts';
import { EXPORT_TRACE_COUNT_MAX } from '../../../src/model/limits/reads.ts';
import type { ReadOptions } from '../../../src/span-store/contract/read-options.ts';
import { readCsv } from '../../../src/domain/datasets/files/read-csv.ts';
import { eventually } from '../../e2e/rest.ts';
import { shareTestServer, type TestServer } from '../test-server.ts';
import type { Page } from './pages.ts';

const openServer = shareTestServer();
const openOther = shareTestServer();

const span = (id: string, over: object = {}) => ({
  name: `name of ${id}`,
  context: { trace_id: `trace of ${id}`, span_id: id },
  span_kind: 'CHAIN',
  start_time: '2024-05-01T12:00:00.123456Z',
  end_time: '2024-05-01T12:00:01Z',
  status_code: 'OK',
  ...over,
});

const toTraceId = (number: number): string => (number + 1).toString(16).padStart(16, '0').repeat(2);

/** JSON text, because numbers in it must stay as they are written. */
const ODD = `{"data":[
  ${JSON.stringify(span('retrieved', { span_kind: 'RETRIEVER', parent_id: 'gone', attributes: { retrieval: { documents: [{ document: { content: 'one' } }, { document: { content: 'x'.repeat(5000) } }] } } }))},
  ${JSON.stringify(span('own kind', { span_kind: 'my own', status_code: 'ERROR', status_message: '=1+1, "quoted"\n', parent_id: 'retrieved' }))},
  ${JSON.stringify(span('talk', { span_kind: 'LLM', attributes: { 'session.id': 'chat', user: { id: 'u' }, input: { value: 'é'.repeat(40_000) }, metadata: { deep: { er: [1, 'two'] } }, tags: ['a', 'b'] } }))},
  ${JSON.stringify(span('numbers', { events: [{ name: 'exception', timestamp: '2024-05-01T12:00:00.5Z', attributes: { a: [1], 'b.c': true } }] })).replace('"status_code"', '"attributes":{"big":12345678901234567890,"one":1.0,"llm":{"token_count":{"prompt":7}}},"status_code"')}
]}`;

async function fill(rest: TestServer, project = 'from'): Promise<void> {
  const created = await rest.call('POST', `/v1/projects/${project}/spans`, { body: ODD, type: 'application/json' });
  assert.equal(created.status, 202, created.text);
  const result = { label: 'good', score: 0.5, explanation: '+why' };
  const judge = { name: 'quality', annotator_kind: 'LLM', result, metadata: { by: 9 } };
  await rest.call('POST', '/v1/span_annotations?sync=true', { json: { data: [{ ...judge, span_id: 'talk' }] } });
  await rest.call('POST', '/v1/span_notes', { json: { data: { span_id: 'talk', note: 'look here' } } });
  await rest.call('POST', '/v1/document_annotations?sync=true', {
    json: { data: [{ ...judge, span_id: 'retrieved', document_position: 1 }] },
  });
}

const exportOf = async (rest: TestServer, query = '', project = 'from') => {
  const reply = await rest.call('GET', `/v1/projects/${project}/spans/export${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.text;
};

const idsOf = (lines: string): unknown[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { span_id: string }).span_id);

/** Without what an import does not take over. */
const lasting = (lines: string): string => lines.replace(/,"created_at":"[^"]*","updated_at":"[^"]*"/g, '');

const importInto = async (
  rest: TestServer,
  body: string | Uint8Array<ArrayBuffer>,
  project = 'to',
  encoding = 'identity',
): Promise<unknown> => {
  const headers = { 'content-type': 'application/octet-stream', 'content-encoding': encoding };
  const response = await fetch(`${rest.address}/v1/projects/${project}/spans/import`, {
    method: 'POST',
    body,
    headers,
  });
  await rest.settled();
  return response.json();
};

const parquetOf = async (rest: TestServer): Promise<Uint8Array<ArrayBuffer>> => {
  const response = await fetch(`${rest.address}/v1/projects/from/spans/export?format=parquet`);
  assert.equal(response.status, 200);
  return new Uint8Array(await response.arrayBuffer());
};

const counts = (received: number, stored: number, repeated: number, annotations: number) => ({
  data: {
    received_span_count: received,
    stored_span_count: stored,
    repeated_span_count: repeated,
    refused_span_count: received - stored - repeated,
    annotation_count: annotations,
    refusals: [],
  },
});

describe('files of spans', () => {
  test('OTLP in JSON is one request, whose spans have what was stored', async () => {
    const rest = await openServer();
    await fill(rest);

    const { resourceSpans } = JSON.parse(await exportOf(rest, '?format=otlp-json'));
    const [{ resource, scopeSpans }] = resourceSpans;
    const found = Object.fromEntries(scopeSpans[0].spans.map((each: { name: string }) => [each.name, each]));

    assert.equal(resource.attributes[0].value.stringValue, 'from');
    const { attributes, events } = found['name of numbers'];
    const attribute = (key: string) => attributes.find((each: { key: string }) => each.key === key)?.value;
    assert.deepEqual(attribute('big'), { doubleValue: Number('12345678901234567890') });
    assert.deepEqual(attribute('llm.token_count.prompt'), { intValue: '7' });
    assert.deepEqual(events[0].attributes, [
      { key: 'a', value: { arrayValue: { values: [{ intValue: '1' }] } } },
      { key: 'b.c', value: { boolValue: true } },
    ]);
    assert.equal(events[0].timeUnixNano, '1714564800500000000');
    const { status, startTimeUnixNano } = found['name of own kind'];
    assert.deepEqual(status, { code: 2, message: '=1+1, "quoted"\n' });
    assert.equal(startTimeUnixNano, '1714564800123456000');
  });

  test('a list of traces that is too long for an address is exported as selected', async () => {
    const rest = await openServer();
    // Halves of this one's id are those of two others that are selected.
    const mixed = toTraceId(500).slice(0, 16) + toTraceId(502).slice(16);
    const spans = Array.from({ length: 5_000 }, (_, index) => {
      const traceId = index === 0 ? mixed : index % 2 ? `text ${index}` : toTraceId(index);
      return span(`s${index}`, { context: { trace_id: traceId, span_id: `s${index}` } });
    });
    for (let at = 0; at < spans.length; at += 1_000) {
      await rest.call('POST', '/v1/projects/from/spans', { json: { data: spans.slice(at, at + 1_000) } });
    }
    const wanted = spans.slice(500, 4_500).map(({ context }) => context);
    const traceIds = [...wanted.map(({ trace_id }) => trace_id), 'nowhere'];
    const post = (body: object) =>
      fetch(`${rest.address}/v1/projects/from/spans/export`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });

    const lines = await post({ trace_ids: traceIds });
    assert.equal(lines.headers.get('x-span-count'), '4000');
    assert.deepEqual(
      idsOf(await lines.text()),
      wanted.map(({ span_id }) => span_id),
    );
    const narrowed = await post({ trace_ids: traceIds, filter_condition: "name == 'name of s700'", format: 'csv' });
    assert.equal((await narrowed.text()).trim().split('\n').length, 2);
    const parquet = await post({ trace_ids: traceIds, format: 'parquet' });
    assert.equal(parquet.headers.get('x-span-count'), '4000');
    assert.equal(await (await post({ trace_ids: [] })).text(), '');
    assert.equal((await post({ trace_ids: Array.from({ length: EXPORT_TRACE_COUNT_MAX + 1 }, String) })).status, 422);
  });

  test('what is exported and imported elsewhere is exported there alike', async () => {
    const [from, to] = [await openServer(), await openOther()];
    await fill(from);
    const lines = await exportOf(from);

    assert.deepEqual(idsOf(lines), ['retrieved', 'own kind', 'talk', 'numbers']);
    assert.match(lines, /"big":12345678901234567890,/);
    assert.match(lines, /"one":1\.0/);
    assert.match(lines, /"openinference\.span\.kind":"my own"/);
    assert.match(lines, /"start_time_unix_nano":"1714564800123456000"/);
    assert.deepEqual(await importInto(to, lines), counts(4, 4, 0, 3));
    assert.equal(lasting(await exportOf(to, '', 'to')), lasting(lines));
    const rows = async (rest: TestServer, project: string) =>
      ((await rest.call('GET', `/v1/projects/${project}/spans`)).json as Page).data.map((row) => ({ ...row, id: '' }));
    assert.deepEqual(await rows(to, 'to'), await rows(from, 'from'));
  });

  test('a repeated import stores nothing twice, and keeps annotations that were changed since', async () => {
    const [from, to] = [await openServer(), await openOther()];
    await fill(from);
    const lines = await exportOf(from);
    await importInto(to, `${lines}\n\n${lines}`);
    const result = { label: 'changed' };
    const changed = { span_id: 'talk', name: 'quality', annotator_kind: 'HUMAN', result };
    await to.call('POST', '/v1/span_annotations?sync=true', { json: { data: [changed] } });
    const before = await exportOf(to, '', 'to');

    assert.deepEqual(await importInto(to, lines), counts(4, 0, 4, 0));
    assert.deepEqual(await importInto(to, lines, 'third'), counts(4, 0, 4, 0));
    assert.match(before, /"label":"changed"/);
    assert.equal(await exportOf(to, '', 'to'), before);
  });

  test('an import adds annotations that a stored span does not have', async () => {
    const [from, to] = [await openServer(), await openOther()];
    await fill(from);
    const lines = await exportOf(from);
    await importInto(to, lines.replaceAll(/"annotations":\[.*\]\}/g, '"annotations":[]}'));

    assert.deepEqual(await importInto(to, lines), counts(4, 0, 4, 3));
    assert.equal(lasting(await exportOf(to, '', 'to')), lasting(lines));
  });

  test('an import gives each of two spans that share a span ID its own annotations', async () => {
    const rest = await openServer();
    const line = (traceId: string, score: number) => ({
      name: traceId,
      trace_id: traceId,
      span_id: 'shared',
      start_time_unix_nano: '1',
      end_time_unix_nano: '2',
      annotations: [{ name: 'quality', annotator_kind: 'CODE', score }],
    });
    const lines = [line('one', 1), line('two', 2), line('three', 3)].map((one) => JSON.stringify(one)).join('\n');

    assert.deepEqual(await importInto(rest, lines), counts(3, 3, 0, 3));

    const exported = (await exportOf(rest, '', 'to')).trim().split('\n');
    assert.deepEqual(
      exported
        .map((text) => JSON.parse(text) as ReturnType<typeof line>)
        .map(({ name, annotations }) => [name, annotations.map(({ score }) => score)])
        .sort(),
      [
        ['one', [1]],
        ['three', [3]],
        ['two', [2]],
      ],
    );
  });

  test('rejects lines without a span, and stores the others', async () => {
    const rest = await openServer();
    const line = (over: object) =>
      JSON.stringify({
        trace_id: 't',
        span_id: 's',
        name: 'n',
        start_time_unix_nano: '1',
        end_time_unix_nano: 2,
        ...over,
      });
    const refused = [
      '{"trace_id"',
      '[]',
      line({ span_id: 7 }),
      line({ trace_id: '' }),
      line({ start_time_unix_nano: '2024-05-01' }),
      line({ end_time_unix_nano: '99999999999999999999' }),
      line({ attributes: [] }),
      line({ annotations: [{ name: '' }] }),
      line({ annotations: [{ name: 'a', score: 'high' }] }),
      line({ annotations: [{ name: 'a', annotator_kind: 'CAT' }] }),
    ];

    const { data } = (await importInto(rest, [...refused, line({}), ''].join('\r\n'))) as {
      data: Record<string, unknown> & { refusals: { line: number; reason: string }[] };
    };

    assert.deepEqual(
      data.refusals.map(({ reason }) => reason),
      [
        "Expecting ':' delimiter: char 12",
        'it is not a JSON object',
        'span_id must be a string',
        'trace_id must not be empty',
        'start_time_unix_nano must be nanoseconds since 1970 as decimal text',
        'end_time must be between 1677-09-22 and 2262-04-11',
        'attributes must be an object',
        'name must not be empty',
        'score must be a number',
        'annotator_kind must be one of LLM, CODE, HUMAN',
      ],
    );
    assert.deepEqual(
      data.refusals.map(({ line }) => line),
      refused.map((_, index) => index + 1),
    );
    assert.equal(data.stored_span_count, 1);
    assert.deepEqual(idsOf(await exportOf(rest, '', 'to')), ['s']);
    const gone = await rest.call('POST', '/v1/projects/UHJvamVjdDo5OQ==/spans/import', { body: '' });
    assert.equal(gone.status, 404);
    const binary = await rest.call('POST', '/v1/projects/to/spans/import', { body: gzipSync('x') });
    assert.deepEqual([binary.status, binary.text], [422, 'The file is not valid UTF-8']);
  });

  test('exports what a filter, a time range and a rule for roots select', async () => {
    const rest = await openServer();
    await fill(rest);
    await rest.call('POST', '/v1/projects/from/spans', {
      json: { data: [span('late', { start_time: '2024-06-01T00:00:00Z', end_time: '2024-06-01T00:00:00Z' })] },
    });
    const ids = async (query: string) => idsOf(await exportOf(rest, query));
    const condition = encodeURIComponent("span_kind == 'CHAIN'");

    assert.deepEqual(await ids(`?filter_condition=${condition}`), ['numbers', 'late']);
    assert.deepEqual(await ids('?start_time=2024-05-15T00:00:00Z'), ['late']);
    assert.deepEqual(await ids(`?filter_condition=${condition}&end_time=2024-05-15T00:00:00Z`), ['numbers']);
    assert.deepEqual(await ids('?root_spans_only=true'), ['retrieved', 'talk', 'numbers', 'late']);
    assert.deepEqual(await ids('?root_spans_only=true&orphan_span_as_root_span=false'), ['talk', 'numbers', 'late']);
    const wrong = await rest.call('GET', '/v1/projects/from/spans/export?filter_condition=%3D%3D');
    assert.equal(wrong.status, 422);
    assert.equal((await rest.call('GET', '/v1/projects/nowhere/spans/export')).status, 404);
    await rest.call('POST', '/v1/projects', { json: { name: 'empty' } });
    assert.equal(await exportOf(rest, '', 'empty'), '');
  });

  test('CSV has a row a span, with cells as the span holds them', async () => {
    const rest = await openServer();
    await fill(rest);
    const text = await exportOf(rest, '?format=csv');

    const [header, ...rows] = await recordsOf(text);
    const row = Object.fromEntries(header!.map((name, index) => [name!, rows[1]![index]]));
    assert.equal(rows.length, 4);
    assert.deepEqual(
      [row.span_id, row.parent_id, row.status_message, row.start_time, row.start_time_unix_nano],
      ['own kind', 'retrieved', '=1+1, "quoted"\n', '2024-05-01T12:00:00.123456+00:00', '1714564800123456000'],
    );
    assert.deepEqual(JSON.parse(row.attributes!), { 'openinference.span.kind': 'my own' });
  });

  test('Parquet has a row a span, and its file is gone when it was sent', async (t) => {
    const rest = await openServer();
    await fill(rest);
    const condition = encodeURIComponent("span_kind != 'UNKNOWN'");
    const url = `${rest.address}/v1/projects/from/spans/export?format=parquet&filter_condition=${condition}`;
    const response = await fetch(url);
    const bytes = new Uint8Array(await response.arrayBuffer());

    assert.deepEqual(
      ['x-span-count', 'x-file-bytes', 'content-disposition'].map((name) => response.headers.get(name)),
      ['3', String(bytes.length), 'attachment; filename="from.parquet"'],
    );
    assert.deepEqual(await filesOf(rest), []);
    const rows = await readParquet(t, bytes);
    assert.deepEqual(
      rows.map((row) => [row.trace_id, row.span_id, row.parent_id, row.span_kind, row.status_code, row.start_time]),
      [
        ['trace of retrieved', 'retrieved', 'gone', 'RETRIEVER', 'OK', '2024-05-01 12:00:00.123456'],
        ['trace of talk', 'talk', null, 'LLM', 'OK', '2024-05-01 12:00:00.123456'],
        ['trace of numbers', 'numbers', null, 'CHAIN', 'OK', '2024-05-01 12:00:00.123456'],
      ],
    );
    const [retrieved, talk, numbers] = rows;
    assert.equal(talk!.input_value, 'é'.repeat(40_000));
    assert.deepEqual([talk!.session_id, talk!.user_id], ['chat', 'u']);
    assert.ok(String(retrieved!.long_attributes).includes('x'.repeat(5000)));
    assert.match(String(numbers!.attributes), /"big":12345678901234567890/);
    assert.deepEqual(
      (JSON.parse(String(talk!.annotations)) as { name: string }[]).map(({ name }) => name),
      ['quality', 'note'],
    );
    assert.deepEqual(
      (JSON.parse(String(retrieved!.annotations)) as { document_position: number; metadata: object }[]).map(
        ({ document_position, metadata }) => ({ document_position, metadata }),
      ),
      [{ document_position: 1, metadata: { by: 9 } }],
    );
    assert.match(String(numbers!.events), /"time_unix_nano":"1714564800500000000"/);
    const none = await fetch(url.replace(condition, encodeURIComponent("name == 'nobody'")));
    assert.deepEqual(await readParquet(t, new Uint8Array(await none.arrayBuffer())), []);
  });

  test('what is exported as Parquet and imported elsewhere is exported there alike', async () => {
    const [from, to] = [await openServer(), await openOther()];
    await fill(from);
    const file = await parquetOf(from);

    assert.deepEqual(await importInto(to, file), counts(4, 4, 0, 3));
    assert.equal(lasting(await exportOf(to, '', 'to')), lasting(await exportOf(from)));
    assert.deepEqual(await importInto(to, gzipSync(file), 'to', 'gzip'), counts(4, 0, 4, 0));
    assert.deepEqual(await filesOf(to), []);
  });

  test('a Parquet file of many pages is imported whole', async (t) => {
    const rest = await openServer();
    const count = 2 * SPAN_EXPORT_PAGE_ROW_COUNT + 7;
    const file = await parquetFile(
      t,
      `SELECT 't' || i // 9 AS trace_id, 's' || i AS span_id FROM range(${count}) r(i)`,
    );

    assert.deepEqual(await importInto(rest, file), counts(count, count, 0, 0));
    const ids = idsOf(await exportOf(rest, '', 'to'));
    assert.deepEqual([ids.length, new Set(ids).size], [count, count]);
  });

  test('rejects a Parquet file that is damaged or has no spans, and rows without a span', async (t) => {
    const rest = await openServer();
    const refusal = async (file: Uint8Array<ArrayBuffer>) => {
      const url = `${rest.address}/v1/projects/to/spans/import`;
      const response = await fetch(url, { method: 'POST', body: file });
      return [response.status, await response.text()];
    };
    const whole = await parquetFile(t, "SELECT 't' AS trace_id, 's' AS span_id");
    const unreadable = [422, 'The file is not a readable Parquet file'];
    const foreign = (what: string) => [422, `The Parquet file is not an export of spans: column ${what}`];

    assert.deepEqual(await refusal(Buffer.from('PAR1')), unreadable);
    assert.deepEqual(await refusal(Buffer.from(`PAR1${'x'.repeat(1000)}PAR1`)), unreadable);
    assert.deepEqual(await refusal(Buffer.from(whole.subarray(0, whole.length - 9))), unreadable);
    const other = await parquetFile(t, 'SELECT 1 AS trace_id', false);
    assert.deepEqual(await refusal(other), foreign('trace_id must be VARCHAR, it is INTEGER'));
    const without = await parquetFile(t, "SELECT 't' AS trace_id", false);
    assert.deepEqual(await refusal(without), foreign('span_id must be VARCHAR, it has none'));

    const odd = await parquetFile(
      t,
      `SELECT * FROM (VALUES
        ('t', NULL, '{}', NULL), ('t', 'a', '{"a":', NULL), ('t', 'b', '[1]', NULL), ('t', 'c', '{}', '{"x":1}'),
        ('t', 'd', '{"llm":{"model_name":"m"},"n":12345678901234567890}', '[]')
      ) v(trace_id, span_id, attributes, annotations)`,
    );
    const { data } = (await importInto(rest, odd)) as { data: { stored_span_count: number; refusals: object[] } };
    assert.equal(data.stored_span_count, 1);
    assert.deepEqual(data.refusals, [
      { line: 1, reason: 'span_id must be a string' },
      { line: 2, reason: 'Expecting value: char 5' },
      { line: 3, reason: 'attributes must be an object' },
      { line: 4, reason: 'annotations must be a list of objects' },
    ]);
    assert.match(await exportOf(rest, '', 'to'), /"attributes":\{"n":12345678901234567890,"llm.model_name":"m"\}/);
    assert.deepEqual(await filesOf(rest), []);
  });

  test('a small Parquet file with more rows or text than its size allows is rejected before a span of it is stored', async (t) => {
    const rest = await openServer();
    const refusal = async (query: string) => {
      const file = await parquetFile(t, query);
      const response = await fetch(`${rest.address}/v1/projects/to/spans/import`, { method: 'POST', body: file });
      const text = await response.text();
      return [
        response.status,
        text.replace(String(file.byteLength), '*').replace(/3000\d{5}/, '*'),
        file.byteLength < 2 ** 20,
      ];
    };

    assert.deepEqual(
      await refusal(
        `SELECT 't' || i // 9 AS trace_id, 's' || i AS span_id, repeat('x', 1000000) AS input_value FROM range(300) r(i)`,
      ),
      [
        422,
        `The texts of the Parquet file have * bytes or more; the maximum for a file of its size is ${PARQUET_TEXT_BYTES_FREE}`,
        true,
      ],
    );
    assert.deepEqual(await refusal("SELECT 't' AS trace_id, 's' AS span_id FROM range(1000001)"), [
      422,
      `The Parquet file has 1000001 rows; the maximum for a file of * bytes is ${PARQUET_ROW_COUNT_FREE}`,
      true,
    ]);
    assert.equal((await fetch(`${rest.address}/v1/projects/to`)).status, 404);
    assert.deepEqual(await filesOf(rest), []);
  });

  test('rows of a Parquet file that are too large for one page are read in several', async (t) => {
    const rest = await openServer();
    const file = await parquetFile(
      t,
      `SELECT 't' AS trace_id, 's' || i AS span_id, repeat('x', 8000000) AS input_value FROM range(20) r(i)`,
    );

    assert.deepEqual(await importInto(rest, file), counts(20, 20, 0, 0));
    assert.equal(idsOf(await exportOf(rest, '', 'to')).length, 20);
  });

  test('an export whose reader goes away ends, and leaves no file', async (t) => {
    const rest = await openServer();
    const count = 2_500;
    const file = await parquetFile(
      t,
      `SELECT 't' || i // 9 AS trace_id, 's' || i AS span_id, repeat(md5(i::VARCHAR), 400) AS input_value
       FROM range(${count}) r(i)`,
    );
    await importInto(rest, file);

    // Of 4 MiB or less each.
    const PAGE_COUNT = 7;
    const signals: AbortSignal[] = [];
    const { spans } = rest.ports;
    for (const name of ['findSpans', 'writeParquet'] as const) {
      const read = spans[name].bind(spans) as (query: never, options?: ReadOptions) => Promise<never>;
      spans[name] = (query: unknown, options?: ReadOptions) => {
        if (options?.signal) signals.push(options.signal);
        return read(query as never, options);
      };
    }

    for (const format of ['jsonl', 'csv', 'parquet']) {
      signals.length = 0;
      const gone = new AbortController();
      const reply = fetch(`${rest.address}/v1/projects/to/spans/export?format=${format}`, { signal: gone.signal });
      // Parquet is written before it is answered: its reader goes meanwhile.
      if (format === 'parquet') await eventually(async () => assert.ok((await filesOf(rest)).length > 0));
      else await (await reply).body!.getReader().read();
      gone.abort();
      await reply.catch(() => undefined);

      await eventually(async () => assert.ok(signals.every(({ aborted }) => aborted)));
      await eventually(async () => assert.deepEqual(await filesOf(rest), []));
      assert.ok(signals.length > 0 && signals.length < PAGE_COUNT, `${signals.length} pages`);
    }
    assert.equal(idsOf(await exportOf(rest, '', 'to')).length, count);
  });

  test('takes a file that is compressed', async () => {
    const rest = await openServer();
    await fill(rest);
    const body = gzipSync(await exportOf(rest));
    const send = async (encoding: string) => {
      const url = `${rest.address}/v1/projects/to/spans/import`;
      const response = await fetch(url, { method: 'POST', body, headers: { 'content-encoding': encoding } });
      return [response.status, await response.text()];
    };

    assert.deepEqual(await send('gzip'), [200, JSON.stringify(counts(4, 0, 4, 0))]);
    assert.deepEqual(await send('br'), [422, 'Invalid content encoding: br']);
  });

  test('an export has every span once, over many pages, and says how many', async () => {
    const rest = await openServer();
    const count = SPAN_EXPORT_PAGE_ROW_COUNT + 500;
    const line = (index: number) =>
      `{"trace_id":"t${index % 7}","span_id":"s${index}","name":"n","start_time_unix_nano":"1","end_time_unix_nano":"2"}\n`;
    const lines = Array.from({ length: count }, (_, index) => line(index)).join('');
    assert.deepEqual(await importInto(rest, lines), counts(count, count, 0, 0));

    const response = await fetch(`${rest.address}/v1/projects/to/spans/export?format=jsonl`);

    assert.equal(response.headers.get('x-span-count'), String(count));
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="to.jsonl"');
    assert.deepEqual(
      idsOf(await response.text()),
      Array.from({ length: count }, (_, index) => `s${index}`),
    );
  });
});

const filesOf = ({ dataDir }: TestServer): Promise<string[]> => readdir(join(dataDir, 'spans/exports'));

/** A file of spans with the columns of a query, the others filled in; or of these columns alone. */
async function parquetFile(t: TestContext, query: string, isOfSpans = true): Promise<Uint8Array<ArrayBuffer>> {
  const texts = ['trace_id', 'span_id', 'parent_id', 'span_kind', 'status_code', 'status_message', 'session_id'];
  texts.push('user_id', 'model_name', 'provider', 'input_value', 'input_mime_type', 'output_value');
  texts.push('output_mime_type', 'metadata', 'attributes', 'long_attributes', 'events', 'annotations');
  const empty = `SELECT ${texts.map((name) => `NULL::VARCHAR AS ${name}`).join(', ')} WHERE false`;
  const times = "make_timestamp_ns(1) AS start_time, make_timestamp_ns(2) AS end_time, 'n' AS name";
  const dir = await mkdtemp(join(tmpdir(), 'spandrel-parquet-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, 'file.parquet');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = isOfSpans ? `SELECT *, ${times} FROM (${empty} UNION ALL BY NAME ${query})` : query;
  await connection.run(`COPY (${rows}) TO '${path}' (FORMAT parquet)`);
  instance.closeSync();
  return new Uint8Array(await readFile(path));
}

async function readParquet(t: TestContext, bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  const dir = await mkdtemp(join(tmpdir(), 'spandrel-parquet-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, 'file.parquet');
  await writeFile(path, bytes);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`);
  const rows = reader.getRowObjectsJson();
  instance.closeSync();
  return rows;
}

async function recordsOf(text: string): Promise<(string | undefined)[][]> {
  const records: (string | undefined)[][] = [];
  for await (const { cells } of readCsv(pieces(text))) records.push([...cells]);
  return records;
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}
