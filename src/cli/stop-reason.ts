import type { Log } from '../base/log.ts';
import { EXIT_BY_SIGNAL, type StopSignal } from './exit-codes.ts';

/** Why a running server ends. */
export type StopReason =
  | { readonly kind: 'signal'; readonly signal: StopSignal }
  | { readonly kind: 'failure'; readonly error: Error };

export interface StopWatch {
  /** The first reason that came. */
  readonly reason: Promise<StopReason>;
  happened(): boolean;
  /** The server cannot go on by itself. */
  fail(error: Error): void;
  unwatch(): void;
}

/**
 * A second signal this soon is the first one again: under `npm start` Ctrl-C reaches the server from the terminal and,
 * passed on, from npm.
 */
const SAME_SIGNAL_MS = 500;
const SIGNALS = Object.keys(EXIT_BY_SIGNAL) as StopSignal[];

/**
 * Watches for a signal that asks to stop, and for an exception that nobody caught, after which the state of the process
 * is unknown. A rejection that nobody awaited is logged as an error: nothing ran on after it.
 *
 * @param exit Ends the process at once, for the second signal.
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
    log.error({ err: error }, `Uncaught exception: ${error?.message}`);
    fail(error);
  };
  const onRejection = (error: unknown) => {
    log.error({ err: error }, `Unhandled rejection: ${error instanceof Error ? error.message : String(error)}`);
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
