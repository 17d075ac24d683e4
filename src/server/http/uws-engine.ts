import { STATUS_CODES } from 'node:http';
import type {
  UWebSockets,
  UwsApp,
  UwsListenSocket,
  UwsRequest,
  UwsResponse,
} from '../../../native-bindings/uwebsockets.ts';
import type { TlsFiles } from '../tls/tls-files.ts';
import type { BodySink, BodyWriter, Engine, EngineOptions, Exchange, ResponseHead } from './exchange.ts';
import { RequestHeaders } from './request-headers.ts';
import { type UwsBodyWriter, UwsChunkedWriter, type UwsResponseState, UwsSizedWriter } from './uws-body-writer.ts';

/**
 * uWebSockets.js closes a connection that is idle for about this time. Responses state it for clients that reuse
 * connections.
 */
const KEEP_ALIVE_SECONDS = 8;

/** Listens through uWebSockets.js. Its fixed behavior is listed in `docs/decisions/transports.md`. */
export async function openUwsEngine(uws: UWebSockets, options: EngineOptions): Promise<Engine> {
  const { tls } = options;
  let connectionCount = 0;
  const openApp = (): UwsApp => {
    const app = tls === undefined ? uws.App() : openTlsApp(uws, tls.files);
    // biome-ignore lint/suspicious/useIterableCallbackReturn: this is not the `filter` of an array.
    app.filter((res, change) => {
      connectionCount += change;
      if (change > 0 && connectionCount > options.connectionCountMax) res.close();
    });
    return app.any('/*', (res, req) => {
      const exchange = new UwsExchange(res, req);
      if (exchange.hasTrailers) exchange.send(toBadRequest(options.commonHeaders), BAD_REQUEST);
      else options.onExchange(exchange);
    });
  };
  const listener = openApp();
  const socket = await listen(uws, listener, options);

  // Each has a certificate. The listener accepts all connections, and the newest one takes them over.
  const apps = [listener];
  let isListening = true;
  const stopListening = () => {
    if (isListening) uws.us_listen_socket_close(socket);
    isListening = false;
  };
  return {
    name: 'uws',
    port: uws.us_socket_local_port(socket),
    reloadTls() {
      const app = openApp();
      listener.addChildAppDescriptor(app.getDescriptor());
      const previous = apps.at(-1);
      if (previous !== undefined && previous !== listener) listener.removeChildAppDescriptor(previous.getDescriptor());
      apps.push(app);
    },
    stopListening,
    async close() {
      stopListening();
      for (const app of apps) app.close();
    },
  };
}

const openTlsApp = (uws: UWebSockets, { certFile, keyFile, keyFilePassword }: TlsFiles): UwsApp =>
  uws.SSLApp({
    cert_file_name: certFile,
    key_file_name: keyFile,
    ...(keyFilePassword === undefined ? {} : { passphrase: keyFilePassword }),
  });

function listen(uws: UWebSockets, app: UwsApp, { host, port }: EngineOptions): Promise<UwsListenSocket> {
  return new Promise((resolve, reject) => {
    app.listen(host, port, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
      if (socket) resolve(socket);
      else reject(new Error(`Cannot listen on ${host}:${port}: the port is in use, or this user may not use it`));
    });
  });
}

/**
 * Has the length of the response buffer of uWebSockets.js, so that it is sent at once. A shorter one would be dropped when the
 * parser fails on the trailers that arrived together with the head.
 */
const BAD_REQUEST = Buffer.from('Bad Request'.padEnd(2 ** 14));
const toBadRequest = (commonHeaders: EngineOptions['commonHeaders']): ResponseHead => ({
  status: 400,
  headers: { ...commonHeaders, 'content-type': 'text/plain; charset=utf-8' },
  cookies: [],
  closesConnection: true,
});

/** The last chunk of a body. As data, it is a sign that the size of an earlier chunk was misread. */
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
/** Time without further data after which such a body is malformed. */
const MISREAD_MS = 250;

class UwsExchange implements Exchange {
  readonly method: string;
  readonly rawPath: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly #state: UwsResponseState;
  readonly #abort = new AbortController();
  #remoteAddress: string | undefined;
  #writer: UwsBodyWriter | undefined;
  #isPaused = false;
  /**
   * uWebSockets.js parses chunks leniently (bare line feeds, blanks, any bytes instead of the last line break) and
   * parses trailers as the next request, so a proxy may see another end of the request. Therefore data after a chunked
   * body, or after a request that is rejected because its end is unknown, is not handled. The connection ends with the
   * response, and until a response is sent, uWebSockets.js closes the connection when another request arrives.
   */
  readonly #isLast: boolean;
  /** See `Exchange`. Until it resolves, the parser processes data that arrived together with the head. */
  readonly mayRespond: Promise<void> | undefined;

  constructor(res: UwsResponse, req: UwsRequest) {
    // uWebSockets.js frees `req` after its handler returns, so everything is copied here.
    this.method = req.getCaseSensitiveMethod();
    this.rawPath = req.getUrl();
    this.query = req.getQuery() ?? '';
    this.headers = new RequestHeaders(this.method.length + this.rawPath.length + this.query.length + 13);
    req.forEach((name, value) => {
      this.headers.add(name, value);
    });
    this.#isLast = this.headers.isChunked || this.headers.isMalformed;
    this.mayRespond = this.#isLast ? new Promise((resolve) => setImmediate(resolve)) : undefined;
    this.#state = { res, isOver: false };
    res.onAborted(() => {
      this.#state.isOver = true;
      this.#abort.abort();
      this.#writer?.onWritable();
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get remoteAddress(): string {
    if (this.#remoteAddress === undefined && !this.#state.isOver) {
      this.#remoteAddress = Buffer.from(this.#state.res.getRemoteAddressAsText()).toString('latin1');
    }
    return this.#remoteAddress ?? '';
  }

  /** The version for Node.js 20 does not have it. */
  get remotePort(): number | undefined {
    return this.#state.isOver ? undefined : this.#state.res.getRemotePort?.();
  }

  /** Whether trailers follow the body. uWebSockets.js would respond to them as to another request. */
  get hasTrailers(): boolean {
    return this.headers.isChunked && this.headers.get('trailer') !== undefined;
  }

  /** uWebSockets.js reads the letters of a chunk extension as digits of the size, and then waits for that many bytes. */
  receiveBody(sink: BodySink): void {
    let misread: NodeJS.Timeout | undefined;
    this.#state.res.onData((chunk, isLast) => {
      clearTimeout(misread);
      if (this.#isLast && !isLast && Buffer.from(chunk).subarray(-LAST_CHUNK.byteLength).equals(LAST_CHUNK)) {
        misread = setTimeout(() => this.#state.isOver || sink.fail({ kind: 'misframed' }), MISREAD_MS);
      }
      if (chunk.byteLength > 0) sink.data(new Uint8Array(chunk));
      if (!isLast) return;
      if (this.#isLast) setImmediate(() => this.#state.isOver || sink.end());
      else sink.end();
    });
  }

  /** A paused connection has no idle timeout. */
  pauseBody(): void {
    if (this.#state.isOver || this.#isPaused) return;
    this.#isPaused = true;
    this.#state.res.pause();
  }

  resumeBody(): void {
    if (this.#state.isOver || !this.#isPaused) return;
    this.#isPaused = false;
    this.#state.res.resume();
  }

  send(plainHead: ResponseHead, body: Uint8Array | undefined): void {
    const head = this.#closing(plainHead);
    this.#finish((res) => {
      this.#writeHead(head);
      if (body === undefined) endWithoutBody(res, head);
      else res.end(body, head.closesConnection);
    });
  }

  sendHead(plainHead: ResponseHead, contentLength: number | undefined): void {
    const head = this.#closing(plainHead);
    this.#finish((res) => {
      this.#writeHead(head);
      if (contentLength !== undefined) res.writeHeader('content-length', String(contentLength));
      endWithoutBody(res, head);
    });
  }

  openBody(plainHead: ResponseHead, contentLength: number | undefined): BodyWriter {
    const head = this.#closing(plainHead);
    const { res, isOver } = this.#state;
    const writer =
      contentLength === undefined
        ? new UwsChunkedWriter(this.#state, head.closesConnection)
        : new UwsSizedWriter(this.#state, contentLength);
    this.#writer = writer;
    if (isOver) return writer;
    res.onWritable(() => {
      writer.onWritable();
      return true;
    });
    res.cork(() => {
      this.#writeHead(head);
      if (head.closesConnection) res.writeHeader('connection', 'close');
    });
    return writer;
  }

  cut(): void {
    if (!this.#state.isOver) this.#state.res.close();
  }

  heartbeat(): void {
    if (this.#state.isOver || this.#isPaused || this.#writer?.nudge()) return;
    // Resuming restarts the timeout. Without the pause before it, the connection is never read again.
    this.#state.res.pause();
    this.#state.res.resume();
  }

  /**
   * uWebSockets.js closes the connection if the client has asked for it, but does not say so. A client that is told that the
   * connection stays open takes its end for an error while it still reads the body.
   */
  #closing(head: ResponseHead): ResponseHead {
    return this.#isLast || this.headers.closesConnection ? { ...head, closesConnection: true } : head;
  }

  #finish(write: (res: UwsResponse) => void): void {
    if (this.#state.isOver) return;
    this.#state.isOver = true;
    this.#state.res.cork(() => write(this.#state.res));
  }

  #writeHead({ status, headers, cookies, closesConnection }: ResponseHead): void {
    const { res } = this.#state;
    res.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Unknown'}`);
    for (const [name, value] of Object.entries(headers)) res.writeHeader(name, value);
    for (const cookie of cookies) res.writeHeader('set-cookie', cookie);
    if (!closesConnection) res.writeHeader('keep-alive', `timeout=${KEEP_ALIVE_SECONDS}`);
  }
}

/**
 * With a length, uWebSockets.js would wait for the body and close the connection on the next request; with an undefined
 * length it writes 2^63. So the call passes no length, and therefore cannot say whether the connection closes.
 */
function endWithoutBody(res: UwsResponse, { closesConnection }: ResponseHead): void {
  if (closesConnection) res.writeHeader('connection', 'close');
  res.endWithoutBody();
}
