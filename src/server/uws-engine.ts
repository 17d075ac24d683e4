import { access, constants } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import type {
  UWebSockets,
  UwsApp,
  UwsListenSocket,
  UwsRequest,
  UwsResponse,
} from '../../native-bindings/uwebsockets.ts';
import type { BodySink, BodyWriter, Engine, EngineOptions, Exchange, ResponseHead, TlsFiles } from './exchange.ts';
import { RequestHeaders } from './request-headers.ts';

/** uWebSockets.js ends a connection that is idle for about this long; clients that keep one are told. */
const KEEP_ALIVE_SECONDS = 8;

/**
 * Listens through uWebSockets.js. What it does by itself and cannot be told otherwise is listed in
 * `docs/decisions/0050-two-http-engines.md`.
 */
export async function openUwsEngine(uws: UWebSockets, options: EngineOptions): Promise<Engine> {
  const app = options.tls === undefined ? uws.App() : await openTlsApp(uws, options.tls);
  let connectionCount = 0;
  // biome-ignore lint/suspicious/useIterableCallbackReturn: this is no array.
  app.filter((res, change) => {
    connectionCount += change;
    if (change > 0 && connectionCount > options.connectionCountMax) res.close();
  });
  app.any('/*', (res, req) => options.onExchange(new UwsExchange(res, req)));
  const socket = await listen(uws, app, options);

  let isListening = true;
  const stopListening = () => {
    if (isListening) uws.us_listen_socket_close(socket);
    isListening = false;
  };
  return {
    name: 'uws',
    port: uws.us_socket_local_port(socket),
    stopListening,
    async close() {
      stopListening();
      app.close();
    },
  };
}

async function openTlsApp(uws: UWebSockets, tls: TlsFiles): Promise<UwsApp> {
  // uWebSockets.js says only "App construction failed"; these say which file.
  for (const file of [tls.certFile, tls.keyFile]) await access(file, constants.R_OK);
  return uws.SSLApp({
    cert_file_name: tls.certFile,
    key_file_name: tls.keyFile,
    ...(tls.keyFilePassword === undefined ? {} : { passphrase: tls.keyFilePassword }),
  });
}

function listen(uws: UWebSockets, app: UwsApp, { host, port }: EngineOptions): Promise<UwsListenSocket> {
  return new Promise((resolve, reject) => {
    app.listen(host, port, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
      if (socket) resolve(socket);
      else reject(new Error(`Cannot listen on ${host}:${port}: the port is taken, or not allowed to this user`));
    });
  });
}

class UwsExchange implements Exchange {
  readonly method: string;
  readonly rawPath: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly #res: UwsResponse;
  readonly #abort = new AbortController();
  /** uWS throws on any use of a response that was ended or aborted. */
  #isOver = false;
  #remoteAddress: string | undefined;
  #onRoom: (() => void) | undefined;

  constructor(res: UwsResponse, req: UwsRequest) {
    // uWS frees req once its handler returns, so everything is copied here.
    this.method = req.getCaseSensitiveMethod();
    this.rawPath = req.getUrl();
    this.query = req.getQuery() ?? '';
    this.headers = new RequestHeaders(this.method.length + this.rawPath.length + this.query.length + 13);
    req.forEach((name, value) => {
      this.headers.add(name, value);
    });
    this.#res = res;
    res.onAborted(() => {
      this.#isOver = true;
      this.#abort.abort();
      this.#makeRoom();
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get remoteAddress(): string {
    if (this.#remoteAddress === undefined && !this.#isOver) {
      this.#remoteAddress = Buffer.from(this.#res.getRemoteAddressAsText()).toString('latin1');
    }
    return this.#remoteAddress ?? '';
  }

  receiveBody(sink: BodySink): void {
    // The address cannot be asked for any more when the client has gone while its body came.
    void this.remoteAddress;
    this.#res.onData((chunk, isLast) => {
      if (chunk.byteLength > 0) sink.data(new Uint8Array(chunk));
      if (isLast) sink.end();
    });
  }

  send(head: ResponseHead, body: Uint8Array | undefined): void {
    this.#finish(() => {
      this.#writeHead(head);
      if (body === undefined) this.#res.endWithoutBody(undefined, head.closesConnection);
      else this.#res.end(body, head.closesConnection);
    });
  }

  sendHead(head: ResponseHead, contentLength: number | undefined): void {
    this.#finish(() => this.#writeHead(head).endWithoutBody(contentLength, head.closesConnection));
  }

  openBody(head: ResponseHead, contentLength: number | undefined): BodyWriter {
    if (!this.#isOver) {
      this.#res.onWritable(() => {
        this.#makeRoom();
        return true;
      });
      this.#res.cork(() => {
        this.#writeHead(head);
        if (head.closesConnection) this.#res.writeHeader('connection', 'close');
      });
    }
    return contentLength === undefined ? this.#chunkedWriter(head) : this.#sizedWriter(contentLength);
  }

  cut(): void {
    if (!this.#isOver) this.#res.close();
  }

  heartbeat(): void {
    if (!this.#isOver) this.#res.resume();
  }

  #chunkedWriter(head: ResponseHead): BodyWriter {
    return {
      write: (chunk) => {
        if (this.#isOver || chunk.byteLength === 0) return undefined;
        let hasRoom = true;
        this.#res.cork(() => {
          hasRoom = this.#res.write(chunk);
        });
        return hasRoom ? undefined : this.#room();
      },
      end: () => this.#finish(() => this.#res.end(undefined, head.closesConnection)),
    };
  }

  #sizedWriter(contentLength: number): BodyWriter {
    const offer = (chunk: Uint8Array): Promise<void> | undefined => {
      if (this.#isOver || chunk.byteLength === 0) return undefined;
      const offset = this.#res.getWriteOffset();
      let wasTaken = false;
      let isComplete = false;
      this.#res.cork(() => {
        [wasTaken, isComplete] = this.#res.tryEnd(chunk, contentLength);
      });
      this.#isOver ||= isComplete;
      if (wasTaken || this.#isOver) return undefined;
      const rest = chunk.subarray(this.#res.getWriteOffset() - offset);
      return this.#room().then(() => offer(rest));
    };
    // The last tryEnd ends the response.
    return { write: offer, end: () => {} };
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }

  #makeRoom(): void {
    this.#onRoom?.();
    this.#onRoom = undefined;
  }

  #finish(write: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#res.cork(write);
  }

  #writeHead({ status, headers, closesConnection }: ResponseHead): UwsResponse {
    this.#res.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Unknown'}`);
    for (const name in headers) this.#res.writeHeader(name, headers[name]!);
    if (!closesConnection) this.#res.writeHeader('keep-alive', `timeout=${KEEP_ALIVE_SECONDS}`);
    return this.#res;
  }
}
