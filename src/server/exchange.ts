import type { RequestHeaders } from './request-headers.ts';

/**
 * One request and the way to answer it, as an engine (uWebSockets.js or `node:http`) presents it. Whatever is policy
 * (routes, limits, errors, compression) lies above, in `serve-request.ts`, and is the same for both engines.
 */
export interface Exchange {
  /** As sent: `GET`. */
  readonly method: string;
  /** As sent, percent-encoded, without the query. */
  readonly rawPath: string;
  /** Without the `?`; empty when there is none. */
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  /** Fires when the connection goes before the answer is complete. */
  readonly signal: AbortSignal;
  /** A response must not begin before this promise resolves. Undefined when it may begin at once. */
  readonly mayRespond?: Promise<void> | undefined;
  /** To be called before the first await, or the body is dropped. After an answer was begun, no more is delivered. */
  receiveBody(sink: BodySink): void;
  /** Delivers no more of the body until `resumeBody`, beyond what was received already. Each undoes the other. */
  pauseBody(): void;
  resumeBody(): void;
  /** Answers with headers and body at once. `body` undefined: none is sent and the head says nothing of its length. */
  send(head: ResponseHead, body: Uint8Array | undefined): void;
  /** Answers as `send` does to a HEAD request: states the length and sends no body. */
  sendHead(head: ResponseHead, contentLength: number | undefined): void;
  /** Answers with a body in pieces; chunked when the length is not known. */
  openBody(head: ResponseHead, contentLength: number | undefined): BodyWriter;
  /** Cuts the connection. */
  cut(): void;
  /** Called every few seconds while a body is slowly moving: keeps the engine's own idle clock from firing. */
  heartbeat(): void;
}

export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The connection ends with this response, and the response says so. */
  readonly closesConnection: boolean;
}

export interface BodySink {
  /** The chunk's memory is only valid during the call. */
  data(chunk: Uint8Array): void;
  end(): void;
}

export interface BodyWriter {
  /** Undefined when there is room for more; else resolves when there is, or when the client is gone. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  end(): void;
}

/** A running listener. */
export interface Engine {
  readonly name: 'uws' | 'node';
  readonly port: number;
  /** Accepts no further connection, and lets idle ones go. */
  stopListening(): void;
  /** Cuts what is left. */
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsFiles | undefined;
  readonly connectionCountMax: number;
  /** Headers that answers made by the engine itself (malformed HTTP) carry. */
  readonly commonHeaders: Readonly<Record<string, string>>;
  /** Must not throw. */
  readonly onExchange: (exchange: Exchange) => void;
}

/** PEM files. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly keyFilePassword?: string;
  /** With it and `verifiesClient`, a client must show a certificate that one of these signed. */
  readonly caFile?: string;
  readonly verifiesClient?: boolean;
}
