import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { shareTestServer, type TestServer } from '../test-server.ts';

const open = shareTestServer();

interface Upload {
  readonly fields?: readonly (readonly [name: string, value: string])[];
  readonly query?: string;
  readonly type?: string;
  readonly signal?: AbortSignal;
}

interface Uploaded {
  readonly stored: { readonly dataset_id: string; readonly version_id: string; readonly created: number } | null;
  readonly plan: Record<string, unknown> & {
    readonly changed: readonly { readonly before: Sample; readonly after: Sample }[];
  };
  readonly rejected_count: number;
  readonly rejected_rows: readonly { readonly line: number; readonly reason: string; readonly text: string }[];
}
interface Sample {
  readonly input: string;
}

async function send(server: TestServer, name: string, bytes: Uint8Array | string, upload: Upload = {}) {
  const { fields = [], query = '', type = 'text/csv', signal } = upload;
  const form = new FormData();
  form.append('name', name);
  for (const [key, value] of fields) form.append(key, value);
  form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), 'file');
  const init = { method: 'POST', body: form, ...(signal && { signal }) };
  const response = await fetch(`${server.address}/v1/dataset_uploads?${query}`, init);
  const text = await response.text();
  return { status: response.status, text, data: response.ok ? (JSON.parse(text).data as Uploaded) : undefined };
}

async function inputsOf(server: TestServer, id: string): Promise<unknown[]> {
  const { json } = await server.call('GET', `/v1/datasets/${encodeURIComponent(id)}/examples`);
  return (json as { data: { examples: { input: unknown }[] } }).data.examples.map(({ input }) => input);
}

const ab = [
  ['input_keys[]', 'a'],
  ['output_keys[]', 'b'],
] as const;

describe('a file for a dataset', () => {
  test('has a byte order mark, line ends of Windows, quotes in quotes and a column __proto__', async () => {
    const server = await open();
    const text = '\ufeff__proto__,a\r\n"say ""hi""\r\nagain",1\r\n';
    const { data } = await send(server, 'quotes', text, {
      fields: [
        ['input_keys[]', '__proto__'],
        ['input_keys[]', 'a'],
      ],
    });

    assert.equal(data?.stored?.created, 1);
    const [input] = await inputsOf(server, data.stored.dataset_id);
    assert.deepEqual(Object.entries(input as object), [
      ['__proto__', 'say "hi"\r\nagain'],
      ['a', '1'],
    ]);
  });

  test('may be UTF-16 or Windows-1252, with semicolons', async () => {
    const server = await open();
    const text = 'a;b\nGrüße;1,5\n';
    const files = [
      ['utf-16le', Buffer.from(text, 'utf16le')],
      ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['windows-1252', Buffer.from(text, 'latin1')],
    ] as const;
    for (const [charset, bytes] of files) {
      const { data, text: problem } = await send(server, randomUUID(), bytes, {
        fields: [...ab, ['delimiter', ';']],
        type: `text/csv; charset=${charset}`,
      });
      assert.ok(data?.stored, problem);
      assert.deepEqual(await inputsOf(server, data.stored.dataset_id), [{ a: 'Grüße' }]);
    }
    const wrong = await send(server, 'wrong', text, { fields: ab, type: 'text/csv; charset=ebcdic' });
    assert.match(wrong.text, /Invalid charset: ebcdic/);
  });

  test('with rejected rows stores nothing and lists their lines, or stores the others on request', async () => {
    const server = await open();
    const text = 'a,b,id\n1,"x\ny",p\n2,x,q,more\n3\n4,x,p\n5,x,r\n"6,x';
    const fields = [...ab, ['example_id_key', 'id']] as const;
    const failed = await send(server, 'ragged', text, { fields });

    assert.equal(failed.data?.stored, null);
    assert.equal(failed.data.rejected_count, 4);
    assert.deepEqual(
      failed.data.rejected_rows.map(({ line, reason }) => [line, reason]),
      [
        [4, 'The row has 4 cells, and the header has 3'],
        [5, 'The row has 1 cells, and the header has 3'],
        [6, "An earlier row has the ID 'p', too"],
        [8, 'A quote in this row does not close, so the rest of the file belongs to it'],
      ],
    );
    assert.equal(failed.data.rejected_rows[0]?.text, '2,x,q,more\n');
    const { json } = await server.call('GET', '/v1/datasets?name=ragged');
    assert.deepEqual((json as { data: unknown[] }).data, []);

    const stored = await send(server, 'ragged', text, { fields, query: 'rejected_rows=skip' });
    assert.equal(stored.data?.stored?.created, 2);
    assert.equal(stored.data.rejected_count, 4);
    assert.deepEqual(await inputsOf(server, stored.data.stored.dataset_id), [{ a: '1' }, { a: '5' }]);
  });

  test('of JSON lines lists the lines that are no objects', async () => {
    const server = await open();
    const { data } = await send(server, 'lines', '{"a": 1}\n[1]\n\n{"a": \n{"a": 2}\n', {
      fields: [['input_keys[]', 'a']],
      type: 'application/jsonl',
      query: 'rejected_rows=skip',
    });

    assert.deepEqual(
      data?.rejected_rows.map(({ line, text }) => [line, text]),
      [
        [2, '[1]'],
        [4, '{"a": '],
      ],
    );
    assert.equal(data.stored?.created, 2);
  });

  test('numbers repeated headers and names empty ones', async () => {
    const server = await open();
    const { data } = await send(server, 'headers', 'a,a,\n1,2,3\n', {
      fields: [
        ['input_keys[]', 'a'],
        ['input_keys[]', 'a_2'],
        ['output_keys[]', 'column_3'],
      ],
    });

    assert.deepEqual(await inputsOf(server, data?.stored?.dataset_id ?? ''), [{ a: '1', a_2: '2' }]);
  });

  test('has 10,000 columns, or a cell of 20 MB', async () => {
    const server = await open();
    const names = Array.from({ length: 10_000 }, (_, index) => `column ${index}`);
    const wide = await send(server, 'wide', `${names.join()}\n${names.join()}\n`, {
      fields: names.map((name) => ['input_keys[]', name] as const),
    });
    assert.equal(wide.data?.stored?.created, 1, wide.text);
    const [input] = await inputsOf(server, wide.data.stored.dataset_id);
    assert.equal(Object.keys(input as object).length, 10_000);

    const long = await send(server, 'long', `a,b\n${'x'.repeat(20_000_000)},1\n`, { fields: ab });
    assert.equal(long.data?.stored?.created, 1, long.text);
  });

  test('of Parquet is read with nested values, and its start and end suffice for a preview', async (t) => {
    const server = await open();
    const query = `SELECT i AS id, {'question': 'q' || i, '__proto__': i} AS input, ['x', 'y'] AS tags, NULL::DOUBLE AS score,
      ${Array.from({ length: 10 }, (_, n) => `sha256(i || '-${n}')`).join(' || ')} AS filler FROM range(5000) t(i)`;
    const bytes = await writeParquet(t, `COPY (${query}) TO '$PATH' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
    const head = 1_600_000;
    assert.ok(bytes.byteLength > 2 * head, `${bytes.byteLength} bytes`);
    const body = Buffer.concat([bytes.subarray(0, head), bytes.subarray(-100_000)]);
    const path = `/v1/dataset_uploads/parquet_preview?file_bytes=${bytes.byteLength}&head_bytes=${head}`;
    const preview = await server.call('POST', path, { body: new Uint8Array(body), type: 'application/octet-stream' });
    const { columns, row_count, rows } = (
      preview.json as { data: { columns: { name: string; type: string }[]; row_count: number; rows: string[] } }
    ).data;

    assert.equal(row_count, 5000);
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['id', 'input', 'tags', 'score', 'filler'],
    );
    assert.deepEqual(columns[2], { name: 'tags', type: 'VARCHAR[]' });
    assert.equal(JSON.parse(rows[19] ?? '{}').id, 19);

    const { data, text } = await send(server, 'parquet', bytes, {
      fields: [
        ['input_keys[]', 'input'],
        ['output_keys[]', 'score'],
        ['metadata_keys[]', 'tags'],
        ['example_id_key', 'id'],
        ['flatten_keys[]', 'input'],
      ],
      type: 'application/vnd.apache.parquet',
    });
    assert.equal(data?.stored?.created, 5000, text);
    const [first] = await inputsOf(server, data.stored.dataset_id);
    assert.deepEqual(Object.entries(first as object), [
      ['question', 'q0'],
      ['__proto__', 0],
    ]);

    const large = await writeParquet(
      t,
      "COPY (SELECT repeat('x', 1000000) AS a, 1 AS b FROM range(300)) TO '$PATH' (FORMAT parquet)",
    );
    const rejected = await send(server, 'large', large, { fields: ab, type: 'application/vnd.apache.parquet' });
    assert.ok(large.byteLength < 2 ** 20);
    assert.match(
      rejected.text,
      /^The texts of the Parquet file have \d+ bytes or more; the maximum for a file of its size/,
    );
    assert.equal(rejected.status, 422);

    const noParquet = await send(server, 'none', 'PAR1 but no more', {
      fields: ab,
      type: 'application/vnd.apache.parquet',
    });
    assert.deepEqual([noParquet.status, noParquet.text], [422, 'The file is not a readable Parquet file']);
  });
});

test('a download for spreadsheets runs no formula, and the other one is the same when it is uploaded again', async () => {
  const server = await open();
  const texts = ['=1+1', '+cmd', '-2', '@SUM', '\tx', '\rx', 'plain'];
  const upload = { name: 'formulas', inputs: texts.map((a) => ({ a, '=b': -1 })) };
  const { json } = await server.call('POST', '/v1/datasets/upload?sync=true', { json: upload });
  const path = `/v1/datasets/${encodeURIComponent((json as { data: { dataset_id: string } }).data.dataset_id)}/csv`;
  const cellsOf = (text: string) => [...text.matchAll(/,("?)([^,]*)\1,-1\n/g)].map(([, , cell]) => cell);

  assert.deepEqual(cellsOf((await server.call('GET', path)).text), texts);
  const safe = (await server.call('GET', `${path}?spreadsheet=true`)).text;
  assert.deepEqual(cellsOf(safe), ["'=1+1", "'+cmd", "'-2", "'@SUM", "'\tx", "'\rx", 'plain']);
});

describe('the plan of an upload', () => {
  const fields = [...ab, ['action', 'update'], ['example_id_key', 'id']] as const;

  test('shows what is added, changed, deleted and unchanged, and writes nothing', async () => {
    const server = await open();
    const before = await send(server, 'plan', 'a,b,id\n1,x,p\n2,x,q\n3,x,r\n', { fields });
    const { dataset_id, version_id } = before.data?.stored ?? { dataset_id: '', version_id: '' };
    const query = `dataset_id=${encodeURIComponent(dataset_id)}&version_id=${encodeURIComponent(version_id)}`;
    const next = 'a,b,id\n1,x,p\n2,new,q\n9,x,s\n';
    const { data } = await send(server, 'plan', next, { fields, query: `${query}&dry_run=true` });

    assert.equal(data?.stored, null);
    const { changed, created_count, changed_count, deleted_count, unchanged_count } = data.plan;
    assert.deepEqual([created_count, changed_count, deleted_count, unchanged_count], [1, 1, 1, 1]);
    assert.deepEqual(changed, [
      {
        id: 'q',
        before: { input: '{"a":"2"}', output: '{"b":"x"}', metadata: '{}' },
        after: { input: '{"a":"2"}', output: '{"b":"new"}', metadata: '{}' },
      },
    ]);
    assert.deepEqual(await inputsOf(server, dataset_id), [{ a: '1' }, { a: '2' }, { a: '3' }]);

    const done = await send(server, 'plan', next, { fields, query });
    assert.equal(done.data?.stored?.created, 1);
    const late = await send(server, 'plan', next, { fields, query });
    assert.equal(late.status, 409, late.text);
    await server.call('DELETE', `/v1/datasets/${encodeURIComponent(dataset_id)}`);
    const gone = await send(server, 'plan', next, { fields, query });
    assert.deepEqual([gone.status, gone.text], [404, 'The dataset was deleted']);
  });
});

describe('the state of an upload', () => {
  test('says that it is stored, or that nothing is', async () => {
    const server = await open();
    const state = async (id: string) => (await server.call('GET', `/v1/dataset_uploads/${id}`)).json;
    const id = randomUUID();
    await send(server, 'state', 'a,b\n1,2\n', { fields: ab, query: `upload_id=${id}` });
    const found = (await state(id)) as { data: { phase: string; row_count: number; stored: { created: number } } };
    assert.deepEqual([found.data.phase, found.data.row_count, found.data.stored.created], ['stored', 1, 1]);

    const other = randomUUID();
    await send(server, 'state', 'a,b\n1,2\n', { fields: ab, query: `upload_id=${other}` });
    assert.deepEqual(await state(other), {
      data: { phase: 'failed', row_count: 0, problem: 'A dataset named "state" already exists.', stored: null },
    });
    assert.equal((await server.call('GET', '/v1/dataset_uploads/unknown')).status, 404);
  });

  test('with its ID again stores nothing and gets the same result, also while the first request runs', async () => {
    const server = await open();
    const id = randomUUID();
    const rows = Array.from({ length: 5_000 }, (_, index) => `${index},x`).join('\n');
    const again = () => send(server, 'again', `a,b\n${rows}\n`, { fields: ab, query: `upload_id=${id}` });
    const first = again();
    while ((await server.call('GET', `/v1/dataset_uploads/${id}`)).status === 404);
    const results = await Promise.all([first, again()]);
    results.push(await again());
    assert.deepEqual(
      results.map(({ status, data }) => [status, data?.stored?.created, data?.stored?.version_id]),
      results.map(() => [200, 5_000, results[0]!.data?.stored?.version_id]),
    );
    const { json } = await server.call('GET', '/v1/datasets?name=again');
    assert.equal((json as { data: unknown[] }).data.length, 1);
  });

  test('after a disconnection says that nothing is stored', async () => {
    const server = await open();
    const id = randomUUID();
    const controller = new AbortController();
    const rows = Array.from({ length: 20_000 }, (_, index) => `${index},x`).join('\n');
    const sending = send(server, 'aborted', `a,b\n${rows}\n`, {
      fields: ab,
      query: `upload_id=${id}`,
      signal: controller.signal,
    });
    const find = async () =>
      (await server.call('GET', `/v1/dataset_uploads/${id}`)).json as
        | { data?: { phase: string; row_count: number } }
        | undefined;
    while (((await find())?.data?.row_count ?? 0) === 0);
    controller.abort();
    await assert.rejects(sending);
    let phase: string | undefined;
    while (phase !== 'failed' && phase !== 'stored') phase = (await find())?.data?.phase;

    assert.equal(phase, 'failed');
    const { json } = await server.call('GET', '/v1/datasets?name=aborted');
    assert.deepEqual((json as { data: unknown[] }).data, []);
  });
});

async function writeParquet(t: TestContext, sql: string): Promise<Uint8Array> {
  const dir = await mkdtemp(join(tmpdir(), 'spandrel-parquet-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, 'file.parquet');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(sql.replace('$PATH', path));
  instance.closeSync();
  return new Uint8Array(await readFile(path));
}
