import type { Log } from '../../base/log.ts';
import type { Caller } from '../../model/access/caller.ts';
import { findDenial } from '../../model/access/rights.ts';
import { MCP_BODY_BYTES_MAX } from '../../model/limits/requests.ts';
import type { Gate } from '../../server/guards/gate.ts';
import type { HttpRequest, HttpResponse, Route } from '../../server/route.ts';
import { createInnerRequests, type SendInner } from './inner-requests.ts';
import { loadHandler, type McpHandler } from './load-handler.ts';

export interface McpOptions {
  /** Routes that tools call. */
  readonly routes: readonly Route[];
  readonly gate: Gate;
  readonly log: Log;
  /** Version of this server. */
  readonly version: string;
  /** Whether callers who may write get tools that write. */
  readonly allowsWrites: boolean;
}

export interface Mcp {
  readonly routes: readonly Route[];
  /** Ends open streams. */
  close(): void;
}

interface Loaded {
  readonly handler: McpHandler;
  readonly sendInner: SendInner;
}

/** Headers that the protocol reads. Credentials are none of them. */
const HEADERS = [
  ...['accept', 'content-type', 'last-event-id'],
  ...['mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id'],
];
const PATHS = ['/mcp', '/mcp/'];
const METHODS = ['POST', 'GET', 'DELETE'] as const;

/** The Model Context Protocol over streamable HTTP, without sessions. */
export function openMcp(options: McpOptions): Mcp {
  let loading: Promise<Loaded> | undefined;
  const load = () => {
    loading ??= loadParts(options).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const handle = async (request: HttpRequest) => respond(request, await load(), options.allowsWrites);
  return {
    routes: PATHS.flatMap((path) =>
      METHODS.map((method): Route => ({ method, path, access: 'viewer', bodyBytesMax: MCP_BODY_BYTES_MAX, handle })),
    ),
    close: () => void loading?.then(({ handler }) => handler.close()).catch(() => {}),
  };
}

async function loadParts({ version, log, ...inner }: McpOptions): Promise<Loaded> {
  const onError = (err: unknown) => log.warn({ err }, 'An MCP request failed');
  return { handler: await loadHandler({ version, onError }), sendInner: createInnerRequests({ ...inner, log }) };
}

async function respond(
  request: HttpRequest,
  { handler, sendInner }: Loaded,
  allowsWrites: boolean,
): Promise<HttpResponse> {
  const response = await handler.handle(toWebRequest(request), {
    fetch: (inner) => sendInner(inner, request),
    allowsWrites: allowsWrites && mayWrite(request.caller),
  });
  return toHttpResponse(response);
}

const mayWrite = (caller: Caller): boolean => findDenial(caller, 'member', true) === undefined;

function toWebRequest({ method, header, body, signal }: HttpRequest): Request {
  const given = HEADERS.flatMap((name): [string, string][] => {
    const value = header(name);
    return value === undefined ? [] : [[name, value]];
  });
  const hasBody = method === 'POST';
  return new Request('http://spandrel.invalid/mcp', {
    ...{ method, headers: new Headers(given), signal },
    ...(hasBody && { body }),
  });
}

async function toHttpResponse({ status, headers, body }: Response): Promise<HttpResponse> {
  const forwarded = Object.fromEntries([...headers].filter(([name]) => name !== 'content-length'));
  return { status, headers: forwarded, ...(body && { body: body as AsyncIterable<Uint8Array> }) };
}
