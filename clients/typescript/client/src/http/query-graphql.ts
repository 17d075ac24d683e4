import { type CallOptions, clientOf } from '../client.ts';
import { SpandrelError } from './errors.ts';

/** The server could not execute a GraphQL document, or a part of it. */
export class GraphqlError extends SpandrelError {
  override readonly name = 'GraphqlError';
  constructor(message: string) {
    super('GRAPHQL', message);
  }
}

interface GraphqlResponse {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message?: unknown }[];
}

/**
 * Data of a GraphQL query, for what the REST API does not have. Values go into `variables`, never into the text.
 *
 * @throws {GraphqlError} with the messages of the server
 */
export async function queryGraphql<Data>(
  { client, signal }: CallOptions,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Data> {
  const response = await clientOf(client).fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
    ...(signal && { signal }),
  });
  const { data, errors = [] } = (await response.json()) as GraphqlResponse;
  const messages = errors.map(({ message }) => String(message));
  if (messages.length > 0) throw new GraphqlError(messages.join(' '));
  if (typeof data !== 'object' || data === null) throw new GraphqlError('The server responded without data.');
  return data as Data;
}
