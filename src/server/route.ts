import type { HeapShare } from '../base/heap-budget.ts';

/** Who may call a route. There is no default, so it cannot be forgotten. `open` needs no credential. */
export type Access = 'open' | 'viewer' | 'member' | 'admin';

/** One way into the server. Handlers know this, never the HTTP library below it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/v1/projects/:project_identifier/spans`; a `:name` segment matches one path segment, percent-decoded once. */
  readonly path: string;
  readonly access: Access;
  /** True for a route that is refused with 507 while storage is above its limit (marked `L` in the REST reference). */
  readonly growsStorage?: boolean;
  /** Largest body; 0 when the route takes none (one that comes is read and dropped). More is 413. */
  readonly bodyBytesMax: number;
  /** For requests whose body is handed over while it comes. */
  readonly streaming?: BodyStreaming;
  /** Called before the body is read: a response here refuses the request early. */
  readonly admit?: (request: RequestHead) => HttpResponse | undefined;
  readonly handle: (request: HttpRequest) => Promise<HttpResponse> | HttpResponse;
  /** Called for each request that is rejected before `handle`, except when the client has disconnected. */
  readonly onRejected?: (request: RequestHead, response: HttpResponse) => void;
}

/** Bodies that are too large to hold: never more than `BODY_STREAM_BYTES` of one waits for its reader. */
export interface BodyStreaming {
  /** Asked once per request with a body; a request that it says no to has its body collected, as anywhere. */
  readonly appliesTo: (request: RequestHead) => boolean;
  /** More is 413, in place of `bodyBytesMax`. */
  readonly bytesMax: number;
}

export interface RequestHead {
  readonly method: string;
  /** Path as matched, without root path and query. */
  readonly path: string;
  /** Path parameters, decoded; without a prototype. */
  readonly params: Readonly<Record<string, string>>;
  /** Raw query string without the `?`. */
  readonly query: string;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** `Content-Length` when the request states one. */
  readonly contentLength: number | undefined;
  readonly remoteAddress: string;
}

export interface HttpRequest extends RequestHead {
  /** Owned by the handler: its ArrayBuffer holds nothing else and may be transferred. Empty when there is none. */
  readonly body: Uint8Array<ArrayBuffer>;
  /**
   * The body as it comes, of a request that `streaming` applies to; then `body` is empty. To be read once. The connection
   * is paused while nobody reads. Throws when the body does not come to its end.
   */
  readonly bodyStream: AsyncIterable<Uint8Array> | undefined;
  /** Heap for values parsed from the body, released when the handler ends. */
  readonly heap: Pick<HeapShare, 'take'>;
  /** Fires when the client is gone. */
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. The listener adds the headers that every response has, and content-length. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is sent with backpressure and ended when the client is gone. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
}

export const textResponse = (status: number, text: string, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body: text,
});

/** Answers with JSON text that the caller has made. */
export const jsonTextResponse = (status: number, json: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: json,
});
