import { OptionalKind, type TSchema, Type } from '@sinclair/typebox';
import { IDEMPOTENCY_KEY_CHARS_MAX } from '../../model/limits/requests.ts';
import type { JsonError, RouteDescription } from './define-route.ts';

/** The part of OpenAPI 3.1 that is used: https://spec.openapis.org/oas/v3.1.0 */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;
export type JsonSchema = { readonly [key: string]: unknown };

const ValidationIssuesJson = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        type: Type.String({ description: 'Type of the problem: `missing`, `int_parsing`, `string_type` …' }),
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
          description: '`query`, `path` or `body`, then the keys and indices that lead to the value.',
        }),
        msg: Type.String(),
        input: Type.Unknown({ description: 'The received value.' }),
        ctx: Type.Optional(Type.Object({}, { additionalProperties: true })),
      }),
    ),
  },
  { $id: 'ValidationError' },
);

/** Describes routes in their order. */
export function toOpenApi(routes: readonly RouteDescription[], version: string): OpenApiDocument {
  const schemas = new Map<string, JsonSchema>();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Spandrel',
      version,
      description:
        'Traces of applications built on language models. Errors are plain text unless a schema says otherwise. The header `x-spandrel-error-code` of an error has its code.',
    },
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) },
  };
}

function toOperation(route: RouteDescription, schemas: Map<string, JsonSchema>): Operation {
  const parameters = [...pathParameters(route), ...queryParameters(route, schemas), ...headerParameters(route)];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.isDeprecated && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: { required: true, content: jsonContent(route.body, route.bodyExample, schemas) },
    }),
    responses: toResponses(route, schemas),
  };
}

const pathParameters = (route: RouteDescription): Parameter[] =>
  Object.entries(route.params ?? {}).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }));

const queryParameters = (route: RouteDescription, schemas: Map<string, JsonSchema>): Parameter[] =>
  Object.entries<TSchema>(route.query?.properties ?? {}).map(([name, field]) => {
    const { description, ...schema } = toJsonSchema(field, schemas);
    return {
      name,
      in: 'query',
      required: isRequired(field),
      ...(typeof description === 'string' && { description }),
      schema,
    };
  });

const headerParameters = ({ idempotency }: RouteDescription): Parameter[] =>
  idempotency === undefined ? [] : [idempotency === 'once' ? KEY_OF_ONCE : KEY_OF_REPEATABLE];

const keyParameter = (lostRequest: string): Parameter => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A new random key for each request, and the same key when the request is sent again. The request is executed once; for 24 hours a repeated one gets the first response, with \`Idempotency-Replayed: true\`. Another path, query or body with the same key gets 422, and 409 with \`Retry-After\` says that the first request is still running. Responses from 500, 401, 403, 408 and 429 are not repeated. ${lostRequest}`,
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_CHARS_MAX },
});
const KEY_OF_ONCE = keyParameter(
  'If the server was killed while it executed the request, a repeated one gets 409 without `Retry-After`, because the outcome is unknown.',
);
const KEY_OF_REPEATABLE = keyParameter(
  'If the server was killed while it executed the request, a repeated one is executed again, which stores nothing twice.',
);

function toResponses(route: RouteDescription, schemas: Map<string, JsonSchema>): Operation['responses'] {
  const { status, description, schema, example, contentType } = route.success;
  const responses: Record<string, { description: string; content?: Content }> = {
    [status]: {
      description,
      ...(schema && { content: jsonContent(schema, example, schemas) }),
      ...(contentType && { content: { [contentType]: { schema: { type: 'string' } } } }),
    },
  };
  for (const [code, error] of Object.entries(route.errors ?? {})) responses[code] = toErrorResponse(error, schemas);
  if (route.query || route.body) {
    const own = responses['422'];
    responses['422'] = {
      description: own?.content ? `${own.description}, or an error in the request.` : 'The errors in the request.',
      content: { ...jsonContent(ValidationIssuesJson, undefined, schemas), ...own?.content },
    };
  }
  return responses;
}

const toErrorResponse = (error: string | JsonError, schemas: Map<string, JsonSchema>) =>
  typeof error === 'string'
    ? { description: error, content: { 'text/plain': { schema: { type: 'string' }, example: error } } }
    : { description: error.description, content: jsonContent(error.schema, undefined, schemas) };

const jsonContent = (schema: TSchema, example: unknown, schemas: Map<string, JsonSchema>): Content => ({
  'application/json': { schema: toJsonSchema(schema, schemas), ...(example !== undefined && { example }) },
});

/** The schema as JSON. A schema with an `$id` is moved to `schemas` and replaced by a reference. */
function toJsonSchema(schema: TSchema, schemas: Map<string, JsonSchema>): JsonSchema {
  const { $id: name, properties, items, anyOf, required: _, ...rest } = schema as TSchema & Record<string, unknown>;
  const fields = Object.entries((properties ?? {}) as Record<string, TSchema>);
  const required = fields.filter(([, field]) => isRequired(field)).map(([key]) => key);
  const printed = {
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(fields.map(([key, field]) => [key, toJsonSchema(field, schemas)])),
    }),
    ...(required.length > 0 && { required }),
    ...(items !== undefined && { items: toJsonSchema(items as TSchema, schemas) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as TSchema[]).map((option) => toJsonSchema(option, schemas)) }),
  };
  if (typeof name !== 'string') return printed;
  schemas.set(name, printed);
  return { $ref: `#/components/schemas/${name}` };
}

const isRequired = (field: TSchema): boolean => !(OptionalKind in field) && !('default' in field);
