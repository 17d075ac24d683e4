import type { Log } from '../base/log.ts';
import { EXIT_BY_SIGNAL, type StopSignal } from './exit-codes.ts';

/** The reason for which a running server stops. */
export type StopReason =
  | { readonly kind: 'signal'; readonly signal: StopSignal }
  | { readonly kind: 'failure'; readonly error: Error };

export interface StopWatch {
  /** The first reason. */
  readonly reason: Promise<StopReason>;
  happened(): boolean;
  /** Reports that the server cannot continue. */
  fail(error: Error): void;
  unwatch(): void;
}

/**
 * A second signal within this time is the same Ctrl-C: under `npm start` it arrives from the terminal, and again from
 * npm.
 */
const SAME_SIGNAL_MS = 500;
const SIGNALS = Object.keys(EXIT_BY_SIGNAL) as StopSignal[];

/**
 * Watches for signals that stop the server, and for uncaught exceptions, after which the state of the process is
 * unknown. An unhandled rejection is only logged, because no code continued after it.
 *
 * @param exit ends the process immediately, after the second signal
 */
export function watchForStop(log: Log, exit: (code: number) => void = (code) => process.exit(code)): StopWatch {
  let first: { reason: StopReason; at: number } | undefined;
  let resolve: (reason: StopReason) => void = () => {};
  const reason = new Promise<StopReason>((done) => {
    resolve = done;
  });
  const stop = (reason: StopReason) => {
    first ??= { reason, at: performance.now() };
    resolve(first.reason);
  };
  const fail = (error: Error) => stop({ kind: 'failure', error });

  const onSignal = (signal: NodeJS.Signals) => {
    if (!first) stop({ kind: 'signal', signal: signal as StopSignal });
    else if (performance.now() - first.at > SAME_SIGNAL_MS) exit(EXIT_BY_SIGNAL[signal as StopSignal]);
  };
  const onException = (error: Error) => {
    log.error({ err: error }, 'Uncaught exception');
    fail(error);
  };
  const onRejection = (error: unknown) => {
    log.error({ err: error }, 'Unhandled rejection');
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return {
    reason,
    happened: () => first !== undefined,
    fail,
    unwatch() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
      process.off('uncaughtException', onException);
      process.off('unhandledRejection', onRejection);
    },
  };
}
