import { useEffect, useState } from 'react';
import type { ChosenRange } from '../../../time-range/time-range.ts';
import { isNewChange } from '../use-live.ts';

/** Minimum interval between reads of the statistics while spans arrive. */
const REREAD_MS = 5_000;

/**
 * End of the range for statistics. It changes after a change of the project, at a limited rate, and stays while the
 * project stays the same: an idle page reads nothing.
 */
export function useNow(range: ChosenRange, change: string | undefined): number {
  const [read, setRead] = useState({ range, change, at: Date.now() });
  // Another range begins at another moment.
  if (read.range !== range) setRead({ range, change, at: Date.now() });
  useEffect(() => {
    if (!isNewChange(read.change, change)) {
      if (change !== read.change) setRead((last) => ({ ...last, change }));
      return;
    }
    const wait = Math.max(0, read.at + REREAD_MS - Date.now());
    const timer = setTimeout(() => setRead((last) => ({ ...last, change, at: Date.now() })), wait);
    return () => clearTimeout(timer);
  }, [change, read]);
  return read.at;
}
