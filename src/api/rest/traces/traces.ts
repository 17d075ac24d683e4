import { type Static, Type } from '@sinclair/typebox';
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import { FILTER_VALUE_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { SpanInTrace } from '../../../model/spans/span.ts';
import { formatUnixNano } from '../../../model/time/datetime.ts';
import type { Trace } from '../../../model/traces/trace.ts';
import { readSpansOfTraces, type SpansOfTrace } from '../../../domain/traces/read-spans-of-traces.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { toProjectRef, toRowRef } from '../../contract/parse-refs.ts';
import { cursorTo, rowIdOfCursor } from '../cursor.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { CHUNK_CHARS, JsonStream } from '../json-stream.ts';
import { PROJECT_NOT_FOUND, PROJECT_PARAM } from '../projects/projects.ts';
import { BoundedLimit, Cursor, DateTimeText, ExactFloat, Nullable, OneOf, PageOf } from '../schema.ts';
import { TIME_WINDOW, toTimeWindow } from '../spans/span-filters.ts';

const SpanOfTrace = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    span_id: Type.String(),
    parent_id: Nullable(Type.String()),
    name: Type.String(),
    span_kind: OneOf(SPAN_KINDS),
    status_code: OneOf(STATUS_CODES),
    start_time: DateTimeText(),
    end_time: DateTimeText(),
  },
  { $id: 'SpanOfTrace' },
);

const TraceJson = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    trace_id: Type.String(),
    project_id: Type.String(),
    start_time: DateTimeText(),
    end_time: DateTimeText(),
    token_count_prompt: Type.Integer({ description: 'Prompt tokens of its LLM spans.' }),
    token_count_completion: Type.Integer(),
    token_count_total: Type.Integer(),
    spans: Nullable(Type.Array(SpanOfTrace), { description: 'Spans by start time. Null unless `include_spans`.' }),
  },
  { $id: 'Trace' },
);

const TRACE_EXAMPLE: Static<typeof TraceJson> = {
  id: 'VHJhY2U6Nw==',
  trace_id: '8be60e2a3a2bb4c7a5fa0d6ab56a4e4b',
  project_id: 'UHJvamVjdDox',
  start_time: '2026-01-15T09:30:00.125000+00:00',
  end_time: '2026-01-15T09:30:01+00:00',
  token_count_prompt: 9,
  token_count_completion: 12,
  token_count_total: 21,
  spans: null,
};

export const traceRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:project_identifier/traces',
    access: 'viewer',
    operationId: 'listTraces',
    tag: 'traces',
    summary: 'List traces',
    params: PROJECT_PARAM,
    query: Type.Object({
      ...TIME_WINDOW,
      sort: OneOf(['start_time', 'latency_ms'], { default: 'start_time' }),
      order: OneOf(['asc', 'desc'], { default: 'desc' }),
      limit: BoundedLimit,
      cursor: Cursor,
      include_spans: Type.Boolean({ default: false, description: 'Also list the spans of each trace.' }),
      error: Type.Optional(Type.Boolean({ description: 'Only traces with a failed span, or only those without.' })),
      min_latency_ms: Type.Optional(ExactFloat({ description: 'Minimum duration.' })),
      max_latency_ms: Type.Optional(ExactFloat({ description: 'Maximum duration.' })),
      session_identifier: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Only traces of these sessions: global IDs or session IDs of the application.',
          maxItems: FILTER_VALUE_COUNT_MAX,
        }),
      ),
    }),
    success: {
      status: 200,
      description: 'One page of traces.',
      schema: PageOf(TraceJson),
      example: { data: [TRACE_EXAMPLE], next_cursor: null },
    },
    errors: { 404: PROJECT_NOT_FOUND, 422: 'Invalid cursor format: <cursor>' },
    async handle({ domain, params, query, signal }) {
      const fromRowId = rowIdOfCursor(query.cursor, `Invalid cursor format: ${query.cursor}`);
      const project = await domain.projects.get(toProjectRef(params.project_identifier));
      const { items, nextRowId } = await domain.spans.findTraces(
        {
          projectId: project.rowId,
          ...toTimeWindow(query),
          ...(query.session_identifier && {
            sessions: query.session_identifier.map((identifier) => toRowRef('ProjectSession', identifier)),
          }),
          ...(query.error !== undefined && { hasError: query.error }),
          ...(query.min_latency_ms !== undefined && { latencyMsMin: Number(query.min_latency_ms) }),
          ...(query.max_latency_ms !== undefined && { latencyMsMax: Number(query.max_latency_ms) }),
          sort: query.sort === 'latency_ms' ? 'latency' : 'startTime',
          order: query.order,
          limit: query.limit,
          ...(fromRowId !== undefined && { fromRowId }),
        },
        { signal },
      );
      const next_cursor = cursorTo('Trace', nextRowId);
      if (!query.include_spans) return { data: items.map(toJson), next_cursor };
      return new JsonStream(withSpans(readSpansOfTraces(domain.spans, items, { signal }), next_cursor));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/traces/:trace_identifier',
    access: 'member',
    operationId: 'deleteTrace',
    tag: 'traces',
    summary: 'Delete a trace with its spans',
    description: 'Its session stays, even without traces. Spans of the trace that arrive later create it again.',
    params: { trace_identifier: 'Global ID, or trace ID of OpenTelemetry.' },
    success: { status: 204, description: 'The trace is deleted.' },
    errors: { 404: "Trace with trace_id '<id>' not found" },
    handle: ({ domain, params }) => domain.traces.delete(toRowRef('Trace', params.trace_identifier)),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/traces/transfer',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'transferTraces',
    tag: 'traces',
    summary: 'Move traces of one project to another',
    description: 'Moves all of them or none. Their sessions stay in their project.',
    body: Type.Object({
      trace_identifiers: Type.Array(Type.String(), {
        minItems: 1,
        description: 'Global IDs or OpenTelemetry trace IDs.',
      }),
      destination_project_identifier: Type.String(),
    }),
    success: {
      status: 200,
      description: 'The traces were moved.',
      schema: Type.Object({
        data: Type.Object({ transferred_trace_count: Type.Integer(), destination_project_id: Type.String() }),
      }),
      example: { data: { transferred_trace_count: 2, destination_project_id: 'UHJvamVjdDoy' } },
    },
    errors: { 404: 'One or more traces not found', 422: 'Cannot transfer traces from multiple projects' },
    async handle({ domain, body }) {
      const { count, projectId } = await domain.traces.transferNamed(
        body.trace_identifiers.map((identifier) => toRowRef('Trace', identifier)),
        toProjectRef(body.destination_project_identifier),
      );
      return {
        data: { transferred_trace_count: count, destination_project_id: toGlobalId('Project', projectId) },
      };
    },
  }),
];

/** Text of a page whose traces include their spans, which are read in chunks. */
async function* withSpans(chunks: AsyncIterable<SpansOfTrace[]>, nextCursor: string | null): AsyncGenerator<string> {
  let text = '{"data":[';
  let isFirstTrace = true;
  let isFirstSpan = true;
  for await (const chunk of chunks) {
    for (const { trace, spans, isLast } of chunk) {
      if (isFirstSpan) text += `${isFirstTrace ? '' : ','}${JSON.stringify(toJson(trace)).replace(/null}$/, '[')}`;
      isFirstTrace = false;
      for (const span of spans) {
        text += `${isFirstSpan ? '' : ','}${JSON.stringify(toSpanJson(span))}`;
        isFirstSpan = false;
      }
      if (!isLast) continue;
      text += ']}';
      isFirstSpan = true;
    }
    if (text.length < CHUNK_CHARS) continue;
    yield text;
    text = '';
  }
  yield `${text}],"next_cursor":${JSON.stringify(nextCursor)}}`;
}

const toJson = (trace: Trace): Static<typeof TraceJson> => ({
  id: toGlobalId('Trace', trace.rowId),
  trace_id: trace.traceId,
  project_id: toGlobalId('Project', trace.projectId),
  start_time: formatUnixNano(trace.startTimeUnixNano),
  end_time: formatUnixNano(trace.endTimeUnixNano),
  token_count_prompt: trace.tokensPrompt,
  token_count_completion: trace.tokensCompletion,
  token_count_total: trace.tokensPrompt + trace.tokensCompletion,
  // Must be the last field, because `withSpans` replaces its value.
  spans: null,
});

const toSpanJson = (span: SpanInTrace): Static<typeof SpanOfTrace> => ({
  id: toGlobalId('Span', span.rowId),
  span_id: span.spanId,
  parent_id: span.parentSpanId,
  name: span.name,
  span_kind: span.spanKind,
  status_code: span.statusCode,
  start_time: formatUnixNano(span.startTimeUnixNano),
  end_time: formatUnixNano(span.endTimeUnixNano),
});
