import { useSyncExternalStore } from 'react';
import type { RequestFailure } from './request.ts';

/** Parts of the page whose data could not be read again, by whoever reads it, and why. */
const stale = new Map<object, RequestFailure>();
let shown: RequestFailure | undefined;
const listeners = new Set<() => void>();

function change(): void {
  const next = stale.values().next().value;
  if (next === shown) return;
  shown = next;
  for (const listener of listeners) listener();
}

/** What is shown is older than it should be. */
export function reportStale(reader: object, failure: RequestFailure): void {
  stale.set(reader, failure);
  change();
}

export function endStale(reader: object): void {
  if (stale.delete(reader)) change();
}

/** Why a part of the page is older than it should be. */
export const useStaleData = (): RequestFailure | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => shown,
  );
