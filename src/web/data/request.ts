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
  const { data } = answer;
  const errors = answer.errors?.filter((error) => !isLeftOut(data, error)) ?? [];
  if (errors.length > 0) throw toFailure(operation.name, errors);
  return data!;
}

/**
 * Whether an error says no more than that a value is greater than its type can be, as sums of tokens may be: the value is
 * then missing, and what stands beside it is shown.
 */
function isLeftOut(data: unknown, { message, path = [] }: GraphqlError): boolean {
  if (!/^Int cannot represent/.test(message)) return false;
  const above = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], data);
  return typeof above === 'object' && above !== null;
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
