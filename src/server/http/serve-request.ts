import { randomUUID } from 'node:crypto';
import type { ByteBudget } from '../../base/byte-budget.ts';
import type { Log } from '../../base/log.ts';
import { type HeapBudget, HeapBudgetExceeded, type HeapShare } from '../../base/memory/heap-budget.ts';
import type { Caller } from '../../model/access/caller.ts';
import { ERROR_CODE_HEADER, INTERNAL_ERROR_CODE, SpandrelError } from '../../model/errors.ts';
import { RETRY_AFTER_SECONDS } from '../../model/limits/ingest.ts';
import { DROPPED_BYTES_MAX, HEADER_BYTES_MAX, HEADER_COUNT_MAX } from '../../model/limits/requests.ts';
import { errorResponse, errorTextResponse } from '../error-response.ts';
import { type Gate, withChallenge } from '../guards/gate.ts';
import type { OriginPolicy } from '../guards/origin-policy.ts';
import type { TrustedProxies } from '../guards/trusted-proxies.ts';
import { type HttpResponse, jsonTextResponse, type RequestHead, type Route, textResponse } from '../route.ts';
import type { WatchedResponse } from './acknowledgement-watch.ts';
import type { Exchange } from './exchange.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { type BodyFailure, type IncomingBody, RequestBody } from './request-body.ts';
import { createRouter, type RouteMatch } from './router.ts';
import { type SendProgress, sendResponse } from './send-response.ts';
import type { WatchedRequest } from './stall-watch.ts';
import { BodyBroken, StreamedBody } from './streamed-body.ts';

export interface ServeOptions {
  readonly routes: readonly Route[];
  /** `/prefix`, or an empty text. Requests are served with and without it. */
  readonly rootPath: string;
  readonly originPolicy: OriginPolicy;
  readonly trustedProxies: TrustedProxies;
  readonly gate: Gate;
  /** Response for a browser that requests a path without a route. */
  readonly page: HttpResponse | undefined;
  /** Headers of every response. */
  readonly commonHeaders: Readonly<Record<string, string>>;
  /** Headers of a response that it does not set itself. */
  readonly defaultHeaders: (response: HttpResponse) => Readonly<Record<string, string>>;
  readonly bodyBudget: ByteBudget;
  readonly heapBudget: HeapBudget;
  readonly metrics: HttpMetrics;
  readonly log: Log;
}

export interface RequestServer {
  readonly inFlight: ReadonlySet<WatchedRequest & WatchedResponse>;
  /** Never throws, even if a handler does. */
  serve(exchange: Exchange): void;
  /** From now on responses close their connections. Resolves when no request is running. */
  drain(): Promise<void>;
}

/** Handles requests in the same way for both engines. */
export function createRequestServer(options: ServeOptions): RequestServer {
  const { metrics, log } = options;
  const router = createRouter(options.routes);
  const inFlight = new Set<RequestContext>();
  let isDraining = false;
  let onIdle: (() => void) | undefined;

  const leave = (context: RequestContext) => {
    if (!inFlight.delete(context)) return;
    metrics.inFlight.dec();
    if (inFlight.size === 0) onIdle?.();
  };

  async function run(context: RequestContext): Promise<void> {
    const { exchange } = context;
    let response: HttpResponse;
    try {
      response = await respond(context, options, router.match);
    } catch (error) {
      // A handler that stops because its client has disconnected has not failed.
      if (exchange.signal.aborted) return;
      response = knownFailure(error) ?? failure(context, error, options);
      logReason(context, error, options.log);
    } finally {
      context.releaseBody();
    }
    if (exchange.mayRespond !== undefined) await exchange.mayRespond;
    if (exchange.signal.aborted) return discard(response);
    const extra = { ...options.originPolicy.corsHeaders(context), ...options.commonHeaders };
    context.sending = { bytes: 0, isBlocked: false };
    try {
      await sendResponse(
        exchange,
        { ...response, headers: { ...options.defaultHeaders(response), ...response.headers } },
        extra,
        isDraining || context.mustClose,
        context.sending,
      );
    } catch (error) {
      if (exchange.signal.aborted) return;
      // It is too late for a status. Closing the connection tells the client that the response is incomplete.
      failure(context, error, options);
      return exchange.cut();
    }
    if (exchange.signal.aborted) return;
    metrics.sent(context.sending.bytes);
    metrics.answered(
      exchange.method,
      context.routePath,
      response.status,
      (performance.now() - context.startedMs) / 1000,
    );
  }

  return {
    inFlight,
    serve(exchange) {
      const context = new RequestContext(exchange);
      inFlight.add(context);
      metrics.inFlight.inc();
      exchange.signal.addEventListener(
        'abort',
        () => {
          metrics.aborted();
          context.body?.fail({ kind: 'aborted' });
          leave(context);
        },
        { once: true },
      );
      run(context)
        .catch((error) => log.error({ err: error }, 'Could not send a response'))
        .finally(() => leave(context));
    },
    drain() {
      isDraining = true;
      return new Promise((resolve) => {
        onIdle = resolve;
        if (inFlight.size === 0) resolve();
      });
    },
  };
}

/** A request from its first line to the last byte of its response. */
class RequestContext implements WatchedRequest, WatchedResponse {
  readonly exchange: Exchange;
  readonly startedMs = performance.now();
  readonly header: (name: string) => string | undefined;
  body: IncomingBody | undefined;
  sending: SendProgress | undefined;
  /** Without the root path. Empty for a request that is not valid HTTP. */
  path = '';
  routePath = 'unmatched';
  /** After this response, the connection cannot be used for another request. */
  mustClose = false;
  #heldBody: IncomingBody | undefined;
  #heap: HeapShare | undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.header = (name) => exchange.headers.get(name);
  }

  receive(body: IncomingBody): void {
    this.body = body;
    this.#heldBody = body;
    this.exchange.receiveBody(body);
  }

  openHeap(budget: HeapBudget): HeapShare {
    this.#heap = budget.open();
    return this.#heap;
  }

  /** Releases the body and its parsed values after the handler, their only reader, has ended. */
  releaseBody(): void {
    this.#heap?.release();
    this.#heldBody?.release();
    this.body = undefined;
    this.#heldBody = undefined;
  }
}

async function respond(
  context: RequestContext,
  options: ServeOptions,
  match: (method: string, path: string) => RouteMatch,
): Promise<HttpResponse> {
  const { exchange, header } = context;
  const { headers, method } = exchange;
  if (headers.byteCount > HEADER_BYTES_MAX || headers.count > HEADER_COUNT_MAX) {
    return textResponse(431, 'Request Header Fields Too Large');
  }
  if (headers.isMalformed) {
    context.mustClose = true;
    return textResponse(400, 'Bad Request');
  }
  const path = withoutRootPath(exchange.rawPath, options.rootPath);
  context.path = path;
  const request = { method, path, header, remoteAddress: exchange.remoteAddress };
  const early = options.originPolicy.reject(request) ?? options.originPolicy.preflight(request);
  if (early !== undefined) return early;

  const found = match(method, path);
  const isPage =
    found.kind === 'notFound' && !path.startsWith('/.well-known/') && asksForPage(method, header('accept'));
  if (isPage && options.page) return options.page;
  if (found.kind !== 'found') return unmatchedResponse(found, path, header('accept'));
  context.routePath = found.route.path;
  return handle(context, options, path, found);
}

/** Responds to a request that is rejected before its handler. */
function reject({ onRejected, formatRejection }: Route, head: RequestHead, response: HttpResponse): HttpResponse {
  onRejected?.(head, response);
  return formatRejection?.(response) ?? response;
}

async function handle(
  context: RequestContext,
  { gate, bodyBudget, heapBudget, metrics, trustedProxies }: ServeOptions,
  path: string,
  { route, params }: RouteMatch & { kind: 'found' },
): Promise<HttpResponse> {
  const { exchange, header } = context;
  const { method, query, headers } = exchange;
  const { contentLength } = headers;
  const takesBody = headers.hasBody && route.bodyBytesMax > 0;
  const remoteAddress = exchange.remoteAddress;
  const { address: clientAddress, isForwarded, isSecure } = trustedProxies.clientOf(remoteAddress, header);
  const client = { remoteAddress, clientAddress, isForwarded, isSecure };
  const head: RequestHead = { method, path, params, query, header, contentLength, ...client };

  // All synchronous checks run before the first byte of the body is requested.
  const admission = admit(gate, route, head);
  if (!(admission instanceof Promise) && 'rejection' in admission) return reject(route, head, admission.rejection);
  const streaming = takesBody && route.streaming?.appliesTo(head) ? route.streaming : undefined;
  const bytesMax = streaming ? streaming.bytesMax : route.bodyBytesMax;
  if (takesBody && contentLength !== undefined && contentLength > bytesMax) {
    context.mustClose = contentLength > DROPPED_BYTES_MAX + bytesMax;
    return reject(route, head, tooLargeResponse(bytesMax));
  }
  const stream = streaming ? new StreamedBody(exchange, bytesMax, contentLength) : undefined;
  const body = takesBody && !streaming ? new RequestBody(bodyBudget, bytesMax, contentLength) : undefined;
  const incoming = stream ?? body;
  if (incoming !== undefined) context.receive(incoming);
  const admitted = admission instanceof Promise ? await admission : admission;
  if ('rejection' in admitted) return reject(route, head, admitted.rejection);

  let bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  if (body !== undefined) {
    const outcome = await body.outcome;
    context.body = undefined;
    metrics.received(body.byteCount);
    if (outcome.kind === 'aborted') return bodyRejection(context, outcome, bytesMax);
    if (outcome.kind !== 'complete') return reject(route, head, bodyRejection(context, outcome, bytesMax));
    bytes = outcome.body;
  }
  const request = {
    ...head,
    caller: admitted.caller,
    body: bytes,
    bodyStream: stream,
    heap: context.openHeap(heapBudget),
    signal: exchange.signal,
  };
  if (stream === undefined) return route.handle(request);
  try {
    return await route.handle(request);
  } catch (error) {
    if (!(error instanceof BodyBroken)) throw error;
    return bodyRejection(context, error.failure, bytesMax);
  } finally {
    metrics.received(stream.byteCount);
    // The remaining data is read and dropped, so that the client receives the response. If much remains, the connection
    // closes.
    context.mustClose ||= stream.unreadBytes > DROPPED_BYTES_MAX;
  }
}

type Admission = { readonly caller: Caller } | { readonly rejection: HttpResponse };

/** Passes the gate and then the check of the route itself. Never throws an expected error. */
function admit(gate: Gate, route: Route, head: RequestHead): Admission | Promise<Admission> {
  const checkRoute = (caller: Caller): Admission => {
    const rejection = route.admit?.(head);
    return rejection ? { rejection } : { caller };
  };
  const toRejection = (error: unknown): Admission => {
    const rejection = errorResponse(error);
    if (rejection === undefined) throw error;
    return { rejection: withChallenge(rejection, () => gate.challenge(head)) };
  };
  try {
    const caller = gate.enter(head, route);
    return caller instanceof Promise ? caller.then(checkRoute).catch(toRejection) : checkRoute(caller);
  } catch (error) {
    return toRejection(error);
  }
}

function knownFailure(error: unknown): HttpResponse | undefined {
  if (!(error instanceof HeapBudgetExceeded)) return errorResponse(error);
  return errorTextResponse('BODY_TOO_LARGE', 'The body has more JSON values than this server has memory for');
}

function bodyRejection(context: RequestContext, outcome: BodyFailure, bytesMax: number): HttpResponse {
  switch (outcome.kind) {
    case 'tooLarge':
      return tooLargeResponse(bytesMax);
    case 'overBudget':
      return errorTextResponse('INGEST_OVERLOADED', 'Server is at capacity and cannot process more requests', {
        'retry-after': String(RETRY_AFTER_SECONDS),
      });
    case 'stalled':
      context.mustClose = true;
      return textResponse(408, 'Request Timeout');
    case 'misframed':
      context.mustClose = true;
      return textResponse(400, 'Bad Request');
    case 'aborted':
      return textResponse(499, 'Client Closed Request');
  }
}

const tooLargeResponse = (bytesMax: number): HttpResponse =>
  errorTextResponse('BODY_TOO_LARGE', `Request body is larger than ${bytesMax} bytes`);

function withoutRootPath(path: string, rootPath: string): string {
  if (rootPath === '' || !path.startsWith(rootPath)) return path;
  const rest = path.slice(rootPath.length);
  return rest === '' ? '/' : rest.startsWith('/') ? rest : path;
}

const asksForPage = (method: string, accept: string | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') && accept !== undefined && accept.startsWith('text/html,');

function unmatchedResponse(
  match: Exclude<RouteMatch, { kind: 'found' }>,
  path: string,
  accept: string | undefined,
): HttpResponse {
  if (match.kind === 'undecodable') return textResponse(400, 'Bad Request');
  if (match.kind === 'methodNotAllowed') return textResponse(405, 'Method Not Allowed', { allow: match.allow });
  // Clients of /v1 distinguish a missing route from a missing object by the text.
  const wantsText = path.startsWith('/v1/') || path === '/v1' || /text\//.test(accept ?? '');
  return wantsText ? textResponse(404, 'Not Found') : jsonTextResponse(404, '{"detail":"Not Found"}');
}

/** Handles a programming error: one line in the log, whose ID is also in the response. */
function failure(context: RequestContext, error: unknown, { log, metrics }: ServeOptions): HttpResponse {
  const requestId = randomUUID();
  const { method } = context.exchange;
  log.error({ requestId, method, route: context.routePath, err: error }, 'A request failed');
  metrics.failed(method, context.routePath, error);
  return textResponse(500, 'Internal Server Error', {
    [ERROR_CODE_HEADER]: INTERNAL_ERROR_CODE,
    'x-request-id': requestId,
  });
}

/** Logs the cause of a rejection that the response omits, such as the violated database constraint. */
function logReason({ routePath }: RequestContext, error: unknown, log: Log): void {
  if (!(error instanceof SpandrelError) || !(error.cause instanceof Error)) return;
  log.debug({ route: routePath, code: error.code, reason: error.cause.message }, 'A request was rejected');
}

function discard({ body }: HttpResponse): void {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return;
  const iterator = body[Symbol.asyncIterator]();
  void Promise.resolve(iterator.return?.()).catch(() => {});
}
