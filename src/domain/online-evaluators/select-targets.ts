import { createHash } from 'node:crypto';
import type { OnlineBackfill, OnlineEvaluator, OnlineItem } from '../../model/evaluators/online-evaluator.ts';
import { ONLINE_PAGE_COUNT } from '../../model/limits/online-evaluators.ts';
import type { SpanRow } from '../../model/spans/span.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import type { Ports } from '../ports.ts';
import { findLastSpan } from '../spans/find-last-span.ts';

type Parts = Pick<Ports, 'onlineEvaluators' | 'spans'>;

export interface Selection {
  /** Targets that were queued. */
  readonly queuedCount: number;
  /** Whether there are further spans to look at now. */
  readonly hasMore: boolean;
}

/**
 * Looks at the next spans of an evaluator, in the order of their arrival, and queues their targets. Row ids increase in the order
 * of commits, so spans after the position are those that have not been looked at, also after a restart.
 */
export async function selectNewTargets(ports: Parts, evaluator: OnlineEvaluator, version: string): Promise<Selection> {
  const { projectId, lastSpanRowId } = evaluator;
  // Before the page: a span that arrives while it is read belongs to the next one.
  const newest = await findLastSpan(ports, projectId);
  if (newest <= lastSpanRowId) return { queuedCount: 0, hasMore: false };
  const page = await ports.spans.listSpans({
    projectId,
    filter: parseSpanFilter(evaluator.filter),
    order: 'asc',
    after: { rowId: lastSpanRowId },
    limit: ONLINE_PAGE_COUNT,
  });
  const spans = page.items.map(({ span }) => span);
  const end = page.nextAfter?.rowId ?? Math.max(newest, spans.at(-1)?.rowId ?? 0);
  const queuedCount = await queue(ports, evaluator, { version, spans, lastSpanRowId: end, backfill: undefined });
  return { queuedCount, hasMore: page.nextAfter !== undefined };
}

/**
 * Like `selectNewTargets`, for spans that had arrived before the backfill began. Ends it when each of its targets has an outcome.
 */
export async function selectBackfillTargets(
  ports: Parts,
  evaluator: OnlineEvaluator,
  backfill: OnlineBackfill,
  version: string,
): Promise<Selection> {
  if (!isSelecting(backfill)) {
    await ports.onlineEvaluators.finishBackfills([backfill.rowId]);
    return { queuedCount: 0, hasMore: false };
  }
  const page = await ports.spans.listSpans({
    ...toRange(backfill),
    projectId: evaluator.projectId,
    filter: parseSpanFilter(evaluator.filter),
    order: 'asc',
    after: { rowId: backfill.lastSpanRowId },
    limit: ONLINE_PAGE_COUNT,
  });
  const spans = page.items.map(({ span }) => span).filter(({ rowId }) => rowId <= backfill.lastSpanRowIdMax);
  const isLast = page.nextAfter === undefined || page.nextAfter.rowId >= backfill.lastSpanRowIdMax;
  const lastSpanRowId = isLast ? backfill.lastSpanRowIdMax : (page.nextAfter?.rowId ?? backfill.lastSpanRowIdMax);
  const queuedCount = await queue(ports, evaluator, { version, spans, lastSpanRowId, backfill });
  if (isLast) await ports.onlineEvaluators.finishBackfills([backfill.rowId]);
  return { queuedCount, hasMore: !isLast };
}

/** Whether it still has spans to look at. */
export const isSelecting = ({ state, lastSpanRowId, lastSpanRowIdMax }: OnlineBackfill): boolean =>
  state === 'RUNNING' && lastSpanRowId < lastSpanRowIdMax;

interface Page {
  readonly version: string;
  readonly spans: readonly SpanRow[];
  readonly lastSpanRowId: number;
  readonly backfill: OnlineBackfill | undefined;
}

async function queue(ports: Parts, evaluator: OnlineEvaluator, page: Page): Promise<number> {
  const { version, spans, lastSpanRowId, backfill } = page;
  const all = await toTargets(ports, evaluator, spans);
  const sampled = all.filter(({ sampledBy }) => isSampled(sampledBy, evaluator.samplingRate));
  const isAtOnce = evaluator.target === 'SPAN' || backfill !== undefined;
  return ports.onlineEvaluators.queueTargets({
    onlineEvaluatorRowId: evaluator.rowId,
    version,
    targets: sampled,
    sampledOutCount: all.length - sampled.length,
    matchedCount: spans.length,
    dueAt: new Date(Date.now() + (isAtOnce ? 0 : evaluator.quietMs)),
    lastSpanRowId,
    backfillRowId: backfill?.rowId,
  });
}

type Target = Pick<OnlineItem, 'targetRowId' | 'traceId'> & { readonly sampledBy: string };

/** Each target of these spans once. A trace outside of sessions is no target of an evaluator of sessions. */
async function toTargets(ports: Parts, { target }: OnlineEvaluator, spans: readonly SpanRow[]): Promise<Target[]> {
  if (target === 'SPAN') {
    return spans.map(({ rowId, traceId }) => ({ targetRowId: rowId, traceId, sampledBy: traceId }));
  }
  const traces = new Map(spans.map(({ traceRowId, traceId }) => [traceRowId, traceId]));
  if (target === 'TRACE') {
    return Array.from(traces, ([targetRowId, traceId]) => ({ targetRowId, traceId, sampledBy: traceId }));
  }
  const found = await ports.spans.get({ of: 'traces', column: 'row', rowIds: [...traces.keys()] });
  const sessions = new Map<number, Target>();
  for (const { sessionRowId, traceId } of found.values()) {
    if (sessionRowId === null || sessions.has(sessionRowId)) continue;
    sessions.set(sessionRowId, { targetRowId: sessionRowId, traceId, sampledBy: `session ${sessionRowId}` });
  }
  return [...sessions.values()];
}

/**
 * Decides by the hash of a trace ID (of a session, of its row id), so that all spans of a trace, all evaluators and a later
 * backfill decide alike, and a higher rate keeps what a lower one has chosen.
 */
export function isSampled(sampledBy: string, rate: number): boolean {
  if (rate >= 1) return true;
  const hash = createHash('sha256').update(sampledBy).digest().readUInt32BE(0);
  return hash < rate * 2 ** 32;
}

const NS_PER_MS = 1_000_000n;

/** Range of the start of spans. */
export const toRange = ({ startTime, endTime }: Pick<OnlineBackfill, 'startTime' | 'endTime'>) => ({
  ...(startTime && { startTimeUnixNano: BigInt(startTime.getTime()) * NS_PER_MS }),
  ...(endTime && { endTimeUnixNano: BigInt(endTime.getTime()) * NS_PER_MS }),
});
