import { type Static, Type } from '@sinclair/typebox';
import type { Page } from '../../../model/page.ts';
import type { Span } from '../../../model/spans/span.ts';
import type { CreatedSpans } from '../../../domain/spans/create-spans.ts';
import type { NewSpan } from '../../../domain/spans/new-span.ts';
import { toProjectRef, toRowRef } from '../../contract/parse-refs.ts';
import { cursorTo } from '../cursor.ts';
import { defineRoute, JsonText, type RestRoute } from '../define-route.ts';
import { JsonStream, listChunks } from '../json-stream.ts';
import { PROJECT_NOT_FOUND, PROJECT_PARAM } from '../projects/projects.ts';
import { DateTime, JsonObject, Nullable, PageOf, Ruled } from '../schema.ts';
import { OtlpSpanJson, toOtlpSpanText } from './otlp-span-json.ts';
import { SPAN_FILTERS, SPAN_KIND_FILTER, toSpanQuery } from './span-filters.ts';
import { SpanJson, toSpanText } from './span-json.ts';

const NAIVE = 'timezone-naive timestamp is not allowed; all timestamps must be timezone-aware (e.g., use UTC).';

const NewSpanEventJson = Ruled(
  Type.Object({ name: Type.String(), timestamp: DateTime(), attributes: JsonObject({ default: {} }) }),
  ({ timestamp }) => (timestamp.isNaive ? `timestamp: ${NAIVE}` : undefined),
);

const NewSpanJson = Ruled(
  Type.Object(
    {
      name: Type.String(),
      context: Type.Object({ trace_id: Type.String(), span_id: Type.String() }),
      span_kind: Type.String({ description: 'A span kind of OpenInference. Any other text stays in the attributes.' }),
      parent_id: Type.Optional(Nullable(Type.String())),
      start_time: DateTime({ description: 'With an offset or `Z`.' }),
      end_time: DateTime({ description: 'With an offset or `Z`.' }),
      status_code: Type.String({ description: '`OK`, `ERROR` or `UNSET`.' }),
      status_message: Type.String({ default: '' }),
      attributes: JsonObject({ default: {}, description: 'Dotted keys, nested objects, or both.' }),
      events: Type.Array(NewSpanEventJson, { default: [] }),
    },
    { $id: 'NewSpan' },
  ),
  ({ start_time: start, end_time: end }) =>
    start.isNaive ? `start_time: ${NAIVE}` : end.isNaive ? `end_time: ${NAIVE}` : undefined,
);

const Queued = Type.Object({ total_received: Type.Integer(), total_queued: Type.Integer() }, { $id: 'QueuedSpans' });

const SpanIdsJson = { span_id: Type.String(), trace_id: Type.String() };
const RejectedSpans = Type.Object(
  {
    error: Type.String(),
    total_received: Type.Integer(),
    total_queued: Type.Integer(),
    total_duplicates: Type.Integer(),
    total_invalid: Type.Integer(),
    duplicate_spans: Type.Array(Type.Object(SpanIdsJson)),
    invalid_spans: Type.Array(Type.Object({ ...SpanIdsJson, error: Type.String() })),
  },
  { $id: 'RefusedSpans' },
);

const SPAN_EXAMPLE = {
  name: 'chat',
  context: { trace_id: '8be60e2a3a2bb4c7a5fa0d6ab56a4e4b', span_id: '1f6bd3dd0a4f1a70' },
  span_kind: 'LLM',
  parent_id: null,
  start_time: '2026-01-15T09:30:00.125000+00:00',
  end_time: '2026-01-15T09:30:01+00:00',
  status_code: 'OK',
  status_message: '',
  attributes: { 'llm.model_name': 'm-1', 'input.value': 'Hello', 'llm.token_count.prompt': 9 },
  events: [],
};

export const spanRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:project_identifier/spans',
    access: 'viewer',
    operationId: 'listSpans',
    tag: 'spans',
    summary: 'List spans, last stored first',
    params: PROJECT_PARAM,
    query: Type.Object({ ...SPAN_FILTERS, ...SPAN_KIND_FILTER }),
    success: {
      status: 200,
      description: 'One page of spans.',
      schema: PageOf(SpanJson),
      example: { data: [{ id: 'U3BhbjoxMg==', ...SPAN_EXAMPLE }], next_cursor: null },
    },
    errors: { 404: PROJECT_NOT_FOUND, 422: 'Invalid cursor' },
    async handle({ domain, params, query, signal }) {
      const project = await domain.projects.get(toProjectRef(params.project_identifier));
      return toPage(await domain.spans.findSpans(toSpanQuery(project.rowId, query), { signal }), toSpanText);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:project_identifier/spans/otlpv1',
    access: 'viewer',
    operationId: 'listSpansAsOtlp',
    tag: 'spans',
    summary: 'List spans as OTLP, last stored first',
    params: PROJECT_PARAM,
    query: Type.Object(SPAN_FILTERS),
    success: { status: 200, description: 'One page of spans.', schema: PageOf(OtlpSpanJson) },
    errors: { 404: PROJECT_NOT_FOUND, 422: 'Invalid cursor' },
    async handle({ domain, params, query, signal }) {
      const project = await domain.projects.get(toProjectRef(params.project_identifier));
      return toPage(await domain.spans.findSpans(toSpanQuery(project.rowId, query), { signal }), toOtlpSpanText);
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/projects/:project_identifier/spans',
    access: 'send',
    blockedWhenStorageFull: true,
    idempotency: 'repeatable',
    operationId: 'createSpans',
    isBulk: true,
    tag: 'spans',
    summary: 'Store spans, all of them or none',
    description:
      'The spans are durable when the server responds, and listed within a second. A project that is given by its name is created when it does not exist.',
    params: PROJECT_PARAM,
    body: Type.Object({ data: Type.Array(NewSpanJson) }),
    bodyExample: { data: [SPAN_EXAMPLE] },
    success: {
      status: 202,
      description: 'The spans are durable.',
      schema: Queued,
      example: { total_received: 1, total_queued: 1 },
    },
    errors: {
      400: {
        description: 'A span ID is stored already, or a span cannot be stored. Nothing was stored.',
        schema: RejectedSpans,
      },
      404: 'Project with ID <id> not found',
    },
    async handle({ domain, params, body }) {
      const project = toProjectRef(params.project_identifier);
      const created = await domain.spans.create(project, body.data.map(toNewSpan));
      const total = body.data.length;
      return created.state === 'queued' ? { total_received: total, total_queued: total } : rejected(created, total);
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/spans/:span_identifier',
    access: 'member',
    operationId: 'deleteSpan',
    tag: 'spans',
    summary: 'Delete a span',
    description: 'Its children stay. The trace is deleted with its last span.',
    params: { span_identifier: 'Global ID, or span ID of OpenTelemetry.' },
    success: { status: 204, description: 'The span is deleted.' },
    errors: { 404: "Span with span_id '<id>' not found" },
    handle: ({ domain, params }) => domain.spans.delete(toRowRef('Span', params.span_identifier)),
  }),
];

const toPage = ({ items, nextRowId }: Page<Span>, toText: (span: Span) => string): JsonStream =>
  new JsonStream(
    listChunks('{"data":[', items, toText, `],"next_cursor":${JSON.stringify(cursorTo('Span', nextRowId))}}`),
  );

const toNewSpan = (span: Static<typeof NewSpanJson>): NewSpan => ({
  name: span.name,
  traceId: span.context.trace_id,
  spanId: span.context.span_id,
  parentId: span.parent_id ?? null,
  spanKind: span.span_kind,
  statusCode: span.status_code,
  statusMessage: span.status_message,
  startTimeUnixNano: span.start_time.unixNano,
  endTimeUnixNano: span.end_time.unixNano,
  attributes: span.attributes,
  events: span.events.map(({ name, timestamp, attributes }) => ({
    name,
    timeUnixNano: timestamp.unixNano,
    attributes,
  })),
});

/** 400, as JSON: public clients read the object, some of them only under that content type. */
function rejected({ duplicates, invalid }: CreatedSpans & { state: 'rejected' }, total: number): JsonText {
  const report: Static<typeof RejectedSpans> = {
    error: 'Request contains invalid or duplicate spans',
    total_received: total,
    total_queued: 0,
    total_duplicates: duplicates.length,
    total_invalid: invalid.length,
    duplicate_spans: duplicates.map(({ spanId, traceId }) => ({ span_id: spanId, trace_id: traceId })),
    invalid_spans: invalid.map(({ spanId, traceId, error }) => ({ span_id: spanId, trace_id: traceId, error })),
  };
  return new JsonText(JSON.stringify(report), 400);
}
