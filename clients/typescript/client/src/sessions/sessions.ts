import { annotating, noting } from '../annotations/annotating.ts';
import { type AnnotationContent, requireText } from '../annotations/annotation.ts';
import { bodyOf, type CallOptions, clientOf } from '../client.ts';
import type { Session as SessionJson, Span } from '../generated/api.ts';
import { ArgumentError } from '../http/errors.ts';
import { type List, listAll } from '../pages/list.ts';
import { type ProjectArgument, toProjectIdentifier } from '../projects/project-selector.ts';
import { getSpans } from '../spans/spans.ts';

/** Traces that belong together, such as those of a conversation. Times are ISO texts. */
export interface Session {
  readonly id: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly traces: {
    readonly id: string;
    readonly traceId: string;
    readonly startTime: string;
    readonly endTime: string;
  }[];
}

/** Input and output of the root span of one trace of a session. */
export interface SessionTurn {
  readonly traceId: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly rootSpan?: Span;
  readonly input?: TurnValue;
  readonly output?: TurnValue;
}

/** A value of a root span, and what the span says of its type. */
export interface TurnValue {
  readonly value: unknown;
  readonly mimeType?: string;
}

/** An annotation of a session. */
export interface SessionAnnotationInput extends AnnotationContent {
  readonly sessionId: string;
}

const PAGE_ROW_COUNT = 100;
/** Traces per request of turns. */
const TRACE_COUNT = 50;

const toSession = (session: SessionJson): Session => ({
  id: session.id,
  sessionId: session.session_id,
  projectId: session.project_id,
  startTime: session.start_time,
  endTime: session.end_time,
  traces: session.traces.map((trace) => ({
    id: trace.id,
    traceId: trace.trace_id,
    startTime: trace.start_time,
    endTime: trace.end_time,
  })),
});

/** A session by its own or its global ID. */
export async function getSession({
  client,
  signal,
  sessionId,
}: CallOptions & { readonly sessionId: string }): Promise<Session> {
  const path = { session_identifier: requireText(sessionId, 'sessionId') };
  const call = clientOf(client).GET('/v1/sessions/{session_identifier}', { params: { path }, signal });
  return toSession((await bodyOf(call)).data);
}

/** All sessions of a project. */
export function listSessions({
  client,
  signal,
  project,
  order,
}: CallOptions & { readonly project?: ProjectArgument; readonly order?: 'asc' | 'desc' } = {}): List<Session> {
  return listAll(async (cursor) => {
    const server = clientOf(client);
    const path = { project_identifier: toProjectIdentifier(project, server) };
    const query = { limit: PAGE_ROW_COUNT, cursor, order };
    const call = server.GET('/v1/projects/{project_identifier}/sessions', { params: { path, query }, signal });
    const { data, next_cursor: nextCursor } = await bodyOf(call);
    return { items: data.map(toSession), nextCursor };
  });
}

/** Input and output of each trace of a session, by start time. */
export async function getSessionTurns(options: CallOptions & { readonly sessionId: string }): Promise<SessionTurn[]> {
  const client = clientOf(options.client);
  const session = await getSession({ ...options, client });
  const roots = new Map<string, Span>();
  for (let start = 0; start < session.traces.length; start += TRACE_COUNT) {
    const traceIds = session.traces.slice(start, start + TRACE_COUNT).map(({ traceId }) => traceId);
    const project = { projectId: session.projectId };
    const { spans } = await getSpans({
      ...options,
      client,
      project,
      traceIds,
      parentId: null,
      limit: 10 * traceIds.length,
    });
    for (const span of spans) if (!roots.has(span.context.trace_id)) roots.set(span.context.trace_id, span);
  }
  return session.traces
    .map(({ traceId, startTime, endTime }) => toTurn({ traceId, startTime, endTime }, roots.get(traceId)))
    .sort((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime));
}

function toTurn(
  trace: Pick<SessionTurn, 'traceId' | 'startTime' | 'endTime'>,
  rootSpan: Span | undefined,
): SessionTurn {
  if (!rootSpan) return trace;
  const input = turnValueOf(rootSpan, 'input');
  const output = turnValueOf(rootSpan, 'output');
  return { ...trace, rootSpan, ...(input && { input }), ...(output && { output }) };
}

function turnValueOf({ attributes }: Span, side: 'input' | 'output'): TurnValue | undefined {
  const { [`${side}.value`]: value, [`${side}.mime_type`]: mimeType } = attributes;
  if (value === undefined || value === null) return undefined;
  return { value, ...(typeof mimeType === 'string' && { mimeType }) };
}

/** Deletes a session with its traces. */
export async function deleteSession({
  client,
  signal,
  sessionId,
}: CallOptions & { readonly sessionId: string }): Promise<void> {
  const path = { session_identifier: requireText(sessionId, 'sessionId') };
  await clientOf(client).DELETE('/v1/sessions/{session_identifier}', { params: { path }, signal });
}

/** Deletes several sessions with their traces. */
export async function deleteSessions({
  client,
  signal,
  sessionIds,
}: CallOptions & { readonly sessionIds: readonly string[] }): Promise<void> {
  if (sessionIds.length === 0) throw new ArgumentError('sessionIds is empty.');
  await clientOf(client).POST('/v1/sessions/delete', { body: { session_identifiers: [...sessionIds] }, signal });
}

const sessionAnnotations = annotating(
  'sessionAnnotations',
  ({ sessionId }: SessionAnnotationInput) => ({ session_id: requireText(sessionId, 'sessionId') }),
  (server, options) => server.POST('/v1/session_annotations', options),
);
/** Annotates a session. With `sync` the annotation is stored before this returns its ID; else the result is null. */
export const addSessionAnnotation = sessionAnnotations.add;
/** Annotates sessions. With `sync` the IDs of the annotations in order, else an empty list. */
export const logSessionAnnotations = sessionAnnotations.log;

/** Adds a note to a session. Notes with the same identifier replace each other. */
export const addSessionNote = noting(
  'sessionNote',
  ({ sessionId }: { readonly sessionId: string; readonly note: string; readonly identifier?: string }) => ({
    session_id: requireText(sessionId, 'sessionId'),
  }),
  (server, options) => server.POST('/v1/session_notes', options),
);
