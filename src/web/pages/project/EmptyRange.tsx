import type { ReactNode } from 'react';
import { useTimeFormat } from '../../format/times.ts';
import { chooseRange } from '../../time-range/time-range.ts';

const HOUR_MS = 3_600_000;

/** End time of the latest trace of a project. Null without traces, undefined until it is known. */
export type LastEnd = string | null | undefined;

interface EmptyRangeProps {
  readonly what: string;
  readonly isFiltered: boolean;
  readonly lastEnd: LastEnd;
  /** Further actions. */
  readonly children?: ReactNode;
}

/** Message for a range without rows. It links to a range with data. */
export function EmptyRange({ what, isFiltered, lastEnd, children }: EmptyRangeProps) {
  const times = useTimeFormat();
  // A project without traces shows the onboarding page instead.
  if (lastEnd === undefined) return null;
  const last = lastEnd === null ? Number.NaN : Date.parse(lastEnd);
  return (
    <div className="empty">
      <h2>{isFiltered ? `No ${what} in this range match the filter` : `No ${what} in this range`}</h2>
      {isFiltered || Number.isNaN(last) ? (
        <p>Select a longer time range.</p>
      ) : (
        <>
          <p>The latest trace ended {times.short(last)}.</p>
          <button
            type="button"
            className="button"
            onClick={() => chooseRange({ kind: 'fixed', start: last - 24 * HOUR_MS, end: last + 60_000 })}
          >
            Show the last day with data
          </button>
        </>
      )}
      {children}
    </div>
  );
}
