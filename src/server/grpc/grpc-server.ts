import {
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { ByteBudget } from '../../base/byte-budget.ts';
import type { Log } from '../../base/log.ts';
import { INFLIGHT_BYTES_MAX } from '../../model/limits/ingest.ts';
import {
  BODY_STALL_BYTES_MIN,
  BODY_STALL_MS_MAX,
  DRAIN_MS_MAX,
  GRPC_CALL_COUNT_MAX,
  GRPC_CONNECTION_COUNT_MAX,
  GRPC_HANDSHAKE_COUNT_MAX,
  GRPC_STREAM_COUNT_MAX,
  HEADER_BYTES_MAX,
  RESPONSE_STALL_MS_MAX,
  TLS_HANDSHAKE_MS_MAX,
} from '../../model/limits/requests.ts';
import { type Gate, OPEN_GATE } from '../guards/gate.ts';
import { startStallWatch, type WatchedRequest } from '../http/stall-watch.ts';
import { type CertificateWatch, watchCertificate } from '../tls/certificate-watch.ts';
import { type LoadedTls, readTlsMaterial, type TlsFiles } from '../tls/tls-files.ts';
import {
  encodingOf,
  failureStatus,
  type GrpcEncoding,
  type GrpcResponse,
  httpRejection,
  overloaded,
  sendResponse,
} from './grpc-call.ts';
import { GrpcMessage } from './grpc-message.ts';
import type { GrpcMethod } from './grpc-method.ts';
import { GrpcSessions } from './grpc-sessions.ts';
import { GrpcCode, type GrpcStatus, grpcStatus, INTERNAL_STATUS } from './grpc-status.ts';

export interface GrpcServerOptions {
  readonly methods: readonly GrpcMethod[];
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly tls?: TlsFiles;
  /** Interval at which the TLS files are checked for changes, for tests. */
  readonly tlsPollMs?: number;
  /** Default: every method is open. */
  readonly gate?: Gate;
  /** Budget of messages, from the first byte until the handler ends. Default: `INFLIGHT_BYTES_MAX`. */
  readonly bodyBudget?: ByteBudget;
  readonly log: Log;
  readonly registry: Registry;
  /** Overrides of the limits of `model/limits`. */
  readonly limits?: Partial<GrpcLimits>;
}

export interface GrpcLimits {
  readonly drainMsMax: number;
  readonly bodyStallMsMax: number;
  readonly responseStallMsMax: number;
  readonly connectionCountMax: number;
  readonly callCountMax: number;
}

export interface GrpcServer {
  readonly port: number;
  /** Accepts no further call, waits up to `DRAIN_MS_MAX` for running calls, and then closes them. */
  close(): Promise<void>;
}

const DEFAULT_LIMITS: GrpcLimits = {
  drainMsMax: DRAIN_MS_MAX,
  bodyStallMsMax: BODY_STALL_MS_MAX,
  responseStallMsMax: RESPONSE_STALL_MS_MAX,
  connectionCountMax: GRPC_CONNECTION_COUNT_MAX,
  callCountMax: GRPC_CALL_COUNT_MAX,
};

/** The default window of HTTP/2 would cost a round trip per 64 KiB of a message. */
const WINDOW_BYTES = 1024 * 1024;

/** Serves unary gRPC calls on a port. Any other method gets UNIMPLEMENTED. */
export async function openGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const limits: GrpcLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const tls = options.tls && { files: options.tls, material: await readTlsMaterial(options.tls) };
  const server = createListener(tls);
  const sessions = new GrpcSessions(limits.connectionCountMax, WINDOW_BYTES);
  const metrics = createGrpcMetrics(options.registry, sessions);
  const bodyBudget = options.bodyBudget ?? new ByteBudget(INFLIGHT_BYTES_MAX);
  const calls = new Set<ReceivedCall>();
  const methods = new Map(options.methods.map((method) => [method.path, method]));

  async function respond(call: ReceivedCall): Promise<GrpcResponse> {
    const { path, headers } = call;
    const method = methods.get(path);
    if (method === undefined) return { code: GrpcCode.UNIMPLEMENTED, details: `There is no method ${path}` };
    const encoding = encodingOf(headers);
    if (encoding === undefined) {
      const details = 'The encoding of the message is not supported';
      return reject(method, call, { code: GrpcCode.UNIMPLEMENTED, details });
    }
    const rejection = grpcStatus(method.admit?.());
    if (rejection !== undefined) return reject(method, call, rejection);
    if (calls.size > limits.callCountMax) return reject(method, call, overloaded('Too many calls at once'));
    return await handleMessage(method, call, encoding, options, metrics);
  }

  const onStream = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {});
    const status = httpRejection(headers);
    if (status !== undefined) {
      stream.respond({ ':status': status }, { endStream: true });
      return stream.close(constants.NGHTTP2_NO_ERROR);
    }
    const call = new ReceivedCall(stream, headers, bodyBudget);
    calls.add(call);
    metrics.inFlight.inc();
    stream.once('close', () => {
      call.message.fail({ kind: 'aborted' });
      calls.delete(call);
      metrics.inFlight.dec();
    });
    const result = await respond(call);
    call.end(result);
    metrics.requests.inc({ method: methods.has(call.path) ? call.path : 'unmatched', code: nameOf(result.code) });
    return undefined;
  };

  server.on('session', (session) => sessions.add(session));
  server.on('sessionError', () => {});
  server.on('stream', (stream, headers) => {
    sessions.enter(stream);
    onStream(stream, headers).catch((error) => {
      options.log.error({ err: error }, 'Could not send the response of a gRPC call');
      stream.destroy();
    });
  });
  // Connections in the TLS handshake are not sessions yet.
  server.maxConnections = limits.connectionCountMax + GRPC_HANDSHAKE_COUNT_MAX;
  const port = await listen(server, options);
  const watch = startStallWatch(calls, {
    bodyMsMax: limits.bodyStallMsMax,
    bodyBytesMin: BODY_STALL_BYTES_MIN,
    responseMsMax: limits.responseStallMsMax,
  });

  const certificateWatch = watchTls(server, tls, options);

  let closing: Promise<void> | undefined;
  const close = async () => {
    certificateWatch?.close();
    server.close();
    await sessions.close(limits.drainMsMax);
    watch.stop();
  };
  return {
    port,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

const nameOf = (code: number): string =>
  Object.entries(GrpcCode).find(([, value]) => value === code)?.[0] ?? String(code);

/** A call from its headers to the end of its response, watched for slow clients. */
class ReceivedCall implements WatchedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  readonly message: GrpcMessage;
  readonly exchange: WatchedRequest['exchange'];
  body: WatchedRequest['body'];
  sending: WatchedRequest['sending'];
  readonly #stream: ServerHttp2Stream;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, budget: ByteBudget) {
    this.path = headers[':path'] ?? '';
    this.headers = headers;
    this.remoteAddress = stream.session?.socket?.remoteAddress ?? '';
    this.message = new GrpcMessage(budget);
    this.exchange = { cut: () => stream.destroy(), heartbeat: () => {} };
    this.#stream = stream;
  }

  header(name: string): string | undefined {
    const value = this.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  receive(): GrpcMessage {
    this.body = this.message;
    this.#stream.on('data', (chunk: Buffer) => this.message.data(chunk));
    this.#stream.on('end', () => this.message.end());
    return this.message;
  }

  end(response: GrpcResponse): void {
    this.body = undefined;
    // A client that does not read its response must not keep the call open.
    this.sending = { bytes: 0, isBlocked: true };
    this.#stream.resume();
    sendResponse(this.#stream, response);
  }
}

function reject({ onRejected }: GrpcMethod, call: ReceivedCall, status: GrpcStatus): GrpcStatus {
  const { remoteAddress } = call;
  onRejected?.({ remoteAddress, header: (name) => call.header(name) }, status);
  return status;
}

/** Receives the message and passes it to the handler. Never rejects. */
async function handleMessage(
  method: GrpcMethod,
  call: ReceivedCall,
  encoding: GrpcEncoding,
  { gate = OPEN_GATE, log }: GrpcServerOptions,
  metrics: ReturnType<typeof createGrpcMetrics>,
): Promise<GrpcResponse> {
  const header = (name: string) => call.header(name);
  const message = call.receive();
  let isHandled = false;
  try {
    const entered = gate.enterMethod(header, method);
    const caller = entered instanceof Promise ? await entered : entered;
    const outcome = await message.outcome;
    call.body = undefined;
    metrics.received.inc(message.byteCount);
    if (outcome.kind === 'malformed') {
      return reject(method, call, { code: GrpcCode.INTERNAL, details: outcome.reason });
    }
    if (outcome.kind === 'aborted') return failureStatus(outcome);
    if (outcome.kind !== 'complete') return reject(method, call, failureStatus(outcome));
    isHandled = true;
    const end = metrics.duration.startTimer({ method: method.path });
    const { remoteAddress } = call;
    const bytes = outcome.message;
    const reply = await method
      .handle({ message: bytes, encoding: outcome.isCompressed ? encoding : 'identity', remoteAddress, header, caller })
      .finally(end);
    return { code: GrpcCode.OK, details: '', message: reply };
  } catch (error) {
    const known = grpcStatus(error);
    if (known !== undefined) return isHandled ? known : reject(method, call, known);
    log.error({ method: method.path, err: error }, 'A gRPC call failed');
    return INTERNAL_STATUS;
  } finally {
    message.fail({ kind: 'aborted' });
    message.release();
  }
}

function createListener(tls: LoadedTls | undefined): Http2Server | Http2SecureServer {
  const options: ServerOptions = {
    settings: {
      maxConcurrentStreams: GRPC_STREAM_COUNT_MAX,
      initialWindowSize: WINDOW_BYTES,
      maxHeaderListSize: HEADER_BYTES_MAX,
      enablePush: false,
    },
  };
  return tls === undefined ? createServer(options) : createSecureServer({ ...options, ...toTlsOptions(tls) });
}

const toTlsOptions = ({ files, material }: LoadedTls): SecureServerOptions => ({
  ...material.secureContext,
  requestCert: files.verifiesClient ?? false,
  rejectUnauthorized: files.verifiesClient ?? false,
  handshakeTimeout: TLS_HANDSHAKE_MS_MAX,
});

function watchTls(
  server: Http2Server | Http2SecureServer,
  tls: LoadedTls | undefined,
  { log, tlsPollMs }: GrpcServerOptions,
): CertificateWatch | undefined {
  if (tls === undefined) return undefined;
  return watchCertificate({
    tls,
    apply: ({ secureContext }) => (server as Http2SecureServer).setSecureContext(secureContext),
    listener: 'gRPC',
    log,
    ...(tlsPollMs === undefined ? {} : { intervalMs: tlsPollMs }),
  });
}

function listen(server: Http2Server | Http2SecureServer, { host, port, log }: GrpcServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', (cause) => {
      // While listening, the error means that a connection was not accepted, for example because file descriptors ran
      // out.
      if (server.listening) log.warn({ err: cause }, 'Could not accept a gRPC connection');
      reject(new Error(`Cannot listen on ${host}:${port} for gRPC: ${cause.message}`, { cause }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function createGrpcMetrics(registry: Registry, sessions: GrpcSessions) {
  const registers = [registry];
  return {
    requests: new Counter({
      name: 'spandrel_grpc_requests_total',
      help: 'gRPC calls with a response, by method and status code.',
      labelNames: ['method', 'code'] as const,
      registers,
    }),
    duration: new Histogram({
      name: 'spandrel_grpc_request_duration_seconds',
      help: 'Time from the complete message to the response.',
      labelNames: ['method'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    received: new Counter({
      name: 'spandrel_grpc_request_bytes_total',
      help: 'Bytes of request messages as received.',
      registers,
    }),
    inFlight: new Gauge({ name: 'spandrel_grpc_requests_in_flight', help: 'Open gRPC calls.', registers }),
    connections: new Gauge({
      name: 'spandrel_grpc_connections',
      help: 'Open gRPC connections.',
      registers,
      collect() {
        this.set(sessions.count);
      },
    }),
  };
}
