import { type ExactJsonObject, isJsonObject, newJsonObject } from '../../../base/exact-json.ts';
import type { EvaluationContext } from '../../../model/evaluators/evaluation.ts';
import { CONTEXT_TRACE_COUNT_MAX } from '../../../model/limits/evaluators.ts';
import type { Session } from '../../../model/traces/session.ts';
import { type ContextPorts, readSpanContexts } from './span-context.ts';
import { turnText } from './trace-context.ts';

/**
 * Contexts of sessions by row id. A session is a conversation: the inputs and outputs of the root spans of its traces by start
 * time. Its last reply is the output, the messages before that the input. Of a long session the newest traces are used.
 * Sessions without root spans, or hidden from the caller, are absent.
 */
export async function readSessionContexts(
  ports: ContextPorts,
  rowIds: readonly number[],
): Promise<Map<number, EvaluationContext>> {
  const [sessions, traces] = await Promise.all([
    ports.spans.get({ of: 'sessions', column: 'row', rowIds }),
    ports.spans.get({ of: 'sessions', column: 'traces', rowIds }),
  ]);
  const traceRowIds = new Map(
    Array.from(traces, ([rowId, list]) => [rowId, list.slice(-CONTEXT_TRACE_COUNT_MAX).map((trace) => trace.rowId)]),
  );
  const roots = await ports.spans.get({ of: 'traces', column: 'rootSpanId', rowIds: [...traceRowIds.values()].flat() });
  const turns = await readSpanContexts(ports, [...roots.values()]);
  const contexts = new Map<number, EvaluationContext>();
  for (const rowId of rowIds) {
    const session = sessions.get(rowId);
    const ofSession = (traceRowIds.get(rowId) ?? []).flatMap((traceRowId) => {
      const root = roots.get(traceRowId);
      return (root !== undefined && turns.get(root)) || [];
    });
    if (session && ofSession.length > 0) contexts.set(rowId, toContext(session, ofSession));
  }
  return contexts;
}

function toContext(session: Session, turns: readonly EvaluationContext[]): EvaluationContext {
  const conversation = turns.flatMap(({ input, output }) => [
    ...toMessage('user', input),
    ...toMessage('assistant', output),
  ]);
  const hasReply = conversation.at(-1)?.role === 'assistant';
  const userMessage = conversation.findLast(({ role }) => role === 'user')?.content ?? null;
  return {
    input: Object.assign(newJsonObject(), { messages: hasReply ? conversation.slice(0, -1) : conversation }),
    output: Object.assign(newJsonObject(), { messages: hasReply ? conversation.slice(-1) : [] }),
    reference: null,
    metadata: Object.assign(newJsonObject(), {
      session: toSessionObject(session),
      conversation,
      user_message: userMessage,
    }),
  };
}

/** No message for a side without a value. */
function toMessage(role: 'user' | 'assistant', side: EvaluationContext['input']): ExactJsonObject[] {
  if (isJsonObject(side) && Object.keys(side).length === 0) return [];
  return [Object.assign(newJsonObject(), { role, content: turnText(side) })];
}

const toSessionObject = ({ sessionId, traceCount, errorCount }: Session): ExactJsonObject => ({
  ...{ session_id: sessionId, trace_count: traceCount, error_count: errorCount },
});
