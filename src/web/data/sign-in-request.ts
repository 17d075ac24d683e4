import { useSyncExternalStore } from 'react';
import { appUrl } from '../router/app-url.ts';
import { currentPath, withReturn } from '../sign-in/return-path.ts';
import { hasUnsavedInput } from './unsaved-input.ts';

/** Requests that wait for a sign-in, as one promise. Undefined while the session is valid. */
let waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
const listeners = new Set<() => void>();

/**
 * Asks the user to sign in. A page with unsaved input shows a dialog, so that the input stays. Any other page is replaced by the
 * sign-in page, which leads back to it.
 *
 * @returns when the user has signed in
 * @throws the abort reason of the signal
 */
export async function untilSignedIn(signal: AbortSignal | undefined): Promise<void> {
  if (waiting === undefined && (listeners.size === 0 || !hasUnsavedInput())) {
    leaveForSignIn();
    // The browser is leaving the page, which shows no failure in that time.
    return new Promise(() => undefined);
  }
  waiting ??= withResolver();
  notify();
  const { promise } = waiting;
  if (signal === undefined) return promise;
  await Promise.race([
    promise,
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ]);
}

function withResolver(): NonNullable<typeof waiting> {
  let resolve = () => {};
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

let isLeaving = false;

/** Opens the sign-in page, which leads back to this page. */
export function leaveForSignIn(): void {
  if (isLeaving) return;
  isLeaving = true;
  window.location.assign(appUrl(withReturn('login', currentPath())));
}

/** Sends the requests that wait for a sign-in. */
export function confirmSignedIn(): void {
  waiting?.resolve();
  waiting = undefined;
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}

/** Whether requests wait for a sign-in. A component that uses it shows a dialog then. */
export const useAsksForSignIn = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => waiting !== undefined,
  );
