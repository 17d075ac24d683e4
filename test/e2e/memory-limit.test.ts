import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:http2';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type MemoryCgroup, openMemoryCgroup } from './memory-cgroup.ts';
import { span } from './odd-spans.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { openGrpcSender } from './otlp-sender.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const MiB = 2 ** 20;
/** Memory in GiB. `SPANDREL_MEMORY_GIB=1,2,4` tests more sizes. */
const LIMITS_GIB = (process.env.SPANDREL_MEMORY_GIB ?? '1').split(',').map(Number);
const AT_ONCE = 8;
const BODY_BYTES = 58 * MiB;
/** Status of a connection that the server closed during a body that it rejects. */
const GONE = 0;
const TEXT = randomBytes(512).toString('base64');

for (const gib of LIMITS_GIB) {
  test(`within ${gib} GiB the server survives large bodies of every kind, and rejects those that do not fit`, async (t) => {
    const cgroup = openMemoryCgroup(gib * 2 ** 30);
    if (typeof cgroup === 'string') return t.skip(cgroup);
    // Files in memory would count as memory of the server.
    const dataDir = await makeDataDir({ isOnDisk: true });
    const server = await startServer({ dataDir, launcher: cgroup.launcher });
    t.after(async () => {
      await server.kill9();
      await removeDataDir(dataDir);
      cgroup.close();
    });
    for (const [what, attack] of Object.entries(ATTACKS)) {
      await t.test(what, async () => {
        const statuses = await attack(server);
        if (process.env.SPANDREL_MEMORY_GIB)
          t.diagnostic(`${what}: ${statuses}; peak ${peakMiB(cgroup)} MiB; ${memoryOf(server)}`);
        assert.equal(server.exit(), undefined, `it has ended: ${server.output().slice(-3_000)}`);
        assert.equal(cgroup.killCount(), 0, 'the kernel had to kill a process');
        assert.ok(
          statuses.every((status) => STATUSES.includes(status)),
          `${statuses}`,
        );
        await untilReady(server);
      });
    }
    assert.equal((await server.stop()).code, 0);
    return undefined;
  });
}

test('within 2,000 MiB online evaluators that fill their memory or never end stop neither the server nor ingest', async (t) => {
  const cgroup = openMemoryCgroup(2_000 * MiB);
  if (typeof cgroup === 'string') return t.skip(cgroup);
  const dataDir = await makeDataDir({ isOnDisk: true });
  const server = await startServer({ dataDir, launcher: cgroup.launcher });
  t.after(async () => {
    await server.kill9();
    await removeDataDir(dataDir);
    cgroup.close();
  });
  await bindEvaluators(server, 'p', {
    fills: 'function evaluate() { const a = []; while (true) a.push(new Uint8Array(1 << 20)) }',
    ends: 'function evaluate() { while (true); }',
  });

  // Ingest continues while both evaluate every span.
  const errors = new Set<string>();
  for (let sent = 0; errors.size < 2; sent++) {
    const body = Buffer.from(`{"data":[${restSpan(sent, 'x').replaceAll('2026-01-01', today())}]}`);
    assert.equal(await post(`${server.url}/v1/projects/p/spans`, 'application/json', body), 202);
    for (const error of await listErrors(server, 'p')) errors.add(error);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }

  assert.deepEqual([...errors].sort(), ['The code exceeded 64 MiB of memory', 'timeout']);
  assert.equal(cgroup.killCount(), 0, 'the kernel had to kill a process');
  await untilReady(server);
  assert.equal((await server.stop()).code, 0);
  return undefined;
});

const memoryOf = ({ pid }: ServerProcess): string =>
  /^RssAnon:.*$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[0] ?? '';

const today = (): string => new Date().toISOString().slice(0, 10);

const peakMiB = (cgroup: MemoryCgroup): number => Math.round(cgroup.peakBytes() / MiB);

/** Statuses of accepted and properly rejected requests. gRPC statuses are 1000 plus the code. */
const STATUSES = [GONE, 200, 202, 400, 408, 413, 422, 429, 503, 1_008, 1_014];

const times = async (count: number, work: (index: number) => Promise<number>): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const ATTACKS: Readonly<Record<string, (server: ServerProcess) => Promise<number[]>>> = {
  async 'OTLP protobuf'({ url }) {
    const body = traceRequest(BODY_BYTES);
    return times(AT_ONCE, () => post(`${url}/v1/traces`, 'application/x-protobuf', body));
  },
  async 'OTLP protobuf with gzip'({ url }) {
    const body = gzipSync(traceRequest(BODY_BYTES));
    return times(2 * AT_ONCE, () =>
      post(`${url}/v1/traces`, 'application/x-protobuf', body, { 'content-encoding': 'gzip' }),
    );
  },
  async 'OTLP protobuf of small spans'({ url }) {
    const body = smallSpans(BODY_BYTES);
    return times(AT_ONCE, () => post(`${url}/v1/traces`, 'application/x-protobuf', body));
  },
  async 'OTLP JSON of long texts'({ url }) {
    const body = Buffer.from(otlpJson('x'.repeat(BODY_BYTES - 1_000)));
    return times(AT_ONCE, () => post(`${url}/v1/traces`, 'application/json', body));
  },
  async 'OTLP JSON of many values'({ url }) {
    const body = Buffer.from(`{"resourceSpans":[{"scopeSpans":[{"spans":[${manySpans(BODY_BYTES)}]}]}]}`);
    return times(AT_ONCE, () => post(`${url}/v1/traces`, 'application/json', body));
  },
  async 'spans over REST'({ url }) {
    const body = Buffer.from(`{"data":[${restSpans(BODY_BYTES)}]}`);
    return times(AT_ONCE, () => post(`${url}/v1/projects/p/spans`, 'application/json', body));
  },
  async 'spans over REST with one long text'({ url }) {
    const body = Buffer.from(`{"data":[${restSpan(1, 'ü'.repeat(BODY_BYTES / 2))}]}`);
    return times(AT_ONCE, () => post(`${url}/v1/projects/p/spans`, 'application/json', body));
  },
  async 'JSON of many values'({ url }) {
    const body = Buffer.from(`{"data":[${'{"a":1},'.repeat(BODY_BYTES / 8)}{}]}`);
    return times(AT_ONCE, () => post(`${url}/v1/projects/p/spans`, 'application/json', body));
  },
  async annotations({ url }) {
    const one = `{"span_id":"0123456789abcdef","name":"n","annotator_kind":"CODE","result":{"label":"${TEXT}"}}`;
    const body = Buffer.from(`{"data":[${repeated(one, 15 * MiB)}]}`);
    return times(3 * AT_ONCE, () => post(`${url}/v1/span_annotations`, 'application/json', body));
  },
  async gRPC({ grpcAddress }) {
    const sender = openGrpcSender(grpcAddress);
    const body = traceRequest(BODY_BYTES);
    const results = await times(AT_ONCE, async () => (await sender.send(body)).status);
    sender.close();
    return results.map((status) => (status > 1_000 ? status : 200));
  },
  async 'gRPC with messages that do not end'({ grpcAddress }) {
    return unfinishedMessages(grpcAddress, 30, BODY_BYTES);
  },
  async 'an import'({ url }) {
    const body = Buffer.from(`${importLine(1, 'x'.repeat(20 * MiB))}\n${numbered(importLine, BODY_BYTES / 2)}`);
    // The server processes one after the other.
    return times(AT_ONCE / 4, () => post(`${url}/v1/projects/p/spans/import`, 'application/jsonl', body));
  },
  async 'dataset uploads as JSON'({ url }) {
    const rows = repeated(`{"q":"${TEXT}"}`, BODY_BYTES / 2);
    const body = (name: number) => Buffer.from(`{"name":"d${name}","inputs":[${rows}],"outputs":[${rows}]}`);
    return times(AT_ONCE, (name) => post(`${url}/v1/datasets/upload`, 'application/json', body(name)));
  },
  async 'dataset uploads as files'({ url }) {
    const part = (name: string, value: string, more = '') =>
      `--B\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
    const csv = `q,a\n${repeated(`${TEXT},b`, BODY_BYTES / 8, '\n')}\n`;
    const file = part('file', csv, '; filename="f.csv"\r\ncontent-type: text/csv');
    const body = (name: number) =>
      Buffer.from(
        `${part('name', `f${name}`)}${part('input_keys[]', 'q')}${part('output_keys[]', 'a')}${file}--B--\r\n`,
      );
    return times(AT_ONCE, (name) => post(`${url}/v1/datasets/upload`, 'multipart/form-data; boundary=B', body(name)));
  },
  async 'evaluators that fill their memory'({ url }) {
    const sources = {
      TYPESCRIPT: 'function evaluate() { const a = []; while (true) a.push(new Uint8Array(1 << 20)) }',
      PYTHON: 'def evaluate():\n  a = []\n  while True: a.append(bytearray(1 << 16))',
    };
    const preview = (language: keyof typeof sources) => ({
      evaluator: {
        inlineCodeEvaluator: { name: 'greedy', language, sourceCode: sources[language], outputConfigs: [] },
      },
      ...{ context: {}, inputMapping: { literalMapping: {}, pathMapping: {} } },
    });
    const query = `mutation ($input: EvaluatorPreviewsInput!) { evaluatorPreviews(input: $input) { results { error } } }`;
    const previews = [preview('TYPESCRIPT'), preview('PYTHON'), preview('TYPESCRIPT')];
    const body = Buffer.from(JSON.stringify({ query, variables: { input: { previews } } }));
    return times(AT_ONCE / 2, () => post(`${url}/graphql`, 'application/json', body));
  },
  async GraphQL({ url }) {
    const body = Buffer.from(
      JSON.stringify({ query: 'query ($a: [ID!]!) { __typename }', variables: { a: Array(700_000).fill('abcdefg') } }),
    );
    return times(5 * AT_ONCE, () => post(`${url}/graphql`, 'application/json', body));
  },
};

/** Repeats one span with a text up to a number of bytes. */
function traceRequest(byteCount: number): Buffer {
  const spans = Array.from({ length: 50 }, () => ({
    ...span(),
    attributes: { 'input.value': 'x'.repeat(byteCount / 50 - 1_000), 'output.value': TEXT },
  }));
  return Buffer.from(encodeTraceRequest({ project: 'p', spans }));
}

function smallSpans(byteCount: number): Buffer {
  const some = encodeTraceRequest({ project: 'p', spans: Array.from({ length: 1_000 }, () => span()) });
  // Concatenated messages with a repeated field are one message.
  return Buffer.concat(Array(Math.floor(byteCount / some.byteLength)).fill(some));
}

const otlpSpan = (text: string, serial: number): string =>
  `{"traceId":"${hex(32, serial)}","spanId":"${hex(16, serial)}","name":"n","startTimeUnixNano":"1","endTimeUnixNano":"2","attributes":[{"key":"input.value","value":{"stringValue":"${text}"}}]}`;
const otlpJson = (text: string): string => `{"resourceSpans":[{"scopeSpans":[{"spans":[${otlpSpan(text, 1)}]}]}]}`;
const manySpans = (byteCount: number): string => numbered((serial) => otlpSpan('x', serial), byteCount, ',');

const restSpan = (serial: number, text: string): string =>
  `{"name":"n","context":{"trace_id":"${hex(32, serial)}","span_id":"${hex(16, serial)}"},"span_kind":"LLM","start_time":"2026-01-01T00:00:00Z","end_time":"2026-01-01T00:00:01Z","status_code":"OK","attributes":{"input.value":"${text}","a":{"b":[1,2,3]}}}`;
const restSpans = (byteCount: number): string => numbered((serial) => restSpan(serial, 'hello'), byteCount, ',');

const importLine = (serial: number, text = TEXT): string => restSpan(serial, text);

const hex = (digits: number, serial: number): string => (serial + 1).toString(16).padStart(digits, '0');

const repeated = (item: string, byteCount: number, separator = ','): string =>
  Array(Math.floor(byteCount / (item.length + 1)))
    .fill(item)
    .join(separator);

function numbered(toItem: (serial: number) => string, byteCount: number, separator = '\n'): string {
  const items: string[] = [];
  for (let chars = 0, serial = 10; chars < byteCount; serial++) {
    const item = toItem(serial);
    items.push(item);
    chars += item.length + 1;
  }
  return items.join(separator);
}

function post(url: string, type: string, body: Buffer, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const request = httpRequest(
      url,
      { method: 'POST', agent: false, headers: { 'content-type': type, 'content-length': body.length, ...headers } },
      (response) => {
        response.resume();
        response.once('close', () => resolve(response.statusCode ?? GONE));
      },
    );
    request.once('error', () => resolve(GONE));
    request.end(body);
  });
}

/** Calls on separate connections, each without the last byte of its message. Resolves with their statuses. */
async function unfinishedMessages(address: string, count: number, byteCount: number): Promise<number[]> {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(byteCount, 1);
  const bytes = Buffer.concat([head, Buffer.alloc(byteCount - 1)]);
  return times(count, () => {
    // Node's client rejects the response to a call with much pending data because of its own limit.
    const session = connect(`http://${address}`, { maxSessionMemory: 1_000 });
    const stream = session.request({
      ':method': 'POST',
      ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    return new Promise<number>((resolve) => {
      session.on('error', () => resolve(GONE));
      stream.on('error', () => resolve(GONE));
      stream.once('close', () => resolve(GONE));
      stream.once('response', (headers) => resolve(1_000 + Number(headers['grpc-status'] ?? 0)));
      stream.write(bytes, () => setTimeout(() => resolve(GONE), 3_000));
    }).finally(() => session.destroy());
  });
}

async function untilReady({ url }: ServerProcess): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const status = await fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
    if (status === 200) return;
    assert.ok(Date.now() < deadline, `/readyz is ${status}`);
  }
}

/** Data of a GraphQL operation. */
// biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
async function ask({ url }: ServerProcess, query: string, input?: object): Promise<any> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data;
}

/** Creates a project whose spans are all evaluated by TypeScript code, with a time limit of a second. */
async function bindEvaluators(server: ServerProcess, project: string, sources: Readonly<Record<string, string>>) {
  await ask(server, `mutation { createProject(input: { name: "${project}" }) { project { id } } }`);
  const { createSandboxConfig, getProjectByName } = {
    ...(await ask(
      server,
      'mutation { createSandboxConfig(input: { name: "second", timeout: 1, config: { wasm: { language: TYPESCRIPT } } }) { sandboxConfig { id } } }',
    )),
    ...(await ask(server, `{ getProjectByName(name: "${project}") { id } }`)),
  };
  for (const [name, sourceCode] of Object.entries(sources)) {
    const sandboxConfigId = createSandboxConfig.sandboxConfig.id;
    const outputConfigs = [{ continuous: { name, optimizationDirection: 'MAXIMIZE', lowerBound: 0 } }];
    const { createCodeEvaluator } = await ask(
      server,
      'mutation ($input: CreateCodeEvaluatorInput!) { createCodeEvaluator(input: $input) { evaluator { id } } }',
      { name, sourceCode, language: 'TYPESCRIPT', sandboxConfigId, outputConfigs },
    );
    const evaluatorId = createCodeEvaluator.evaluator.id;
    await ask(
      server,
      'mutation ($input: CreateOnlineEvaluatorInput!) { createOnlineEvaluator(input: $input) { id } }',
      { projectId: getProjectByName.id, evaluatorId, name },
    );
  }
}

/** Errors of evaluations that have failed. */
async function listErrors(server: ServerProcess, project: string): Promise<string[]> {
  const { getProjectByName } = await ask(
    server,
    `{ getProjectByName(name: "${project}") { onlineEvaluators { items(state: FAILED) { error } } } }`,
  );
  return getProjectByName.onlineEvaluators.flatMap(({ items }: { items: { error: string }[] }) =>
    items.map(({ error }) => error),
  );
}
