import { useEffect, useRef } from 'react';

/** Calls again and again while the page is visible; `intervalMs` undefined: not at all. */
export function usePoll(poll: () => void, intervalMs: number | undefined): void {
  const latest = useRef(poll);
  latest.current = poll;
  useEffect(() => {
    if (intervalMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
}
