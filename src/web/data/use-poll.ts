import { useEffect, useEffectEvent } from 'react';

/** Calls `poll` at an interval while the page is visible. Without an interval it is never called. */
export function usePoll(poll: () => void, intervalMs: number | undefined): void {
  const onInterval = useEffectEvent(poll);
  useEffect(() => {
    if (intervalMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') onInterval();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
}
