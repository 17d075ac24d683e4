import type { GraphQLError, GraphQLFormattedError, OperationTypeNode } from 'graphql';
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
import { answerSubscription, type SubscriptionRequest, toErrors } from './subscriptions/answer-subscription.ts';
import { OpenSubscriptions, type SubscriptionLimits } from './subscriptions/open-subscriptions.ts';
import { acceptedForm, toEventStream, wantsEventStream } from './subscriptions/stream-forms.ts';

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
  /** Documents of other servers with the same schema. Tests open many servers in one process. */
  readonly documents?: CompiledDocuments | undefined;
  /** Shorter times and smaller numbers, for tests. */
  readonly subscriptionLimits?: Partial<SubscriptionLimits>;
}

interface Server {
  readonly documents: CompiledDocuments;
  readonly load: RequestLoad;
  readonly subscriptions: OpenSubscriptions;
  readonly options: GraphqlOptions;
}

export interface Graphql {
  readonly routes: readonly Route[];
  /** Ends every subscription. New ones are rejected. */
  close(): void;
}

/**
 * GraphQL over HTTP: GET for queries and, in a browser, for the console; POST for all operations. Errors of an operation have
 * status 200. Payloads of subscriptions are sent as parts of a multipart response or as server-sent events.
 */
export function openGraphql(options: GraphqlOptions): Graphql {
  const server: Server = {
    documents: options.documents ?? createDocuments(),
    load: new RequestLoad(),
    subscriptions: new OpenSubscriptions(options.subscriptionLimits),
    options,
  };
  return { routes: graphqlRoutes(server), close: () => server.subscriptions.close() };
}

/** Documents of the schema, none compiled yet. */
export const createDocuments = (): CompiledDocuments => new CompiledDocuments(createSchema());

function graphqlRoutes(server: Server): Route[] {
  const { options } = server;
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
        const allowed = ['query', 'mutation', 'subscription'] as const;
        const response = await answer(request, await readPost(request, server.load.slices), allowed, server);
        return wantsEventStream(request.header('accept')) ? toEventStream(response) : response;
      },
    },
  ];
}

/** A browser that follows a link to a query expects its JSON response. Tools that accept anything expect the console without one. */
const wantsConsole = (request: HttpRequest): boolean =>
  /text\/html|\*\/\*/.test(request.header('accept') ?? '') && !new URLSearchParams(request.query).has('query');

async function answer(
  httpRequest: HttpRequest,
  request: GraphqlRequest | Rejection,
  allowed: readonly `${OperationTypeNode}`[],
  server: Server,
): Promise<HttpResponse> {
  const { signal, caller, clientAddress } = httpRequest;
  const { documents, load, options } = server;
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
  if (isReadOnly && compiled.operation !== 'query') {
    return errorsResponse(200, [formattedError('READ_ONLY', 'Application is read-only')]);
  }
  const tooLong = compiled.checkLists(variables);
  if (tooLong) return errorsResponse(200, toFormattedErrors([tooLong], { log, document: query }));
  const { least, most } = compiled.estimateCost(variables);
  if (least > GRAPHQL_COST_MAX) return errorsResponse(200, [formattedError('QUERY_TOO_COSTLY', tooCostly(least))]);
  // What the data adds is counted while lists are built, and ends there. So no request has a cost above the maximum.
  const cost = Math.min(most, GRAPHQL_COST_MAX);
  if (compiled.subscribe) {
    return subscribe(httpRequest, { compiled: compiled.subscribe(variables), variables, cost, query }, server);
  }

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

async function subscribe(
  request: HttpRequest,
  { query, ...operation }: Pick<SubscriptionRequest, 'compiled' | 'variables' | 'cost'> & { readonly query: string },
  { load, subscriptions, options }: Server,
): Promise<HttpResponse> {
  const { domainFor, replicaReads, log, isReadOnly, storageLock, storage } = options;
  const form = acceptedForm(request.header('accept'));
  if (form === undefined) {
    return errorsResponse(406, [
      formattedError(
        'REQUEST_INVALID',
        'A subscription is sent as multipart/mixed or text/event-stream; accept one of them.',
      ),
    ]);
  }
  const { caller, clientAddress } = request;
  const formatErrors = (errors: readonly GraphQLError[], signal?: AbortSignal) =>
    toFormattedErrors(errors, { log, document: query, ...(signal && { signal }) });
  try {
    return await answerSubscription({
      ...operation,
      ...{ request, form, load, subscriptions, formatErrors },
      context: { domain: domainFor(caller, clientAddress), isReadOnly, storageLock, storage },
      beforeEnd: async () => replicaReads?.afterWrites(caller),
    });
  } catch (error) {
    return errorsResponse(200, formatErrors(toErrors(error)));
  }
}

const tooCostly = (cost: number): string =>
  `Query is too costly: it may resolve at most ${GRAPHQL_COST_MAX} fields, and its arguments and aliases request at least ${cost}; request fewer objects or fields at a time`;

const errorsResponse = (status: number, errors: readonly GraphQLFormattedError[]): HttpResponse =>
  jsonTextResponse(status, JSON.stringify({ data: null, errors }));
