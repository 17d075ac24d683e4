import type { LoadedTls, TlsMaterial } from '../tls/tls-files.ts';
import type { RequestHeaders } from './request-headers.ts';

/**
 * One request and its response, as an engine (uWebSockets.js or `node:http`) presents them. Policies (routes, limits,
 * errors, compression) are in `serve-request.ts` and are the same for both engines.
 */
export interface Exchange {
  /** The method as sent, for example `GET`. */
  readonly method: string;
  /** Percent-encoded as sent, without the query. */
  readonly rawPath: string;
  /** The query without the `?`, or an empty text. */
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  /** Undefined if the engine does not know it. */
  readonly remotePort: number | undefined;
  /** Fires when the connection closes before the response is complete. */
  readonly signal: AbortSignal;
  /** A response must not start before this promise resolves. Undefined: it may start immediately. */
  readonly mayRespond?: Promise<void> | undefined;
  /** Call it before the first await, or the body is dropped. No more data is delivered after a response has started. */
  receiveBody(sink: BodySink): void;
  /** Stops delivering the body until `resumeBody`, except for data that was received already. */
  pauseBody(): void;
  resumeBody(): void;
  /** Sends headers and body together. If `body` is undefined, no body is sent and the headers state no length. */
  send(head: ResponseHead, body: Uint8Array | undefined): void;
  /** Responds to a HEAD request: states the length of `send` and sends no body. */
  sendHead(head: ResponseHead, contentLength: number | undefined): void;
  /** Sends a body in parts, chunked if the length is unknown. */
  openBody(head: ResponseHead, contentLength: number | undefined): BodyWriter;
  /** Closes the connection immediately. */
  cut(): void;
  /** Called every few seconds while a body moves slowly, so that the engine's idle timeout does not fire. */
  heartbeat(): void;
}

export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`, each a header of its own. */
  readonly cookies: readonly string[];
  /** The connection ends with this response, and the response says so. */
  readonly closesConnection: boolean;
}

export interface BodySink {
  /** The chunk's memory is only valid during the call. */
  data(chunk: Uint8Array): void;
  end(): void;
  /** The framing of the body is not HTTP, so its end will not be found. */
  fail(outcome: { readonly kind: 'misframed' }): void;
}

export interface BodyWriter {
  /** Undefined if more can be written now. Otherwise resolves when it can, or when the client has disconnected. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  end(): void;
}

/** A running listener. */
export interface Engine {
  readonly name: 'uws' | 'node';
  readonly port: number;
  /**
   * Further connections use the changed files. Connections that are open keep the certificate of their handshake.
   * Throws if the files cannot be used; then nothing changes. Must not be called without TLS.
   */
  reloadTls(material: TlsMaterial): void;
  /** Accepts no further connection and closes idle ones. */
  stopListening(): void;
  /** Closes the remaining connections. */
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: LoadedTls | undefined;
  readonly connectionCountMax: number;
  /** Headers of responses that the engine itself sends (malformed HTTP). */
  readonly commonHeaders: Readonly<Record<string, string>>;
  /** Must not throw. */
  readonly onExchange: (exchange: Exchange) => void;
}
