import { randomUUID } from 'node:crypto';
import type { ByteBudget } from '../base/byte-budget.ts';
import { type HeapBudget, HeapBudgetExceeded, type HeapShare } from '../base/heap-budget.ts';
import type { Log } from '../base/log.ts';
import { ERROR_CODE_HEADER, INTERNAL_ERROR_CODE, SpandrelError } from '../model/errors.ts';
import { DROPPED_BYTES_MAX, HEADER_BYTES_MAX, HEADER_COUNT_MAX, RETRY_AFTER_SECONDS } from '../model/limits.ts';
import { errorResponse, errorTextResponse } from './error-response.ts';
import type { Exchange } from './exchange.ts';
import type { HttpMetrics } from './http-metrics.ts';
import type { OriginPolicy } from './origin-policy.ts';
import { type BodyFailure, type IncomingBody, RequestBody } from './request-body.ts';
import {
  type Access,
  type HttpResponse,
  jsonTextResponse,
  type RequestHead,
  type Route,
  textResponse,
} from './route.ts';
import { createRouter, type RouteMatch } from './router.ts';
import { type SendProgress, sendResponse } from './send-response.ts';
import type { WatchedRequest } from './stall-watch.ts';
import { BodyBroken, StreamedBody } from './streamed-body.ts';

/** Undefined when the request may pass; else the refusal. Not asked for routes with access `open`. */
export type Authenticate = (
  request: RequestHead,
  access: Access,
) => HttpResponse | undefined | Promise<HttpResponse | undefined>;

export interface ServeOptions {
  readonly routes: readonly Route[];
  /** `/prefix`, or empty. Requests are answered with and without it. */
  readonly rootPath: string;
  readonly originPolicy: OriginPolicy;
  readonly authenticate: Authenticate | undefined;
  /** What a browser gets that asks for a page on a path without a route. */
  readonly page: HttpResponse | undefined;
  /** On every response. */
  readonly commonHeaders: Readonly<Record<string, string>>;
  readonly bodyBudget: ByteBudget;
  readonly heapBudget: HeapBudget;
  readonly metrics: HttpMetrics;
  readonly log: Log;
}

export interface RequestServer {
  readonly inFlight: ReadonlySet<WatchedRequest>;
  /** Never throws, whatever a handler does. */
  serve(exchange: Exchange): void;
  /** From now on responses end their connections; resolves when no request is in flight. */
  drain(): Promise<void>;
}

/** What happens to a request, whatever engine it came through. */
export function createRequestServer(options: ServeOptions): RequestServer {
  const { metrics, log } = options;
  const router = createRouter(options.routes);
  const inFlight = new Set<Visit>();
  let isDraining = false;
  let onIdle: (() => void) | undefined;

  const leave = (visit: Visit) => {
    if (!inFlight.delete(visit)) return;
    metrics.inFlight.dec();
    if (inFlight.size === 0) onIdle?.();
  };

  async function run(visit: Visit): Promise<void> {
    const { exchange } = visit;
    let response: HttpResponse;
    try {
      response = await answer(visit, options, router.match);
    } catch (error) {
      // A handler that stops because its client is gone has not failed.
      if (exchange.signal.aborted) return;
      response = knownFailure(error) ?? failure(visit, error, options);
      logReason(visit, error, options.log);
    } finally {
      visit.releaseBody();
    }
    if (exchange.mayRespond !== undefined) await exchange.mayRespond;
    if (exchange.signal.aborted) return discard(response);
    const extra = { ...options.originPolicy.corsHeaders(visit.header), ...options.commonHeaders };
    visit.sending = { bytes: 0, isBlocked: false };
    try {
      await sendResponse(exchange, response, extra, isDraining || visit.mustClose, visit.sending);
    } catch (error) {
      if (exchange.signal.aborted) return;
      // Too late for a status; a cut connection tells the client that the answer is not whole.
      failure(visit, error, options);
      return exchange.cut();
    }
    if (exchange.signal.aborted) return;
    metrics.sent(visit.sending.bytes);
    metrics.answered(exchange.method, visit.routePath, response.status, (performance.now() - visit.startedMs) / 1000);
  }

  return {
    inFlight,
    serve(exchange) {
      const visit = new Visit(exchange);
      inFlight.add(visit);
      metrics.inFlight.inc();
      exchange.signal.addEventListener(
        'abort',
        () => {
          metrics.aborted();
          visit.body?.fail({ kind: 'aborted' });
          leave(visit);
        },
        { once: true },
      );
      run(visit)
        .catch((error) => log.error({ err: error }, 'A response could not be sent'))
        .finally(() => leave(visit));
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
class Visit implements WatchedRequest {
  readonly exchange: Exchange;
  readonly startedMs = performance.now();
  readonly header: (name: string) => string | undefined;
  body: IncomingBody | undefined;
  sending: SendProgress | undefined;
  routePath = 'unmatched';
  /** After this response the connection is in no state for another request. */
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

async function answer(
  visit: Visit,
  options: ServeOptions,
  match: (method: string, path: string) => RouteMatch,
): Promise<HttpResponse> {
  const { exchange, header } = visit;
  const { headers, method } = exchange;
  if (headers.byteCount > HEADER_BYTES_MAX || headers.count > HEADER_COUNT_MAX) {
    return textResponse(431, 'Request Header Fields Too Large');
  }
  if (headers.isMalformed) {
    visit.mustClose = true;
    return textResponse(400, 'Bad Request');
  }
  const early = options.originPolicy.reject(method, header) ?? options.originPolicy.preflight(method, header);
  if (early !== undefined) return early;

  const path = withoutRootPath(exchange.rawPath, options.rootPath);
  const found = match(method, path);
  if (found.kind === 'notFound' && options.page && asksForPage(method, header('accept'))) return options.page;
  if (found.kind !== 'found') return unmatchedResponse(found, path, header('accept'));
  visit.routePath = found.route.path;
  return handle(visit, options, path, found);
}

/** Responds to a request that is rejected before its handler. */
function reject({ onRejected }: Route, head: RequestHead, response: HttpResponse): HttpResponse {
  onRejected?.(head, response);
  return response;
}

async function handle(
  visit: Visit,
  { authenticate, bodyBudget, heapBudget, metrics }: ServeOptions,
  path: string,
  { route, params }: RouteMatch & { kind: 'found' },
): Promise<HttpResponse> {
  const { exchange, header } = visit;
  const { method, query, headers } = exchange;
  const { contentLength } = headers;
  const takesBody = headers.hasBody && route.bodyBytesMax > 0;
  const remoteAddress = exchange.remoteAddress;
  const head: RequestHead = { method, path, params, query, header, contentLength, remoteAddress };

  // All checks that need no waiting come before the first byte of the body is asked for.
  const denied = route.access === 'open' ? undefined : authenticate?.(head, route.access);
  if (!(denied instanceof Promise)) {
    const rejection = denied ?? route.admit?.(head);
    if (rejection !== undefined) return reject(route, head, rejection);
  }
  const isStreamed = takesBody && route.streaming?.appliesTo(head) === true;
  const bytesMax = isStreamed ? route.streaming!.bytesMax : route.bodyBytesMax;
  if (takesBody && contentLength !== undefined && contentLength > bytesMax) {
    visit.mustClose = contentLength > DROPPED_BYTES_MAX + bytesMax;
    return reject(route, head, tooLargeResponse(bytesMax));
  }
  const stream = isStreamed ? new StreamedBody(exchange, bytesMax, contentLength) : undefined;
  const body = takesBody && !isStreamed ? new RequestBody(bodyBudget, bytesMax, contentLength) : undefined;
  const incoming = stream ?? body;
  if (incoming !== undefined) visit.receive(incoming);
  if (denied instanceof Promise) {
    const rejection = (await denied) ?? route.admit?.(head);
    if (rejection !== undefined) return reject(route, head, rejection);
  }

  let bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  if (body !== undefined) {
    const outcome = await body.outcome;
    visit.body = undefined;
    metrics.received(body.byteCount);
    if (outcome.kind === 'aborted') return bodyRefusal(visit, outcome, bytesMax);
    if (outcome.kind !== 'complete') return reject(route, head, bodyRefusal(visit, outcome, bytesMax));
    bytes = outcome.body;
  }
  const request = {
    ...head,
    body: bytes,
    bodyStream: stream,
    heap: visit.openHeap(heapBudget),
    signal: exchange.signal,
  };
  if (stream === undefined) return route.handle(request);
  try {
    return await route.handle(request);
  } catch (error) {
    if (!(error instanceof BodyBroken)) throw error;
    return bodyRefusal(visit, error.failure, bytesMax);
  } finally {
    metrics.received(stream.byteCount);
    // The rest is read and dropped, so that its sender sees the answer; of a long one the connection goes.
    visit.mustClose ||= stream.unreadBytes > DROPPED_BYTES_MAX;
  }
}

function knownFailure(error: unknown): HttpResponse | undefined {
  if (!(error instanceof HeapBudgetExceeded)) return errorResponse(error);
  return errorTextResponse('BODY_TOO_LARGE', 'The body has more JSON values than this server has memory for');
}

function bodyRefusal(visit: Visit, outcome: BodyFailure, bytesMax: number): HttpResponse {
  switch (outcome.kind) {
    case 'tooLarge':
      return tooLargeResponse(bytesMax);
    case 'overBudget':
      return errorTextResponse('INGEST_OVERLOADED', 'Server is at capacity and cannot process more requests', {
        'retry-after': String(RETRY_AFTER_SECONDS),
      });
    case 'stalled':
      visit.mustClose = true;
      return textResponse(408, 'Request Timeout');
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
  // Clients of /v1 tell a missing route from a missing thing by the text.
  const wantsText = path.startsWith('/v1/') || path === '/v1' || /text\//.test(accept ?? '');
  return wantsText ? textResponse(404, 'Not Found') : jsonTextResponse(404, '{"detail":"Not Found"}');
}

/** A mistake of ours: one line in the log, and its id in the answer, so that the two can be brought together. */
function failure(visit: Visit, error: unknown, { log, metrics }: ServeOptions): HttpResponse {
  const requestId = randomUUID();
  const { method } = visit.exchange;
  log.error({ requestId, method, route: visit.routePath, err: error }, 'A request failed');
  metrics.failed(method, visit.routePath, error);
  return textResponse(500, 'Internal Server Error', {
    [ERROR_CODE_HEADER]: INTERNAL_ERROR_CODE,
    'x-request-id': requestId,
  });
}

/** Logs the cause of a rejection that the response omits, such as the violated database constraint. */
function logReason({ routePath }: Visit, error: unknown, log: Log): void {
  if (!(error instanceof SpandrelError) || !(error.cause instanceof Error)) return;
  log.debug({ route: routePath, code: error.code, reason: error.cause.message }, 'A request was rejected');
}

function discard({ body }: HttpResponse): void {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return;
  const iterator = body[Symbol.asyncIterator]();
  void Promise.resolve(iterator.return?.()).catch(() => {});
}
