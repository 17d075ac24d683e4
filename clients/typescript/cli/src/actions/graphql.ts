import type { SpandrelClient } from '@spandrel/client';
import { CommandError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';

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

/** The data of a query. @throws {CommandError} with the messages of the server */
export async function queryGraphql<Data>(
  client: SpandrelClient,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Data> {
  const { data, errors } = await sendGraphql(client, query, variables, signal);
  if (data === undefined || data === null || errors?.length) {
    const messages = (errors ?? []).map(({ message }) => message ?? '').join('; ');
    throw new CommandError(`The server could not answer: ${messages || 'no data came'}`, EXIT.failure);
  }
  return data as Data;
}
