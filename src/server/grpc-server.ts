import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  status as Code,
  Metadata,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
  type ServerUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Log } from '../base/log.ts';
import { BODY_BYTES_MAX, DRAIN_MS_MAX, GRPC_CALL_COUNT_MAX, GRPC_STREAM_COUNT_MAX } from '../model/limits.ts';
import type { TlsFiles } from './exchange.ts';
import { type GrpcStatus, grpcStatus } from './grpc-status.ts';
import type { Access } from './route.ts';

/** One unary method. Messages are bytes as on the wire: whoever handles them decodes them, in a thread of its choice. */
export interface GrpcMethod {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly access: Access;
  /** Called before the message is received: an error here refuses the call early. */
  readonly admit?: () => Error | undefined;
  readonly handle: (call: GrpcCall) => Promise<Uint8Array>;
}

export interface GrpcCall {
  /** Inflated. Owned by the handler: its ArrayBuffer holds nothing else but the head of its frame, and may be transferred. */
  readonly message: Uint8Array<ArrayBuffer>;
  readonly remoteAddress: string;
  /** First value of a metadata entry by its lower-case name. */
  header(name: string): string | undefined;
}

export interface GrpcServerOptions {
  readonly methods: readonly GrpcMethod[];
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly tls?: TlsFiles;
  /** Rejects with a `SpandrelError` when the caller may not. Absent: every method is open. */
  readonly authenticate?: (header: GrpcCall['header'], access: Access) => Promise<void>;
  readonly log: Log;
  readonly registry: Registry;
  readonly limits?: { readonly drainMsMax?: number };
}

export interface GrpcServer {
  readonly port: number;
  /** Accepts nothing more, lets calls end for at most `DRAIN_MS_MAX`, then cuts them. */
  close(): Promise<void>;
}

const MESSAGE_WINDOW_BYTES = 1024 * 1024;
const KEEPALIVE_MS = 60_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;

/** Answers unary gRPC calls on a port; any other method is UNIMPLEMENTED. */
export async function openGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const metrics = createGrpcMetrics(options.registry);
  let callCount = 0;
  const interceptor = admitCalls(options.methods, () => callCount);
  const server = new Server({
    'grpc.max_receive_message_length': BODY_BYTES_MAX,
    'grpc.max_concurrent_streams': GRPC_STREAM_COUNT_MAX,
    // A dead peer behind a load balancer is noticed, and its connection given back.
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
    // HTTP/2's own window of 64 KiB would cost a round trip every 64 KiB of a message.
    'grpc-node.flow_control_window': MESSAGE_WINDOW_BYTES,
    interceptors: [interceptor],
  });
  for (const method of options.methods) {
    const handle = async (
      call: ServerUnaryCall<Uint8Array<ArrayBuffer>, Uint8Array>,
      send: sendUnaryData<Uint8Array>,
    ) => {
      callCount++;
      metrics.inFlight.inc();
      const end = metrics.duration.startTimer({ method: method.path });
      const answer = await answerCall(method, call, options);
      callCount--;
      metrics.inFlight.dec();
      metrics.received.inc(call.request.byteLength);
      metrics.requests.inc({ method: method.path, code: Code[answer.code] });
      end();
      if (answer.code === Code.OK) send(null, answer.message);
      else send({ code: answer.code, details: answer.details, metadata: toTrailers(answer) });
    };
    const [, service, name] = method.path.split('/');
    server.addService({ [name!]: definitionOf(service!, name!) }, { [name!]: handle });
  }
  const port = await bind(server, options);
  let closing: Promise<void> | undefined;
  return {
    port,
    close() {
      closing ??= shutDown(server, options.limits?.drainMsMax ?? DRAIN_MS_MAX);
      return closing;
    },
  };
}

/** Raw bytes in, raw bytes out: no message object is built. */
const definitionOf = (service: string, name: string) => ({
  path: `/${service}/${name}`,
  requestStream: false,
  responseStream: false,
  requestDeserialize: toOwnBytes,
  requestSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
  responseDeserialize: (bytes: Buffer): Uint8Array => bytes,
  responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});

/** The frame's flag and length, which grpc-js leaves before a message. */
const FRAME_HEAD_BYTES = 5;

/** Bytes whose memory goes to another thread with them: copied, unless nothing else is in it. */
function toOwnBytes(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength - byteLength <= FRAME_HEAD_BYTES;
  return isOwn ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(bytes);
}

type Answer = { readonly code: Code.OK; readonly message: Uint8Array } | (GrpcStatus & { readonly message?: never });

/** Never rejects. */
async function answerCall(
  method: GrpcMethod,
  call: ServerUnaryCall<Uint8Array<ArrayBuffer>, Uint8Array>,
  { authenticate, log }: GrpcServerOptions,
): Promise<Answer> {
  const header = (name: string) => {
    const value = call.metadata.get(name)[0];
    return typeof value === 'string' ? value : value?.toString('utf8');
  };
  try {
    if (method.access !== 'open') await authenticate?.(header, method.access);
    const message = await method.handle({ message: call.request, remoteAddress: hostOf(call.getPeer()), header });
    return { code: Code.OK, message };
  } catch (error) {
    const known = grpcStatus(error);
    if (known !== undefined) return known;
    log.error({ method: method.path, err: error }, 'A gRPC call failed');
    return { code: Code.INTERNAL, details: 'Internal Server Error' };
  }
}

/** Refuses a call before its message is received, while there is no room for it. */
function admitCalls(methods: readonly GrpcMethod[], callCount: () => number): ServerInterceptor {
  const admitOf = new Map(methods.map((method) => [method.path, method.admit]));
  return (definition, call) =>
    new ServerInterceptingCall(call, {
      start(next) {
        const listener = new ServerListenerBuilder().withOnReceiveMetadata((metadata, pass) => {
          const refusal = grpcStatus(admitOf.get(definition.path)?.());
          if (refusal !== undefined) return call.sendStatus({ ...refusal, metadata: toTrailers(refusal) });
          if (callCount() >= GRPC_CALL_COUNT_MAX) {
            return call.sendStatus({ code: Code.UNAVAILABLE, details: 'Too many calls at once' });
          }
          pass(metadata);
        });
        next(listener.build());
      },
    });
}

function toTrailers({ detailsBin }: { readonly detailsBin?: Buffer }): Metadata {
  const metadata = new Metadata();
  if (detailsBin !== undefined) metadata.set('grpc-status-details-bin', detailsBin);
  return metadata;
}

/** `10.0.0.1:5000` or `[::1]:5000` or `::1:5000` */
const hostOf = (peer: string): string => peer.slice(0, Math.max(peer.lastIndexOf(':'), 0)).replace(/^\[|\]$/g, '');

async function bind(server: Server, { host, port, tls }: GrpcServerOptions): Promise<number> {
  const credentials = tls === undefined ? ServerCredentials.createInsecure() : await toCredentials(tls);
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => {
      if (error) reject(new Error(`Cannot listen on ${address} for gRPC: ${error.message}`, { cause: error }));
      else resolve(bound);
    });
  });
}

async function toCredentials(tls: TlsFiles): Promise<ServerCredentials> {
  const key = await readFile(tls.keyFile);
  // grpc-js takes no passphrase, so the key is given to it in the clear.
  const plainKey =
    tls.keyFilePassword === undefined
      ? key
      : Buffer.from(
          createPrivateKey({ key, passphrase: tls.keyFilePassword }).export({ type: 'pkcs8', format: 'pem' }) as string,
        );
  const ca = tls.caFile === undefined ? null : await readFile(tls.caFile);
  const pair = { private_key: plainKey, cert_chain: await readFile(tls.certFile) };
  return ServerCredentials.createSsl(ca, [pair], tls.verifiesClient ?? false);
}

function shutDown(server: Server, drainMsMax: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.forceShutdown(), drainMsMax);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
    setTimeout(resolve, drainMsMax + 100).unref();
  });
}

function createGrpcMetrics(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Counter({
      name: 'spandrel_grpc_requests_total',
      help: 'gRPC calls answered, by method and status code.',
      labelNames: ['method', 'code'] as const,
      registers,
    }),
    duration: new Histogram({
      name: 'spandrel_grpc_request_duration_seconds',
      help: 'From the whole message to the answer.',
      labelNames: ['method'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    received: new Counter({
      name: 'spandrel_grpc_request_bytes_total',
      help: 'Bytes of request messages, inflated.',
      registers,
    }),
    inFlight: new Gauge({ name: 'spandrel_grpc_requests_in_flight', help: 'gRPC calls being handled.', registers }),
  };
}
