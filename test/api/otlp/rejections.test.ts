import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { Registry } from 'prom-client';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { SpandrelError } from '../../../src/model/errors.ts';
import { BODY_BYTES_MAX } from '../../../src/model/limits/requests.ts';
import { openIngest } from '../../../src/ingest/open-ingest.ts';
import { tempDir } from '../../ingest/journal/journal-fixtures.ts';
import { MemoryWriter } from '../../ingest/memory-writer.ts';
import { openGrpcServer } from '../../../src/server/grpc/grpc-server.ts';
import { createGate } from '../../../src/server/guards/gate.ts';
import { openTestServer } from '../../server/http/server-under-test.ts';
import { otlpRoutes } from '../../../src/api/otlp/trace-routes.ts';
import { traceServiceMethods } from '../../../src/api/otlp/trace-service.ts';
import { encodeTraceRequest } from '../../e2e/otlp-request.ts';

const PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const PROTOBUF = { 'content-type': 'application/x-protobuf', 'user-agent': 'exporter/1' };
const same = (bytes: Buffer) => bytes;

interface Line {
  readonly message: string;
  readonly source?: string;
  readonly userAgent?: string;
  readonly remoteAddress?: string;
  readonly reason?: string;
  readonly requestCount?: number;
  readonly rejectedSpanCount?: number;
}

/** HTTP and gRPC listeners on one ingest, and the log lines at `info`. */
async function openListeners(t: TestContext) {
  const lines: Line[] = [];
  const log: Log = {
    ...silentLog,
    debug() {},
    info: (fields, message) => lines.push({ ...fields, message }),
    warn() {},
    child: () => log,
  };
  const lock: { text: string | undefined } = { text: undefined };
  const registry = new Registry();
  const onFatal = (error: Error) => assert.fail(error);
  const ingest = await openIngest({ dir: tempDir(), writer: new MemoryWriter(), log, registry, onFatal });
  t.after(() => ingest.close());
  const gate = createGate({ isReadOnly: false, storageLock: () => lock.text });
  const { address } = await openTestServer(
    t,
    'node',
    otlpRoutes(ingest, () => undefined),
    { gate },
  );
  const findRejection = () =>
    lock.text === undefined ? ingest.findRejection(0) : new SpandrelError('STORAGE_FULL', lock.text);
  const grpc = await openGrpcServer({
    methods: traceServiceMethods({ ...ingest, findRejection }, () => undefined),
    host: '127.0.0.1',
    port: 0,
    log,
    registry,
    limits: { drainMsMax: 200 },
  });
  t.after(() => grpc.close());
  const client = new Client(`127.0.0.1:${grpc.port}`, credentials.createInsecure(), {
    'grpc.max_send_message_length': -1,
  });
  t.after(() => client.close());
  return {
    lines,
    lock,
    ingest,
    async post(body: Uint8Array, headers: Record<string, string> = {}) {
      const init = { method: 'POST', headers: { ...PROTOBUF, ...headers }, body: Buffer.from(body) };
      return (await fetch(`${address}/v1/traces`, init)).status;
    },
    export: (body: Uint8Array) =>
      new Promise<number>((resolve) => {
        client.makeUnaryRequest(PATH, same, same, Buffer.from(body), new Metadata(), (error) =>
          resolve(error?.code ?? 0),
        );
      }),
  };
}

const span = (spanId: string) => ({
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId,
  name: 'answer',
  startTimeUnixNano: 1_770_000_000_000_000_000n,
  endTimeUnixNano: 1_770_000_001_000_000_000n,
});
const GARBAGE = Buffer.from('no protobuf');
const PARTLY_BAD = encodeTraceRequest({ spans: [span('0000000000000000'), span('eee19b7ec3c1b174')] });

describe('the log of rejected traces', () => {
  test('has one line per reason over HTTP', async (t) => {
    const { lines, lock, post } = await openListeners(t);

    for (let i = 0; i < 3; i++) assert.equal(await post(GARBAGE), 422);
    assert.equal(await post(PARTLY_BAD), 200);
    assert.equal(await post(GARBAGE, { 'content-type': 'text/plain' }), 415);
    assert.equal(await post(GARBAGE, { 'content-encoding': 'gzip' }), 422);
    assert.equal(await post(Buffer.alloc(BODY_BYTES_MAX + 1)), 413);
    lock.text = 'Storage is full';
    assert.equal(await post(GARBAGE), 507);

    assert.deepEqual(
      lines.map(({ message, rejectedSpanCount }) => [message, rejectedSpanCount]),
      [
        ['Rejected requests with traces', 0],
        ['Rejected spans', 1],
        ['Rejected requests with traces', 0],
        ['Rejected requests with traces', 0],
        ['Rejected requests with traces', 0],
        ['Rejected requests with traces', 0],
      ],
    );
    for (const { source, remoteAddress, userAgent, requestCount } of lines) {
      assert.deepEqual([source, remoteAddress, userAgent, requestCount], ['http', '127.0.0.1', 'exporter/1', 1]);
    }
    const reasons = lines.map(({ reason }) => reason!);
    assert.match(reasons[1]!, /^1 of 2 spans rejected: span 0000000000000000: span id is all zeros$/);
    assert.equal(reasons[2], 'Unsupported content type: text/plain');
    assert.match(reasons[3]!, /not gzip/);
    assert.match(reasons[4]!, new RegExp(`has ${BODY_BYTES_MAX + 1} bytes`));
    assert.equal(reasons[5], 'Storage is full');
  });

  test('has the reasons over gRPC, and the remaining counts when the server ends', async (t) => {
    const { lines, lock, ingest, export: send } = await openListeners(t);

    for (let i = 0; i < 3; i++) assert.equal(await send(GARBAGE), 3);
    assert.equal(await send(PARTLY_BAD), 0);
    assert.equal(await send(Buffer.alloc(BODY_BYTES_MAX + 1)), 8);
    lock.text = 'Storage is full';
    assert.equal(await send(GARBAGE), 8);

    assert.equal(lines.length, 4);
    for (const { source, remoteAddress, userAgent } of lines) {
      assert.deepEqual([source, remoteAddress], ['grpc', '127.0.0.1']);
      assert.match(userAgent!, /grpc-node/);
    }
    assert.match(lines[1]!.reason!, /^1 of 2 spans rejected/);
    assert.match(lines[2]!.reason!, /larger than/);
    assert.equal(lines[3]!.reason, 'Storage is full');
    await ingest.close();
    assert.deepEqual([lines.length, lines[4]!.requestCount], [5, 2]);
  });
});
