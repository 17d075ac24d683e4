import { useEffect, useState } from 'react';
import { useLastChange } from '../../data/use-last-change.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { useChosenRange } from '../../time-range/time-range.ts';

/** How the page follows a project that goes on changing. */
export interface Live {
  /** Moves when what is shown should be read again; undefined before. */
  readonly change: string | undefined;
  /** Whether something came while following is switched off. */
  readonly hasMissed: boolean;
  /** Reads again once, though following is switched off. */
  readonly catchUp: () => void;
}

/** Follows a project while the range is open and somebody wants to see it. */
export function useLive(projectId: string): Live {
  const range = useChosenRange();
  const { isLive } = usePreferences();
  const isOpen = range.kind === 'relative' || range.end === undefined;
  const latest = useLastChange(projectId, isOpen);
  const [change, setChange] = useState<string>();
  const isFirst = change === undefined;
  useEffect(() => {
    // What was there when the page was opened is on it already.
    if (isLive || isFirst) setChange(latest);
  }, [latest, isLive, isFirst]);
  return {
    change: isOpen ? change : undefined,
    hasMissed: isOpen && !isLive && latest !== change,
    catchUp: () => setChange(latest),
  };
}
