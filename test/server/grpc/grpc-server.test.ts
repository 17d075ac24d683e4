import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { describe, type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import {
  Client,
  type ClientOptions,
  status as Code,
  compressionAlgorithms,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { Registry } from 'prom-client';
import { ByteBudget } from '../../../src/base/byte-budget.ts';
import { silentLog } from '../../../src/base/log.ts';
import { SIGN_IN_OFF } from '../../../src/model/access/caller.ts';
import { SpandrelError } from '../../../src/model/errors.ts';
import { BODY_BYTES_MAX } from '../../../src/model/limits/requests.ts';
import type { GrpcMethod } from '../../../src/server/grpc/grpc-method.ts';
import { type GrpcServerOptions, openGrpcServer } from '../../../src/server/grpc/grpc-server.ts';
import { OPEN_GATE } from '../../../src/server/guards/gate.ts';
import { eventually } from '../http/raw-connection.ts';

const PATH = '/test.Echo/Echo';
const same = (bytes: Buffer) => bytes;

async function openTestGrpc(t: TestContext, method: Partial<GrpcMethod>, options: Partial<GrpcServerOptions> = {}) {
  const registry = new Registry();
  const server = await openGrpcServer({
    methods: [{ path: PATH, access: 'open', handle: async ({ message }) => message, ...method }],
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    registry,
    limits: { drainMsMax: 200 },
    ...options,
  });
  t.after(() => server.close());
  return { ...server, registry };
}

function openClient(t: TestContext, port: number, options: ClientOptions = {}) {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), options);
  t.after(() => client.close());
  return (message: Buffer, path = PATH, metadata = new Metadata()) =>
    new Promise<Buffer>((resolve, reject) => {
      client.makeUnaryRequest(path, same, same, message, metadata, (error, reply) =>
        error ? reject(error) : resolve(reply!),
      );
    });
}

const frameHead = (byteCount: number): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(byteCount, 1);
  return head;
};

async function openSession(t: TestContext, port: number): Promise<ClientHttp2Session> {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on('error', () => {});
  t.after(() => session.destroy());
  await new Promise((resolve) => session.once('remoteSettings', resolve));
  return session;
}

interface RawCall {
  readonly session: ClientHttp2Session;
  readonly stream: ClientHttp2Stream;
  readonly head: Promise<IncomingHttpHeaders>;
  /** gRPC status of the response. */
  status(): Promise<number>;
}

/** A call on its own connection, whose bytes the test writes. */
async function openRawCall(t: TestContext, port: number, headers: Record<string, string> = {}): Promise<RawCall> {
  const session = await openSession(t, port);
  const stream = session.request(
    { ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc', te: 'trailers', ...headers },
    { endStream: false },
  );
  stream.on('error', () => {});
  stream.resume();
  const head = new Promise<IncomingHttpHeaders>((resolve) => stream.once('response', resolve));
  const trailers = new Promise<IncomingHttpHeaders>((resolve) => stream.once('trailers', resolve));
  return {
    session,
    stream,
    head,
    async status() {
      const first = await head;
      return Number(first['grpc-status'] ?? (await trailers)['grpc-status']);
    },
  };
}

const failsWith = (code: Code, details: RegExp | string) => (error: ServiceError) => {
  assert.equal(error.code, code);
  assert.match(error.details, details instanceof RegExp ? details : new RegExp(`^${details}$`));
  return true;
};

describe('gRPC', () => {
  for (const byteCount of [0, 1, 100, 700_000, 5_000_000]) {
    test(`passes on a message of ${byteCount} bytes in its own buffer`, async (t) => {
      let otherBytes = Number.NaN;
      const { port } = await openTestGrpc(t, {
        async handle({ message, remoteAddress }) {
          assert.equal(remoteAddress, '127.0.0.1');
          otherBytes = message.buffer.byteLength - message.byteLength;
          return structuredClone(message, { transfer: [message.buffer] });
        },
      });
      const sent = randomBytes(byteCount);

      const received = await openClient(t, port, { 'grpc.max_receive_message_length': -1 })(sent);

      assert.ok(received.equals(sent));
      // The header of the message's own frame may precede it.
      assert.ok(otherBytes === 0 || otherBytes === 5, `${otherBytes} other bytes`);
    });
  }

  test('passes a compressed message to the handler as received, with its encoding', async (t) => {
    const encodings: string[] = [];
    const { port } = await openTestGrpc(t, {
      async handle({ message, encoding }) {
        encodings.push(encoding);
        return gunzipSync(message);
      },
    });
    const call = openClient(t, port, { 'grpc.default_compression_algorithm': compressionAlgorithms.gzip });

    assert.equal((await call(Buffer.from('z'.repeat(10_000)))).byteLength, 10_000);
    assert.deepEqual(encodings, ['gzip']);
  });

  test('responds to an unknown method with UNIMPLEMENTED', async (t) => {
    const { port } = await openTestGrpc(t, {});

    await assert.rejects(openClient(t, port)(Buffer.alloc(1), '/test.Echo/Other'), failsWith(Code.UNIMPLEMENTED, /./));
  });

  for (const [errorCode, code] of [
    ['OTLP_MALFORMED', Code.INVALID_ARGUMENT],
    ['BODY_TOO_LARGE', Code.RESOURCE_EXHAUSTED],
    ['STORAGE_FULL', Code.RESOURCE_EXHAUSTED],
    ['PROJECT_PROTECTED', Code.PERMISSION_DENIED],
    ['INGEST_OVERLOADED', Code.UNAVAILABLE],
  ] as const) {
    test(`responds to ${errorCode} with ${Code[code]}`, async (t) => {
      const { port } = await openTestGrpc(t, {
        handle: () => Promise.reject(new SpandrelError(errorCode, 'the reason')),
      });

      await assert.rejects(openClient(t, port)(Buffer.alloc(1)), failsWith(code, 'the reason'));
    });
  }

  test('sends an exporter the time to retry while there is no capacity, before and after its message', async (t) => {
    const full = new SpandrelError('INGEST_OVERLOADED', 'full');
    for (const method of [{ admit: () => full }, { handle: () => Promise.reject(full) }]) {
      const { port } = await openTestGrpc(t, method);

      const error = await openClient(t, port)(Buffer.alloc(1)).catch((cause: ServiceError) => cause);

      assert.ok(error instanceof Error);
      assert.equal(error.code, Code.UNAVAILABLE);
      const [bin] = error.metadata.get('grpc-status-details-bin');
      // google.rpc.Status{code: 14, message: "full", details: [Any{RetryInfo{retry_delay: 1 s}}]}
      const any = `\x0a\x28type.googleapis.com/google.rpc.RetryInfo\x12\x04\x0a\x02\x08\x01`;
      assert.equal(bin!.toString('latin1'), `\x08\x0e\x12\x04full\x1a\x30${any}`);
    }
  });

  test('reports an internal failure as INTERNAL without details', async (t) => {
    const { port, registry } = await openTestGrpc(t, { handle: () => Promise.reject(new Error('secret')) });

    await assert.rejects(openClient(t, port)(Buffer.alloc(1)), failsWith(Code.INTERNAL, 'Internal Server Error'));
    assert.match(
      await registry.metrics(),
      /spandrel_grpc_requests_total\{method="\/test.Echo\/Echo",code="INTERNAL"\} 1/,
    );
  });

  test('rejects a message above the limit', async (t) => {
    const { port } = await openTestGrpc(t, {});
    const call = openClient(t, port, { 'grpc.max_send_message_length': -1 });

    await assert.rejects(call(Buffer.alloc(BODY_BYTES_MAX + 1)), failsWith(Code.RESOURCE_EXHAUSTED, /larger than/));
  });

  test('counts a message while it arrives, and rejects messages above the budget with RetryInfo', async (t) => {
    const bodyBudget = new ByteBudget(300_000);
    const { port } = await openTestGrpc(t, {}, { bodyBudget });
    const holder = await openRawCall(t, port);
    holder.stream.write(Buffer.concat([frameHead(250_000), Buffer.alloc(249_000)]));
    await eventually(() => bodyBudget.bytes === 249_000, 'the bytes under way are counted');

    const error = await openClient(t, port)(Buffer.alloc(100_000)).catch((cause: ServiceError) => cause);
    assert.ok(error instanceof Error);
    assert.equal(error.code, Code.UNAVAILABLE);
    assert.match(String(error.metadata.get('grpc-status-details-bin')[0]), /RetryInfo/);

    holder.stream.end(Buffer.alloc(1_000));
    assert.equal(await holder.status(), Code.OK);
    await eventually(() => bodyBudget.bytes === 0, 'the bytes are released');
    assert.equal((await openClient(t, port)(Buffer.alloc(100_000))).byteLength, 100_000);
  });

  test('releases the bytes of a call whose client disconnects', async (t) => {
    const bodyBudget = new ByteBudget(300_000);
    const { port } = await openTestGrpc(t, {}, { bodyBudget });
    const { stream, session } = await openRawCall(t, port);
    stream.write(Buffer.concat([frameHead(250_000), Buffer.alloc(200_000)]));
    await eventually(() => bodyBudget.bytes === 200_000, 'the bytes under way are counted');

    session.destroy();

    await eventually(() => bodyBudget.bytes === 0, 'the bytes are released');
  });

  for (const { what, begin } of [
    { what: 'a message that never begins', begin: Buffer.alloc(0) },
    { what: 'a message that stops', begin: Buffer.concat([frameHead(1_000_000), Buffer.alloc(500_000)]) },
    { what: 'a message after which the call does not end', begin: Buffer.concat([frameHead(3), Buffer.alloc(3)]) },
  ]) {
    test(`ends ${what} with DEADLINE_EXCEEDED`, async (t) => {
      const bodyBudget = new ByteBudget(1_000_000);
      const { port } = await openTestGrpc(t, {}, { bodyBudget, limits: { bodyStallMsMax: 100 } });
      const call = await openRawCall(t, port);
      if (begin.byteLength > 0) call.stream.write(begin);

      assert.equal(await call.status(), Code.DEADLINE_EXCEEDED);
      await eventually(() => bodyBudget.bytes === 0, 'the bytes are released');
    });
  }

  test('rejects a call without exactly one message', async (t) => {
    const { port } = await openTestGrpc(t, {});
    for (const bytes of [
      Buffer.concat([frameHead(2), Buffer.alloc(3)]),
      Buffer.concat([frameHead(2), Buffer.alloc(1)]),
      Buffer.from([7, 0, 0, 0, 0]),
      Buffer.alloc(0),
    ]) {
      const call = await openRawCall(t, port);
      call.stream.end(bytes);
      assert.equal(await call.status(), Code.INTERNAL);
    }
    const odd = await openRawCall(t, port, { 'grpc-encoding': 'snappy' });
    assert.equal(await odd.status(), Code.UNIMPLEMENTED);
  });

  test('responds to a request that is not a gRPC call with an HTTP status', async (t) => {
    const { port } = await openTestGrpc(t, {});

    assert.equal((await (await openRawCall(t, port, { ':method': 'PUT' })).head)[':status'], 405);
    assert.equal((await (await openRawCall(t, port, { 'content-type': 'text/plain' })).head)[':status'], 415);
  });

  test('opens no more concurrent calls than allowed, including those whose message is incomplete', async (t) => {
    const { port } = await openTestGrpc(t, {}, { limits: { callCountMax: 2 } });
    const waiting = [await openRawCall(t, port), await openRawCall(t, port)];
    for (const { stream } of waiting) stream.write(frameHead(10));
    const third = openClient(t, port);
    await eventually(
      async () => (await third(Buffer.alloc(1)).catch((error) => error.code)) === Code.UNAVAILABLE,
      'full',
    );

    for (const { stream } of waiting) stream.end(Buffer.alloc(10));
    for (const call of waiting) assert.equal(await call.status(), Code.OK);
    await eventually(
      () =>
        third(Buffer.alloc(1)).then(
          () => true,
          () => false,
        ),
      'there is room again',
    );
  });

  test('closes the longest idle connection when there are too many', async (t) => {
    const { port, registry } = await openTestGrpc(t, {}, { limits: { connectionCountMax: 3 } });
    const busy = await openRawCall(t, port);
    busy.stream.write(frameHead(10));
    const idle: ClientHttp2Session[] = [];
    for (let i = 0; i < 5; i++) idle.push(await openSession(t, port));

    await eventually(
      () => idle.filter((session) => session.closed || session.destroyed).length >= 3,
      'some are closed',
    );
    assert.ok(!idle.at(-1)!.closed, 'the newest stays');
    assert.match(await registry.metrics(), /spandrel_grpc_connections 3/);
    busy.stream.end(Buffer.alloc(10));
    assert.equal(await busy.status(), Code.OK);
    assert.equal((await openClient(t, port)(Buffer.from('hi'))).toString(), 'hi');
  });

  test('authenticates the caller', async (t) => {
    const { port } = await openTestGrpc(
      t,
      { access: 'member' },
      {
        gate: {
          ...OPEN_GATE,
          async enterMethod(header, { access }) {
            assert.equal(access, 'member');
            if (header('authorization') === 'Bearer good') return SIGN_IN_OFF;
            throw new SpandrelError('ACCESS_DENIED', 'not you');
          },
        },
      },
    );
    const call = openClient(t, port);
    const good = new Metadata();
    good.set('authorization', 'Bearer good');

    assert.equal((await call(Buffer.from('hi'), PATH, good)).toString(), 'hi');
    await assert.rejects(call(Buffer.from('hi')), failsWith(Code.PERMISSION_DENIED, 'not you'));
  });

  test('lets calls end before it closes, and cuts those that do not end in time', async (t) => {
    const releases: (() => void)[] = [];
    const handle = async () => {
      await new Promise<void>((resolve) => releases.push(resolve));
      return Buffer.from('done');
    };
    const gentle = await openTestGrpc(t, { handle }, { limits: { drainMsMax: 5_000 } });
    const answer = openClient(t, gentle.port)(Buffer.alloc(1));
    await eventually(() => releases.length === 1, 'the handler runs');
    const closed = gentle.close();
    releases[0]!();

    assert.equal((await answer).toString(), 'done');
    await closed;

    const hasty = await openTestGrpc(t, { handle }, { limits: { drainMsMax: 50 } });
    const cut = openClient(t, hasty.port)(Buffer.alloc(1));
    await eventually(() => releases.length === 2, 'the handler runs');
    await Promise.all([assert.rejects(cut), hasty.close()]);
  });

  test('rejects a port that is in use', async (t) => {
    const { port } = await openTestGrpc(t, {});

    await assert.rejects(openTestGrpc(t, {}, { port }), new RegExp(`Cannot listen on 127.0.0.1:${port} for gRPC`));
  });
});
