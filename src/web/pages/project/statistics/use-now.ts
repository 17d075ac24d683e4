import { useEffect, useState } from 'react';
import type { ChosenRange } from '../../../time-range/time-range.ts';

/** Figures are read again this often at most while spans keep coming. */
const REREAD_MS = 5_000;

/** The moment that figures are of: it moves when something changed, but not with every span. */
export function useNow(range: ChosenRange, change: string | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  // biome-ignore lint/correctness/useExhaustiveDependencies: another range begins at another moment
  useEffect(() => setNow(Date.now()), [range]);
  useEffect(() => {
    if (change === undefined) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, now + REREAD_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [change, now]);
  return now;
}
