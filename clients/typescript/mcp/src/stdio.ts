import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createClient, type SpandrelClient } from '@spandrel/client';
import { createCallQueue } from './call-queue.ts';
import { createMcpServer, packageVersion } from './create-mcp-server.ts';
import { ANSWER_AFTER_END_MS_MAX, ERROR_AFTER_END_MS_MAX, MESSAGE_BYTES_MAX } from './limits.ts';
import { PendingRequests } from './pending-requests.ts';
import { ToolError } from './tool.ts';

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
 * Serves the protocol over stdin and stdout of this process until stdin has ended and pending calls are answered, which takes at
 * most eleven seconds. Messages for people go to stderr, because stdout belongs to the protocol.
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
  const giveUp = new AbortController();
  const common = {
    ...{ client: server, queue, allowsWrites, onError, version: packageVersion(), disconnected: giveUp.signal },
    project: project ?? server.config.projectName,
  };
  // The transport of the package closes with its input and drops pending calls, so its input ends later than stdin.
  const { stdin, stdout } = process;
  const input = new PassThrough();
  const wire = new StdioServerTransport(input, stdout, { maxBufferSize: MESSAGE_BYTES_MAX });
  let isClosed = false;
  const requests = new PendingRequests(wire, () => {
    isClosed = true;
    // A stdin that is read would keep the process.
    stdin.unpipe(input);
    stdin.pause();
  });
  const ended = Promise.race([once(stdin, 'end'), once(stdin, 'close')]).catch(onError);
  stdin.pipe(input, { end: false });
  const handle = serveStdio(() => createMcpServer(common), { transport: requests, onerror: onError });
  void endWithInput();
  return handle;

  async function endWithInput(): Promise<void> {
    await ended;
    // What stdin has sent is read first.
    while (!isClosed && input.readableLength + input.writableLength > 0) await nextTurn();
    await requests.whenAnswered(ANSWER_AFTER_END_MS_MAX);
    giveUp.abort(
      new ToolError(
        `The input has ended, and the call took more than ${ANSWER_AFTER_END_MS_MAX / 1_000} s after that.`,
      ),
    );
    await requests.whenAnswered(ERROR_AFTER_END_MS_MAX);
    await handle.close();
  }
}
