import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import { expectPresent } from '../../base/expect-present.ts';
import { HEADER_COUNT_MAX, PARSER_HEADER_BYTES_MAX, TLS_HANDSHAKE_MS_MAX } from '../../model/limits/requests.ts';
import type { LoadedTls } from '../tls/tls-files.ts';
import type { BodySink, BodyWriter, Engine, EngineOptions, Exchange, ResponseHead } from './exchange.ts';
import { RequestHeaders } from './request-headers.ts';

/** Longer than the 60 s of common load balancers, so that the load balancer closes an idle connection first. */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS_MAX = 15_000;
/** An upper limit above the stall watch, for bodies that are not read. */
const REQUEST_MS_MAX = 600_000;

/** Listens through `node:http`: the fallback of `uws-engine.ts` on platforms without a binary of uWebSockets.js. */
export async function openNodeEngine(options: EngineOptions): Promise<Engine> {
  const server = createListener(options.tls);
  // One more than allowed, so that a request with too many headers can be detected.
  server.maxHeadersCount = HEADER_COUNT_MAX + 1;
  server.maxConnections = options.connectionCountMax;
  // The end of a malformed request is unknown, so data after it is not parsed as a request.
  const unreadable = new WeakSet<Duplex>();
  const onRequest = (req: IncomingMessage, res: ServerResponse, awaitsContinue: boolean) => {
    if (unreadable.has(req.socket)) return;
    const exchange = new NodeExchange(req, res, awaitsContinue);
    if (exchange.headers.isMalformed) unreadable.add(req.socket);
    options.onExchange(exchange);
  };
  server.on('request', (req, res) => onRequest(req, res, false));
  server.on('checkContinue', (req, res) => onRequest(req, res, true));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    rejectMalformed(error, socket, options.commonHeaders),
  );

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve());
  });
  server.removeAllListeners('error');
  // A connection that cannot be accepted, for example because file descriptors ran out, must not end the process.
  server.on('error', () => {});
  return {
    name: 'node',
    port: (server.address() as AddressInfo).port,
    reloadTls: ({ secureContext }) => (server as TlsServer).setSecureContext(secureContext),
    stopListening() {
      server.close();
      server.closeIdleConnections();
    },
    async close() {
      if (server.listening) server.close();
      server.closeAllConnections();
    },
  };
}

function createListener(tls: LoadedTls | undefined): Server {
  const options: ServerOptions = {
    maxHeaderSize: PARSER_HEADER_BYTES_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS_MAX,
    requestTimeout: REQUEST_MS_MAX,
    connectionsCheckingInterval: 2_000,
    // Checked with the other headers, so that the rejection has the headers of every response.
    requireHostHeader: false,
    noDelay: true,
  };
  return tls === undefined ? createServer(options) : createTlsServer({ ...options, ...toTlsOptions(tls) });
}

const toTlsOptions = ({ files, material }: LoadedTls): TlsOptions => ({
  ...material.secureContext,
  handshakeTimeout: TLS_HANDSHAKE_MS_MAX,
  requestCert: files.verifiesClient ?? false,
  rejectUnauthorized: files.verifiesClient ?? false,
});

/** Responds to data that is not HTTP. */
function rejectMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  commonHeaders: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const reason = STATUS_CODES[status] ?? 'Bad Request';
  const headers = { ...commonHeaders, 'content-type': 'text/plain; charset=utf-8', 'content-length': reason.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\n${lines.join('')}\r\n${reason}`);
}

class NodeExchange implements Exchange {
  readonly method: string;
  readonly rawPath: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  readonly remotePort: number | undefined;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #abort = new AbortController();
  #awaitsContinue: boolean;
  #onWritable: (() => void) | undefined;

  constructor(req: IncomingMessage, res: ServerResponse, awaitsContinue: boolean) {
    this.method = req.method ?? '';
    const url = originForm(req.url ?? '/');
    const mark = url.indexOf('?');
    this.rawPath = mark === -1 ? url : url.slice(0, mark);
    this.query = mark === -1 ? '' : url.slice(mark + 1);
    this.headers = toRequestHeaders(req, this.method.length + url.length + 12);
    this.remoteAddress = req.socket.remoteAddress ?? '';
    this.remotePort = req.socket.remotePort;
    this.#req = req;
    this.#res = res;
    this.#awaitsContinue = awaitsContinue;
    // Without a listener, an abort in the middle of a body would be an uncaught error.
    req.on('error', () => {});
    res.on('error', () => {});
    res.on('drain', () => this.#notifyWritable());
    res.on('close', () => {
      if (!res.writableFinished) this.#abort.abort();
      this.#notifyWritable();
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  receiveBody(sink: BodySink): void {
    if (this.#awaitsContinue) this.#res.writeContinue();
    this.#awaitsContinue = false;
    this.#req.on('data', (chunk: Buffer) => sink.data(chunk));
    this.#req.on('end', () => sink.end());
  }

  pauseBody(): void {
    this.#req.pause();
  }

  resumeBody(): void {
    this.#req.resume();
  }

  send(head: ResponseHead, body: Uint8Array | undefined): void {
    this.#writeHead(head, body?.byteLength);
    this.#res.end(body);
  }

  sendHead(head: ResponseHead, contentLength: number | undefined): void {
    this.#writeHead(head, contentLength);
    this.#res.end();
  }

  openBody(head: ResponseHead, contentLength: number | undefined): BodyWriter {
    this.#writeHead(head, contentLength);
    return {
      write: (chunk) => {
        if (this.signal.aborted || this.#res.write(chunk)) return undefined;
        return new Promise((resolve) => {
          this.#onWritable = resolve;
        });
      },
      end: () => this.#res.end(),
    };
  }

  cut(): void {
    this.#req.socket.destroy();
  }

  heartbeat(): void {}

  #notifyWritable(): void {
    this.#onWritable?.();
    this.#onWritable = undefined;
  }

  #writeHead(head: ResponseHead, contentLength: number | undefined): void {
    const headers: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(head.headers)) {
      // node:http writes one byte per character and uWebSockets.js writes UTF-8. This makes both write UTF-8.
      headers[name] = Buffer.from(value).toString('latin1');
    }
    if (head.cookies.length > 0) headers['set-cookie'] = [...head.cookies];
    if (contentLength !== undefined) headers['content-length'] = String(contentLength);
    // It is unknown whether a client that got no 100 Continue sends its body, so the following data cannot be
    // parsed.
    if (head.closesConnection || this.#awaitsContinue) headers.connection = 'close';
    this.#res.writeHead(head.status, headers);
  }
}

function toRequestHeaders(req: IncomingMessage, requestLineBytes: number): RequestHeaders {
  const headers = new RequestHeaders(requestLineBytes);
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const name = expectPresent(req.rawHeaders[i], 'names and values alternate');
    const value = expectPresent(req.rawHeaders[i + 1], 'names and values alternate');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression tests for characters outside of ASCII.
    const isAscii = /^[\x00-\x7f]*$/.test(value);
    headers.add(name.toLowerCase(), isAscii ? value : Buffer.from(value, 'latin1').toString('utf8'));
  }
  if (req.httpVersion === '1.1' && headers.get('host') === undefined) headers.isMalformed = true;
  return headers;
}

/** Converts the form of the request line that proxies use (`GET http://host/path`) to the usual one. */
function originForm(url: string): string {
  if (!url.startsWith('http://') && !url.startsWith('https://')) return url;
  const path = url.indexOf('/', url.indexOf('://') + 3);
  return path === -1 ? '/' : url.slice(path);
}
