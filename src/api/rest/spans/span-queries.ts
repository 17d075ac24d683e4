import { randomUUID } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import type { ExactJson } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { SPAN_QUERY_COUNT_MAX } from '../../../model/limits/reads.ts';
import { isJsonObject } from '../../../model/spans/nested-attributes.ts';
import { clampToSpanTime, type DateTime as DateTimeValue } from '../../../model/time/datetime.ts';
import type { Domain } from '../../../domain/domain.ts';
import type { SpanTableQuery } from '../../../domain/spans/tables/query-spans.ts';
import type { Table } from '../../../domain/spans/tables/table.ts';
import { errorTextResponse } from '../../../server/error-response.ts';
import { type HttpResponse, textResponse } from '../../../server/route.ts';
import { defineRoute, OtherAnswer, type RestRoute, type RouteDescription } from '../define-route.ts';
import { DateTime, JsonObject, Nullable } from '../schema.ts';
import { toArrowPages } from './arrow-pages.ts';
import { toTableArrow } from './table-arrow.ts';
import { toTableJson } from './table-json.ts';

const PROJECT_NAME = { description: 'Name of the project.' };

const Projection = (description: string) => Type.Optional(Nullable(JsonObject({ description })));

/** Shape of the body. The contents of a field are checked below, with errors in the form `Invalid query: …`. */
const SpanQuery = Type.Object({
  select: Projection('Columns, each as `{"key": …}`.'),
  filter: Projection('`{"condition": …}`'),
  explode: Projection('A list whose elements become rows: `{"key": …, "kwargs": …, "primary_index_key": …}`.'),
  concat: Projection('A list whose texts are joined: `{"key": …, "kwargs": …, "separator": …}`.'),
  rename: Projection('New names of columns.'),
  index: Projection('`{"key": …}`'),
});

const SpanQueries = Type.Object(
  {
    queries: Type.Array(SpanQuery, {
      maxItems: SPAN_QUERY_COUNT_MAX,
      description: 'Queries. Each makes a table.',
    }),
    start_time: Type.Optional(
      Nullable(DateTime({ description: 'Start at or after this time. Without an offset it is UTC.' })),
    ),
    end_time: Type.Optional(Nullable(DateTime({ description: 'Start before this time.' }))),
    stop_time: Type.Optional(Nullable(DateTime({ description: 'The old name of `end_time`.', deprecated: true }))),
    limit: Type.Integer({ default: 1000, description: 'Maximum number of spans of each table. Negative for all.' }),
    root_spans_only: Type.Optional(Nullable(Type.Boolean())),
    orphan_span_as_root_span: Type.Optional(
      Nullable(Type.Boolean({ description: 'A span whose parent is not stored counts as a root. Default true.' })),
    ),
    project_name: Type.Optional(Nullable(Type.String(PROJECT_NAME))),
  },
  { $id: 'SpanQueries' },
);

const QUERY_EXAMPLE = {
  queries: [{ select: { model: { key: 'llm.model_name' } }, filter: { condition: "span_kind == 'LLM'" } }],
  limit: 100,
};

/** Tables of spans, for dataframes. */
export const spanQueryRoutes = (): RestRoute[] => [
  spanQueryRoute({ method: 'POST', access: 'query', operationId: 'querySpans' }),
  spanQueryRoute({ method: 'GET', access: 'viewer', operationId: 'querySpansByGet', isDeprecated: true }),
];

const spanQueryRoute = (
  operation: Pick<RouteDescription, 'method' | 'access' | 'operationId' | 'isDeprecated'>,
): RestRoute =>
  defineRoute({
    ...operation,
    path: '/v1/spans',
    tag: 'spans',
    summary: 'Query tables of spans',
    description:
      'A table for each query. With `Accept: application/json` each is a part of `multipart/mixed`, in the JSON dialect ' +
      '"table schema", whose columns have a position and a name. Otherwise they are streams of Arrow\'s IPC format, ' +
      'one after the other, with structured values as JSON text (the extension `arrow.json`). A query may `select` keys, `filter` by a condition, `explode` a list into rows, `concat` the ' +
      'texts of a list, and `rename` columns; without any of them the table has all fields of spans. ' +
      `With \`Accept: ${ARROW_PAGES}\`, one query is answered page by page, with any number of spans in constant memory ` +
      '(`limit: -1` for all): streams of Arrow, one after the other, each with the columns of the ones before or more.',
    query: Type.Object({
      project_name: Type.Optional(Type.String(PROJECT_NAME)),
      'project-name': Type.Optional(Type.String({ ...PROJECT_NAME, deprecated: true })),
    }),
    body: SpanQueries,
    bodyExample: QUERY_EXAMPLE,
    success: { status: 200, description: 'The tables, as parts of `multipart/mixed` or as streams of Arrow.' },
    errors: { 404: 'Not Found', 422: 'Invalid query: <reason>' },
    async handle({ domain, query, body, header, signal }) {
      if (body.queries.length === 0) return new OtherAnswer(textResponse(404, 'Not Found'));
      try {
        const selection: SpanTableQuery = {
          projectName:
            query.project_name ?? query['project-name'] ?? header('project-name') ?? body.project_name ?? 'default',
          queries: body.queries.map(toQuery),
          limit: body.limit,
          roots: body.root_spans_only ? rootRule(body.orphan_span_as_root_span) : undefined,
          startTimeUnixNano: toUnixNano(body.start_time),
          endTimeUnixNano: toUnixNano(body.end_time ?? body.stop_time),
        };
        if (header('accept') === ARROW_PAGES) return new OtherAnswer(await toPages(domain, selection, signal));
        const tables = await domain.spans.query(selection, { readClass: 'api', signal });
        return new OtherAnswer(header('accept') === 'application/json' ? toMultipart(tables) : toArrow(tables));
      } catch (error) {
        if (!isInvalid(error)) throw error;
        return new OtherAnswer(errorTextResponse(error.code, `Invalid query: ${error.message}`));
      }
    },
  });

/** Content type of streams that are written page by page. */
const ARROW_PAGES = 'application/vnd.spandrel.arrow-pages';

/** The first page is read before the status is sent, so that its errors determine it. */
async function toPages(
  domain: Domain,
  { queries, ...selection }: SpanTableQuery,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const [query, ...others] = queries;
  if (query === undefined || others.length > 0) invalid(`${ARROW_PAGES} takes one query, not ${queries.length}`);
  const chunks = toArrowPages(await domain.spans.streamTable({ ...selection, query }, signal));
  const first = await chunks.next();
  return { status: 200, headers: { 'content-type': ARROW_PAGES }, body: withFirst(first, chunks) };
}

async function* withFirst(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

const rootRule = (takesOrphans: boolean | null | undefined) => (takesOrphans === false ? 'parentless' : 'orphansToo');

const toUnixNano = (time: DateTimeValue | null | undefined): bigint | undefined =>
  time ? clampToSpanTime(time.unixNano) : undefined;

const isInvalid = (error: unknown): error is SpandrelError =>
  error instanceof SpandrelError && (error.code === 'FILTER_INVALID' || error.code === 'QUERY_INVALID');

function toMultipart(tables: readonly Table[]): HttpResponse {
  const boundary = randomUUID();
  async function* parts() {
    for (const table of tables) {
      yield Buffer.from(`--${boundary}\r\nContent-Type: application/json\r\n\r\n`);
      for await (const chunk of toTableJson(table)) yield Buffer.from(chunk);
      yield Buffer.from('\r\n');
    }
    yield Buffer.from(`--${boundary}--\r\n`);
  }
  return { status: 200, headers: { 'content-type': `multipart/mixed; boundary=${boundary}` }, body: parts() };
}

function toArrow(tables: readonly Table[]): HttpResponse {
  async function* streams() {
    for (const table of tables) yield* toTableArrow(table);
  }
  return { status: 200, headers: { 'content-type': 'application/x-pandas-arrow' }, body: streams() };
}

type Query = SpanTableQuery['queries'][number];

/** @throws {SpandrelError} `QUERY_INVALID` for a value that is not a query */
function toQuery({ select, filter, explode, concat, rename, index }: Static<typeof SpanQuery>): Query {
  return {
    ...(present(select) && { select: mapObject('select', select, (one, name) => keyOf(`select.${name}`, one)) }),
    ...(present(filter) && { condition: conditionOf(filter) }),
    ...(present(explode) && {
      explode: {
        ...listOf('explode', explode),
        primaryIndexKey:
          textOr('explode.primary_index_key', fieldsOf('explode', explode).primary_index_key) ?? 'context.span_id',
      },
    }),
    ...(present(concat) && {
      concat: {
        ...listOf('concat', concat),
        separator: textOr('concat.separator', fieldsOf('concat', concat).separator) ?? '\n\n',
      },
    }),
    ...(present(rename) && { rename: mapObject('rename', rename, (one, name) => textOf(`rename.${name}`, one)) }),
    ...(present(index) && { index: keyOf('index', index) }),
  };
}

const present = (value: ExactJson | undefined): value is NonNullable<ExactJson> =>
  value !== undefined && value !== null;

function listOf(what: string, value: ExactJson): { key: string; columns?: Record<string, string> } {
  const { kwargs } = fieldsOf(what, value);
  const key = keyOf(what, value);
  if (!present(kwargs) || Object.keys(kwargs).length === 0) return { key };
  return { key, columns: mapObject(`${what}.kwargs`, kwargs, (path, name) => textOf(`${what}.kwargs.${name}`, path)) };
}

function conditionOf(filter: ExactJson): string {
  return textOr('filter.condition', fieldsOf('filter', filter).condition) ?? '';
}

const keyOf = (what: string, value: ExactJson): string => textOf(`${what}.key`, fieldsOf(what, value).key);

const fieldsOf = (what: string, value: ExactJson) =>
  isJsonObject(value) ? value : invalid(`${what} must be an object`);

const textOr = (what: string, value: ExactJson | undefined): string | undefined =>
  present(value) ? textOf(what, value) : undefined;

const textOf = (what: string, value: ExactJson | undefined): string =>
  typeof value === 'string' ? value : invalid(`${what} must be a string`);

function mapObject(
  what: string,
  value: ExactJson,
  to: (value: ExactJson, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsOf(what, value)).map(([name, one]) => [name, to(one, name)]));
}

function invalid(reason: string): never {
  throw new SpandrelError('QUERY_INVALID', reason);
}
