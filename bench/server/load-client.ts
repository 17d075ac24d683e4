/**
 * A child process that puts load on a server, so that the server's own CPU time can be read apart from it. HTTP/1.1
 * over bare sockets and gRPC over bare HTTP/2: a client library would be the slower end.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';

export interface Load {
  readonly kind: 'get' | 'post' | 'grpc';
  readonly port: number;
  readonly path: string;
  /** Of the body; 0 for GET. */
  readonly bodyBytes: number;
  readonly senderCount: number;
  readonly runMs: number;
}

export interface LoadResult {
  readonly requestCount: number;
  readonly ms: number;
  /** CPU time of the server's process per request, in microseconds. */
  readonly serverCpuMicros: number;
}

/** Runs a load against a server in this process. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const child = fork(new URL(import.meta.url), { env: { ...process.env, LOAD: JSON.stringify(load) } });
  await once(child, 'message');
  const before = process.cpuUsage();
  child.send('go');
  const [{ requestCount, ms }] = (await once(child, 'message')) as [{ requestCount: number; ms: number }];
  const { user, system } = process.cpuUsage(before);
  child.disconnect();
  await once(child, 'exit');
  return { requestCount, ms, serverCpuMicros: (user + system) / requestCount };
}

const bytesOf = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, i) => (i * 2_654_435_761) >>> 24));

async function send(load: Load): Promise<{ requestCount: number; ms: number }> {
  const { senderCount, runMs } = load;
  const session = load.kind === 'grpc' ? connectHttp2(`http://127.0.0.1:${load.port}`) : undefined;
  const body = bytesOf(load.bodyBytes);
  let requestCount = 0;
  const startMs = performance.now();
  const isOver = () => performance.now() - startMs > runMs;
  const senders = Array.from({ length: senderCount }, async () => {
    const ask = session === undefined ? await httpSender(load, body) : () => callGrpc(session, load.path, body);
    while (!isOver()) {
      await ask();
      requestCount++;
    }
  });
  await Promise.all(senders);
  const ms = performance.now() - startMs;
  session?.destroy();
  return { requestCount, ms };
}

async function httpSender({ kind, port, path }: Load, body: Buffer): Promise<() => Promise<void>> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  const head =
    kind === 'get'
      ? `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nUser-Agent: bench\r\n\r\n`
      : `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\nContent-Length: ${body.length}\r\n\r\n`;
  const message = Buffer.concat([Buffer.from(head), body]);
  let onAnswer: (() => void) | undefined;
  // Responses are small, so each arrives as one chunk.
  socket.on('data', () => onAnswer?.());
  return () =>
    new Promise((resolve) => {
      onAnswer = resolve;
      socket.write(message);
    });
}

function callGrpc(session: ClientHttp2Session, path: string, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.on('error', reject).on('end', resolve).resume();
    const frame = Buffer.alloc(5);
    frame.writeUInt32BE(body.length, 1);
    stream.write(frame);
    stream.end(body);
  });
}

if (process.env.LOAD !== undefined && process.send !== undefined) {
  // Open sockets would keep this process for as long as the server keeps connections.
  process.once('disconnect', () => process.exit());
  process.send('ready');
  process.once('message', async () => {
    process.send!(await send(JSON.parse(process.env.LOAD!) as Load));
  });
}
