import type { HeapShare } from '../base/memory/heap-budget.ts';
import type { Caller } from '../model/access/caller.ts';
import type { Access } from '../model/access/rights.ts';

/** An HTTP route. Handlers know only this interface, never the HTTP library. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/v1/projects/:project_identifier/spans`; a `:name` segment matches one path segment, percent-decoded once. */
  readonly path: string;
  /** Who may call it. */
  readonly access: Access;
  /** True for a route that responds 507 while storage is above its limit: every write that does more than delete. */
  readonly blockedWhenStorageFull?: boolean;
  /** Limit of requests per client, for routes that need no credential. */
  readonly rateLimit?: RateLimitName;
  /** Largest body; 0 when the route takes none (one that comes is read and dropped). More is 413. */
  readonly bodyBytesMax: number;
  /** Options for requests whose handler reads the body while it arrives. */
  readonly streaming?: BodyStreaming;
  /** Called before the body is read. A response here rejects the request early. */
  readonly admit?: (request: RequestHead) => HttpResponse | undefined;
  readonly handle: (request: HttpRequest) => Promise<HttpResponse> | HttpResponse;
  /** Gives the response to a request that is rejected before `handle` the form of this API. Absent: plain text. */
  readonly formatRejection?: (response: HttpResponse) => HttpResponse;
  /** Called for each request that is rejected before `handle`, except when the client has disconnected. */
  readonly onRejected?: (request: RequestHead, response: HttpResponse) => void;
}

/** Options for bodies that are too large for memory. At most `BODY_STREAM_BYTES` of a body wait for the reader. */
export interface BodyStreaming {
  /** Called once per request with a body. If it returns false, the body is collected as usual. */
  readonly appliesTo: (request: RequestHead) => boolean;
  /** Maximum size that replaces `bodyBytesMax`. A larger body gets 413. */
  readonly bytesMax: number;
}

/** Names of the limits in `guards/rate-limit.ts`. */
export type RateLimitName =
  | 'signIn'
  | 'identityProviderStart'
  | 'identityProviderCallback'
  | 'oauth2Token'
  | 'oauth2Registration'
  | 'scim';

export interface RequestHead {
  readonly method: string;
  /** The matched path, without root path and query. */
  readonly path: string;
  /** Decoded path parameters, in an object without a prototype. */
  readonly params: Readonly<Record<string, string>>;
  /** Raw query string without the `?`. */
  readonly query: string;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** `Content-Length` when the request states one. */
  readonly contentLength: number | undefined;
  /** Peer of the connection: the client, or a proxy. */
  readonly remoteAddress: string;
  /** Address of the client. Forwarding headers count only from the proxies of `SERVICE_TRUSTED_PROXIES`. */
  readonly clientAddress: string;
  /** True if the request has any forwarding header, trusted or not. */
  readonly isForwarded: boolean;
  /** True if the client uses TLS, to this server or to a trusted proxy. */
  readonly isSecure: boolean;
}

export interface HttpRequest extends RequestHead {
  /** Who calls. Anonymous on an open route while sign-in is on. */
  readonly caller: Caller;
  /**
   * The handler owns the body: its ArrayBuffer contains nothing else and may be transferred. Empty if there is none.
   */
  readonly body: Uint8Array<ArrayBuffer>;
  /**
   * The body of a request to which `streaming` applies; `body` is then empty. It can be read once. The connection is
   * paused while it is not read. Throws if the body does not arrive completely.
   */
  readonly bodyStream: AsyncIterable<Uint8Array> | undefined;
  /** Heap for values parsed from the body, released when the handler ends. */
  readonly heap: Pick<HeapShare, 'take'>;
  /** Fires when the client has disconnected. */
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Headers by lower-case name. The listener adds `content-length` and the headers of every response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`, each a header of its own. */
  readonly cookies?: readonly string[];
  /** A stream is sent with backpressure. It is closed when the client disconnects. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
}

export const textResponse = (status: number, text: string, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body: text,
});

/** A response with JSON text that the caller has serialized. */
export const jsonTextResponse = (status: number, json: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: json,
});
