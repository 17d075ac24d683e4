import type { GraphQLFormattedError, OperationTypeNode } from 'graphql';
import type { ExactJson } from '../../base/exact-json.ts';
import type { Log } from '../../base/log.ts';
import { SpandrelError } from '../../model/errors.ts';
import { GRAPHQL_BODY_BYTES_MAX, GRAPHQL_COST_MAX } from '../../model/limits/graphql.ts';
import type { DomainFor, ReplicaReads } from '../../domain/domain.ts';
import type { StorageLock } from '../../server/guards/storage-guard.ts';
import { type HttpRequest, type HttpResponse, jsonTextResponse, type Route } from '../../server/route.ts';
import { createContext, type StorageFacts } from './context.ts';
import { CompiledDocuments } from './execution/compiled-documents.ts';
import { jsonResponse } from './execution/json-response.ts';
import { type GraphqlRequest, type Rejection, readGet, readPost } from './execution/read-request.ts';
import { RequestLoad } from './execution/request-load.ts';
import { RequestWork } from './execution/request-work.ts';
import { formattedError, toFormattedErrors } from './execution/show-errors.ts';
import { createSchema } from './schema.ts';

export interface GraphqlOptions {
  readonly domainFor: DomainFor;
  readonly replicaReads?: ReplicaReads | undefined;
  readonly log: Log;
  /** True to reject every mutation. */
  readonly isReadOnly: boolean;
  readonly storageLock: StorageLock;
  readonly storage: StorageFacts;
  /** `Set-Cookie` values that remove the cookies of a session. */
  readonly signOutCookies: readonly string[];
  /** Page for a browser that opens the address without a query. */
  readonly consolePage: HttpResponse;
}

interface Server {
  readonly documents: CompiledDocuments;
  readonly load: RequestLoad;
  readonly options: GraphqlOptions;
}

/** GraphQL over HTTP: GET for queries and, in a browser, for the console; POST for all operations. Errors of an operation have status 200. */
export function graphqlRoutes(options: GraphqlOptions): Route[] {
  const server: Server = { documents: new CompiledDocuments(createSchema()), load: new RequestLoad(), options };
  const route = { path: '/graphql', access: 'viewer' } as const;
  return [
    {
      ...route,
      method: 'GET',
      bodyBytesMax: 0,
      handle: (request) =>
        wantsConsole(request) ? options.consolePage : answer(request, readGet(request), ['query'], server),
    },
    {
      ...route,
      method: 'POST',
      bodyBytesMax: GRAPHQL_BODY_BYTES_MAX,
      async handle(request) {
        return answer(request, await readPost(request, server.load.slices), ['query', 'mutation'], server);
      },
    },
  ];
}

/** A browser that follows a link to a query expects its JSON response. */
const wantsConsole = (request: HttpRequest): boolean =>
  (request.header('accept') ?? '').includes('text/html') && !new URLSearchParams(request.query).has('query');

async function answer(
  { signal, caller, clientAddress }: HttpRequest,
  request: GraphqlRequest | Rejection,
  allowed: readonly `${OperationTypeNode}`[],
  { documents, load, options }: Server,
): Promise<HttpResponse> {
  const { domainFor, replicaReads, log, isReadOnly, storageLock, storage } = options;
  if ('problem' in request) return errorsResponse(request.status, [formattedError(request.code, request.problem)]);
  const { query, operationName, variables } = request;
  // Parsing a new document waits for a time slice, so that other requests run in between.
  if (!documents.has(query, operationName)) await load.slices.waitOrLeave(signal);
  const compiled = documents.get(query, operationName);
  if ('errors' in compiled) return errorsResponse(200, toFormattedErrors(compiled.errors, { log, document: query }));
  if (!allowed.includes(compiled.operation)) {
    return errorsResponse(405, [
      formattedError('REQUEST_INVALID', `A ${compiled.operation} cannot be sent this way; use POST.`),
    ]);
  }
  if (isReadOnly && compiled.operation === 'mutation') {
    return errorsResponse(200, [formattedError('READ_ONLY', 'Application is read-only')]);
  }
  const tooLong = compiled.checkLists(variables);
  if (tooLong) return errorsResponse(200, toFormattedErrors([tooLong], { log, document: query }));
  const cost = compiled.estimateCost(variables);
  if (cost > GRAPHQL_COST_MAX) return errorsResponse(200, [formattedError('QUERY_TOO_COSTLY', tooCostly(cost))]);

  let isSignedOut = false;
  const isQuery = compiled.operation === 'query';
  const work = new RequestWork(load, signal, isQuery);
  let leave: (() => void) | undefined;
  try {
    leave = await load.admit(cost, work.signal);
    await Promise.race([work.slices.wait(work.signal), work.ended]);
    const domain = await (isQuery && replicaReads ? replicaReads : { domainFor }).domainFor(caller, clientAddress);
    const context = createContext({
      domain,
      isReadOnly,
      storageLock,
      storage,
      work,
      signOut: () => {
        isSignedOut = true;
      },
    });
    const { data, errors } = await Promise.race([compiled.run(context, variables), work.ended]);
    const body = errors?.length
      ? { data: data ?? null, errors: toFormattedErrors(errors, { log, document: query, signal }) }
      : { data };
    const response = await jsonResponse(body as unknown as ExactJson, work);
    return isSignedOut ? { ...response, cookies: options.signOutCookies } : response;
  } catch (error) {
    if (!(error instanceof SpandrelError)) throw error;
    return errorsResponse(200, [formattedError(error.code, error.message)]);
  } finally {
    leave?.();
    work.close();
    if (!isQuery) await replicaReads?.afterWrites(caller);
  }
}

const tooCostly = (cost: number): string =>
  `Query is too costly: it may resolve at most ${GRAPHQL_COST_MAX} fields, and its lists could make it resolve up to ${cost}; request fewer objects or fields at a time`;

const errorsResponse = (status: number, errors: readonly GraphQLFormattedError[]): HttpResponse =>
  jsonTextResponse(status, JSON.stringify({ data: null, errors }));
