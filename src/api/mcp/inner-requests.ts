import { randomUUID } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import { ERROR_CODE_HEADER, INTERNAL_ERROR_CODE } from '../../model/errors.ts';
import { errorResponse } from '../../server/error-response.ts';
import type { Gate } from '../../server/guards/gate.ts';
import { createRouter } from '../../server/http/router.ts';
import { type HttpRequest, type HttpResponse, type Route, textResponse } from '../../server/route.ts';

export interface InnerRequestOptions {
  /** Routes that can be reached. */
  readonly routes: readonly Route[];
  readonly gate: Gate;
  readonly log: Log;
}

/** Sends requests to routes of this server without a network. */
export type SendInner = (request: Request, outer: HttpRequest) => Promise<Response>;

/**
 * Inner requests have the identity and rights of the caller of the outer request, but not its credential: they carry no
 * header of it. The gate checks them like any other, except for the resource of a token, which it has checked.
 */
export function createInnerRequests({ routes, gate, log }: InnerRequestOptions): SendInner {
  const router = createRouter(routes);
  return async (request, outer) => {
    const { pathname, search } = new URL(request.url);
    const found = router.match(request.method, pathname);
    if (found.kind !== 'found') return toWebResponse(textResponse(404, 'Not Found'));
    const { route, params } = found;
    try {
      const body = new Uint8Array(await request.arrayBuffer());
      if (body.byteLength > route.bodyBytesMax) return toWebResponse(textResponse(413, 'The call is too large.'));
      const inner: HttpRequest = {
        ...{ method: request.method, path: pathname, params, query: search.slice(1), body, bodyStream: undefined },
        header: (name) => request.headers.get(name) ?? undefined,
        contentLength: body.byteLength,
        remoteAddress: outer.remoteAddress,
        clientAddress: outer.clientAddress,
        isForwarded: outer.isForwarded,
        isSecure: outer.isSecure,
        caller: outer.caller,
        heap: outer.heap,
        signal: AbortSignal.any([outer.signal, request.signal]),
      };
      gate.enterAs(outer.caller, inner, route);
      return toWebResponse(route.admit?.(inner) ?? (await route.handle(inner)));
    } catch (error) {
      request.signal.throwIfAborted();
      return toWebResponse(errorResponse(error) ?? failure(error, route, log));
    }
  };
}

function failure(error: unknown, route: Route, log: Log): HttpResponse {
  const requestId = randomUUID();
  log.error({ requestId, method: route.method, route: route.path, err: error }, 'A call of an MCP tool failed');
  return textResponse(500, 'Internal Server Error', {
    [ERROR_CODE_HEADER]: INTERNAL_ERROR_CODE,
    'x-request-id': requestId,
  });
}

function toWebResponse({ status, headers, body }: HttpResponse): Response {
  const isEmpty = status === 204 || status === 304 || body === undefined;
  return new Response(isEmpty ? null : toBody(body), { status, ...(headers && { headers: { ...headers } }) });
}

const toBody = (body: string | Uint8Array | AsyncIterable<Uint8Array>) =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : (ReadableStream.from(body) as ReadableStream<Uint8Array>);
