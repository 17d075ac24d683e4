import { SpandrelError } from '../../model/errors.ts';
import type { OnlineEvaluator } from '../../model/evaluators/online-evaluator.ts';
import {
  ONLINE_CONCURRENCY_OF_ONE,
  ONLINE_SPEED_COUNT_MIN,
  ONLINE_SPEED_TRACE_COUNT,
} from '../../model/limits/online-evaluators.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import { measure, totalOf } from '../../span-store/contract/aggregate.ts';
import type { Ports } from '../ports.ts';
import { onlineEvaluatorUnknown } from './change-online-evaluators.ts';
import { costOf, countBudgetDays, findBudgetCapacity, type MeanUse } from './online-budget.ts';
import { toRange } from './select-targets.ts';

type Parts = Pick<Ports, 'onlineEvaluators' | 'spans'>;

export interface BackfillRequest {
  readonly rowId: number;
  /** Null without a bound; the end is exclusive. */
  readonly startTime: Date | null;
  readonly endTime: Date | null;
}

/** What a backfill will find, use and take, as far as it can be known in advance. */
export interface BackfillEstimate {
  /** Spans that match, and traces or sessions with such a span if those are the targets. */
  readonly matchedCount: number;
  /** Evaluations after sampling. Targets that were annotated before are among them, so there may be fewer. */
  readonly evaluationCount: number;
  /** Calls, tokens and dollars by the mean of the evaluations so far. Null before the first one. */
  readonly callCount: number | null;
  readonly tokenCount: number | null;
  readonly cost: number | null;
  /**
   * Evaluations for which the rest of today's budget is enough; the others end as `OVER_BUDGET`. All without a budget. Null when
   * it is not known what an evaluation costs.
   */
  readonly withinBudgetCount: number | null;
  /**
   * Days (UTC) with today on which the budget allows all evaluations, if those over the budget are queued again each day and
   * nothing else uses it. Null when that is not known, and when the budget allows none.
   */
  readonly dayCount: number | null;
  /** Time until the backfill ends, in which `withinBudgetCount` targets are evaluated. Null before the first evaluation. */
  readonly durationSeconds: number | null;
}

/** @throws {SpandrelError} `ONLINE_EVALUATOR_NOT_FOUND`, `ONLINE_EVALUATOR_INVALID` */
export async function estimateBackfill(ports: Parts, request: BackfillRequest): Promise<BackfillEstimate> {
  checkRange(request);
  const evaluator = (await ports.onlineEvaluators.find(request.rowId)) ?? onlineEvaluatorUnknown(request.rowId);
  const { matchedCount, evaluationCount } = await countTargets(ports, evaluator, request);
  const mean = await findMeanUse(ports, evaluator);
  const capacity = await findBudgetCapacity(ports, evaluator, mean);
  const withinBudgetCount = capacity ? Math.min(evaluationCount, capacity.restOfToday) : null;
  const seconds = await findSecondsPerEvaluation(ports, evaluator);
  return {
    matchedCount,
    evaluationCount,
    callCount: mean ? Math.round(mean.callCount * evaluationCount) : null,
    tokenCount: mean ? Math.round(mean.tokenCount * evaluationCount) : null,
    cost: mean ? mean.cost * evaluationCount : null,
    withinBudgetCount,
    dayCount: capacity ? countBudgetDays(evaluationCount, capacity) : null,
    durationSeconds: seconds === undefined ? null : seconds * (withinBudgetCount ?? evaluationCount),
  };
}

const GRAIN_OF_TARGET = { SPAN: 'spans', TRACE: 'traces', SESSION: 'sessions' } as const;

/** Spans, traces or sessions that match, and how many of them are in the sample. */
export async function countTargets(
  { spans }: Parts,
  { target, projectId, filter, samplingRate }: OnlineEvaluator,
  request: BackfillRequest,
): Promise<Pick<BackfillEstimate, 'matchedCount' | 'evaluationCount'>> {
  const rows = { ...toRange(request), projectId, filter: parseSpanFilter(filter), grain: GRAIN_OF_TARGET[target] };
  const { matchedCount } = totalOf(await spans.aggregate({ ...rows, measures: { matchedCount: measure.rows } }));
  return { matchedCount, evaluationCount: Math.round(matchedCount * samplingRate) };
}

/** @throws {SpandrelError} `ONLINE_EVALUATOR_INVALID` when the range does not start before its end */
export function checkRange({ startTime, endTime }: BackfillRequest): void {
  if (startTime === null || endTime === null || startTime < endTime) return;
  const message = `The start of the range must be before its end, received ${startTime.toISOString()} and ${endTime.toISOString()}`;
  throw new SpandrelError('ONLINE_EVALUATOR_INVALID', message);
}

const DAY_COUNT = 30;

/** Use of an evaluation by those of the last days. Undefined before the first one. */
async function findMeanUse(
  ports: Parts,
  evaluator: OnlineEvaluator,
): Promise<(MeanUse & { readonly tokenCount: number }) | undefined> {
  const days = await ports.onlineEvaluators.listDays(evaluator.rowId, DAY_COUNT);
  const sum = (read: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + read(day), 0);
  const doneCount = sum((day) => day.doneCount);
  const firstDay = days.at(-1)?.day;
  if (doneCount === 0 || firstDay === undefined) return undefined;
  // Costs of the days whose evaluations are counted.
  const startTimeUnixNano = BigInt(Date.parse(firstDay)) * 1_000_000n;
  return {
    callCount: sum(({ callCount }) => callCount) / doneCount,
    tokenCount: sum((day) => day.promptTokens + day.completionTokens) / doneCount,
    cost: (await costOf(ports, evaluator, { startTimeUnixNano })) / doneCount,
  };
}

/**
 * Seconds per evaluation of a backfill: by the speed of the last backfill, which includes limits of the vendor, but no less than
 * the mean duration of recent evaluations allows, as a changed prompt or model may be slower. Undefined before the first one.
 */
async function findSecondsPerEvaluation(
  { onlineEvaluators, spans }: Parts,
  { rowId, traceProjectId }: OnlineEvaluator,
): Promise<number | undefined> {
  const measured = await onlineEvaluators.measureLastBackfill(rowId, ONLINE_SPEED_COUNT_MIN);
  const { items } = await spans.findTraces({
    ...{ projectId: traceProjectId, sort: 'startTime', order: 'desc', limit: ONLINE_SPEED_TRACE_COUNT },
  });
  if (measured === undefined && items.length === 0) return undefined;
  const totalNs = items.reduce((sum, trace) => sum + Number(trace.endTimeUnixNano - trace.startTimeUnixNano), 0);
  const concurrent = totalNs / NS_PER_S / Math.max(1, items.length) / ONLINE_CONCURRENCY_OF_ONE;
  return Math.max(measured ? measured.seconds / measured.outcomeCount : 0, concurrent);
}

const NS_PER_S = 1e9;
