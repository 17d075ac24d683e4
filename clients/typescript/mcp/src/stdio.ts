import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createClient, type SpandrelClient } from '@spandrel/client';
import { createCallQueue } from './call-queue.ts';
import { createMcpServer, packageVersion } from './create-mcp-server.ts';
import { MESSAGE_BYTES_MAX } from './limits.ts';

/** What a server over stdio is told. */
export interface StdioOptions {
  /** Default: a client for the environment. */
  readonly client?: SpandrelClient;
  /** Project of calls that name none. Default: that of the settings. */
  readonly project?: string | undefined;
  /** Whether tools that write are listed. Default false. */
  readonly allowsWrites?: boolean;
}

/**
 * Serves the protocol over stdin and stdout of this process until stdin ends. Messages for people go to stderr, because
 * stdout belongs to the protocol.
 *
 * @returns a handle that ends the connection
 */
export function runStdioServer({ client, project, allowsWrites = false }: StdioOptions = {}): {
  close(): Promise<void>;
} {
  const warn = (message: string) => console.error(message);
  const server = client ?? createClient({ options: { warn } });
  const queue = createCallQueue();
  const onError = (error: unknown) => warn(`spandrel-mcp: ${error instanceof Error ? error.message : String(error)}`);
  const common = {
    ...{ client: server, queue, allowsWrites, onError, version: packageVersion() },
    project: project ?? server.config.projectName,
  };
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MESSAGE_BYTES_MAX });
  return serveStdio(() => createMcpServer(common), { transport, onerror: onError });
}
