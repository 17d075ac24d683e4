import { connect } from 'node:http2';

const PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const STATUSES: ReadonlyMap<string, string> = new Map([
  ['7', 'the key has not the right'],
  ['12', 'the server knows no OTLP'],
  ['14', 'the server is overloaded'],
  ['16', 'the server wants a valid key'],
]);

/**
 * Sends one message over gRPC.
 *
 * @param origin `http://host:port`; https encrypts
 * @returns the problem, or undefined when the server has accepted the message
 */
export function sendGrpc(
  origin: string,
  message: Uint8Array,
  authorization: string | undefined,
  msMax: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const session = connect(origin);
    const end = (problem: string | undefined) => {
      clearTimeout(timer);
      session.destroy();
      resolve(problem);
    };
    const timer = setTimeout(() => end(`no answer within ${msMax / 1_000} s`), msMax);
    session.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    const stream = session.request({
      ':method': 'POST',
      ':path': PATH,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(authorization && { authorization }),
    });
    let status: string | undefined;
    let text = '';
    const read = (headers: Readonly<Record<string, unknown>>) => {
      status = (headers['grpc-status'] as string | undefined) ?? status;
      text = decodeURIComponent((headers['grpc-message'] as string | undefined) ?? text);
    };
    stream.once('response', read);
    stream.once('trailers', read);
    // The error of the connection is the cause of that of the stream, and comes later.
    stream.once('error', (error: NodeJS.ErrnoException) =>
      end((error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.code ?? error.message),
    );
    stream.once('close', () => {
      if (status === '0') return end(undefined);
      if (status === undefined) return end('the port speaks no gRPC');
      end(`${STATUSES.get(status) ?? `status ${status}`}${text ? `: ${text}` : ''}`);
    });
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.byteLength, 1);
    stream.end(Buffer.concat([head, message]));
    stream.resume();
  });
}
