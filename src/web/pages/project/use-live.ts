import { useEffect, useState } from 'react';
import { useLastChange } from '../../data/use-last-change.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { useChosenRange } from '../../time-range/time-range.ts';

/** State of a page that follows its project. */
export interface Live {
  /** Changes when the page should read its data again. Undefined until the first event. */
  readonly change: string | undefined;
  /** Whether the project has changed while live updates are off. */
  readonly hasMissed: boolean;
  /** Reads again once, although live updates are off. */
  readonly catchUp: () => void;
}

const RECENT_MS = 10_000;

/**
 * Whether data read when the last known change was `seen` lacks `change`. Data contains the first known change, unless it
 * happened while they were loading.
 */
export function isNewChange(seen: string | undefined, change: string | undefined): boolean {
  if (change === undefined || change === seen) return false;
  return seen !== undefined || Date.parse(change) > Date.now() - RECENT_MS;
}

/** Follows a project while the range has no end and the user wants live updates. */
export function useLive(projectId: string): Live {
  const range = useChosenRange();
  const { isLive } = usePreferences();
  const isOpen = range.kind === 'relative' || range.end === undefined;
  const latest = useLastChange(projectId, isOpen);
  const [change, setChange] = useState<string>();
  const isFirst = change === undefined;
  useEffect(() => {
    if (isLive || isFirst) setChange(latest);
  }, [latest, isLive, isFirst]);
  return {
    change: isOpen ? change : undefined,
    hasMissed: isOpen && !isLive && latest !== change,
    catchUp: () => setChange(latest),
  };
}
