import { useEffect, useSyncExternalStore } from 'react';

/** Number of parts of the page that have nothing to show until the server is back. */
let count = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  count += by;
  for (const listener of listeners) listener();
}

/** Counts the calling component while it waits. */
export function useMissingPanel(isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return;
    change(1);
    return () => change(-1);
  }, [isWaiting]);
}

export const useHasMissingPanels = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => count > 0,
  );
