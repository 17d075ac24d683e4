import { appUrl } from '../router/app-url.ts';
import { checkConnection, isUp } from './connection.ts';
import {
  ERROR_CODE_HEADER,
  type FailureKind,
  INT_OUT_OF_RANGE_CODE,
  INTERNAL_ERROR_CODE,
  kindOfCode,
} from './failure-kinds.ts';
import type { Operation } from './operation.ts';
import { fetchWithSession } from './session.ts';

export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly kind: FailureKind;
  /** Technical reason, such as the field that failed. */
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

export const toFailure = (error: unknown): RequestFailure =>
  error instanceof RequestFailure ? error : new RequestFailure('rejected', String(error));

/**
 * Sends a request with the session of this browser. If there is no response, or its status asks to retry later, the connection to the server is checked.
 *
 * @param name Name of the requested data, for the detail of a failure.
 * @throws {RequestFailure} or the abort reason of the signal
 */
export async function fetchResponse(path: string, name: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetchWithSession(appUrl(path), init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    await checkConnection();
    throw new RequestFailure('unreachable', 'The server does not respond.', `${name}: ${String(error)}`, !isUp());
  }
  if (!UNAVAILABLE_STATUSES.has(response.status)) return response;
  const detail = await response.text();
  await checkConnection();
  throw new RequestFailure('unavailable', `The server responded with status ${response.status}.`, detail, !isUp());
}

/** A proxy in front of an unavailable server sends them, too. */
const UNAVAILABLE_STATUSES = new Set([502, 503, 504]);

/** Converts a response of the REST API whose status is not 2xx. Its header has the error code. */
export async function statusFailure(response: Response): Promise<RequestFailure> {
  const kind = kindOfCode(response.headers.get(ERROR_CODE_HEADER) ?? '');
  return new RequestFailure(kind, `The server responded with status ${response.status}.`, await response.text());
}

interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string };
}

const codeOf = ({ extensions }: GraphqlError): string => extensions?.code ?? '';

/**
 * Sends an operation to the server. A response with errors is a failure as a whole, unless the read belongs to the page
 * (`readShown`).
 *
 * @throws {RequestFailure} or the abort reason of the signal
 */
export async function send<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const response = await fetchResponse('graphql', operation.name, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: operation.text, operationName: operation.name, variables }),
    ...(signal ? { signal } : {}),
  });
  if (!response.ok) throw await statusFailure(response);
  const result = (await response.json()) as GraphqlResult<Data>;
  const failure = await failureOf(operation.name, result);
  const parts = failure && signal && shownReads.get(signal);
  if (failure && !(parts && isOfPart(failure, result))) throw failure;
  if (failure) parts?.push({ failure, fields: failedFields(result) });
  return result.data!;
}

/** Fields that are null because they could not be read, while the other data of a response is shown. */
export interface FailedPart {
  readonly failure: RequestFailure;
  readonly fields: readonly string[];
}

/** Running reads for the page, by their signal. */
const shownReads = new WeakMap<AbortSignal, FailedPart[]>();

/**
 * Reads data that the page shows. A nullable field that fails is null in it, and the other data stays. Other reads fail as a
 * whole, because their data may be written back.
 */
export async function readShown<Data>(
  read: (signal: AbortSignal) => Promise<Data>,
  signal: AbortSignal,
): Promise<{ readonly data: Data; readonly failedParts: readonly FailedPart[] }> {
  const failedParts: FailedPart[] = [];
  shownReads.set(signal, failedParts);
  return { data: await read(signal), failedParts };
}

/** Whether the fields of the root have values. A temporary failure ends without the user, so all data is read again. */
const isOfPart = ({ kind }: RequestFailure, { data, errors = [] }: GraphqlResult<unknown>): boolean =>
  kind !== 'unavailable' &&
  errors.every(({ path: [field] = [] }) => field !== undefined && (data as Fields | null)?.[field] != null);

/** Names of the fields that errors made null. */
function failedFields({ data, errors = [] }: GraphqlResult<unknown>): readonly string[] {
  const names = errors.map(({ path = [] }) => {
    let name = '';
    let at = data as unknown;
    for (const key of path) {
      if (typeof at !== 'object' || at === null) break;
      if (typeof key === 'string') name = key;
      at = (at as Fields)[key];
    }
    return name;
  });
  return [...new Set(names)];
}

type Fields = Readonly<Record<string | number, unknown>>;

/** Result of one execution of an operation. */
export interface GraphqlResult<Data> {
  readonly data: Data | null;
  readonly errors?: readonly GraphqlError[];
}

/** The failure of a result with errors. */
export async function failureOf(
  operationName: string,
  { data, errors = [] }: GraphqlResult<unknown>,
): Promise<RequestFailure | undefined> {
  const own = errors.filter((error) => !isMissingValue(data, error));
  return own.length > 0 ? graphqlFailure(operationName, own) : undefined;
}

/**
 * Whether an error only reports an integer that its type cannot represent. The value is then missing, and the other
 * values of the same object are shown.
 */
function isMissingValue(data: unknown, error: GraphqlError): boolean {
  if (codeOf(error) !== INT_OUT_OF_RANGE_CODE) return false;
  const { path = [] } = error;
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], data);
  return typeof parent === 'object' && parent !== null;
}

async function graphqlFailure(name: string, errors: readonly GraphqlError[]): Promise<RequestFailure> {
  const detail = errors.map(({ message, path }) => `${path?.join('.') ?? name}: ${message}`).join('\n');
  const [first] = errors as [GraphqlError];
  const { message } = first;
  const code = codeOf(first);
  const kind = kindOfCode(code);
  if (kind !== 'unavailable' && code !== INTERNAL_ERROR_CODE) return new RequestFailure(kind, message, detail);
  await checkConnection();
  const isOutage = !isUp();
  return new RequestFailure(isOutage ? 'unavailable' : kind, message, detail, isOutage);
}
