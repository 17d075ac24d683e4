import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { BackfillProgress, OnlineBackfill, OnlineEvaluator } from '../../model/evaluators/online-evaluator.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import type { Ports } from '../ports.ts';
import { findLastSpan } from '../spans/find-last-span.ts';
import { onlineEvaluatorUnknown } from './change-online-evaluators.ts';
import { isSelecting, toRange } from './select-targets.ts';

type Parts = Pick<Ports, 'onlineEvaluators' | 'spans' | 'caller'>;

export interface BackfillRequest {
  readonly rowId: number;
  /** Null without a bound; the end is exclusive. */
  readonly startTime: Date | null;
  readonly endTime: Date | null;
}

/** What a backfill will find and use, as far as it can be told beforehand. */
export interface BackfillEstimate {
  /** Spans that match, and traces or sessions with such a span if those are the targets. */
  readonly matchedCount: number;
  /** Evaluations after sampling. Targets that were annotated before are among them, so there may be fewer. */
  readonly evaluationCount: number;
  /** Calls, tokens and dollars by the mean of the evaluations so far. Null before the first one. */
  readonly callCount: number | null;
  readonly tokenCount: number | null;
  readonly cost: number | null;
}

/** @throws {SpandrelError} `ONLINE_EVALUATOR_NOT_FOUND`, `ONLINE_EVALUATOR_INVALID` */
export async function estimateBackfill(ports: Parts, request: BackfillRequest): Promise<BackfillEstimate> {
  checkRange(request);
  const evaluator = await find(ports, request.rowId);
  const { matchedCount, evaluationCount } = await countTargets(ports, evaluator, request);
  const days = await ports.onlineEvaluators.listDays(evaluator.rowId, DAY_COUNT);
  const sum = (read: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + read(day), 0);
  const doneCount = sum(({ doneCount: done }) => done);
  if (doneCount === 0) return { matchedCount, evaluationCount, callCount: null, tokenCount: null, cost: null };
  const share = evaluationCount / doneCount;
  return {
    matchedCount,
    evaluationCount,
    callCount: Math.round(sum(({ callCount }) => callCount) * share),
    tokenCount: Math.round(sum((day) => day.promptTokens + day.completionTokens) * share),
    cost: (await costOf(ports, evaluator, {})) * share,
  };
}

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
    const { doneCount, failedCount, overBudgetCount, goneCount, recentCount, recentSeconds } = backfill;
    const hasSelected = lastSpanRowId >= lastSpanRowIdMax;
    const targetCount = hasSelected ? queuedCount : Math.max(queuedCount, expectedCount ?? 0);
    const settledCount = doneCount + failedCount + overBudgetCount + goneCount;
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

/** Dollars that an evaluator has spent on models: cost of the spans in its traces. */
export async function costOf(
  { spans }: Pick<Ports, 'spans'>,
  { traceProjectId }: Pick<OnlineEvaluator, 'traceProjectId'>,
  range: { readonly startTimeUnixNano?: bigint },
): Promise<number> {
  const { promptPico, completionPico } = await spans.sumUpCosts({ projectId: traceProjectId, ...range });
  return ((promptPico ?? 0) + (completionPico ?? 0)) / PICO;
}

const PICO = 1e12;
const DAY_COUNT = 30;

const find = async (ports: Parts, rowId: number): Promise<OnlineEvaluator> =>
  (await ports.onlineEvaluators.find(rowId)) ?? onlineEvaluatorUnknown(rowId);

/** Spans, traces or sessions that match, and how many of them are in the sample. */
async function countTargets(
  { spans }: Parts,
  { target, projectId, filter, samplingRate }: OnlineEvaluator,
  request: BackfillRequest,
): Promise<Pick<BackfillEstimate, 'matchedCount' | 'evaluationCount'>> {
  const range = { ...toRange(request), projectId, filter: parseSpanFilter(filter) };
  const matchedCount =
    target === 'SPAN'
      ? await spans.countSpans(range)
      : target === 'TRACE'
        ? (await spans.sumUpTraces(range)).traceCount
        : (await spans.sumUpSessions(range)).sessionCount;
  return { matchedCount, evaluationCount: Math.round(matchedCount * samplingRate) };
}

function checkRange({ startTime, endTime }: BackfillRequest): void {
  if (startTime === null || endTime === null || startTime < endTime) return;
  const message = `The start of the range must be before its end, received ${startTime.toISOString()} and ${endTime.toISOString()}`;
  throw new SpandrelError('ONLINE_EVALUATOR_INVALID', message);
}
