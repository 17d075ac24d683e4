import { useEffect, useState } from 'react';
import type { ChosenRange } from '../../../time-range/time-range.ts';

/** Minimum interval between reads of the statistics while spans arrive. */
const REREAD_MS = 5_000;

/** End of the range for statistics. It changes after a change of the project, at a limited rate. */
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
