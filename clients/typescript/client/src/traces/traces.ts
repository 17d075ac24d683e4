import { annotating, noting } from '../annotations/annotating.ts';
import { type AnnotationContent, requireText, toList, toTimeText } from '../annotations/annotation.ts';
import { bodyOf, type CallOptions, clientOf } from '../client.ts';
import type { Trace } from '../generated/api.ts';
import { ArgumentError } from '../http/errors.ts';
import { List } from '../pages/list.ts';
import { type ProjectArgument, toProjectIdentifier } from '../projects/project-selector.ts';

export type { Trace };

/** An annotation of a trace. */
export interface TraceAnnotationInput extends AnnotationContent {
  readonly traceId: string;
}

/** Which traces are read, and in which order. */
export interface TraceFilter {
  readonly startTime?: Date | string | null;
  readonly endTime?: Date | string | null;
  readonly sort?: 'start_time' | 'latency_ms';
  readonly order?: 'asc' | 'desc';
  readonly includeSpans?: boolean;
  readonly sessionId?: readonly string[] | string | null;
  /** True: traces with a span that failed. False: those without. */
  readonly error?: boolean;
  /** Bounds are part of the range. */
  readonly minLatencyMs?: number;
  readonly maxLatencyMs?: number;
}

/**
 * Traces of a project. `await` gives `{ traces, nextCursor }` of one page, `for await` the traces of all pages.
 *
 * @param limit Rows of a page.
 */
export function getTraces({
  client,
  signal,
  project,
  cursor: start,
  limit = 100,
  ...filter
}: CallOptions &
  TraceFilter & {
    readonly project?: ProjectArgument;
    readonly cursor?: string | null;
    readonly limit?: number;
  }): List<Trace, { traces: Trace[]; nextCursor: string | null }> {
  const read = async (cursor = start ?? undefined) => {
    const server = clientOf(client);
    const path = { project_identifier: toProjectIdentifier(project, server) };
    const query = { ...toTraceQuery(filter), limit, cursor };
    const call = server.GET('/v1/projects/{project_identifier}/traces', { params: { path, query }, signal });
    const { data, next_cursor: next } = await bodyOf(call);
    return { items: data, nextCursor: next };
  };
  return new List(read, async (list) => {
    const { items, nextCursor } = await list.page(start);
    return { traces: items, nextCursor };
  });
}

function toTraceQuery({
  startTime,
  endTime,
  sort,
  order,
  includeSpans,
  sessionId,
  error,
  minLatencyMs,
  maxLatencyMs,
}: TraceFilter) {
  if ((minLatencyMs ?? 0) < 0 || (maxLatencyMs ?? 0) < 0) throw new ArgumentError('A latency must not be negative.');
  if ((minLatencyMs ?? 0) > (maxLatencyMs ?? Number.POSITIVE_INFINITY)) {
    throw new ArgumentError(`minLatencyMs ${minLatencyMs} is above maxLatencyMs ${maxLatencyMs}.`);
  }
  return {
    start_time: toTimeText(startTime, 'startTime'),
    end_time: toTimeText(endTime, 'endTime'),
    sort,
    order,
    include_spans: includeSpans,
    session_identifier: toList(sessionId),
    error,
    min_latency_ms: minLatencyMs,
    max_latency_ms: maxLatencyMs,
  };
}

const traceAnnotations = annotating(
  'traceAnnotations',
  ({ traceId }: TraceAnnotationInput) => ({ trace_id: requireText(traceId, 'traceId') }),
  (server, options) => server.POST('/v1/trace_annotations', options),
);
/** Annotates a trace. With `sync` the annotation is stored before this returns its ID; else the result is null. */
export const addTraceAnnotation = traceAnnotations.add;
/** Annotates traces. With `sync` the IDs of the annotations in order, else an empty list. */
export const logTraceAnnotations = traceAnnotations.log;

/** Adds a note to a trace. Notes with the same identifier replace each other. */
export const addTraceNote = noting(
  'traceNote',
  ({ traceId }: { readonly traceId: string; readonly note: string; readonly identifier?: string }) => ({
    trace_id: requireText(traceId, 'traceId'),
  }),
  (server, options) => server.POST('/v1/trace_notes', options),
);

/** Deletes a trace by its OpenTelemetry or global ID. */
export async function deleteTrace({
  client,
  signal,
  traceIdentifier,
}: CallOptions & { readonly traceIdentifier: string }): Promise<void> {
  const path = { trace_identifier: requireText(traceIdentifier, 'traceIdentifier') };
  await clientOf(client).DELETE('/v1/traces/{trace_identifier}', { params: { path }, signal });
}
