import { Agent, request as httpRequest } from 'node:http';
import { Client, credentials, Metadata, type ServiceError, type StatusObject } from '@grpc/grpc-js';

/** What became of one request. Over gRPC `status` is 200 for OK, else 1000 plus the gRPC code. */
export interface SendResult {
  readonly isAcknowledged: boolean;
  readonly status: number;
  readonly body: Buffer;
  /** What the server says about when to come again. */
  readonly retryAfterMs: number | undefined;
  readonly message: string;
}

/** Sends encoded OTLP requests, over one kept set of connections. A connection that breaks is a result, not an error. */
export interface OtlpSender {
  send(body: Uint8Array, headers?: Readonly<Record<string, string>>): Promise<SendResult>;
  close(): void;
}

const EXPORT_PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const NO_BODY = Buffer.alloc(0);
const broken = (message: string): SendResult => ({
  isAcknowledged: false,
  status: 0,
  body: NO_BODY,
  retryAfterMs: undefined,
  message,
});

/**
 * `sendsAgain`: what failed on a kept connection, which the server may end, as it has announced, just when it is used
 * again. Whoever counts what became of each request must not: the server may have taken the first one.
 */
export function openHttpSender(serverUrl: string, connectionCountMax = 16, { sendsAgain = false } = {}): OtlpSender {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionCountMax });
  const target = new URL('/v1/traces', serverUrl);
  const send = (body: Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<SendResult> =>
    new Promise((resolve) => {
      const request = httpRequest(
        target,
        {
          method: 'POST',
          agent,
          headers: { 'content-type': 'application/x-protobuf', 'content-length': body.length, ...headers },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', (error) => resolve(broken(error.message)));
          response.on('end', () => {
            const status = response.statusCode ?? 0;
            const retryAfter = Number(response.headers['retry-after'] ?? Number.NaN);
            const answer = Buffer.concat(chunks);
            resolve({
              isAcknowledged: status === 200,
              status,
              body: answer,
              retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1_000 : undefined,
              message: status === 200 ? '' : answer.toString('utf8'),
            });
          });
        },
      );
      request.on('error', (error) =>
        resolve(sendsAgain && request.reusedSocket ? send(body, headers) : broken(error.message)),
      );
      request.end(body);
    });
  return {
    send,
    close: () => agent.destroy(),
  };
}

export function openGrpcSender(address: string): OtlpSender {
  const client = new Client(address, credentials.createInsecure(), {
    // Tests restart servers on one port; the default waits seconds before it tries again.
    'grpc.initial_reconnect_backoff_ms': 50,
    'grpc.max_reconnect_backoff_ms': 200,
    'grpc.max_send_message_length': -1,
    'grpc.use_local_subchannel_pool': 1,
  });
  const same = (bytes: Buffer) => bytes;
  return {
    send: (body, headers = {}) =>
      new Promise((resolve) => {
        const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
        const metadata = Metadata.fromHttp2Headers(headers);
        client.makeUnaryRequest(
          EXPORT_PATH,
          same,
          same,
          bytes,
          metadata,
          (error: ServiceError | null, answer?: Buffer) => {
            if (error)
              resolve({
                isAcknowledged: false,
                status: 1_000 + error.code,
                body: NO_BODY,
                retryAfterMs: retryDelayMs(error),
                message: error.details,
              });
            else
              resolve({
                isAcknowledged: true,
                status: 200,
                body: answer ?? NO_BODY,
                retryAfterMs: undefined,
                message: '',
              });
          },
        );
      }),
    close: () => client.close(),
  };
}

/** Seconds inside `google.rpc.RetryInfo`, found by the type's name: `retry_delay` (1) holds `seconds` (1). */
function retryDelayMs({ metadata }: Partial<StatusObject> & { metadata?: Metadata }): number | undefined {
  const [details] = metadata?.get('grpc-status-details-bin') ?? [];
  if (!Buffer.isBuffer(details)) return undefined;
  const typeName = Buffer.from('google.rpc.RetryInfo');
  const at = details.indexOf(typeName);
  if (at < 0) return undefined;
  // Any.value (field 2): 0x12 length, then RetryInfo.retry_delay: 0x0a length, then Duration.seconds: 0x08 varint.
  const seconds = details[at + typeName.length + 5];
  return seconds === undefined ? undefined : seconds * 1_000;
}
