import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Made, World } from './twins.ts';

/**
 * Stores a trace of one span in a session, with two documents, in the default project. The span store is not emptied between
 * cases, so every call makes a new trace.
 */
export async function storeTrace(world: World, projectId = 'default'): Promise<Made> {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  const sessionId = `session-${traceId}`;
  await world.rest({
    method: 'POST',
    path: `/v1/projects/${projectId}/spans`,
    body: {
      data: [
        {
          name: 'search',
          context: { trace_id: traceId, span_id: spanId },
          span_kind: 'RETRIEVER',
          start_time: '2026-01-15T09:30:00Z',
          end_time: '2026-01-15T09:30:01Z',
          status_code: 'OK',
          attributes: {
            'session.id': sessionId,
            'retrieval.documents': [{ 'document.content': 'a' }, { 'document.content': 'b' }],
          },
        },
      ],
    },
  });
  for (;;) {
    const found = await world.graphql({
      query: `query ($span: String!, $trace: String!, $session: String!) {
        span: getSpanByOtelId(spanId: $span) { id }
        trace: getTraceByOtelId(traceId: $trace) { id project { id } }
        session: getProjectSessionById(sessionId: $session) { id }
      }`,
      variables: { span: spanId, trace: traceId, session: sessionId },
    });
    const { span, trace, session } = found.data;
    if (span && trace && session) {
      return {
        spanId,
        traceId,
        sessionId,
        span: span.id,
        trace: trace.id,
        session: session.id,
        project: trace.project.id,
      };
    }
    await sleep(20);
  }
}
