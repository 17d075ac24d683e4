import { appUrl } from '../router/app-url.ts';
import { checkConnection, isUp } from './connection.ts';
import type { Operation } from './operation.ts';

/**
 * Reason why there is no data, by what the interface can do: the server did not respond, it is starting or recovering,
 * the query took too long, the object does not exist, an ID is invalid, or the server rejected the request.
 */
export type FailureKind = 'unreachable' | 'unavailable' | 'timedOut' | 'notFound' | 'malformed' | 'refused';

export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly kind: FailureKind;
  /** For people who look into it. */
  readonly detail: string;
  /** Whether the whole server is unavailable. The page then shows a banner and retries when the server is back. */
  readonly isOutage: boolean;

  constructor(kind: FailureKind, message: string, detail = message, isOutage = false) {
    super(message);
    this.kind = kind;
    this.detail = detail;
    this.isOutage = isOutage;
  }
}

/**
 * Sends a request. If there is no response, or its status asks to retry later, the connection to the server is checked.
 *
 * @param name Name of the requested data, for the detail of a failure.
 * @throws {RequestFailure} or what the signal aborts with
 */
export async function fetchAnswer(path: string, name: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(appUrl(path), init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    await checkConnection();
    throw new RequestFailure('unreachable', 'The server does not answer.', `${name}: ${String(error)}`, !isUp());
  }
  if (!LATER.has(response.status)) return response;
  const detail = await response.text();
  await checkConnection();
  throw new RequestFailure('unavailable', `The server answered ${response.status}.`, detail, !isUp());
}

/** Also sent by a proxy in front of an unavailable server. */
const LATER = new Set([502, 503, 504]);

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
  const response = await fetchAnswer('graphql', operation.name, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: operation.text, operationName: operation.name, variables }),
    ...(signal ? { signal } : {}),
  });
  if (!response.ok)
    throw new RequestFailure('refused', `The server answered ${response.status}.`, await response.text());
  const answer = (await response.json()) as { data: Data | null; errors?: readonly GraphqlError[] };
  const { data } = answer;
  const errors = answer.errors?.filter((error) => !isLeftOut(data, error)) ?? [];
  if (errors.length > 0) throw await toFailure(operation.name, errors);
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

async function toFailure(name: string, errors: readonly GraphqlError[]): Promise<RequestFailure> {
  const detail = errors.map(({ message, path }) => `${path?.join('.') ?? name}: ${message}`).join('\n');
  const message = errors[0]!.message;
  if (/timed out|took too long|deadline/i.test(message)) return new RequestFailure('timedOut', message, detail);
  if (/not found|unknown (project|trace|span|session)|does not exist/i.test(message)) {
    return new RequestFailure('notFound', message, detail);
  }
  if (/^(invalid node id|unknown node|the node id must)/i.test(message)) {
    return new RequestFailure('malformed', message, detail);
  }
  if (!/^an unexpected error|span store is|is not available|reads are waiting|store thread ended/i.test(message)) {
    return new RequestFailure('refused', message, detail);
  }
  // A database may be unavailable.
  await checkConnection();
  const isMistake = /^an unexpected error/.test(message) && isUp();
  return new RequestFailure(isMistake ? 'refused' : 'unavailable', message, detail, !isUp());
}
