import { countJsonSignsInChunks } from '../../../base/json-signs.ts';
import type { ErrorCode } from '../../../model/errors.ts';
import { GRAPHQL_JSON_SIGN_COUNT_MAX } from '../../../model/limits/graphql.ts';
import { jsonHeapBytes } from '../../../model/limits/requests.ts';
import type { HttpRequest } from '../../../server/route.ts';
import type { TimeSlices } from './time-slices.ts';

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly operationName: string | undefined;
}

/** A request that is not an operation. */
export interface Rejection {
  readonly status: number;
  readonly code: ErrorCode;
  readonly problem: string;
}

/** `?query=…&variables=…&operationName=…`, variables as JSON. */
export function readGet(request: HttpRequest): GraphqlRequest | Rejection {
  const given = new URLSearchParams(request.query);
  const variables = given.get('variables');
  let parsed: unknown = null;
  try {
    if (variables !== null && variables !== '') parsed = JSON.parse(variables);
  } catch {
    return { status: 400, code: 'REQUEST_INVALID', problem: 'The GraphQL variables are not JSON.' };
  }
  return toRequest({ query: given.get('query'), variables: parsed, operationName: given.get('operationName') });
}

/**
 * `{"query": …, "variables": …, "operationName": …}`. Another content type is rejected, because a page of another
 * origin may send some of them without a preflight request.
 */
export async function readPost(request: HttpRequest, slices: TimeSlices): Promise<GraphqlRequest | Rejection> {
  const type = (request.header('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase();
  if (type !== 'application/json')
    return { status: 415, code: 'CONTENT_TYPE_UNSUPPORTED', problem: 'The content type must be application/json.' };
  const signCount = await countSigns(request, slices);
  if (signCount > GRAPHQL_JSON_SIGN_COUNT_MAX) {
    return {
      status: 413,
      code: 'BODY_TOO_LARGE',
      problem: `A GraphQL request may have ${GRAPHQL_JSON_SIGN_COUNT_MAX} values, and this one has more.`,
    };
  }
  await request.heap.take(jsonHeapBytes(request.body.byteLength, signCount));
  if (request.body.byteLength > CHUNK_BYTES) await slices.waitOrLeave(request.signal);
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength).toString());
  } catch {
    return { status: 400, code: 'REQUEST_INVALID', problem: 'The body is not JSON.' };
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { status: 400, code: 'REQUEST_INVALID', problem: 'The body must be an object with a query.' };
  }
  return toRequest(body);
}

/** Bytes of a body that are counted in one time slice, a millisecond or two; a body up to this needs no slice. */
const CHUNK_BYTES = 256 * 1024;

async function countSigns({ body, signal }: HttpRequest, slices: TimeSlices): Promise<number> {
  const counting = countJsonSignsInChunks(body, GRAPHQL_JSON_SIGN_COUNT_MAX, CHUNK_BYTES);
  for (;;) {
    const { done, value } = counting.next();
    if (done) return value;
    await slices.waitOrLeave(signal);
  }
}

function toRequest(given: {
  query?: unknown;
  variables?: unknown;
  operationName?: unknown;
}): GraphqlRequest | Rejection {
  const { query, variables, operationName } = given;
  if (typeof query !== 'string' || query === '')
    return { status: 400, code: 'REQUEST_INVALID', problem: 'No GraphQL query was given.' };
  if (variables !== undefined && variables !== null && (typeof variables !== 'object' || Array.isArray(variables))) {
    return { status: 400, code: 'REQUEST_INVALID', problem: 'The GraphQL variables must be an object.' };
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    return { status: 400, code: 'REQUEST_INVALID', problem: 'The GraphQL operationName must be a string.' };
  }
  return {
    query,
    variables: (variables ?? {}) as Record<string, unknown>,
    operationName: operationName || undefined,
  };
}
