import { createMcpHandler } from '@modelcontextprotocol/server';
import { createClient } from '@spandrel/client';
import { createCallQueue } from './call-queue.ts';
import { createMcpServer } from './create-mcp-server.ts';
import { CALL_MS_MAX, MESSAGE_BYTES_MAX, SUBSCRIPTION_COUNT_MAX } from './limits.ts';

/** How a request is served. */
export interface RequestOptions {
  /** Sends a request to the server as the caller of this one. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Whether tools that write are listed. */
  readonly allowsWrites: boolean;
}

/** Serves the protocol over streamable HTTP. Keeps nothing between requests. */
export interface HttpHandler {
  handle(request: Request, options: RequestOptions): Promise<Response>;
  close(): Promise<void>;
}

export interface HttpHandlerOptions {
  readonly version: string;
  /** Called with errors that are none of a caller. */
  readonly onError: (error: unknown) => void;
}

/** Stands for this server in addresses of calls, which no network sees. */
const BASE_URL = 'http://spandrel.invalid';
const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'api_key'];

/** What the handler carries from a request to the server that is built for it. */
interface Extra {
  readonly options: RequestOptions;
  /** Fires when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** A handler that a server calls for each request to its address of the protocol. */
export function createHttpHandler({ version, onError }: HttpHandlerOptions): HttpHandler {
  const queue = createCallQueue();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      if (!authInfo) throw new Error('Every request has a caller.');
      const { options, signal } = authInfo.extra as unknown as Extra;
      const client = createClient({
        options: {
          baseUrl: BASE_URL,
          headers: {},
          fetch: options.fetch,
          // What fails in the same process fails again.
          retry: { attemptCountMax: 1, silenceMs: CALL_MS_MAX },
          warn: () => {},
        },
      });
      return createMcpServer({
        ...{ client, queue, version, project: undefined, onError, disconnected: signal },
        allowsWrites: options.allowsWrites,
      });
    },
    { maxRequestBodySize: MESSAGE_BYTES_MAX, maxSubscriptions: SUBSCRIPTION_COUNT_MAX, onerror: onError },
  );
  return {
    handle(request, options) {
      const headers = new Headers(request.headers);
      for (const name of CREDENTIAL_HEADERS) headers.delete(name);
      const extra: Extra = { options, signal: request.signal };
      // No token: tools never see one. What is extra reaches the factory and no client.
      const authInfo = { token: '', clientId: '', scopes: [], extra: { ...extra } };
      return handler.fetch(new Request(request, { headers }), { authInfo });
    },
    close: () => handler.close(),
  };
}
