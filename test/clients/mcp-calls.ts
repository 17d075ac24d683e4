import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Answer of a tool. */
export interface Answered {
  /** Text of the answer, or message of the error. */
  readonly text: string;
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the tool determines the shape
  readonly data: any;
  readonly omitted: readonly string[];
}

/**
 * An official client that is connected over HTTP, with these headers.
 *
 * @param mode `legacy` begins as revisions before 2026-07-28 do.
 */
export async function connectHttp(
  address: string,
  headers: Readonly<Record<string, string>> = {},
  mode: 'auto' | 'legacy' = 'legacy',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit: { headers } });
  await client.connect(transport);
  return client;
}

/** Calls a tool. */
export async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Answered> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: input });
  const [first] = content as { readonly type: string; readonly text: string }[];
  assert.equal(first?.type, 'text');
  const structured = structuredContent as { data?: unknown; omitted?: string[] } | undefined;
  return {
    text: first.text,
    isError: isError === true,
    data: structured?.data,
    omitted: structured?.omitted ?? [],
  };
}

/** Data of a tool that must not fail. */
export async function read(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Answered> {
  const answered = await call(client, name, input);
  assert.equal(answered.isError, false, answered.text);
  return answered;
}
