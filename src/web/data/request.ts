import { appUrl } from '../router/app-url.ts';
import type { Operation } from './operation.ts';

/**
 * Why there is no data, in terms that a screen can act on: nobody answered, the query took too long, what was asked for
 * is gone, or the server said no.
 */
export type FailureKind = 'unreachable' | 'timedOut' | 'notFound' | 'refused';

export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly kind: FailureKind;
  /** For people who look into it. */
  readonly detail: string;

  constructor(kind: FailureKind, message: string, detail = message) {
    super(message);
    this.kind = kind;
    this.detail = detail;
  }
}

interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
}

/**
 * Sends an operation to the server. An answer with errors is a failure as a whole: a screen asks for each of its panels
 * by itself, so that one that fails takes no other along.
 *
 * @throws {RequestFailure}
 */
export async function send<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  let response: Response;
  try {
    response = await fetch(appUrl('graphql'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: operation.text, operationName: operation.name, variables }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestFailure('unreachable', 'The server does not answer.', `${operation.name}: ${String(error)}`);
  }
  if (!response.ok)
    throw new RequestFailure('refused', `The server answered ${response.status}.`, await response.text());
  const answer = (await response.json()) as { data: Data | null; errors?: readonly GraphqlError[] };
  if (answer.errors?.length) throw toFailure(operation.name, answer.errors);
  return answer.data!;
}

function toFailure(name: string, errors: readonly GraphqlError[]): RequestFailure {
  const detail = errors.map(({ message, path }) => `${path?.join('.') ?? name}: ${message}`).join('\n');
  const message = errors[0]!.message;
  if (/timed out|took too long|deadline/i.test(message)) return new RequestFailure('timedOut', message, detail);
  if (/not found|unknown (project|trace|span|session)|does not exist/i.test(message)) {
    return new RequestFailure('notFound', message, detail);
  }
  return new RequestFailure('refused', message, detail);
}
