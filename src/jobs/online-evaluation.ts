import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../base/log.ts';
import type { OnlineEvaluator, OnlineItem } from '../model/evaluators/online-evaluator.ts';
import {
  ONLINE_CONCURRENCY,
  ONLINE_CONCURRENCY_OF_ONE,
  ONLINE_PAGE_COUNT,
  ONLINE_WAITING_COUNT_MAX,
} from '../model/limits/online-evaluators.ts';
import type { Runnable } from '../domain/evaluators/run/runnable.ts';
import { evaluateItem } from '../domain/online-evaluators/evaluate-item.ts';
import { type FoundTarget, findTargets } from '../domain/online-evaluators/find-targets.ts';
import { loadOnlineRunnable } from '../domain/online-evaluators/load-online-runnable.ts';
import { findBudgetLeft, settleOverBudget } from '../domain/online-evaluators/online-budget.ts';
import { selectBackfillTargets, selectNewTargets } from '../domain/online-evaluators/select-targets.ts';
import { type ItemOutcome, settleItems } from '../domain/online-evaluators/settle-items.ts';
import type { Ports } from '../domain/ports.ts';

interface Active {
  readonly evaluator: OnlineEvaluator;
  readonly runnable: Runnable;
}

export interface OnlineEvaluationOptions {
  readonly ports: Ports;
  readonly log: Log;
  /** Longest wait between two looks at new spans. */
  readonly intervalMs?: number;
}

/**
 * Selects and evaluates the targets of online evaluators. It reads what has been stored, so ingest never waits for it: when
 * evaluations are slower than the traffic, targets wait, then selection. `close` aborts evaluations, which are repeated
 * after the next start.
 */
export function openOnlineEvaluation({ ports, log, intervalMs = 1_000 }: OnlineEvaluationOptions): {
  close(): Promise<void>;
} {
  const stop = new AbortController();
  const running = new Map<number, number>();
  const evaluations = new Set<Promise<void>>();
  const outcomes = gatherOutcomes(ports, log);
  let wake = () => {};
  const unsubscribe = ports.spans.onChange(() => wake());

  let active: Active[] = [];
  let selectAt = 0;

  /** Selects targets from time to time, and starts evaluations that are due. True when there is more to do at once. */
  const round = async (): Promise<boolean> => {
    let isBusy = false;
    if (performance.now() >= selectAt) {
      active = [];
      for (const evaluator of await ports.onlineEvaluators.listActive()) {
        const selected = await guard(evaluator, () => select(evaluator));
        if (selected) active.push(selected.active);
        if (selected?.hasMore) isBusy = true;
      }
      selectAt = isBusy ? 0 : performance.now() + SELECT_MS;
    }
    for (const one of active) if (await guard(one.evaluator, () => claim(one))) isBusy = true;
    return isBusy;
  };

  /** One evaluator that fails does not hold up the others. */
  const guard = async <Result>({ name }: OnlineEvaluator, work: () => Promise<Result>): Promise<Result | undefined> => {
    if (stop.signal.aborted) return undefined;
    try {
      return await work();
    } catch (error) {
      if (!stop.signal.aborted) {
        log.warn({ err: error, evaluator: name }, 'Could not advance an online evaluator; the server retries');
      }
      return undefined;
    }
  };

  const select = async (evaluator: OnlineEvaluator): Promise<{ active: Active; hasMore: boolean }> => {
    const loaded = await loadOnlineRunnable(ports, evaluator);
    let hasMore = false;
    if ((await ports.onlineEvaluators.countWaiting(evaluator.rowId)) < ONLINE_WAITING_COUNT_MAX) {
      const { version } = loaded;
      if (evaluator.isEnabled) hasMore = (await selectNewTargets(ports, evaluator, version)).hasMore;
      const backfill = await ports.onlineEvaluators.findRunningBackfill(evaluator.rowId);
      if (backfill) hasMore = (await selectBackfillTargets(ports, evaluator, backfill, version)).hasMore || hasMore;
    }
    return { active: { evaluator, runnable: loaded.runnable }, hasMore };
  };

  /** Starts evaluations that are due, as many as slots and budget allow. */
  const claim = async ({ evaluator, runnable }: Active): Promise<boolean> => {
    const own = running.get(evaluator.rowId) ?? 0;
    const free = Math.min(ONLINE_CONCURRENCY_OF_ONE - own, ONLINE_CONCURRENCY - evaluations.size);
    if (free <= 0 || outcomes.size >= ONLINE_PAGE_COUNT) return false;
    const budget = (await findBudgetLeft(ports, evaluator)) - own;
    if (budget <= 0) return settleOverBudget(ports, evaluator);
    const items = await ports.onlineEvaluators.claimDue(evaluator, Math.min(free, budget));
    if (items.length === 0) return false;
    const targets = await findTargets(ports, evaluator, items);
    for (const [index, item] of items.entries()) start(evaluator, runnable, item, targets[index]);
    return items.length === free;
  };

  /** Evaluates a claimed target. What is interrupted is claimed again when its lease has ended. */
  const start = (evaluator: OnlineEvaluator, runnable: Runnable, item: OnlineItem, target: FoundTarget) => {
    const warn = (error: unknown) => {
      if (stop.signal.aborted) return;
      log.warn(
        { err: error, evaluator: evaluator.name },
        'An online evaluation was interrupted; the server repeats it',
      );
    };
    if (target !== undefined && 'waitMs' in target) {
      const dueAt = new Date(Date.now() + target.waitMs);
      keep(ports.onlineEvaluators.postpone(item, { dueAt, spanCount: target.spanCount, isAttempt: false }).catch(warn));
      return;
    }
    if (target === undefined) {
      outcomes.add({ evaluator, item, target, evaluations: [], error: null, usage: NO_USAGE });
      return;
    }
    running.set(evaluator.rowId, (running.get(evaluator.rowId) ?? 0) + 1);
    keep(
      evaluateItem(ports, runnable, target, item, stop.signal)
        .then(async (evaluated) => {
          if ('dueAt' in evaluated) await ports.onlineEvaluators.postpone(item, { ...evaluated, isAttempt: true });
          else outcomes.add({ evaluator, item, target, ...evaluated });
        })
        .catch(warn)
        .finally(() => {
          running.set(evaluator.rowId, (running.get(evaluator.rowId) ?? 1) - 1);
          wake();
        }),
    );
  };

  const keep = (work: Promise<void>) => {
    const kept = work.finally(() => evaluations.delete(kept));
    evaluations.add(kept);
  };

  const loop = (async () => {
    while (!stop.signal.aborted) {
      let isWoken = false;
      const woken = new Promise<void>((resolve) => {
        wake = () => {
          isWoken = true;
          resolve();
        };
      });
      const isBusy = await round().catch((error) => {
        if (!stop.signal.aborted) log.warn({ err: error }, 'Online evaluators wait for the database');
        return false;
      });
      // Commits come in bursts, and each round costs a few queries.
      await sleep(isBusy ? 0 : ROUND_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      if (isBusy || isWoken) continue;
      // A commit ends the wait, so the timer must not stay until its end: there may be many commits.
      const timer = setTimeout(wake, intervalMs);
      await woken;
      clearTimeout(timer);
    }
  })();

  return {
    async close() {
      unsubscribe();
      stop.abort();
      wake();
      await loop;
      await Promise.all(evaluations);
      await outcomes.close();
    },
  };
}

const ROUND_MS = 50;
/** Shortest time between two looks at new spans, which cost a few queries for each evaluator. */
const SELECT_MS = 250;
const NO_USAGE = { callCount: 0, promptTokens: 0, completionTokens: 0 };

/** Stores outcomes that are there at the same time together, so that many cheap evaluations share a record and a commit. */
function gatherOutcomes(
  ports: Ports,
  log: Log,
): { readonly size: number; add(outcome: ItemOutcome): void; close(): Promise<void> } {
  const waiting: ItemOutcome[] = [];
  let writing: Promise<void> | undefined;
  const write = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, ONLINE_PAGE_COUNT);
      await settleItems(ports, batch).catch((error) => {
        log.warn({ err: error, count: batch.length }, 'Could not store online evaluations; the server repeats them');
      });
    }
    writing = undefined;
  };
  return {
    get size() {
      return waiting.length;
    },
    add(outcome) {
      waiting.push(outcome);
      writing ??= write();
    },
    async close() {
      await writing;
    },
  };
}
