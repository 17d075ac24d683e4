import type { ToolContext } from './tool.ts';
import { ToolError } from './tool.ts';

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message?: unknown }[];
}

/**
 * Data of a GraphQL query. Skeletons, facets and filters are there only.
 *
 * @throws {ToolError} with the messages of the server
 */
export async function askGraphql<Data>(
  { client, signal }: ToolContext,
  query: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Data> {
  const response = await client.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
    signal,
  });
  const { data, errors } = (await response.json()) as Answer;
  const messages = errors?.map(({ message }) => String(message)) ?? [];
  if (messages.length > 0) throw new ToolError(messages.join(' '));
  if (typeof data !== 'object' || data === null) throw new ToolError('The server answered without data.');
  return data as Data;
}
