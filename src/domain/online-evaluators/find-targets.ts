import type { EvaluationContext } from '../../model/evaluators/evaluation.ts';
import type { OnlineEvaluator, OnlineItem } from '../../model/evaluators/online-evaluator.ts';
import { readSessionContexts } from '../evaluators/run/session-context.ts';
import { readSpanContexts } from '../evaluators/run/span-context.ts';
import { readTraceContexts } from '../evaluators/run/trace-context.ts';
import type { Ports } from '../ports.ts';

type Reads = Pick<Ports, 'spans'>;

/** A target that can be evaluated: the IDs by which it is annotated, and what its evaluator sees. */
export interface OnlineTargetContext {
  readonly targetId: string;
  readonly traceId?: string;
  readonly context: EvaluationContext;
}

export type FoundTarget =
  | OnlineTargetContext
  /** It has grown since it was last looked at. */
  | { readonly waitMs: number; readonly spanCount: number }
  /** It was deleted, or has no root span. */
  | undefined;

/** Reads claimed targets of an evaluator at once, in the order of the items. */
export async function findTargets(
  ports: Reads,
  evaluator: OnlineEvaluator,
  items: readonly OnlineItem[],
): Promise<FoundTarget[]> {
  const states = await FINDERS[evaluator.target](ports, items, evaluator.quietMs);
  const ready = items.filter((_, index) => {
    const state = states[index];
    return state !== undefined && 'targetId' in state;
  });
  const contexts = await CONTEXTS[evaluator.target](
    ports,
    ready.map(({ targetRowId }) => targetRowId),
  );
  return states.map((state, index) => {
    if (state === undefined || 'waitMs' in state) return state;
    const context = contexts.get(items[index]?.targetRowId ?? Number.NaN);
    return context && { ...state, context };
  });
}

type TargetState =
  | Pick<OnlineTargetContext, 'targetId' | 'traceId'>
  | { readonly waitMs: number; readonly spanCount: number }
  | undefined;
type Finder = (ports: Reads, items: readonly OnlineItem[], quietMs: number) => Promise<TargetState[]>;

const CONTEXTS = { SPAN: readSpanContexts, TRACE: readTraceContexts, SESSION: readSessionContexts };

const findSpans: Finder = async ({ spans }, items) => {
  const rows = await spans.get({ of: 'spans', column: 'row', rowIds: rowIdsOf(items) });
  return items.map(({ targetRowId }) => {
    const row = rows.get(targetRowId);
    return row && { targetId: row.spanId, traceId: row.traceId };
  });
};

const findTraces: Finder = async ({ spans }, items, quietMs) => {
  const traces = await spans.get({ of: 'traces', column: 'row', rowIds: rowIdsOf(items) });
  return items.map((item) => {
    const trace = traces.get(item.targetRowId);
    return trace && whenQuiet(item, trace.spanCount, trace.endTimeUnixNano, quietMs, trace.traceId);
  });
};

const findSessions: Finder = async ({ spans }, items, quietMs) => {
  const [sessions, traces] = await Promise.all([
    spans.get({ of: 'sessions', column: 'row', rowIds: rowIdsOf(items) }),
    spans.get({ of: 'sessions', column: 'traces', rowIds: rowIdsOf(items) }),
  ]);
  return items.map((item) => {
    const session = sessions.get(item.targetRowId);
    const spanCount = (traces.get(item.targetRowId) ?? []).reduce((sum, trace) => sum + trace.spanCount, 0);
    return session && whenQuiet(item, spanCount, session.endTimeUnixNano, quietMs, session.sessionId);
  });
};

const FINDERS = { SPAN: findSpans, TRACE: findTraces, SESSION: findSessions };

const rowIdsOf = (items: readonly OnlineItem[]): number[] => items.map(({ targetRowId }) => targetRowId);

/** Ready if nothing has arrived for the quiet time, or if the target ended long ago, as in a backfill. */
function whenQuiet(
  item: OnlineItem,
  spanCount: number,
  endUnixNano: bigint,
  quietMs: number,
  targetId: string,
): TargetState {
  const isOld = item.spanCount === null && Number(endUnixNano / NS_PER_MS) < Date.now() - OLD_MS - quietMs;
  return spanCount === item.spanCount || isOld ? { targetId } : { waitMs: quietMs, spanCount };
}

const NS_PER_MS = 1_000_000n;
/** Exporters send the spans of a batch within seconds, and retry for minutes. */
const OLD_MS = 10 * 60_000;
