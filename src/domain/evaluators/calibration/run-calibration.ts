import { setTimeout as sleep } from 'node:timers/promises';
import { SpandrelError } from '../../../model/errors.ts';
import type { Calibration, EvaluatedItem } from '../../../model/evaluators/calibration.ts';
import type { EvaluationContext, EvaluatorOutcome } from '../../../model/evaluators/evaluation.ts';
import {
  CALIBRATION_FAILURE_COUNT_MAX,
  CALIBRATION_HEARTBEAT_MS,
  CALIBRATION_PAGE_COUNT,
  CALIBRATION_RETRY_MS,
  CALIBRATION_RETRY_MS_MAX,
} from '../../../model/limits/evaluators.ts';
import type { RequestCredentials } from '../../../model/playground/chat-task.ts';
import { joinReceipts, type Receipt } from '../../../model/receipt.ts';
import type { Ports } from '../../ports.ts';
import { type EvaluatorRunPorts, runEvaluator } from '../run/run-evaluator.ts';
import type { Runnable } from '../run/runnable.ts';
import type { JudgePrice } from './judge-price.ts';
import { readContexts, type TargetPorts } from './read-contexts.ts';

export type CalibrationRunPorts = Pick<Ports, 'calibrations'> & TargetPorts & EvaluatorRunPorts;

export interface CalibrationRun {
  readonly calibration: Pick<Calibration, 'rowId' | 'concurrency' | 'outputConfig'>;
  readonly runnable: Runnable;
  readonly credentials: RequestCredentials;
  readonly price: JudgePrice;
}

/**
 * Judges the items of a calibration that have no result, and ends it. It stops when the signal aborts or when another server
 * or user has ended it; its results stay.
 */
export async function runCalibration(
  ports: CalibrationRunPorts,
  run: CalibrationRun,
  signal: AbortSignal,
): Promise<void> {
  const { rowId } = run.calibration;
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const heartbeat = setInterval(() => {
    ports.calibrations.beat(rowId).then(
      (isRunning) => isRunning || controller.abort(),
      // The database is away; the next sign tells.
      () => undefined,
    );
  }, CALIBRATION_HEARTBEAT_MS);
  try {
    const traces: Traces = { receipt: null };
    const failure = await judgeAll(ports, run, traces, controller.signal);
    if (signal.aborted) await ports.calibrations.end(rowId, 'STOPPED', String(signal.reason));
    else if (failure !== undefined) await ports.calibrations.end(rowId, 'ERROR', failure);
    else if (!controller.signal.aborted) {
      // Users open the traces of a calibration as soon as it has ended.
      if (traces.receipt !== null) await ports.writes.waitFor(traces.receipt);
      await ports.calibrations.end(rowId, 'COMPLETED', null);
    }
  } catch (error) {
    const reason = error instanceof SpandrelError ? error.message : 'An unexpected error occurred';
    await ports.calibrations.end(rowId, 'ERROR', reason);
    if (!(error instanceof SpandrelError)) throw error;
  } finally {
    clearInterval(heartbeat);
    signal.removeEventListener('abort', stop);
  }
}

/** Receipt of the traces that the evaluations have stored. Null without one. */
interface Traces {
  receipt: Receipt | null;
}

/** @returns why the calibration gives up, after too many failures in a row. Undefined when it does not. */
async function judgeAll(
  ports: CalibrationRunPorts,
  run: CalibrationRun,
  traces: Traces,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { rowId, concurrency } = run.calibration;
  let failureCount = 0;
  let failure: string | undefined;
  for (let afterRowId = 0; ; ) {
    const items = await ports.calibrations.listPendingItems(rowId, { afterRowId, limit: CALIBRATION_PAGE_COUNT });
    const last = items.at(-1);
    if (!last || signal.aborted) return undefined;
    afterRowId = last.rowId;
    const contexts = await readContexts(
      ports,
      last.target.type,
      items.map(({ target }) => target.rowId),
    );
    const waiting = items[Symbol.iterator]();
    const work = async () => {
      for (const item of waiting) {
        if (signal.aborted || failure !== undefined) return;
        const context = contexts.get(item.target.rowId);
        const evaluated = context ? await judge(ports, run, context, traces, signal) : DELETED;
        if (!evaluated) return;
        await ports.calibrations.saveEvaluated(item.rowId, evaluated);
        if (!context) continue;
        failureCount = evaluated.error === null ? 0 : failureCount + 1;
        if (failureCount >= CALIBRATION_FAILURE_COUNT_MAX) {
          failure ??= `${failureCount} evaluations failed in a row, the last one: ${evaluated.error}`;
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    if (failure !== undefined) return failure;
  }
}

/** Undefined when the signal aborts. */
async function judge(
  ports: CalibrationRunPorts,
  run: CalibrationRun,
  context: EvaluationContext,
  traces: Traces,
  signal: AbortSignal,
): Promise<EvaluatedItem | undefined> {
  const { runnable, credentials, price } = run;
  const startedAt = performance.now();
  const used = { promptTokens: 0, completionTokens: 0 };
  for (const wait of [...CALIBRATION_RETRY_MS, undefined]) {
    let outcome: EvaluatorOutcome;
    const attemptedAt = performance.now();
    try {
      outcome = await runEvaluator(ports, runnable, context, {
        ...{ signal, credentials, projectName: runnable.projectName },
      });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
    traces.receipt = joinReceipts(traces.receipt, outcome.receipt);
    used.promptTokens += outcome.usage.promptTokens;
    used.completionTokens += outcome.usage.completionTokens;
    if (outcome.retry && wait !== undefined) {
      const waitMs = Math.min(Math.max(wait, outcome.retry.afterMs ?? 0), CALIBRATION_RETRY_MS_MAX);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return undefined;
      continue;
    }
    return toEvaluated(outcome, run, { ...used, costUsd: price(used), latencyMs: performance.now() - attemptedAt });
  }
  // The last attempt returns.
  return { ...NOTHING, error: 'The evaluation failed', latencyMs: performance.now() - startedAt };
}

const NOTHING: EvaluatedItem = {
  ...{ judge: { label: null, score: null }, explanation: null, error: null, traceId: null },
  ...{ promptTokens: 0, completionTokens: 0, costUsd: null, latencyMs: 0 },
};

const DELETED: EvaluatedItem = { ...NOTHING, error: 'The target was deleted, or is hidden from you' };

function toEvaluated(
  { evaluations }: EvaluatorOutcome,
  { runnable, calibration }: CalibrationRun,
  figures: Pick<EvaluatedItem, 'promptTokens' | 'completionTokens' | 'costUsd' | 'latencyMs'>,
): EvaluatedItem {
  const index = runnable.outputConfigs.findIndex(({ name }) => name === calibration.outputConfig.name);
  const evaluation = evaluations[index];
  if (!evaluation) return { ...NOTHING, ...figures, error: 'The evaluator has no such output' };
  const { label, score, explanation, error, traceId } = evaluation;
  return { judge: { label, score }, explanation, error, traceId, ...figures };
}
