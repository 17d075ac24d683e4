import type { Log } from '../../../base/log.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { RUNNING_CALIBRATION_COUNT_MAX } from '../../../model/limits/evaluators.ts';

/** The calibrations that this server runs. They go on after the request that started them. */
export interface CalibrationRunner {
  /** @throws {SpandrelError} `CALIBRATIONS_TOO_MANY` */
  checkFree(): void;
  /** @param run Work that never rejects for expected failures. The signal's reason is a text for people. */
  start(rowId: number, run: (signal: AbortSignal) => Promise<void>): void;
  /** Stops a calibration of this server. Others are unaffected. */
  stop(rowId: number, reason: string): void;
  /** Stops all and waits until they have ended. */
  close(): Promise<void>;
}

export function createCalibrationRunner(log: Log): CalibrationRunner {
  const running = new Map<number, { readonly controller: AbortController; readonly ended: Promise<void> }>();
  return {
    checkFree() {
      if (running.size < RUNNING_CALIBRATION_COUNT_MAX) return;
      throw new SpandrelError(
        'CALIBRATIONS_TOO_MANY',
        `This server already runs ${RUNNING_CALIBRATION_COUNT_MAX} calibrations, the maximum. Stop one or wait.`,
      );
    },
    start(rowId, run) {
      const controller = new AbortController();
      const ended = run(controller.signal)
        .catch((error: unknown) => log.error({ err: error, calibration: rowId }, 'A calibration failed'))
        .finally(() => running.delete(rowId));
      running.set(rowId, { controller, ended });
    },
    stop: (rowId, reason) => running.get(rowId)?.controller.abort(reason),
    async close() {
      const all = [...running.values()];
      for (const { controller } of all) controller.abort('The server was stopped');
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
