import { type Static, Type } from '@sinclair/typebox';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import { formatUnixNano } from '../../../model/time/datetime.ts';
import type { SessionWithTraces } from '../../../domain/sessions/get-session.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { toProjectRef, toRowRef } from '../../contract/parse-refs.ts';
import { cursorTo, rowIdOfCursor } from '../cursor.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { PROJECT_NOT_FOUND, PROJECT_PARAM } from '../projects/projects.ts';
import { Cursor, DataOf, DateTimeText, OneOf, OpenLimit, PageOf } from '../schema.ts';

const SessionJson = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    session_id: Type.String({ description: 'The session ID of the application.' }),
    project_id: Type.String(),
    start_time: DateTimeText(),
    end_time: DateTimeText(),
    traces: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Global ID.' }),
        trace_id: Type.String(),
        start_time: DateTimeText(),
        end_time: DateTimeText(),
      }),
      { description: 'Traces by start time.' },
    ),
    token_count_prompt: Type.Integer({ description: 'Prompt tokens of its LLM spans.' }),
    token_count_completion: Type.Integer(),
    token_count_total: Type.Integer(),
  },
  { $id: 'Session' },
);

const SESSION_EXAMPLE: Static<typeof SessionJson> = {
  id: 'UHJvamVjdFNlc3Npb246Mw==',
  session_id: 'chat-42',
  project_id: 'UHJvamVjdDox',
  start_time: '2026-01-15T09:30:00.125000+00:00',
  end_time: '2026-01-15T09:30:01+00:00',
  traces: [
    {
      id: 'VHJhY2U6Nw==',
      trace_id: '8be60e2a3a2bb4c7a5fa0d6ab56a4e4b',
      start_time: '2026-01-15T09:30:00.125000+00:00',
      end_time: '2026-01-15T09:30:01+00:00',
    },
  ],
  token_count_prompt: 9,
  token_count_completion: 12,
  token_count_total: 21,
};

const SESSION_PARAM = { session_identifier: 'Global ID, or session ID of the application.' };

export const sessionRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:project_identifier/sessions',
    access: 'viewer',
    operationId: 'listSessions',
    tag: 'sessions',
    summary: 'List sessions in the order in which they were stored, with their traces',
    params: PROJECT_PARAM,
    query: Type.Object({ cursor: Cursor, limit: OpenLimit, order: OneOf(['asc', 'desc'], { default: 'asc' }) }),
    success: {
      status: 200,
      description: 'One page of sessions.',
      schema: PageOf(SessionJson),
      example: { data: [SESSION_EXAMPLE], next_cursor: null },
    },
    errors: { 404: PROJECT_NOT_FOUND, 422: 'Invalid cursor format: <cursor>' },
    async handle({ domain, params, query, signal }) {
      const fromRowId = rowIdOfCursor(query.cursor, `Invalid cursor format: ${query.cursor}`);
      const project = await domain.projects.get(toProjectRef(params.project_identifier));
      const limit = Math.min(query.limit, PAGE_ROW_COUNT_MAX);
      const page = await domain.sessions.list(
        { projectId: project.rowId, order: query.order, limit, ...(fromRowId !== undefined && { fromRowId }) },
        { signal },
      );
      return { data: page.items.map(toJson), next_cursor: cursorTo('ProjectSession', page.nextRowId) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/sessions/:session_identifier',
    access: 'viewer',
    operationId: 'getSession',
    tag: 'sessions',
    summary: 'Read a session with its traces',
    params: SESSION_PARAM,
    success: {
      status: 200,
      description: 'The session.',
      schema: DataOf(SessionJson),
      example: { data: SESSION_EXAMPLE },
    },
    errors: { 404: 'Session with session_id <id> not found' },
    async handle({ domain, params, signal }) {
      const ref = toRowRef('ProjectSession', params.session_identifier);
      return { data: toJson(await domain.sessions.get(ref, { signal })) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/sessions/:session_identifier',
    access: 'member',
    operationId: 'deleteSession',
    tag: 'sessions',
    summary: 'Delete a session with its traces and spans',
    params: SESSION_PARAM,
    success: { status: 204, description: 'The session is deleted.' },
    errors: { 404: "Session with session_id '<id>' not found" },
    handle: ({ domain, params }) => domain.sessions.delete(toRowRef('ProjectSession', params.session_identifier)),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/sessions/delete',
    access: 'member',
    operationId: 'deleteSessions',
    tag: 'sessions',
    summary: 'Delete sessions with their traces and spans',
    description: 'Either all global IDs, or all session IDs of the application. Unknown sessions are ignored.',
    body: Type.Object({ session_identifiers: Type.Array(Type.String()) }),
    bodyExample: { session_identifiers: ['chat-42', 'chat-43'] },
    success: { status: 204, description: 'The sessions are deleted.' },
    errors: { 422: 'Session identifier list must not be empty.' },
    handle: ({ domain, body }) =>
      domain.sessions.deleteAll(body.session_identifiers.map((identifier) => toRowRef('ProjectSession', identifier))),
  }),
];

const toJson = ({ session, traces }: SessionWithTraces): Static<typeof SessionJson> => ({
  id: toGlobalId('ProjectSession', session.rowId),
  session_id: session.sessionId,
  project_id: toGlobalId('Project', session.projectId),
  start_time: formatUnixNano(session.startTimeUnixNano),
  end_time: formatUnixNano(session.endTimeUnixNano),
  traces: traces.map((trace) => ({
    id: toGlobalId('Trace', trace.rowId),
    trace_id: trace.traceId,
    start_time: formatUnixNano(trace.startTimeUnixNano),
    end_time: formatUnixNano(trace.endTimeUnixNano),
  })),
  token_count_prompt: session.tokensPrompt,
  token_count_completion: session.tokensCompletion,
  token_count_total: session.tokensPrompt + session.tokensCompletion,
});
