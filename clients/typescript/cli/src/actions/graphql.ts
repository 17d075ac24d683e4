import type { SpandrelClient } from '@spandrel/client';

export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message?: string }[];
}

/** Sends a query. Errors of the query are in the result. */
export async function sendGraphql(
  client: SpandrelClient,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<GraphqlAnswer> {
  const response = await client.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ query, variables }),
    signal,
  });
  return (await response.json()) as GraphqlAnswer;
}
