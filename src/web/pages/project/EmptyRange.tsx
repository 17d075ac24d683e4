import type { ReactNode } from 'react';
import { useTimeFormat } from '../../format/times.ts';
import { chooseRange } from '../../time-range/time-range.ts';

const HOUR_MS = 3_600_000;

/** When the latest trace of a project ended; null where there is none, undefined while that is not known. */
export type LastEnd = string | null | undefined;

interface EmptyRangeProps {
  readonly what: string;
  readonly isFiltered: boolean;
  readonly lastEnd: LastEnd;
  /** What else could be tried. */
  readonly children?: ReactNode;
}

/** There is something, but not here: where it is, and the way there. */
export function EmptyRange({ what, isFiltered, lastEnd, children }: EmptyRangeProps) {
  const times = useTimeFormat();
  // A project without any trace shows something else.
  if (lastEnd === undefined) return null;
  const last = lastEnd === null ? Number.NaN : Date.parse(lastEnd);
  return (
    <div className="empty">
      <h2>{isFiltered ? `No ${what} in this range match the filter` : `No ${what} in this range`}</h2>
      {isFiltered || Number.isNaN(last) ? (
        <p>A longer range looks further back.</p>
      ) : (
        <>
          <p>The latest trace ended {times.short(last)}.</p>
          <button
            type="button"
            className="button"
            onClick={() => chooseRange({ kind: 'fixed', start: last - 24 * HOUR_MS, end: last + 60_000 })}
          >
            Show the day before that
          </button>
        </>
      )}
      {children}
    </div>
  );
}
