import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { JsonSyntaxError } from '../../base/exact-json.ts';
import { expectPresent } from '../../base/expect-present.ts';
import type { Access } from '../../model/access/rights.ts';
import { BULK_JSON_BODY_BYTES_MAX, JSON_BODY_BYTES_MAX } from '../../model/limits/requests.ts';
import type { Domain } from '../../domain/domain.ts';
import { errorTextResponse } from '../../server/error-response.ts';
import { type HttpRequest, type HttpResponse, jsonTextResponse, type Route } from '../../server/route.ts';
import { withGlobalIds } from '../contract/error-texts.ts';
import { checkLater, compileCheck, compileField } from './check.ts';
import type { IdempotencyRule } from './idempotent-request.ts';
import { toIssueListText } from './issue-list.ts';
import { JsonStream, streamResponse } from './json-stream.ts';
import { type RequestBody, readBody, readQuery } from './read-request.ts';
import { addIssue, type Check, type ValidationContext, type ValidationIssue } from './validation.ts';

/**
 * A REST route. Its schemas define the validation of requests, the types of the handler and the page in `openapi.json`.
 */
export interface RouteDefinition<
  Path extends string,
  Query extends TObject,
  Body extends TSchema,
  Success extends TSchema,
> extends RouteDescription {
  readonly path: Path;
  readonly params?: Readonly<Record<ParamsOf<Path>, string>>;
  readonly query?: Query;
  readonly body?: Body;
  /** The body may be large, because it holds many items. */
  readonly isBulk?: boolean;
  /** The handler reads the body from `request`. Then `body` only describes it in `openapi.json`. */
  readonly rawBody?: Pick<Route, 'bodyBytesMax' | 'streaming'>;
  readonly success: SuccessDescription & { readonly schema?: Success };
  /** Returns the value of the success or its JSON text, and nothing for a 204. */
  handle(request: TypedRequest<Path, Query, Body>): Promise<Answer<Success>>;
}

export interface TypedRequest<Path extends string, Query extends TObject, Body extends TSchema> {
  readonly query: Static<Query>;
  readonly params: Readonly<Record<ParamsOf<Path>, string>>;
  readonly body: Static<Body>;
  readonly request: HttpRequest;
  /** The domain as the caller may use it. */
  readonly domain: Domain;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Fires when the client has disconnected. Reads take it. */
  readonly signal: AbortSignal;
}

/** Names of the `:name` segments of a path. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type Answer<Success extends TSchema> = Static<Success> | JsonText | TextStream | JsonStream | OtherAnswer;

/** A response that is not JSON. */
export class OtherAnswer {
  readonly response: HttpResponse;
  constructor(response: HttpResponse) {
    this.response = response;
  }
}

/** JSON text that the handler has written: the value of the success, or the object of an error with its status. */
export class JsonText {
  readonly text: string;
  readonly status: number | undefined;
  constructor(text: string, status?: number) {
    this.text = text;
    this.status = status;
  }
}

/** A response that is written while it is sent. An error after its start cuts the connection. */
export class TextStream {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<string>;
  constructor(headers: Readonly<Record<string, string>>, chunks: AsyncIterable<string>) {
    this.headers = headers;
    this.chunks = chunks;
  }
}

/** The parts of a route that its documentation shows. */
export interface RouteDescription {
  readonly method: Route['method'];
  /** Same as `Route.path`. */
  readonly path: string;
  readonly access: Access;
  readonly blockedWhenStorageFull?: boolean;
  /** Takes the header `Idempotency-Key`. Its response is not a stream and contains no secrets. */
  readonly idempotency?: IdempotencyRule;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Kept for old clients. */
  readonly isDeprecated?: true;
  /** Description of each `:name` of the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly bodyExample?: unknown;
  /** The body contains secrets, which no response repeats. */
  readonly hasSecretBody?: true;
  readonly success: SuccessDescription;
  /** Texts of the errors of the route, by status. */
  readonly errors?: Readonly<Record<number, string | JsonError>>;
}

export interface SuccessDescription {
  readonly status: 200 | 201 | 202 | 204;
  /** Content type of the response. `application/json` when absent. */
  readonly contentType?: string;
  readonly description: string;
  readonly schema?: TSchema;
  readonly example?: unknown;
}

/** An error whose body is an object. */
export interface JsonError {
  readonly description: string;
  readonly schema: TSchema;
}

/** A route for the listener, with its description for the documentation. */
export interface RestRoute extends Omit<Route, 'handle'> {
  readonly described: RouteDescription;
  /** @param domain The domain as the caller may use it. */
  handle(request: HttpRequest, domain: Domain): Promise<HttpResponse>;
}

export function defineRoute<
  const Path extends string,
  Query extends TObject,
  Body extends TSchema,
  Success extends TSchema,
>(definition: RouteDefinition<Path, Query, Body, Success>): RestRoute {
  const checkQuery = definition.query && compileQuery(definition.query);
  const { rawBody } = definition;
  const checkBody = definition.body && !rawBody ? compileCheck(definition.body) : undefined;
  return {
    method: definition.method,
    path: definition.path,
    access: definition.access,
    ...(definition.blockedWhenStorageFull && { blockedWhenStorageFull: true }),
    bodyBytesMax: definition.body ? (definition.isBulk ? BULK_JSON_BODY_BYTES_MAX : JSON_BODY_BYTES_MAX) : 0,
    ...rawBody,
    described: definition,
    async handle(request, domain) {
      const context: ValidationContext = { issues: [], loc: [], ...(definition.isBulk && { later: [] }) };
      const query = checkQuery?.(request.query, context);
      const body = checkBody && (await readChecked(request, checkBody, context));
      if (body === UNREADABLE) return errorTextResponse('BODY_MALFORMED', 'There was an error parsing the body');
      if (context.issues.length > 0) {
        return issuesResponse(definition.hasSecretBody ? context.issues.map(withoutInput) : context.issues);
      }
      const typed: TypedRequest<Path, Query, Body> = {
        // The checks return values of the types that the schemas describe, which their tests verify.
        query: query as Static<Query>,
        body: body as Static<Body>,
        params: request.params as Readonly<Record<ParamsOf<Path>, string>>,
        request,
        domain,
        header: (name) => request.header(name),
        signal: request.signal,
      };
      const answer = await definition.handle(typed).catch((error) => {
        throw withGlobalIds(error);
      });
      return toResponse(definition.success.status, answer);
    },
  };
}

const withoutInput = (issue: ValidationIssue): ValidationIssue => ({ ...issue, input: '***' });

const issuesResponse = (issues: readonly ValidationIssue[]): HttpResponse =>
  errorTextResponse('REQUEST_INVALID', `{"detail":${toIssueListText(issues)}}`, { 'content-type': 'application/json' });

const UNREADABLE = Symbol('unreadable');

/** The typed body, or `UNREADABLE`. When the body is not JSON, this is the only issue. */
async function readChecked(request: HttpRequest, check: Check, context: ValidationContext): Promise<unknown> {
  let body: RequestBody;
  try {
    body = await readBody(request);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    context.issues.length = 0;
    context.loc.push('body', error.offset);
    return addIssue(context, 'json_invalid', 'JSON decode error', {}, { error: error.message });
  }
  if (body.kind === 'unreadable') return UNREADABLE;
  context.loc.push('body');
  if (body.kind === 'absent') return addIssue(context, 'missing', 'Field required', null);
  const checked = check(body.kind === 'json' ? body.value : body.beginning, context);
  await checkLater(context);
  return checked;
}

/** Checks the parameters that the schema names and ignores others. A list takes every value, any other type the last. */
function compileQuery(schema: TObject): (query: string, context: ValidationContext) => Record<string, unknown> {
  const fields = Object.entries(schema.properties).map(([name, field]) => ({
    name,
    isList: field.type === 'array',
    ...compileField(field),
  }));
  return (query, context) => {
    const values = readQuery(query);
    const checked: Record<string, unknown> = {};
    for (const { name, isList, check, whenAbsent, defaultValue } of fields) {
      const list = values.get(name);
      if (list === undefined) {
        if (whenAbsent === 'default') checked[name] = defaultValue;
        if (whenAbsent !== 'issue') continue;
      }
      context.loc.push('query', name);
      if (list === undefined) addIssue(context, 'missing', 'Field required', null);
      else checked[name] = check(isList ? list : expectPresent(list.at(-1), 'a given parameter has a value'), context);
      context.loc.length = 0;
    }
    return checked;
  };
}

function toResponse<Success extends TSchema>(
  status: number,
  answer: Answer<Success>,
): HttpResponse | Promise<HttpResponse> {
  if (answer instanceof JsonStream) return streamResponse(status, answer);
  if (answer instanceof OtherAnswer) return answer.response;
  if (answer instanceof JsonText) return jsonTextResponse(answer.status ?? status, answer.text);
  if (answer instanceof TextStream) return { status, headers: answer.headers, body: toBytes(answer.chunks) };
  return answer === undefined ? { status } : jsonTextResponse(status, JSON.stringify(answer));
}

async function* toBytes(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) if (text !== '') yield Buffer.from(text);
}
