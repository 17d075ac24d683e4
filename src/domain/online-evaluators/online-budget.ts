import type { OnlineEvaluator } from '../../model/evaluators/online-evaluator.ts';
import { ONLINE_DUE_COUNT } from '../../model/limits/online-evaluators.ts';
import type { Ports } from '../ports.ts';
import { costOf } from './backfill.ts';

type Parts = Pick<Ports, 'onlineEvaluators' | 'spans'>;

/** Calls that an evaluator may make today (UTC): 0 when its calls or its dollars are used up. */
export async function findBudgetLeft(ports: Parts, evaluator: OnlineEvaluator): Promise<number> {
  const { dailyCallCountMax, dailyCostMax } = evaluator;
  if (dailyCallCountMax === null && dailyCostMax === null) return Number.POSITIVE_INFINITY;
  const today = new Date().toISOString().slice(0, 10);
  if (dailyCostMax !== null) {
    const startTimeUnixNano = BigInt(Date.parse(today)) * 1_000_000n;
    if ((await costOf(ports, evaluator, { startTimeUnixNano })) >= dailyCostMax) return 0;
  }
  if (dailyCallCountMax === null) return Number.POSITIVE_INFINITY;
  const [day] = await ports.onlineEvaluators.listDays(evaluator.rowId, 1);
  return Math.max(0, dailyCallCountMax - (day?.day === today ? day.callCount : 0));
}

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
