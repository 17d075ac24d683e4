import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { manyTypes } from '../domain/datasets/files/arrow/arrow-streams.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { openHttpSender } from './otlp-sender.ts';
import { startPing } from './ping.ts';
import { spansOnceThere } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly data: {
    readonly dataset_id: string;
    readonly version_id: string;
    readonly num_created_examples: number;
    readonly num_updated_examples: number;
    readonly num_deleted_examples: number;
  };
}

interface Example {
  readonly id: string;
  readonly input: object;
  readonly output: object;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly source: { readonly span_id: string } | null;
}

describe('uploads of datasets', () => {
  let server: ServerProcess;
  let dataDir: string;
  let lastName = 0;
  const newName = () => `upload ${++lastName}`;

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
  });

  after(async () => {
    await server.stop();
    await removeDataDir(dataDir);
  });

  const answerOf = async (response: Response): Promise<Answer> => {
    const text = await response.text();
    return { status: response.status, text, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
  };
  const postJson = async (path: string, body: object): Promise<Answer> =>
    answerOf(
      await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  /** A form by hand, since `FormData` sends no `Content-Encoding` of a part. */
  const postCsv = async (
    fields: readonly (readonly [string, string])[],
    file: Uint8Array | string,
    { encoding, type = 'text/csv' }: { readonly encoding?: string; readonly type?: string } = {},
  ): Promise<Answer> => {
    const boundary = randomBytes(12).toString('hex');
    const parts = fields.map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="f.csv"\r\nContent-Type: ${type}\r\n${encoding ? `Content-Encoding: ${encoding}\r\n` : ''}\r\n`;
    const body = Buffer.concat([
      Buffer.from(parts.join('') + head),
      Buffer.from(file),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    return answerOf(await fetch(`${server.url}/v1/datasets/upload?sync=true`, { method: 'POST', headers, body }));
  };
  const COLUMNS = [
    ['input_keys[]', 'question'],
    ['output_keys[]', 'answer'],
    ['metadata_keys[]', 'note'],
    ['example_id_key', 'id'],
  ] as const;
  const read = async (datasetId: string, query = ''): Promise<Example[]> => {
    const response = await fetch(`${server.url}/v1/datasets/${datasetId}/examples${query}`);
    return ((await response.json()) as { data: { examples: Example[] } }).data.examples;
  };
  const counts = ({ data }: Answer) => [
    data.num_created_examples,
    data.num_updated_examples,
    data.num_deleted_examples,
  ];
  const names = async (): Promise<string[]> => {
    const response = await fetch(`${server.url}/v1/datasets?limit=100`);
    return ((await response.json()) as { data: { name: string }[] }).data.map(({ name }) => name);
  };

  const AWKWARD =
    '\uFEFFid,question,answer,note\r\none,"a ""quoted"" word,\r\nand a line",=1+1,\r\ntwo,Zürich 東京 🚀,@SUM(A1),"  "\r\n__proto__,short\r\n';

  test('read cells with quotes, line breaks, formulas and no content correctly', async () => {
    for (const encoding of [undefined, 'gzip']) {
      const file = encoding ? gzipSync(AWKWARD) : AWKWARD;
      const answer = await postCsv([['name', newName()], ...COLUMNS], file, encoding ? { encoding } : {});

      assert.equal(answer.status, 200, answer.text);
      const examples = await read(answer.data.dataset_id);
      assert.deepEqual(
        examples.map(({ id, input, output, metadata }) => ({ id, input, output, metadata })),
        [
          {
            id: 'one',
            input: { question: 'a "quoted" word,\r\nand a line' },
            output: { answer: '=1+1' },
            metadata: {},
          },
          { id: 'two', input: { question: 'Zürich 東京 🚀' }, output: { answer: '@SUM(A1)' }, metadata: {} },
          { id: '__proto__', input: { question: 'short' }, output: {}, metadata: {} },
        ],
      );
    }
  });

  test('create the same examples from an exported file', async () => {
    const { data } = await postCsv([['name', newName()], ...COLUMNS], AWKWARD);
    const exported = await (await fetch(`${server.url}/v1/datasets/${data.dataset_id}/csv`)).text();
    const headers = exported.slice(0, exported.indexOf('\n')).trim().split(',');
    const keys = headers.flatMap((header) => {
      const bucket = /^(input|output|metadata)[._]/.exec(header)?.[1];
      return bucket ? [[`${bucket}_keys[]`, header] as const] : [];
    });

    const again = await postCsv([['name', newName()], ...keys], exported);

    assert.equal(again.status, 200, again.text);
    const content = (list: readonly Example[]) => list.map(({ input, output, metadata }) => [input, output, metadata]);
    assert.deepEqual(content(await read(again.data.dataset_id)), content(await read(data.dataset_id)));
  });

  for (const { what, file, encoding, message } of [
    { what: 'Latin-1', file: Buffer.from('id,question,answer,note\na,Zürich,1,\n', 'latin1'), message: /UTF-8/ },
    { what: 'UTF-16', file: Buffer.from('\uFEFFid,question,answer,note\na,b,c,d\n', 'utf16le'), message: /UTF-8/ },
    { what: 'a cut archive', file: gzipSync(AWKWARD).subarray(0, 40), encoding: 'gzip', message: /gzip/ },
    { what: 'what is no archive', file: Buffer.from('id,question'), encoding: 'gzip', message: /gzip/ },
    { what: 'an unknown encoding', file: Buffer.from(AWKWARD), encoding: 'br', message: /content encoding: br/ },
    { what: 'no header', file: Buffer.from(''), message: /Missing CSV column header/ },
    { what: 'a header twice', file: Buffer.from('id,id\n'), message: /Duplicated column header in CSV file: id/ },
    { what: 'a column that is not there', file: Buffer.from('id,question,note\n'), message: /output keys not found/ },
    { what: 'a quote that does not end', file: Buffer.from('id,question,answer,note\na,"b\n'), message: /not closed/ },
  ] as const) {
    test(`reject ${what}, and create no dataset`, async () => {
      const name = newName();

      const answer = await postCsv([['name', name], ...COLUMNS], file, { encoding });

      assert.equal(answer.status, 422, answer.text);
      assert.match(answer.text, message);
      assert.equal((await names()).includes(name), false);
    });
  }

  const ARROW = 'application/x-pandas-pyarrow';
  const { file: arrowFile } = manyTypes();
  const ARROW_COLUMNS = [
    ...[...['long', 'list', 'nothing'].map((name) => ['input_keys[]', name] as const), ['output_keys[]', 'nanos']],
    ...[['metadata_keys[]', 'record'] as const, ['example_id_key', 'word'], ['split_keys[]', 'text']],
  ] as const;

  for (const { encoding, pack } of [
    { encoding: 'none', pack: Buffer.from },
    { encoding: 'gzip', pack: gzipSync },
    { encoding: 'deflate', pack: deflateSync },
  ]) {
    test(`read the values of an Arrow stream by type, encoded as ${encoding}`, async () => {
      const type = ARROW.toUpperCase();
      const answer = await postCsv([['name', newName()], ...ARROW_COLUMNS], pack(arrowFile), { encoding, type });

      assert.equal(answer.status, 200, answer.text);
      const exported = await fetch(`${server.url}/v1/datasets/${answer.data.dataset_id}/jsonl`);
      const lines = (await exported.text()).trim().split('\n');
      assert.deepEqual(
        lines.map((line) => line.replace(/"node_id": "[^"]*", /, '')),
        [
          '{"id": "0", "input": {"long": 9007199254740993, "list": [1, null, 3], "nothing": null}, "output": {"nanos": "2023-11-14T22:13:20.123456789+00:00"}, "metadata": {"record": {"__proto__": "x", "b": [true]}}, "splits": ["Zürich 東京 🚀"]}',
          '{"id": "4294967295", "input": {"long": -1, "list": null, "nothing": null}, "output": {"nanos": "1969-12-31T23:59:59.999999999+00:00"}, "metadata": {"record": null}, "splits": []}',
          '{"id": "1", "input": {"long": null, "list": [], "nothing": null}, "output": {"nanos": "1970-01-01T00:00:00+00:00"}, "metadata": {"record": {"__proto__": null, "b": null}}, "splits": []}',
        ],
      );
    });
  }

  for (const { what, columns = [], file = arrowFile, message } of [
    { what: 'nothing', file: Buffer.alloc(0), message: 'The file is not an Arrow stream' },
    { what: 'CSV', file: Buffer.from(AWKWARD), message: 'The file is not an Arrow stream' },
    {
      what: 'a Feather file',
      file: Buffer.from('ARROW1\0\0'),
      message: 'The file is not an Arrow stream, but an Arrow file',
    },
    {
      what: 'half a file',
      file: arrowFile.subarray(0, arrowFile.byteLength >> 1),
      message: 'The Arrow stream is damaged: it ends within',
    },
    {
      what: 'an absent input',
      columns: [['input_keys[]', 'x']],
      message: "input keys not found in column headers: {'x'}",
    },
    { what: 'an absent split', columns: [['split_key', 'x']], message: "split_key 'x' not found in column headers" },
    { what: 'an absent id', columns: [['example_id_key', 'x']], message: "example_id_key 'x' not found" },
    { what: 'an absent span id', columns: [['span_id_key', 'x']], message: "span_id_key 'x' not found" },
    {
      what: 'lists as ids',
      columns: [['example_id_key', 'list']],
      message: "Column 'list' must contain only strings, received list",
    },
  ] as const) {
    test(`reject an Arrow stream with ${what}`, async () => {
      const answer = await postCsv([['name', newName()], ...columns], file, { type: ARROW });

      assert.equal(answer.status, 422, answer.text);
      assert.ok(answer.text.startsWith(message), answer.text);
    });
  }

  test('keep the server responsive after any change of an Arrow stream', async () => {
    const random = new SeededRandom(2);
    const ping = startPing(server.url);
    const statuses = new Map<number, number>();
    const name = newName();
    for (let attempt = 0; attempt < 300; attempt++) {
      const changed = Uint8Array.from(arrowFile);
      for (let change = 0; change < 3; change++) changed[random.below(changed.byteLength)] = random.below(256);
      const fields = [['name', name], ['action', 'update'], ...ARROW_COLUMNS] as const;
      const { status } = await postCsv(fields, changed, { type: ARROW });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }

    const { answered, failed } = await ping.stop();
    assert.ok(answered > 0);
    assert.equal(failed, 0);
    assert.deepEqual([...statuses.keys()].toSorted(), [200, 422]);
  });

  test('change nothing when they fail half-way, and report their result otherwise', async () => {
    const name = newName();
    const rows = (numbers: readonly number[], answer: string) =>
      numbers.map((n) => `id-${n},question ${n},${answer},\n`).join('');
    const header = 'id,question,answer,note\n';
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
    const first = await postCsv([['name', name], ...COLUMNS], header + rows(range(0, 5_000), 'old'));
    assert.deepEqual(counts(first), [5_000, 0, 0]);

    const broken = Buffer.concat([Buffer.from(header + rows(range(0, 5_000), 'broken')), Buffer.from([0xff, 0xfe])]);
    const failed = await postCsv([['name', name], ['action', 'update'], ...COLUMNS], broken);
    const unchanged = await read(first.data.dataset_id);
    const file =
      header + rows(range(1_000, 5_000), 'old') + rows(range(5_000, 5_500), 'old') + rows(range(0, 100), 'new');
    const second = await postCsv([['name', name], ['action', 'update'], ...COLUMNS], file);

    assert.equal(failed.status, 422);
    assert.equal(unchanged.length, 5_000);
    assert.ok(unchanged.every(({ output }) => (output as { answer: string }).answer === 'old'));
    assert.deepEqual(counts(second), [500, 100, 900]);
    assert.equal((await read(first.data.dataset_id)).length, 4_600);
    assert.equal((await read(first.data.dataset_id, `?version_id=${first.data.version_id}`)).length, 5_000);
  });

  test('create one version after another for concurrent appends', async () => {
    const name = newName();
    const { data } = await postJson('/v1/datasets/upload?sync=true', { name, inputs: [{ n: -1 }] });

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        postJson('/v1/datasets/upload?sync=true', { name, action: 'append', inputs: [{ n }] }),
      ),
    );

    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(new Set(answers.map((answer) => answer.data.version_id)).size, 8);
    assert.equal((await read(data.dataset_id)).length, 9);
    const sizes = await Promise.all(
      answers.map(async (answer) => (await read(data.dataset_id, `?version_id=${answer.data.version_id}`)).length),
    );
    assert.deepEqual(sizes.toSorted(), [2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('use memory that does not grow with the file', async () => {
    const name = newName();
    const filler = 'x'.repeat(1_000);
    const lines = Array.from({ length: 60_000 }, (_, n) => `id-${n},question ${n} ${filler},${n},\n`);
    const file = Buffer.from(`id,question,answer,note\n${lines.join('')}`);
    const before = residentBytes(server);
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, residentBytes(server));
    }, 20);

    const answer = await postCsv([['name', name], ...COLUMNS], file);

    clearInterval(timer);
    assert.deepEqual(counts(answer), [60_000, 0, 0]);
    console.log(`${file.length >> 20} MiB of CSV took ${(most - before) >> 20} MiB`);
    assert.ok(most - before < 300 * 1024 * 1024);
  });

  test('convert each span that a filter selects to one example', async () => {
    const sender = openHttpSender(server.url, 1);
    const spans = Array.from({ length: 450 }, (_, n) => ({
      traceId: Buffer.alloc(16, n % 251 || 1),
      spanId: Buffer.from((n + 1).toString(16).padStart(16, '0'), 'hex'),
      name: n % 3 === 0 ? 'chosen' : 'other',
      startTimeUnixNano: BigInt(Date.now()) * 1_000_000n,
      endTimeUnixNano: BigInt(Date.now()) * 1_000_000n,
      attributes: { 'input.value': `in ${n}`, 'output.value': `out ${n}` },
    }));
    await sender.send(encodeTraceRequest({ project: 'to examples', spans }));
    sender.close();
    await spansOnceThere(server.url, 'to examples', 450);
    const name = newName();
    const upload = (body: object) => postJson('/v1/datasets/upload/spans', { name, project: 'to examples', ...body });

    const made = await upload({ filter: "name == 'chosen'" });
    const again = await upload({ filter: "name == 'chosen'" });
    const all = await upload({});

    assert.equal(made.status, 200, made.text);
    assert.deepEqual(
      [counts(made), counts(again), counts(all)],
      [
        [150, 0, 0],
        [0, 0, 0],
        [300, 0, 0],
      ],
    );
    assert.equal(again.data.version_id, made.data.version_id);
    const examples = await read(made.data.dataset_id, `?version_id=${made.data.version_id}`);
    assert.deepEqual(
      examples.map(({ input, output, source }) => [input, output, source?.span_id]),
      spans.flatMap(({ spanId, name: spanName }, n) =>
        spanName === 'chosen' ? [[{ input: `in ${n}` }, { output: `out ${n}` }, spanId.toString('hex')]] : [],
      ),
    );
    assert.equal((await upload({ filter: 'name =' })).status, 422);
    assert.equal((await upload({ project: 'absent' })).status, 404);
    assert.equal((await upload({ action: 'create' })).status, 409);
  });
});

/** The server's own process, without Postgres. */
function residentBytes({ pid }: ServerProcess): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) * 1024;
}
