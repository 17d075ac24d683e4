import type { GraphQLFormattedError, OperationTypeNode } from 'graphql';
import { type ExactJson, toExactJsonText } from '../../base/exact-json.ts';
import type { Log } from '../../base/log.ts';
import { GRAPHQL_BODY_BYTES_MAX } from '../../model/limits.ts';
import type { Domain } from '../../domain/domain.ts';
import { htmlResponse } from '../../server/html-page.ts';
import { type HttpRequest, type HttpResponse, jsonTextResponse, type Route } from '../../server/route.ts';
import { CompiledDocuments } from './compiled-documents.ts';
import { consolePage, wantsConsole } from './console-page.ts';
import { createContext, type StorageFacts } from './context.ts';
import { type GraphqlRequest, readGet, readPost } from './read-request.ts';
import { createSchema } from './schema.ts';
import { toFormattedErrors } from './show-errors.ts';

export interface GraphqlOptions {
  readonly domain: Domain;
  readonly log: Log;
  /** Refuses every mutation. */
  readonly isReadOnly: boolean;
  /** Why nothing may grow at present; undefined when it may. */
  readonly storageLock: () => string | undefined;
  readonly storage: StorageFacts;
}

/** GraphQL over HTTP: GET for queries and, in a browser, for a page to ask them in; POST for all. Whatever happens to an operation is told with status 200. */
export function graphqlRoutes(options: GraphqlOptions): Route[] {
  const documents = new CompiledDocuments(createSchema());
  const page = htmlResponse(consolePage());
  const route = { path: '/graphql', access: 'viewer' } as const;
  return [
    {
      ...route,
      method: 'GET',
      bodyBytesMax: 0,
      handle: (request) =>
        wantsConsole(request) ? page : answer(request, readGet(request), ['query'], documents, options),
    },
    {
      ...route,
      method: 'POST',
      bodyBytesMax: GRAPHQL_BODY_BYTES_MAX,
      handle: (request) => answer(request, readPost(request), ['query', 'mutation'], documents, options),
    },
  ];
}

async function answer(
  { signal }: HttpRequest,
  request: GraphqlRequest | { readonly status: number; readonly problem: string },
  allowed: readonly `${OperationTypeNode}`[],
  documents: CompiledDocuments,
  { domain, log, isReadOnly, storageLock, storage }: GraphqlOptions,
): Promise<HttpResponse> {
  if ('problem' in request) return errorsResponse(request.status, [{ message: request.problem }]);
  const compiled = documents.get(request.query, request.operationName);
  if ('errors' in compiled) return errorsResponse(200, toFormattedErrors(compiled.errors, log));
  if (!allowed.includes(compiled.operation)) {
    return errorsResponse(405, [{ message: `A ${compiled.operation} cannot be sent this way; use POST.` }]);
  }
  if (isReadOnly && compiled.operation === 'mutation') {
    return errorsResponse(200, [{ message: 'Application is read-only' }]);
  }
  const context = createContext({ domain, isReadOnly, storageLock, storage, signal });
  const { data, errors } = await compiled.query({}, context, request.variables);
  const body = errors?.length ? { data: data ?? null, errors: toFormattedErrors(errors, log, signal) } : { data };
  return jsonTextResponse(200, toExactJsonText(body as unknown as ExactJson));
}

const errorsResponse = (status: number, errors: readonly GraphQLFormattedError[]): HttpResponse =>
  jsonTextResponse(status, JSON.stringify({ data: null, errors }));
