import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
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
import { silentLog } from '../../src/base/log.ts';
import { SpandrelError } from '../../src/model/errors.ts';
import { BODY_BYTES_MAX } from '../../src/model/limits.ts';
import { type GrpcMethod, type GrpcServerOptions, openGrpcServer } from '../../src/server/grpc-server.ts';
import { eventually } from './raw-connection.ts';

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

const failsWith = (code: Code, details: RegExp | string) => (error: ServiceError) => {
  assert.equal(error.code, code);
  assert.match(error.details, details instanceof RegExp ? details : new RegExp(`^${details}$`));
  return true;
};

describe('gRPC', () => {
  for (const byteCount of [0, 1, 100, 700_000, 5_000_000]) {
    test(`hands over a message of ${byteCount} bytes in a buffer that holds no other`, async (t) => {
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
      // The head of the message's own frame may stand before it.
      assert.ok(otherBytes === 0 || otherBytes === 5, `${otherBytes} other bytes`);
    });
  }

  test('inflates a message that was sent as gzip', async (t) => {
    const { port } = await openTestGrpc(t, {});
    const call = openClient(t, port, { 'grpc.default_compression_algorithm': compressionAlgorithms.gzip });

    assert.equal((await call(Buffer.from('z'.repeat(10_000)))).byteLength, 10_000);
  });

  test('answers a method that it does not have with UNIMPLEMENTED', async (t) => {
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
    test(`answers ${errorCode} with ${Code[code]}`, async (t) => {
      const { port } = await openTestGrpc(t, {
        handle: () => Promise.reject(new SpandrelError(errorCode, 'the reason')),
      });

      await assert.rejects(openClient(t, port)(Buffer.alloc(1)), failsWith(code, 'the reason'));
    });
  }

  test('tells an exporter when to come again while there is no room, before and after its message', async (t) => {
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

  test('hides a failure of ours behind INTERNAL', async (t) => {
    const { port, registry } = await openTestGrpc(t, { handle: () => Promise.reject(new Error('secret')) });

    await assert.rejects(openClient(t, port)(Buffer.alloc(1)), failsWith(Code.INTERNAL, 'Internal Server Error'));
    assert.match(
      await registry.metrics(),
      /spandrel_grpc_requests_total\{method="\/test.Echo\/Echo",code="INTERNAL"\} 1/,
    );
  });

  test('refuses a message above the limit, inflated or not', async (t) => {
    const { port } = await openTestGrpc(t, {});
    const large = Buffer.alloc(BODY_BYTES_MAX + 1);
    const plain = openClient(t, port, { 'grpc.max_send_message_length': -1 });
    const zipping = openClient(t, port, {
      'grpc.max_send_message_length': -1,
      'grpc.default_compression_algorithm': compressionAlgorithms.gzip,
    });

    await assert.rejects(plain(large), failsWith(Code.RESOURCE_EXHAUSTED, /larger than max/));
    await assert.rejects(zipping(large), failsWith(Code.RESOURCE_EXHAUSTED, /larger than/));
  });

  test('asks who calls', async (t) => {
    const { port } = await openTestGrpc(
      t,
      { access: 'member' },
      {
        async authenticate(header, access) {
          assert.equal(access, 'member');
          if (header('authorization') !== 'Bearer good') throw new SpandrelError('PROJECT_PROTECTED', 'not you');
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

  test('refuses to listen on a port that is taken', async (t) => {
    const { port } = await openTestGrpc(t, {});

    await assert.rejects(openTestGrpc(t, {}, { port }), new RegExp(`Cannot listen on 127.0.0.1:${port} for gRPC`));
  });
});
