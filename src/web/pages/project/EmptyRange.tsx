import type { ReactNode } from 'react';
import { useTimeFormat } from '../../format/times.ts';
import { chooseRange } from '../../time-range/time-range.ts';

const HOUR_MS = 3_600_000;

interface EmptyRangeProps {
  readonly what: string;
  readonly isFiltered: boolean;
  /** When the latest trace of the project ended. */
  readonly lastEnd: string | undefined;
  /** What else could be tried. */
  readonly children?: ReactNode;
}

/** There is something, but not here: where it is, and the way there. */
export function EmptyRange({ what, isFiltered, lastEnd, children }: EmptyRangeProps) {
  const times = useTimeFormat();
  const last = lastEnd === undefined ? Number.NaN : Date.parse(lastEnd);
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
