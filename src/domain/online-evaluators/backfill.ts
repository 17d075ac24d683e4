import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { BackfillProgress, OnlineBackfill, OnlineEvaluator } from '../../model/evaluators/online-evaluator.ts';
import type { Ports } from '../ports.ts';
import { findLastSpan } from '../spans/find-last-span.ts';
import { onlineEvaluatorUnknown } from './change-online-evaluators.ts';
import { type BackfillRequest, checkRange, countTargets } from './estimate-backfill.ts';
import { isSelecting } from './select-targets.ts';

type Parts = Pick<Ports, 'onlineEvaluators' | 'spans' | 'caller'>;

/**
 * Evaluates what has arrived before, in the background. What this version has annotated is left out.
 *
 * @throws {SpandrelError} `ONLINE_EVALUATOR_NOT_FOUND`, `ONLINE_EVALUATOR_INVALID`, `BACKFILL_RUNNING`
 */
export async function startBackfill(ports: Parts, request: BackfillRequest): Promise<OnlineBackfill> {
  checkRange(request);
  const evaluator = await find(ports, request.rowId);
  const { evaluationCount: expectedCount } = await countTargets(ports, evaluator, request);
  const created = await ports.onlineEvaluators.createBackfill({
    onlineEvaluatorRowId: evaluator.rowId,
    startTime: request.startTime,
    endTime: request.endTime,
    lastSpanRowIdMax: await findLastSpan(ports, evaluator.projectId),
    expectedCount,
    userId: authorOf(ports.caller),
  });
  if (created) return created;
  throw new SpandrelError('BACKFILL_RUNNING', `A backfill of '${evaluator.name}' is running; stop it first`);
}

/** Stops the running backfill. Evaluations that have begun are completed. Undefined when no backfill is running. */
export async function stopBackfill(ports: Parts, rowId: number): Promise<OnlineBackfill | undefined> {
  const evaluator = await find(ports, rowId);
  return ports.onlineEvaluators.stopBackfill(evaluator.rowId);
}

/** A backfill, and how far it is. */
export interface BackfillView
  extends OnlineBackfill,
    Pick<BackfillProgress, 'doneCount' | 'failedCount' | 'overBudgetCount'> {
  /** Targets in all. An estimate while spans are looked at, and after a stop before the last one. */
  readonly targetCount: number;
  /** Targets with an outcome, including those that were deleted before. */
  readonly settledCount: number;
  readonly isSelecting: boolean;
  /** Estimate by the outcomes of the last minute. Null when there were none, and after the end. */
  readonly remainingSeconds: number | null;
}

/** Lists backfills of an evaluator, the latest first. */
export async function listBackfills(
  { onlineEvaluators }: Pick<Ports, 'onlineEvaluators'>,
  rowId: number,
  limit: number,
): Promise<BackfillView[]> {
  return (await onlineEvaluators.listBackfills(rowId, limit)).map((backfill) => {
    const { state, queuedCount, expectedCount, lastSpanRowId, lastSpanRowIdMax } = backfill;
    const { doneCount, failedCount, overBudgetCount, deletedCount, recentCount, recentSeconds } = backfill;
    const hasSelected = lastSpanRowId >= lastSpanRowIdMax;
    const targetCount = hasSelected ? queuedCount : Math.max(queuedCount, expectedCount ?? 0);
    const settledCount = doneCount + failedCount + overBudgetCount + deletedCount;
    const isEstimated = state === 'RUNNING' && recentCount > 0;
    const remainingSeconds = isEstimated ? ((targetCount - settledCount) / recentCount) * recentSeconds : null;
    return { ...backfill, targetCount, settledCount, isSelecting: isSelecting(backfill), remainingSeconds };
  });
}

/** Evaluates failed targets and those over the budget again. Returns how many. @throws {SpandrelError} `ONLINE_EVALUATOR_NOT_FOUND` */
export async function retryOnlineItems(ports: Parts, rowId: number): Promise<number> {
  const evaluator = await find(ports, rowId);
  return ports.onlineEvaluators.requeue(evaluator.rowId, ['FAILED', 'OVER_BUDGET']);
}

const find = async (ports: Parts, rowId: number): Promise<OnlineEvaluator> =>
  (await ports.onlineEvaluators.find(rowId)) ?? onlineEvaluatorUnknown(rowId);
