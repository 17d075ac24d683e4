import {
  type ExactJson,
  type ExactJsonObject,
  isJsonObject,
  newJsonObject,
  toExactJsonText,
} from '../../../base/exact-json.ts';
import type { EvaluationContext } from '../../../model/evaluators/evaluation.ts';
import { CONTEXT_SPAN_COUNT_MAX } from '../../../model/limits/evaluators.ts';
import type { SpanSummary } from '../../../model/spans/span.ts';
import type { Trace } from '../../../model/traces/trace.ts';
import { type ContextPorts, readSpanContexts } from './span-context.ts';

/**
 * Contexts of traces by row id: input, output and metadata of the root span. Its metadata also has the `trace`, its first
 * `spans`, and the `messages` of the last call of a model with its reply. Traces without a root span, or hidden from the
 * caller, are absent.
 */
export async function readTraceContexts(
  ports: ContextPorts,
  rowIds: readonly number[],
): Promise<Map<number, EvaluationContext>> {
  const [traces, roots, spans] = await Promise.all([
    ports.spans.get({ of: 'traces', column: 'row', rowIds }),
    ports.spans.get({ of: 'traces', column: 'rootSpanId', rowIds }),
    ports.spans.get({ of: 'traces', column: 'spans', rowIds }),
  ]);
  const lastCalls = new Map(rowIds.map((rowId) => [rowId, spans.get(rowId)?.findLast(isModelCall)?.rowId]));
  const read = new Set([...roots.values(), ...lastCalls.values()].filter((rowId) => rowId !== undefined));
  const found = await readSpanContexts(ports, [...read]);
  const contexts = new Map<number, EvaluationContext>();
  for (const rowId of rowIds) {
    const trace = traces.get(rowId);
    const root = found.get(roots.get(rowId) ?? NO_ROW);
    if (!trace || !root) continue;
    const metadata = Object.assign(newJsonObject(), root.metadata, {
      trace: toTraceObject(trace),
      spans: (spans.get(rowId) ?? []).slice(0, CONTEXT_SPAN_COUNT_MAX).map(toStep),
      messages: messagesOf(found.get(lastCalls.get(rowId) ?? NO_ROW)),
    });
    contexts.set(rowId, { ...root, metadata });
  }
  return contexts;
}

/** No span has this row id. */
const NO_ROW = -1;

const isModelCall = ({ spanKind }: SpanSummary): boolean => spanKind === 'LLM';

const toTraceObject = (trace: Trace): ExactJsonObject => ({
  trace_id: trace.traceId,
  span_count: trace.spanCount,
  error_count: trace.errorCount,
  latency_ms: Number(trace.endTimeUnixNano - trace.startTimeUnixNano) / 1e6,
});

const toStep = ({ name, spanKind, spanId, parentSpanId, statusCode }: SpanSummary): ExactJsonObject => ({
  ...{ name, kind: spanKind, span_id: spanId, parent_id: parentSpanId, status_code: statusCode },
});

/** Messages of a call and its reply. */
function messagesOf(call: EvaluationContext | undefined): ExactJson[] {
  return [call?.input, call?.output].flatMap((side) =>
    isJsonObject(side) && Array.isArray(side.messages) ? side.messages : [],
  );
}

/** Text of an input or output as a turn of a conversation: that of its last message, of its only value, or its JSON. */
export function turnText(side: ExactJson): string {
  if (typeof side === 'string') return side;
  if (!isJsonObject(side)) return toExactJsonText(side);
  const last = Array.isArray(side.messages) ? side.messages.at(-1) : undefined;
  if (isJsonObject(last) && typeof last.content === 'string') return last.content;
  const [value, ...others] = Object.values(side);
  return typeof value === 'string' && others.length === 0 ? value : toExactJsonText(side);
}
