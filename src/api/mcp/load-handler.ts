import { createRequire } from 'node:module';

/** What the package `@spandrel/mcp` makes of a request. The server knows only this of it. */
export interface McpHandler {
  handle(request: Request, options: McpRequestOptions): Promise<Response>;
  close(): Promise<void>;
}

export interface McpRequestOptions {
  /** Sends a request to this server for the caller of the outer request. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Whether tools that write are listed. */
  readonly allowsWrites: boolean;
}

interface McpHandlerOptions {
  readonly version: string;
  readonly onError: (error: unknown) => void;
}

/**
 * Loads the package, which `scripts/bundle-server.mjs` bundles into a file of its own. The first request to `/mcp` does this, so
 * that the start of the server does not.
 */
export async function loadHandler(options: McpHandlerOptions): Promise<McpHandler> {
  const module: { createHttpHandler: (options: McpHandlerOptions) => McpHandler } = createRequire(import.meta.url)(
    './mcp-handler.cjs',
  );
  return module.createHttpHandler(options);
}
