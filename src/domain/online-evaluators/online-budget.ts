import type { OnlineEvaluator } from '../../model/evaluators/online-evaluator.ts';
import { ONLINE_DUE_COUNT } from '../../model/limits/online-evaluators.ts';
import { measure, totalOf } from '../../span-store/contract/aggregate.ts';
import type { Ports } from '../ports.ts';

type Parts = Pick<Ports, 'onlineEvaluators' | 'spans'>;

/** Calls that an evaluator may make today (UTC): 0 when its calls or its dollars are used up. */
export async function findBudgetLeft(ports: Parts, evaluator: OnlineEvaluator): Promise<number> {
  const { dailyCallCountMax, dailyCostMax } = evaluator;
  if (dailyCostMax !== null && (await costOfToday(ports, evaluator)) >= dailyCostMax) return 0;
  if (dailyCallCountMax === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, dailyCallCountMax - (await countCallsOfToday(ports, evaluator)));
}

/** Use of an evaluation: the mean of the evaluations so far. */
export interface MeanUse {
  readonly callCount: number;
  /** Dollars. */
  readonly cost: number;
}

/** Evaluations that the budget allows, if nothing else uses it. Infinite without a budget. */
export interface BudgetCapacity {
  readonly restOfToday: number;
  readonly perDay: number;
}

/**
 * Evaluations that the budget allows today and per day (UTC). Undefined when that is not known: no evaluation has shown what one
 * costs. An evaluation starts while anything is left, so the last one of a day may exceed the budget.
 */
export async function findBudgetCapacity(
  ports: Parts,
  evaluator: OnlineEvaluator,
  mean: MeanUse | undefined,
): Promise<BudgetCapacity | undefined> {
  const { dailyCallCountMax, dailyCostMax } = evaluator;
  const capacities: BudgetCapacity[] = [];
  if (dailyCallCountMax !== null) {
    const left = dailyCallCountMax - (await countCallsOfToday(ports, evaluator));
    // A judge calls its model at least once.
    const callCount = mean?.callCount ?? (evaluator.evaluator.kind === 'LLM' ? 1 : 0);
    capacities.push({ restOfToday: countFitting(left, callCount), perDay: countFitting(dailyCallCountMax, callCount) });
  }
  if (dailyCostMax !== null) {
    const left = dailyCostMax - (await costOfToday(ports, evaluator));
    if (mean === undefined && left > 0) return undefined;
    const cost = mean?.cost ?? 0;
    capacities.push({ restOfToday: countFitting(left, cost), perDay: countFitting(dailyCostMax, cost) });
  }
  return {
    restOfToday: Math.min(Number.POSITIVE_INFINITY, ...capacities.map(({ restOfToday }) => restOfToday)),
    perDay: Math.min(Number.POSITIVE_INFINITY, ...capacities.map(({ perDay }) => perDay)),
  };
}

/** Days (UTC), today among them, on which the budget allows so many evaluations. Null when it allows none on any day. */
export function countBudgetDays(evaluationCount: number, { restOfToday, perDay }: BudgetCapacity): number | null {
  if (evaluationCount <= restOfToday) return 1;
  return perDay === 0 ? null : 1 + Math.ceil((evaluationCount - restOfToday) / perDay);
}

const countFitting = (budget: number, use: number): number => {
  if (budget <= 0) return 0;
  return use > 0 ? Math.ceil(budget / use) : Number.POSITIVE_INFINITY;
};

/** Dollars that an evaluator has spent on models: cost of the spans in its traces. */
export async function costOf(
  { spans }: Pick<Ports, 'spans'>,
  { traceProjectId }: Pick<OnlineEvaluator, 'traceProjectId'>,
  range: { readonly startTimeUnixNano?: bigint },
): Promise<number> {
  const measures = { prompt: measure.sum('promptPico'), completion: measure.sum('completionPico') } as const;
  const rows = { grain: 'traces', projectId: traceProjectId, ...range, measures } as const;
  const { prompt, completion } = totalOf(await spans.aggregate(rows));
  return (prompt + completion) / PICO;
}

const PICO = 1e12;

const costOfToday = (ports: Parts, evaluator: OnlineEvaluator): Promise<number> =>
  costOf(ports, evaluator, { startTimeUnixNano: BigInt(Date.parse(toDay(new Date()))) * 1_000_000n });

async function countCallsOfToday({ onlineEvaluators }: Parts, { rowId }: OnlineEvaluator): Promise<number> {
  const [day] = await onlineEvaluators.listDays(rowId, 1);
  return day?.day === toDay(new Date()) ? day.callCount : 0;
}

const toDay = (time: Date): string => time.toISOString().slice(0, 10);

/** Settles the targets that are due and over the budget. True when there may be more of them. */
export async function settleOverBudget(ports: Parts, evaluator: OnlineEvaluator): Promise<boolean> {
  const items = await ports.onlineEvaluators.claimDue(evaluator, ONLINE_DUE_COUNT);
  const usage = { callCount: 0, promptTokens: 0, completionTokens: 0 };
  const state = 'OVER_BUDGET' as const;
  await ports.onlineEvaluators.settle(
    items.map(({ onlineEvaluatorRowId, version, targetRowId }) => ({
      ...{ onlineEvaluatorRowId, version, targetRowId, state, usage },
      error: null,
    })),
  );
  return items.length === ONLINE_DUE_COUNT;
}
