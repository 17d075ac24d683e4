import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { appUrl } from '../router/app-url.ts';

/** `unreachable`: no response. `unavailable`: the server responds, but a database is not available. */
export type Connection = 'up' | 'unreachable' | 'unavailable';

/** First and longest pause between two probes during an outage. */
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 5_000;
const PROBE_MS_MAX = 5_000;

let connection: Connection = 'up';
let retryMs = RETRY_MS_MIN;
let probe: Promise<void> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const recoveryListeners = new Set<() => void>();

function set(next: Connection): void {
  if (next === connection) return;
  const isRecovery = next === 'up';
  connection = next;
  retryMs = RETRY_MS_MIN;
  for (const listener of listeners) listener();
  if (isRecovery) for (const listener of [...recoveryListeners]) listener();
}

/**
 * Probes the server after a sign of an outage, and repeats the probe until the outage ends. Resolves after the first
 * probe.
 */
export function checkConnection(): Promise<void> {
  probe ??= ask().finally(() => {
    probe = undefined;
  });
  return probe;
}

async function ask(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  let found: Connection = 'up';
  try {
    const response = await fetch(appUrl('readyz'), { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS_MAX) });
    if (response.status >= 500) found = 'unavailable';
  } catch {
    found = 'unreachable';
  }
  set(found);
  if (found === 'up') return;
  schedule(retryMs);
  retryMs = Math.min(1.5 * retryMs, RETRY_MS_MAX);
}

/** A hidden page sends no probes until it is visible. */
function schedule(ms: number): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    if (document.visibilityState === 'visible') void checkConnection();
  }, ms);
}

const checkIfDown = () => {
  if (connection !== 'up' && document.visibilityState === 'visible') void checkConnection();
};
document.addEventListener('visibilitychange', checkIfDown);
window.addEventListener('online', checkIfDown);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const isUp = (): boolean => connection === 'up';

/** Calls the listener whenever the state of the connection changes. Returns a function that ends this. */
export const onConnectionChange = subscribe;

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);

/** Calls `run` when an outage of the server has ended. */
export function useOnRecovery(run: () => void): void {
  const listener = useEffectEvent(run);
  useEffect(() => {
    recoveryListeners.add(listener);
    return () => void recoveryListeners.delete(listener);
  }, []);
}

/** Resolves when the server is available, at once if it already is. */
export function recovery(): Promise<void> {
  if (connection === 'up') return Promise.resolve();
  return new Promise((resolve) => {
    const listener = () => {
      recoveryListeners.delete(listener);
      resolve();
    };
    recoveryListeners.add(listener);
  });
}
