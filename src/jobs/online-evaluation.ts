import { setTimeout as sleep } from 'node:timers/promises';
import { expectPresent } from '../base/expect-present.ts';
import type { Log } from '../base/log.ts';
import type { OnlineEvaluator, OnlineItem } from '../model/evaluators/online-evaluator.ts';
import { RATE_KEY_COUNT_MAX } from '../model/limits/jobs.ts';
import {
  ONLINE_CONCURRENCY,
  ONLINE_CONCURRENCY_OF_ONE,
  ONLINE_PAGE_COUNT,
  ONLINE_WAITING_COUNT_MAX,
} from '../model/limits/online-evaluators.ts';
import { findJudgeModel } from '../domain/evaluators/run/judge-model.ts';
import type { Runnable } from '../domain/evaluators/run/runnable.ts';
import { NO_SECRETS } from '../domain/experiments/jobs/job-runner.ts';
import { evaluateItem } from '../domain/online-evaluators/evaluate-item.ts';
import { type FoundTarget, findTargets, type OnlineTargetContext } from '../domain/online-evaluators/find-targets.ts';
import { loadOnlineRunnable, type OnlineRunnable } from '../domain/online-evaluators/load-online-runnable.ts';
import { findBudgetLeft, settleOverBudget } from '../domain/online-evaluators/online-budget.ts';
import { selectBackfillTargets, selectNewTargets } from '../domain/online-evaluators/select-targets.ts';
import { type ItemOutcome, settleItems } from '../domain/online-evaluators/settle-items.ts';
import type { Ports } from '../domain/ports.ts';
import { acquireSlots, type CallStart, limitListener, recordLimit, releaseSlots } from './rate-limits/limited-call.ts';
import type { RateLimits } from './rate-limits/rate-limits.ts';

interface Active {
  readonly evaluator: OnlineEvaluator;
  readonly runnable: Runnable;
  /** Key of the limit of its model. Null for an evaluator that calls none, or whose model cannot be opened. */
  readonly limitKey: string | null;
}

export interface OnlineEvaluationOptions {
  readonly ports: Ports;
  /** Shared with everything else that calls the vendors. */
  readonly rateLimits: RateLimits;
  readonly log: Log;
  /** Longest wait between two looks at new spans. */
  readonly intervalMs?: number;
}

/**
 * Selects and evaluates the targets of online evaluators. It reads what has been stored, so ingest never waits for it: when
 * evaluations are slower than the traffic, targets wait, then selection. `close` aborts evaluations, which are repeated
 * after the next start.
 */
export function openOnlineEvaluation({ ports, rateLimits, log, intervalMs = 1_000 }: OnlineEvaluationOptions): {
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
  /** When calls may start that wait for the limit of their model, by `performance.now()`. */
  let slotAt = Number.POSITIVE_INFINITY;
  const limitKeys = openLimitKeys(ports);

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
    const limitKey = await limitKeys.of(evaluator, loaded);
    return { active: { evaluator, runnable: loaded.runnable, limitKey }, hasMore };
  };

  /** Starts evaluations that are due, as many as slots and budget allow. */
  const claim = async ({ evaluator, runnable, limitKey }: Active): Promise<boolean> => {
    const own = running.get(evaluator.rowId) ?? 0;
    const free = Math.min(ONLINE_CONCURRENCY_OF_ONE - own, ONLINE_CONCURRENCY - evaluations.size);
    if (free <= 0 || outcomes.size >= ONLINE_PAGE_COUNT) return false;
    // Outcomes that are not stored yet have used the budget, too. Read before what is stored: one that is stored in between
    // counts twice, which may look like the end of the budget.
    const { storedCount } = outcomes;
    const used = own + outcomes.countOf(evaluator.rowId);
    const budget = (await findBudgetLeft(ports, evaluator)) - used;
    if (budget <= 0) return outcomes.storedCount === storedCount ? settleOverBudget(ports, evaluator) : true;
    const { starts, waitMs } = acquireSlots(rateLimits, limitKey, Math.min(free, budget));
    if (waitMs > 0) slotAt = Math.min(slotAt, performance.now() + waitMs);
    let madeCount = 0;
    try {
      if (starts.length === 0) return false;
      const items = await ports.onlineEvaluators.claimDue(evaluator, starts.length);
      if (items.length === 0) return false;
      const targets = await findTargets(ports, evaluator, items);
      for (const [index, item] of items.entries()) {
        const target = targets[index];
        if (isReady(target)) {
          const start = expectPresent(starts[madeCount++], 'no more items are claimed than calls were taken');
          evaluate(evaluator, runnable, { item, target, start });
        } else putOff(evaluator, item, target);
      }
      return items.length === free;
    } finally {
      releaseSlots(rateLimits, limitKey, starts.length - madeCount);
    }
  };

  const warnOfInterruption = ({ name }: OnlineEvaluator, error: unknown) => {
    if (stop.signal.aborted) return;
    log.warn({ err: error, evaluator: name }, 'An online evaluation was interrupted; the server repeats it');
  };

  /** A target that is not complete yet waits; one that is gone has no evaluation. */
  const putOff = (evaluator: OnlineEvaluator, item: OnlineItem, target: Exclude<FoundTarget, OnlineTargetContext>) => {
    if (target === undefined) {
      outcomes.add({ evaluator, item, target, evaluations: [], error: null, usage: NO_USAGE });
      return;
    }
    const dueAt = new Date(Date.now() + target.waitMs);
    const postponed = ports.onlineEvaluators.postpone(item, { dueAt, spanCount: target.spanCount, isAttempt: false });
    keep(postponed.catch((error) => warnOfInterruption(evaluator, error)));
  };

  /** Evaluates a claimed target. What is interrupted is claimed again when its lease has ended. */
  const evaluate = (evaluator: OnlineEvaluator, runnable: Runnable, { item, target, start }: Turn) => {
    // Its slot was acquired before the target was read.
    const call = { start: { ...start, startedAt: Date.now() }, isLimitUsedUp: false };
    running.set(evaluator.rowId, (running.get(evaluator.rowId) ?? 0) + 1);
    const options = { stop: stop.signal, onLimits: limitListener(rateLimits, call) };
    keep(
      evaluateItem(ports, runnable, target, item, options)
        .then(async (evaluated) => {
          recordLimit(rateLimits, call, { retry: evaluated.retry, callCount: evaluated.usage.callCount });
          if ('dueAt' in evaluated) await ports.onlineEvaluators.postpone(item, { ...evaluated, isAttempt: true });
          else outcomes.add({ evaluator, item, target, ...evaluated });
        })
        .catch((error) => warnOfInterruption(evaluator, error))
        .finally(() => {
          running.set(evaluator.rowId, (running.get(evaluator.rowId) ?? 1) - 1);
          wake();
        }),
    );
  };

  const keep = (work: Promise<void>) => {
    const tracked = work.finally(() => evaluations.delete(tracked));
    evaluations.add(tracked);
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
        if (!stop.signal.aborted) log.warn({ err: error }, 'Online evaluation paused: database unavailable');
        return false;
      });
      // Commits come in bursts, and each round costs a few queries.
      await sleep(isBusy ? 0 : ROUND_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      if (isBusy || isWoken) continue;
      // A commit ends the wait, so the timer must not stay until its end: there may be many commits.
      const timer = setTimeout(wake, Math.min(intervalMs, Math.max(0, slotAt - performance.now())));
      slotAt = Number.POSITIVE_INFINITY;
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

interface Turn {
  readonly item: OnlineItem;
  readonly target: OnlineTargetContext;
  readonly start: CallStart;
}

const isReady = (target: FoundTarget): target is OnlineTargetContext => target !== undefined && !('waitMs' in target);

/** Keys of limits by evaluator. A key depends on stored secrets, so that it is looked up again from time to time. */
function openLimitKeys(ports: Ports) {
  const known = new Map<
    number,
    { readonly version: string; readonly limitKey: string | null; readonly until: number }
  >();
  return {
    async of({ rowId }: OnlineEvaluator, { runnable, version }: OnlineRunnable): Promise<string | null> {
      if (runnable.kind !== 'LLM') return null;
      const found = known.get(rowId);
      if (found?.version === version && performance.now() < found.until) return found.limitKey;
      const limitKey = (await findJudgeModel(ports, runnable, NO_SECRETS))?.rateLimitKey ?? null;
      if (known.size >= RATE_KEY_COUNT_MAX) known.clear();
      known.set(rowId, { version, limitKey, until: performance.now() + LIMIT_KEY_MS });
      return limitKey;
    },
  };
}

const LIMIT_KEY_MS = 10_000;
const ROUND_MS = 50;
/** Shortest time between two looks at new spans, which cost a few queries for each evaluator. */
const SELECT_MS = 250;
const NO_USAGE = { callCount: 0, promptTokens: 0, completionTokens: 0 };

interface Outcomes {
  /** Number of those that wait to be stored. */
  readonly size: number;
  /** Number of those that were stored since the start, or could not be stored. */
  readonly storedCount: number;
  /** Number of those of an evaluator that are not stored yet. */
  countOf(rowId: number): number;
  add(outcome: ItemOutcome): void;
  close(): Promise<void>;
}

/** Stores outcomes that are there at the same time together, so that many cheap evaluations share a record and a commit. */
function gatherOutcomes(ports: Ports, log: Log): Outcomes {
  const waiting: ItemOutcome[] = [];
  let batch: ItemOutcome[] = [];
  let storedCount = 0;
  let writing: Promise<void> | undefined;
  const write = async () => {
    while (waiting.length > 0) {
      batch = waiting.splice(0, ONLINE_PAGE_COUNT);
      await settleItems(ports, batch).catch((error) => {
        log.warn({ err: error, count: batch.length }, 'Could not store online evaluations; the server repeats them');
      });
      storedCount += batch.length;
      batch = [];
    }
    writing = undefined;
  };
  const isOf = (rowId: number) => (outcome: ItemOutcome) => outcome.evaluator.rowId === rowId;
  return {
    get size() {
      return waiting.length;
    },
    get storedCount() {
      return storedCount;
    },
    countOf: (rowId) => waiting.filter(isOf(rowId)).length + batch.filter(isOf(rowId)).length,
    add(outcome) {
      waiting.push(outcome);
      writing ??= write();
    },
    async close() {
      await writing;
    },
  };
}
