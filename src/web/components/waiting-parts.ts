import { useEffect, useSyncExternalStore } from 'react';

/** Parts of the page that have nothing to show until the server is there again. */
let count = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  count += by;
  for (const listener of listeners) listener();
}

/** Counts the part that calls it while it waits. */
export function useWaitingPart(isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return;
    change(1);
    return () => change(-1);
  }, [isWaiting]);
}

export const useHasWaitingParts = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => count > 0,
  );
