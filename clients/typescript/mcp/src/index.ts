export { createCallQueue } from './call-queue.ts';
export { createMcpServer, type McpServerOptions } from './create-mcp-server.ts';
export { createHttpHandler, type HttpHandler, type HttpHandlerOptions, type RequestOptions } from './http.ts';
export { runStdioServer, type StdioOptions } from './stdio.ts';
