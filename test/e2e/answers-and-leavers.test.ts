import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DATASET_FILE_MEMORY_BYTES } from '../../src/model/limits/datasets.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { openHttpSender } from './otlp-sender.ts';
import { spansOnceThere } from './rest.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const TRACES = encodeTraceRequest({
  project: 'p',
  spans: [
    {
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: 'eee19b7ec3c1b174',
      name: 'answer',
      startTimeUnixNano: 1_770_000_000_000_000_000n,
      endTimeUnixNano: 1_770_000_001_000_000_000n,
    },
  ],
});

/** So large that an export of many is read in several steps. */
const largeSpan = () => ({
  traceId: randomBytes(16),
  spanId: randomBytes(8),
  name: 'large',
  startTimeUnixNano: 1_770_000_000_000_000_000n,
  endTimeUnixNano: 1_770_000_001_000_000_000n,
  attributes: { 'input.value': 'x'.repeat(5_000) },
});

describe('a server with failing clients and stores', () => {
  let server: ServerProcess;
  before(async () => {
    server = await startServer({ env: { SERVICE_LOGGING_MODE: 'structured' } });
    const sender = openHttpSender(server.url);
    assert.ok((await sender.send(TRACES)).isAcknowledged);
    sender.close();
    await spansOnceThere(server.url, 'p', 1);
  });
  after(() => server.kill9());

  const errorLines = () =>
    server
      .output()
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"/.test(line));
  const address = () => ({ host: '127.0.0.1', port: server.ports.http });

  /** Sends the bytes, and resets the connection so many milliseconds later, or once the response begins. */
  const leaveHttp = (bytes: string | Uint8Array, when: number | 'answered' = 0) =>
    new Promise<void>((resolve) => {
      const socket = new Socket();
      socket.on('error', () => {});
      socket.on('close', () => resolve());
      if (when === 'answered') socket.once('data', () => socket.resetAndDestroy());
      socket.connect(address(), () =>
        socket.write(bytes, () => {
          if (when !== 'answered') setTimeout(() => socket.resetAndDestroy(), when);
        }),
      );
    });

  const leaveGrpc = (bytes: Uint8Array, how: 'cancel' | 'cut') =>
    new Promise<void>((resolve) => {
      const session = connect(`http://${server.grpcAddress}`);
      session.on('error', () => {});
      session.on('close', () => resolve());
      const stream = session.request({ ':method': 'POST', ':path': EXPORT, 'content-type': 'application/grpc' });
      stream.on('error', () => {});
      stream.write(bytes, () => {
        if (how === 'cancel') stream.close(8);
        setImmediate(() => session.destroy());
      });
    });

  test('logs no error for clients that disconnect, over HTTP and gRPC, at any point of a request', async () => {
    const head = Buffer.from(
      `POST /v1/traces HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-protobuf\r\ncontent-length: ${TRACES.byteLength}\r\n\r\n`,
    );
    const query = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    const frame = Buffer.concat([Buffer.alloc(5), TRACES]);
    frame.writeUInt32BE(TRACES.byteLength, 1);

    for (let round = 0; round < 5; round++) {
      await Promise.all([
        leaveHttp(head.subarray(0, 20)),
        leaveHttp(head),
        leaveHttp(Buffer.concat([head, TRACES.subarray(0, 10)])),
        leaveHttp(Buffer.concat([head, TRACES])),
        ...['jsonl', 'csv', 'parquet', 'otlp-json'].map((format) =>
          leaveHttp(query(`/v1/projects/p/spans/export?format=${format}`)),
        ),
        leaveHttp(query('/v1/projects/p/spans')),
        leaveHttp(query('/events')),
        leaveHttp(query('/graphql?query=%7Bprojects%7Bedges%7Bnode%7Bid%20traceCount%7D%7D%7D%7D')),
        ...(['cancel', 'cut'] as const).flatMap((how) => [
          leaveGrpc(new Uint8Array(0), how),
          leaveGrpc(frame.subarray(0, 3), how),
          leaveGrpc(frame.subarray(0, 20), how),
          leaveGrpc(frame, how),
        ]),
      ]);
    }

    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    assert.deepEqual(errorLines(), []);
  });

  test('logs no error for clients that disconnect while the store reads for them', async () => {
    const sender = openHttpSender(server.url);
    for (let request = 0; request < 10; request++) {
      const spans = Array.from({ length: 200 }, () => largeSpan());
      assert.ok((await sender.send(encodeTraceRequest({ project: 'large', spans }))).isAcknowledged);
    }
    sender.close();
    await spansOnceThere(server.url, 'large', 2_000);

    for (const format of ['jsonl', 'csv', 'parquet', 'otlp-json']) {
      const query = `GET /v1/projects/large/spans/export?format=${format} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
      for (const when of [0, 1, 2, 5, 10, 20, 40, 'answered', 'answered'] as const) await leaveHttp(query, when);
    }

    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    assert.deepEqual(errorLines(), []);
  });

  test('names no path of the machine in a response, whatever fails', async () => {
    const { dataDir, url } = server;
    const answers: string[] = [];
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${url}${path}`, init).catch((error: Error) => error);
      if (response instanceof Error) return;
      const body = await response.text().catch(() => '');
      answers.push(`${path}: ${response.status} ${JSON.stringify([...response.headers])} ${body}`);
    };
    const upload = () => {
      const form = new FormData();
      form.set('name', 'd');
      form.set('action', 'create');
      form.append('input_keys[]', 'a');
      form.set('file', new Blob([`a\n${'x\n'.repeat(DATASET_FILE_MEMORY_BYTES)}`], { type: 'text/csv' }), 'd.csv');
      return ask('/v1/datasets/upload?sync=true', { method: 'POST', body: form });
    };
    const askAll = async () => {
      await upload();
      for (const format of ['jsonl', 'csv', 'parquet', 'otlp-json']) {
        await ask(`/v1/projects/p/spans/export?format=${format}`);
      }
      for (const type of ['application/x-ndjson', 'application/vnd.apache.parquet']) {
        const init = { method: 'POST', headers: { 'content-type': type }, body: 'PAR1 and nothing else PAR1' };
        await ask('/v1/projects/p/spans/import', init);
      }
      await ask('/v1/projects');
      await ask('/v1/projects/p/spans');
      await ask('/readyz');
      const query = '{ projects { edges { node { id name traceCount } } } }';
      const headers = { 'content-type': 'application/json' };
      await ask('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
      await ask('/v1/traces', { method: 'POST', headers: { 'content-type': 'application/x-protobuf' }, body: 'x' });
    };
    // Files replace the directories in which the server creates files.
    for (const dir of [join(dataDir, 'uploads'), join(dataDir, 'spans', 'exports')]) {
      await rm(dir, { recursive: true, force: true });
      await writeFile(dir, '');
    }

    await askAll();
    await server.killPostgres();
    await askAll();

    assert.ok(answers.some((answer) => / 500 /.test(answer)) && answers.some((answer) => / 503 /.test(answer)));
    for (const answer of answers) {
      assert.ok(!answer.includes(dataDir), answer);
      assert.ok(!answer.includes(dirname(process.execPath)), answer);
      assert.doesNotMatch(answer, /\.s\.PGSQL|node_modules|\/dist\/|\.(ts|js):\d+/, answer);
    }
  });
});
