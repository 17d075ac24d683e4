import { useSyncExternalStore } from 'react';
import type { RequestFailure } from './request.ts';

/** Failures of parts of the page whose data could not be read again, by reader. */
const stale = new Map<object, RequestFailure>();
let shown: RequestFailure | undefined;
const listeners = new Set<() => void>();

function change(): void {
  const next = stale.values().next().value;
  if (next === shown) return;
  shown = next;
  for (const listener of listeners) listener();
}

/** Reports that a reader shows outdated data. */
export function reportStale(reader: object, failure: RequestFailure): void {
  stale.set(reader, failure);
  change();
}

export function endStale(reader: object): void {
  if (stale.delete(reader)) change();
}

/** Reason why a part of the page shows outdated data. */
export const useStaleData = (): RequestFailure | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => shown,
  );
