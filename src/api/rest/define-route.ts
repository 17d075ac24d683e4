import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { beginExactJsonText, type ExactJson, JsonSyntaxError, toExactJsonText } from '../../base/exact-json.ts';
import { BULK_JSON_BODY_BYTES_MAX, FAULT_INPUT_CHARS_MAX, JSON_BODY_BYTES_MAX } from '../../model/limits.ts';
import { withGlobalIds } from '../../model/row-error.ts';
import { errorTextResponse } from '../../server/error-response.ts';
import { type Access, type HttpRequest, type HttpResponse, jsonTextResponse, type Route } from '../../server/route.ts';
import { checkLater, compileCheck, compileField } from './check.ts';
import { addFault, type Check, type Fault, type Findings } from './findings.ts';
import { JsonStream, streamResponse } from './json-stream.ts';
import { type RequestBody, readBody, readQuery } from './read-request.ts';

/**
 * A REST route: its schemas give the check of what comes, the handler's types, and its page in `openapi.json`.
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
  /** The body holds many things at once, so that it may be large. */
  readonly isBulk?: boolean;
  /** The route reads the body itself, from `request`; `body` is then for the page in `openapi.json` alone. */
  readonly rawBody?: Pick<Route, 'bodyBytesMax' | 'streaming'>;
  readonly success: SuccessDescription & { readonly schema?: Success };
  /** Answers with the success's value or its JSON text; nothing for a 204. */
  handle(request: TypedRequest<Path, Query, Body>): Promise<Answer<Success>>;
}

export interface TypedRequest<Path extends string, Query extends TObject, Body extends TSchema> {
  readonly query: Static<Query>;
  readonly params: Readonly<Record<ParamsOf<Path>, string>>;
  readonly body: Static<Body>;
  readonly request: HttpRequest;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Fires when the caller is gone; reads take it. */
  readonly signal: AbortSignal;
}

/** Names of the `:name` segments of a path. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type Answer<Success extends TSchema> = Static<Success> | JsonText | TextStream | JsonStream | OtherAnswer;

/** An answer that is no JSON, as it goes out. */
export class OtherAnswer {
  readonly response: HttpResponse;
  constructor(response: HttpResponse) {
    this.response = response;
  }
}

/** JSON text that the handler has written itself: what `success` states, or an error's object with its status. */
export class JsonText {
  readonly text: string;
  readonly status: number | undefined;
  constructor(text: string, status?: number) {
    this.text = text;
    this.status = status;
  }
}

/** An answer that is written while it is sent. What throws once it has begun cuts the connection. */
export class TextStream {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<string>;
  constructor(headers: Readonly<Record<string, string>>, chunks: AsyncIterable<string>) {
    this.headers = headers;
    this.chunks = chunks;
  }
}

/** What documentation needs to know of a route. */
export interface RouteDescription {
  readonly method: Route['method'];
  /** As in `Route`. */
  readonly path: string;
  readonly access: Access;
  readonly growsStorage?: boolean;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Kept for old clients. */
  readonly isDeprecated?: true;
  /** What each `:name` of the path is. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly bodyExample?: unknown;
  readonly success: SuccessDescription;
  /** Texts of the errors that the route itself answers with, by status. */
  readonly errors?: Readonly<Record<number, string | JsonError>>;
}

export interface SuccessDescription {
  readonly status: 200 | 201 | 202 | 204;
  /** Of what comes; `application/json` as a rule. */
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

/** A route as the listener takes it, and as documentation does. */
export interface RestRoute extends Route {
  readonly described: RouteDescription;
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
    ...(definition.growsStorage && { growsStorage: true }),
    bodyBytesMax: definition.body ? (definition.isBulk ? BULK_JSON_BODY_BYTES_MAX : JSON_BODY_BYTES_MAX) : 0,
    ...rawBody,
    described: definition,
    async handle(request) {
      const findings: Findings = { faults: [], loc: [], ...(definition.isBulk && { later: [] }) };
      const query = checkQuery?.(request.query, findings);
      const body = checkBody && (await readChecked(request, checkBody, findings));
      if (body === UNREADABLE) return errorTextResponse('BODY_MALFORMED', 'There was an error parsing the body');
      if (findings.faults.length > 0) return faultsResponse(findings.faults);
      const handled = definition.handle({
        // The checks return what the schemas describe; that they do is what their tests show.
        query: query as Static<Query>,
        body: body as Static<Body>,
        params: request.params as Readonly<Record<ParamsOf<Path>, string>>,
        request,
        header: (name) => request.header(name),
        signal: request.signal,
      });
      const answer = await handled.catch((error) => {
        throw withGlobalIds(error);
      });
      return toResponse(definition.success.status, answer);
    },
  };
}

const faultsResponse = (faults: readonly Fault[]): HttpResponse =>
  errorTextResponse('REQUEST_INVALID', toFaultsJson(faults), { 'content-type': 'application/json' });

/** Body of a 422: every fault. */
function toFaultsJson(faults: readonly Fault[]): string {
  const items = faults.map(
    ({ type, loc, msg, input, ctx }) =>
      `{"type":${JSON.stringify(type)},"loc":${JSON.stringify(loc)},"msg":${JSON.stringify(msg)},` +
      `"input":${toShortJsonText(input)}${ctx ? `,"ctx":${toExactJsonText(ctx)}` : ''}}`,
  );
  return `{"detail":[${items.join(',')}]}`;
}

/** What came, as it came; when that is long, the beginning of its text. */
function toShortJsonText(input: ExactJson): string {
  const text = beginExactJsonText(input, FAULT_INPUT_CHARS_MAX);
  return text.length <= FAULT_INPUT_CHARS_MAX ? text : JSON.stringify(`${text.slice(0, FAULT_INPUT_CHARS_MAX)}…`);
}

const UNREADABLE = Symbol('unreadable');

/** The typed body, or `UNREADABLE`; a body that is no JSON makes every other fault moot. */
async function readChecked(request: HttpRequest, check: Check, findings: Findings): Promise<unknown> {
  let body: RequestBody;
  try {
    body = await readBody(request);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    findings.faults.length = 0;
    findings.loc.push('body', error.offset);
    return addFault(findings, 'json_invalid', 'JSON decode error', {}, { error: error.message });
  }
  if (body.kind === 'unreadable') return UNREADABLE;
  findings.loc.push('body');
  if (body.kind === 'absent') return addFault(findings, 'missing', 'Field required', null);
  const checked = check(body.kind === 'json' ? body.value : body.beginning, findings);
  await checkLater(findings);
  return checked;
}

/** Checks each parameter that the schema names; others are ignored. A list takes every value, all else the last. */
function compileQuery(schema: TObject): (query: string, findings: Findings) => Record<string, unknown> {
  const fields = Object.entries(schema.properties).map(([name, field]) => ({
    name,
    isList: field.type === 'array',
    ...compileField(field),
  }));
  return (query, findings) => {
    const values = readQuery(query);
    const checked: Record<string, unknown> = {};
    for (const { name, isList, check, whenAbsent, defaultValue } of fields) {
      const list = values.get(name);
      if (list === undefined) {
        if (whenAbsent === 'default') checked[name] = defaultValue;
        if (whenAbsent !== 'fault') continue;
      }
      findings.loc.push('query', name);
      if (list === undefined) addFault(findings, 'missing', 'Field required', null);
      else checked[name] = check(isList ? list : list.at(-1)!, findings);
      findings.loc.length = 0;
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
